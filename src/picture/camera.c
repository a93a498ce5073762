#include "picture/camera.h"

#include "core/elementary.h"

#include <math.h>

// A place in sides, its height in sides above the sea.
static Vector from_sides(const Numbers *place, double side) {
    return (Vector){ place->at[0] * side, place->at[1] * side, place->at[2] * side };
}

Status camera_aim(Camera *camera, const CameraPlan *plan, const MaxPyramid *pyramid, Error *error) {
    const Field *height = pyramid->height;
    const double side = field_side(height);
    Vector target = { 0.5 * height->width, 0.5 * height->height, 0 };
    if (plan->target->count)
        target = from_sides(plan->target, side);
    if (plan->place->count) {
        camera->place = from_sides(plan->place, side);
    } else {
        const double azimuth = plan->azimuth * (PI / 180), pitch = plan->pitch * (PI / 180);
        const double far = plan->distance * side;
        camera->place =
            (Vector){ target.x - far * cosine(pitch) * sine(azimuth),
                      target.y + far * cosine(pitch) * cosine(azimuth), target.z + far * sine(pitch) };
    }
    const Vector towards = vector_plus(target, camera->place, -1);
    camera->ahead = vector_unit(towards);
    if (!(fabs(camera->ahead.z) < 0.9999) || !(vector_dot(towards, towards) > 1e-12))
        return fail(error, STATUS_INVALID,
                    "the camera must not look straight up or down: its direction is (%.3g, %.3g, %.3g)",
                    camera->ahead.x, camera->ahead.y, camera->ahead.z);
    const double ground = max_pyramid_ground(pyramid, camera->place.x, camera->place.y);
    const bool over_field = camera->place.x >= 0 && camera->place.y >= 0 &&
                            camera->place.x <= height->width - 1 && camera->place.y <= height->height - 1;
    if ((over_field && camera->place.z <= ground) || (plan->over_sea && camera->place.z <= 0))
        return fail(error, STATUS_INVALID,
                    "the camera is inside the ground: at z %s, where the ground is at %s",
                    digits_of(camera->place.z / side).text,
                    digits_of((over_field && ground > 0 ? ground : 0) / side).text);
    const double half = plan->field_of_view * (PI / 360), widest = sine(half) / cosine(half);
    const Vector right = vector_unit((Vector){ -camera->ahead.y, camera->ahead.x, 0 });
    const Vector up = { -right.y * camera->ahead.z, right.x * camera->ahead.z,
                        right.y * camera->ahead.x - right.x * camera->ahead.y };
    camera->right = (Vector){ right.x * widest, right.y * widest, 0 };
    camera->up = (Vector){ up.x * widest, up.y * widest, up.z * widest };
    if (camera->up.z < 0)
        camera->up = (Vector){ -camera->up.x, -camera->up.y, -camera->up.z };
    camera->pixel = 2 * widest / plan->rows;
    return STATUS_OK;
}
