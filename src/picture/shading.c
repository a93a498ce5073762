#include "picture/shading.h"

#include "core/elementary.h"
#include "core/math.h"

Status lights_set(Lights *lights, Compass compass, double azimuth, double altitude, double contrast,
                  Error *error) {
    if (!(altitude >= 1 && altitude <= 90))
        return fail(error, STATUS_INVALID, "light: the altitude must be 1 to 90, got %s",
                    digits_of(altitude).text);
    // The weaker lights come from a higher sky, so that slopes along the main light's direction have a
    // light and a dark side, too (as in Mark 1992, "Multidirectional, oblique-weighted, shaded-relief
    // image").
    static const struct {
        double turn, rise, share;
    } arrangement[LIGHTS] = { { 0, 0, 0.64 }, { -60, 0.2, 0.20 }, { 55, 0.3, 0.16 } };
    for (int i = 0; i < LIGHTS; i++) {
        const double around = compass_to_cells(compass, azimuth + arrangement[i].turn) * (PI / 180);
        const double up = (altitude + arrangement[i].rise * (90 - altitude)) * (PI / 180);
        lights->towards[i][0] = (float)(sine(around) * cosine(up));
        lights->towards[i][1] = (float)(-cosine(around) * cosine(up));
        lights->towards[i][2] = (float)sine(up);
        lights->share[i] = (float)arrangement[i].share / soft_light(lights->towards[i][2]);
    }
    lights->contrast = (float)(contrast / 0.85);
    return STATUS_OK;
}
