#include "picture/camera.h"

#include "core/elementary.h"

#include <math.h>

// A place in sides, its height in sides above the sea. Heights are those of cells' middles, which lie at
// whole numbers here, half a cell from the field's edges.
static Vector from_sides(const Numbers *place, double side) {
    return (Vector){ place->at[0] * side - 0.5, place->at[1] * side - 0.5, place->at[2] * side };
}

// The half of the picture's height at distance 1.
static double half_height(const CameraPlan *plan) {
    const double half = plan->field_of_view * (PI / 360);
    return sine(half) / cosine(half);
}

// The least distance from the target, in cells, at which all corners of the field are in the picture, with a
// margin. `back`: from the target towards the camera.
static double whole_distance(const CameraPlan *plan, const MaxPyramid *pyramid, Vector target, Vector back) {
    static const double margin = 1.04;
    const Vector right = vector_unit((Vector){ back.y, -back.x, 0 });
    const Vector up = { -right.y * back.z, right.x * back.z, right.y * back.x - right.x * back.y };
    const double high = half_height(plan), wide = high * plan->columns / plan->rows;
    const Field *height = pyramid->height;
    const double top = max(max_pyramid_highest(pyramid), 0);
    double least = 0;
    for (int corner = 0; corner < 8; corner++) {
        const Vector at = { corner & 1 ? height->width - 1 : 0, corner & 2 ? height->height - 1 : 0,
                            corner & 4     ? top
                            : pyramid->sea ? 0
                                           : pyramid->lowest };
        const Vector from = vector_plus(at, target, -1);
        const double aside = fabs(vector_dot(from, right)) / wide, over = fabs(vector_dot(from, up)) / high;
        least = max(least, max(aside, over) * margin + vector_dot(from, back));
    }
    return least;
}

Status camera_aim(Camera *camera, const CameraPlan *plan, const MaxPyramid *pyramid, Error *error) {
    const Field *height = pyramid->height;
    const double side = field_side(height);
    Vector target = { 0.5 * (height->width - 1), 0.5 * (height->height - 1), 0 };
    if (plan->target->count)
        target = from_sides(plan->target, side);
    if (plan->place->count) {
        camera->place = from_sides(plan->place, side);
    } else {
        const double azimuth = compass_to_cells(plan->compass, plan->azimuth) * (PI / 180),
                     pitch = plan->pitch * (PI / 180);
        const Vector back = { -cosine(pitch) * sine(azimuth), cosine(pitch) * cosine(azimuth), sine(pitch) };
        const bool whole = isnan(plan->distance);
        const double far = whole ? whole_distance(plan, pyramid, target, back) : plan->distance * side;
        camera->clear = whole ? max(far - 0.75 * side, 0) : 0; // up to the field's corner
        camera->place = vector_plus(target, back, far);
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
    const double widest = half_height(plan);
    const Vector right = vector_unit((Vector){ -camera->ahead.y, camera->ahead.x, 0 });
    const Vector up = { -right.y * camera->ahead.z, right.x * camera->ahead.z,
                        right.y * camera->ahead.x - right.x * camera->ahead.y };
    camera->right = (Vector){ right.x * widest, right.y * widest, 0 };
    camera->up = (Vector){ up.x * widest, up.y * widest, up.z * widest };
    if (camera->up.z < 0)
        camera->up = (Vector){ -camera->up.x, -camera->up.y, -camera->up.z };
    if (plan->compass.mirrored) // so is the picture, which shows the ground as it is
        camera->right = (Vector){ -camera->right.x, -camera->right.y, 0 };
    camera->pixel = 2 * widest / plan->rows;
    return STATUS_OK;
}
