// SVG: rivers as lines at their width, grouped by Strahler order; ridges; the coast of a polygon. Lines of
// equal height, with labels on those of order 2. One unit is a cell of the network's window.

#include "core/math.h"
#include "rivers/network.h"

#include <math.h>

static void write_ridges(FILE *stream, const RiverNetwork *network) {
    if (network->ridge_count == 0)
        return;
    fputs("<g id=\"ridges\" stroke=\"#b83d22\" stroke-width=\"1\">\n", stream);
    for (int i = 0; i < network->ridge_count; i++) {
        const Ridge *ridge = &network->ridges[i];
        fputs("<polyline points=\"", stream);
        for (int k = ridge->first; k < ridge->first + ridge->count; k++)
            fprintf(stream, "%.6g,%.6g ", network->ridge_points[k].x / network->cell,
                    network->ridge_points[k].y / network->cell);
        fputs("\"/>\n", stream);
    }
    fputs("</g>\n", stream);
}

static void write_coast(FILE *stream, const RiverNetwork *network) {
    const Boundary *boundary = &network->boundary;
    if (!boundary->coast || boundary->corner_count == 0)
        return;
    fputs("<polygon id=\"land\" fill=\"#f6f3ea\" stroke=\"#6d8ea3\" points=\"", stream);
    for (int i = 0; i < boundary->corner_count; i++)
        fprintf(stream, "%.6g,%.6g ", boundary->corners[i].x / network->cell,
                boundary->corners[i].y / network->cell);
    fputs("\"/>\n", stream);
}

// A line has one width: pieces of nearly equal width are joined into one line.
static void write_reach(FILE *stream, const RiverNetwork *network, const Reach *reach) {
    const RiverPoint *points = network->points + reach->first;
    for (int first = 0, end; first < reach->count - 1; first = end) {
        for (end = first + 1; end < reach->count - 1 && points[end].width <= 1.2f * points[first].width;)
            end++;
        fprintf(stream, "<polyline stroke-width=\"%.4g\" points=\"", (double)points[first].width);
        for (int i = first; i <= end; i++)
            fprintf(stream, "%.6g,%.6g ", points[i].x, points[i].y);
        fputs("\"/>\n", stream);
    }
}

// In the middle of each long line of order 2, along it and upright, larger on larger maps.
static void write_labels(FILE *stream, const RiverNetwork *network) {
    const double size = max(max(network->width, network->height) / 64.0, 2);
    fprintf(stream,
            "<g id=\"labels\" font-family=\"sans-serif\" font-size=\"%.4g\" text-anchor=\"middle\" "
            "fill=\"#6b4423\" "
            "stroke=\"#ffffff\" stroke-width=\"%.4g\" paint-order=\"stroke\">\n",
            size, size / 4);
    for (int i = 0; i < network->reach_count; i++) {
        const Reach *reach = &network->reaches[i];
        const RiverPoint *points = network->points + reach->first;
        int at = 0;
        if (reach->order < 2 || (double)points->distance < 8 * size)
            continue;
        while (at + 2 < reach->count && points[at].distance > points->distance / 2)
            at++;
        const double x = points[at + 1].x - points[at].x, y = points[at + 1].y - points[at].y;
        const double length = sqrt(x * x + y * y), dx = fabs(x) / length, dy = (x < 0 ? -y : y) / length;
        fprintf(stream,
                "<text transform=\"matrix(%.4g %.4g %.4g %.4g %.6g %.6g)\" dy=\"0.35em\">%.7g</text>\n", dx,
                dy, -dy, dx, points[at].x, points[at].y, (double)points->altitude);
    }
    fputs("</g>\n", stream);
}

// How it was made, where editors of pictures keep it.
static void write_metadata(FILE *stream, const Labels *labels) {
    fputs("<metadata>", stream);
    for (int i = 0; labels && i < labels->count; i++) {
        fprintf(stream, "%s: ", labels->at[i].key);
        for (const char *at = labels->at[i].value; *at; at++)
            if (*at == '<' || *at == '&')
                fputs(*at == '<' ? "&lt;" : "&amp;", stream);
            else if ((unsigned char)*at >= 32)
                fputc(*at, stream);
        fputc('\n', stream);
    }
    fputs("</metadata>\n", stream);
}

Status write_svg(const Writing *writing, Error *error) {
    (void)error;
    const RiverNetwork *network = writing->value;
    FILE *stream = writing->stream;
    int highest = 0;
    for (int i = 0; i < network->reach_count; i++)
        highest = max(network->reaches[i].order, highest);
    fprintf(stream,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" fill=\"none\" "
            "stroke-linecap=\"round\" stroke-linejoin=\"round\">\n",
            network->width, network->height);
    if (writing->labels)
        write_metadata(stream, writing->labels);
    write_coast(stream, network);
    write_ridges(stream, network);
    for (int order = 1; order <= highest; order++) {
        fprintf(stream, "<g id=\"order-%d\" stroke=\"%s\">\n", order, network->lines ? "#8a5a2b" : "#1c5694");
        for (int i = 0; i < network->reach_count; i++)
            if (network->reaches[i].order == order)
                write_reach(stream, network, &network->reaches[i]);
        fputs("</g>\n", stream);
    }
    if (network->lines)
        write_labels(stream, network);
    fputs("</svg>\n", stream);
    return STATUS_OK;
}
