// What a map with forms of its user's begins with: a copy of the map, and shapes in its shares.

#include "rivermap/operations/map_edits.h"

#include "core/memory.h"
#include "places/overlay.h"

#include <string.h>

RiverMap *map_copy(const RiverMap *map, Error *error) {
    const size_t cells = (size_t)map->guide.width * (size_t)map->guide.height;
    RiverMap *copy = memory_new(sizeof *copy + cells * sizeof(float), 1, error);
    if (!copy)
        return NULL;
    memcpy(copy, map, sizeof *copy + cells * sizeof(float));
    copy->land_state = NULL;
    copy->courses = NULL;
    copy->made = NULL;
    copy->grounds = NULL;
    copy->known = NULL;
    copy->guide.cells = (const float *)(const void *)(copy + 1);
    copy->constants.guide = map->constants.guide ? &copy->guide : NULL;
    copy->edits = map->edits ? land_edits_copy(map->edits, 0, 0, error) : NULL;
    copy->places = map->places ? memory_new(map->places->size, 1, error) : NULL;
    if (copy->places)
        memcpy(copy->places, map->places, map->places->size);
    if ((copy->edits || !map->edits) && (copy->places || !map->places))
        return copy;
    memory_free(copy->edits);
    memory_free(copy->places);
    memory_free(copy);
    return NULL;
}

Status map_shapes(const RiverMap *map, const Input *input, const Field *like, double side, Shapes **placed,
                  Error *error) {
    CellMap to = { .right_x = 1, .down_y = 1 };
    double width = 0, height = 0;
    if (like) {
        const Window window = window_of_field("like", like);
        const Status status = overlay_map(input, &window, &to, error);
        if (status != STATUS_OK)
            return status;
        width = like->width;
        height = like->height;
    } else {
        const Frame *frame = input->type->frame((void *)input->value);
        if (frame_is_set(frame) && (frame->system || map->tiling->planet))
            return fail(error, STATUS_INVALID,
                        "the %s have coordinates of a system: give like, a field that shows the whole map",
                        input->type->plural);
        width = (double)value_property(input->type, "width")->get(input->value);
        height = (double)value_property(input->type, "height")->get(input->value);
        if (frame_is_set(frame)) { // those of maps: metres, or shares, from the lower left corner
            const double length = frame->unit && strcmp(frame->unit, MAP_UNIT) == 0 ? 1 : map->metres;
            to = (CellMap){ frame->x / length,        (length - frame->y) / length, frame->right_x / length,
                            -frame->right_y / length, frame->down_x / length,       -frame->down_y / length };
            width = height = 1;
        }
    }
    // The outermost cells of a guide lie on the map's border. A field shows a planet from pole to pole.
    const bool poles = like && map->tiling->planet;
    const double half = like && map->guide.width > 0 ? 0.5 : 0, above = poles ? side / 4 : 0;
    const double across = side / (width - 2 * half), down = (poles ? side / 2 : side) / (height - 2 * half);
    to = (CellMap){ (to.x - half) * across, (to.y - half) * down + above, to.right_x * across,
                    to.right_y * down,      to.down_x * across,           to.down_y * down };
    *placed = overlay_copy(input, &to, error);
    return *placed ? STATUS_OK : STATUS_MEMORY;
}
