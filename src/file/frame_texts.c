#include "file/frame_texts.h"

#include <stdio.h>

void frame_to_texts(const Frame *frame, FrameTexts *texts) {
    texts->count = 0;
    if (!frame_is_set(frame))
        return;
    const int size =
        snprintf(texts->numbers, sizeof texts->numbers, "%.17g %.17g %.17g %.17g %.17g %.17g", frame->x,
                 frame->y, frame->right_x, frame->right_y, frame->down_x, frame->down_y);
    if (frame->sea != 0 || frame->top != 0)
        snprintf(texts->numbers + size, sizeof texts->numbers - (size_t)size, " %.17g %.17g", frame->sea,
                 frame->top);
    texts->at[texts->count++] = (FrameText){ FRAME_PLACE, texts->numbers };
    if (frame->system)
        texts->at[texts->count++] = (FrameText){ FRAME_SYSTEM, frame->system };
    if (frame->unit)
        texts->at[texts->count++] = (FrameText){ FRAME_UNIT, frame->unit };
}

void frame_from_texts(const char *place, const char *system, const char *unit, Frame *frame) {
    Frame found = { 0 };
    if (!place ||
        sscanf(place, "%lf %lf %lf %lf %lf %lf %lf %lf", &found.x, &found.y, &found.right_x, &found.right_y,
               &found.down_x, &found.down_y, &found.sea, &found.top) < 6 ||
        !frame_is_valid(&found))
        return;
    frame_system(system, &found.system, NULL);
    frame_text(unit, FRAME_UNIT_MAX, &found.unit, NULL);
    *frame = found;
}
