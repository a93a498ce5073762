// Frames as texts, in formats that carry texts but no frame.

#ifndef ESKER_FRAME_TEXTS_H
#define ESKER_FRAME_TEXTS_H

#include "core/frame.h"

// The names of the texts.
#define FRAME_PLACE "esker:place"
#define FRAME_SYSTEM "esker:system"
#define FRAME_UNIT "esker:unit"

typedef struct FrameText {
    const char *key, *value;
} FrameText;

enum { FRAME_TEXTS = 3 };

typedef struct FrameTexts {
    int count; // 0 without a frame
    FrameText at[FRAME_TEXTS];
    char numbers[200];
} FrameTexts;

void frame_to_texts(const Frame *frame, FrameTexts *texts);

// The reverse: the frame of these texts, each of which may be NULL. If they make no valid frame, it has none.
void frame_from_texts(const char *place, const char *system, const char *unit, Frame *frame);

#endif
