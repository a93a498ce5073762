#include "rivermap/eroded/cell_weights.h"

static float cubic(float x) {
    const float d = x < 0 ? -x : x;
    if (d >= 2)
        return 0;
    return d < 1 ? (1.5f * d - 2.5f) * d * d + 1 : ((-0.5f * d + 2.5f) * d - 4) * d + 2;
}

void weigh_cells(float *weights, int count, float first, float cell) {
    float sum = 0;
    for (int i = 0; i < count; i++) {
        weights[i] = cubic(((float)i - first) * cell);
        sum += weights[i];
    }
    float moment = 0; // from where they should lie on average: of a plane the mean is the plane
    for (int i = 0; i < count; i++) {
        weights[i] /= sum;
        moment += weights[i] * ((float)i - first);
    }
    weights[count / 2 - 1] += moment;
    weights[count / 2] -= moment;
}
