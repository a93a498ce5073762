// Fields as the channels of an image: splat maps, masks, data for other programs.

#include "core/kernel.h"
#include "core/math.h"
#include "core/operation.h"
#include "core/whole.h"

typedef struct Channels {
    const Field *green, *blue, *alpha;
    double low, high;
    bool shares;
} Channels;

typedef struct Painting {
    const Field *channels[4]; // NULL: not given
    Image *image;
    float low, scale;
    bool shares;
} Painting;

// `low` … `high` as 0 … 1; others are clamped. A missing channel is `missing`.
KERNEL static void read_channel(const Painting *painting, int channel, int y, float missing, int first,
                                int count, float *restrict out) {
    if (!painting->channels[channel]) {
        for (int x = 0; x < count; x++)
            out[x] = missing;
        return;
    }
    const float *restrict row = field_row(painting->channels[channel], y) + first;
    const float low = painting->low, scale = painting->scale;
    for (int x = 0; x < count; x++) {
        const float share = (row[x] - low) * scale, above = share > 0 ? share : 0;
        out[x] = above < 1 ? above : 1;
    }
}

enum { CHUNK = 256 };

static uint8_t byte_of(float share) {
    return (uint8_t)whole_within(share * 255 + 0.5f, 0, 255);
}

static Pixel pixel_of(float channels[4][CHUNK], int x) {
    return (Pixel){ byte_of(channels[0][x]), byte_of(channels[1][x]), byte_of(channels[2][x]),
                    byte_of(channels[3][x]) };
}

// The given channels as shares of 255, by the method of largest remainders: each is rounded down, and those
// that lost most are raised by 1 until the sum is 255, the first of equal ones. Where all are 0, the first
// is 255.
static Pixel shares_of(float channels[4][CHUNK], int given, int x) {
    int bytes[4] = { 0, 0, 0, 255 }, left = 255;
    double rests[4], sum = 0;
    for (int i = 0; i < given; i++)
        sum += (double)channels[i][x];
    for (int i = 0; i < given; i++) {
        const double share = sum > 0 ? 255 * (double)channels[i][x] / sum : i == 0 ? 255 : 0;
        bytes[i] = whole_within(share, 0, 255);
        rests[i] = share - bytes[i];
        left -= bytes[i];
    }
    for (; left > 0; left--) {
        int most = 0;
        for (int i = 1; i < given; i++)
            most = rests[i] > rests[most] ? i : most;
        bytes[most]++;
        rests[most] = -1;
    }
    return (Pixel){ (uint8_t)bytes[0], (uint8_t)bytes[1], (uint8_t)bytes[2], (uint8_t)bytes[3] };
}

static void paint_rows(void *context, int first, int end) {
    const Painting *painting = context;
    const int width = painting->image->width, given = painting->channels[3] ? 4 : 3;
    float channels[4][CHUNK];
    for (int y = first; y < end; y++)
        for (int start = 0; start < width; start += CHUNK) {
            const int count = min(width - start, CHUNK);
            for (int i = 0; i < 4; i++)
                read_channel(painting, i, y, i == 3 ? 1 : 0, start, count, channels[i]);
            Pixel *pixels = image_row(painting->image, y) + start;
            for (int x = 0; x < count; x++)
                pixels[x] = painting->shares ? shares_of(channels, given, x) : pixel_of(channels, x);
        }
}

static Status run(const Call *call, Error *error) {
    const Channels *params = call->params;
    if (!(params->high > params->low))
        return fail(error, STATUS_INVALID, "high must be above low, got %s and %s",
                    digits_of(params->high).text, digits_of(params->low).text);
    const Painting painting = { .channels = { call->inputs[0].field, params->green, params->blue,
                                              params->alpha },
                                .image = &call->outputs[0].image,
                                .low = (float)params->low,
                                .scale = (float)(1 / (params->high - params->low)),
                                .shares = params->shares };
    return parallel_rows(call->run, call->height, call->width * 4.0, paint_rows, (void *)&painting);
}

static const Param params[] = {
    PARAM(Channels, green, .doc = "the green channel; 0 if it is not given"),
    PARAM(Channels, blue, .doc = "the blue channel; 0 if it is not given"),
    PARAM(Channels, alpha, .doc = "the alpha channel; opaque if it is not given"),
    PARAM(Channels, low, .initial = 0, .min = -HEIGHT_MAX, .max = HEIGHT_MAX,
          .doc = "the value that becomes 0"),
    PARAM(Channels, high, .initial = 1, .min = -HEIGHT_MAX, .max = HEIGHT_MAX,
          .doc = "the value that becomes 255"),
    PARAM(Channels, shares,
          .doc =
              "whether the channels are scaled to add up to 255 in each pixel, as shares of materials; alpha "
              "counts if it is given; where all are 0, red is 255"),
    { 0 },
};

const Operation op_image = {
    .name = "image",
    .category = "picture",
    .keywords = "splat map splatmap channels rgba weights mask texture combine",
    .summary = "Makes an image from one to four fields, one for each channel: a splat map",
    .description =
        "Values are stored as they are, without gamma. An image loaded again gives the same bytes. With "
        "alpha viewers show ground with little of the fourth material as transparent; engines read all four.",
    .inputs = { { "red", "the red channel" } },
    .outputs = { { "image", "the channels", &type_image } },
    .params = params,
    .params_size = sizeof(Channels),
    .example = "local rock = height:select{ slope = { 30, 90, 10 } }\n"
               "local snow = height:select{ height = { 0.7, 2, 0.1 } }\n"
               "local splat = rock:image{ green = 1 - rock:max(snow), blue = snow, shares = true }",
    .picture = "local rock = height:select{ slope = { 30, 90, 10 } }\n"
               "local snow = height:select{ height = { 0.7, 2, 0.1 } }\n"
               "return rock:image{ green = 1 - rock:max(snow), blue = snow, shares = true }",
    .see_also = "select normal_map save",
    .run = run,
};
