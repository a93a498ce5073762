// A terrain from C: heights into the program's own memory, eroded, saved, and the largest river's length.
//
//     cc terrain.c $(pkg-config --cflags --libs esker) -lm -o terrain && ./terrain terrain.png
//
// If Esker is installed elsewhere than where the linker looks, set PKG_CONFIG_PATH to PREFIX/lib/pkgconfig to
// compile and LD_LIBRARY_PATH to PREFIX/lib to run.

#include <esker.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { SIDE = 256 };

static void forget(void *context, void *memory) {
    (void)memory;
    *(int *)context += 1;
}

// A cone with a ripple, computed by this program.
static void make_heights(float *cells) {
    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++) {
            const double dx = x - SIDE / 2.0, dy = y - SIDE / 2.0, far = sqrt(dx * dx + dy * dy) / SIDE;
            cells[y * SIDE + x] = (float)(1 - far + 0.02 * cos(40 * far) * cos(0.1 * x));
        }
}

// The length of the longest reach, in cells.
static double longest_reach(const EskerValue *rivers) {
    size_t reaches = 0, points = 0;
    const EskerReach *reach = esker_reaches(rivers, &reaches);
    const EskerRiverPoint *point = esker_river_points(rivers, &points);
    double longest = 0;
    for (size_t i = 0; i < reaches; i++) {
        const double length =
            point[reach[i].first].distance - point[reach[i].first + reach[i].count - 1].distance;
        longest = length > longest ? length : longest;
    }
    return longest;
}

int main(int count, char **words) {
    static float cells[SIDE * SIDE];
    make_heights(cells);
    EskerError error = { "" };
    int released = 0;
    EskerValue *hill =
        esker_field_wrap(cells, SIDE, SIDE, SIDE * (int)sizeof *cells, forget, &released, &error);
    EskerValue *land = NULL, *rivers = NULL;
    EskerStatus status = hill ? ESKER_OK : ESKER_INVALID;
    if (status == ESKER_OK) {
        const EskerArgument erosion[] = { esker_value("height", hill), esker_number("talus", 2),
                                          esker_number("iterations", 20) };
        status = esker_run("olsen_erosion", erosion, 3, NULL, &land, 1, &error);
    }
    if (status == ESKER_OK) {
        const EskerArgument flow[] = { esker_value("height", land), esker_number("threshold", 0.005) };
        status = esker_run("rivers_from_flow", flow, 2, NULL, &rivers, 1, &error);
    }
    if (status == ESKER_OK) {
        printf("hash %016llx\n", (unsigned long long)esker_hash(land));
        printf("longest reach %.1f cells\n", longest_reach(rivers));
    }
    if (status == ESKER_OK && count > 1) {
        const EskerArgument save[] = { esker_value("picture", land), esker_text("path", words[1]) };
        status = esker_run("save", save, 2, NULL, NULL, 0, &error);
    }
    if (status != ESKER_OK)
        fprintf(stderr, "%s\n", error.text);
    esker_free(rivers);
    esker_free(land);
    esker_free(hill);
    return status == ESKER_OK && released == 1 ? EXIT_SUCCESS : EXIT_FAILURE;
}
