// A .json beside a file whose format cannot say how its numbers are to be read, where its cells lie, or how
// it was made: "land.r16.json".

#ifndef ESKER_SIDECAR_H
#define ESKER_SIDECAR_H

#include "core/frame.h"
#include "file/formats.h"
#include "file/whole_file.h"

// --- texts -------------------------------------------------------------------------------------------------

// Frames as texts, in formats that carry texts but no frame.

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
    char numbers[240];
} FrameTexts;

void frame_to_texts(const Frame *frame, FrameTexts *texts);

// The reverse: the frame of these texts, each of which may be NULL. If they make no valid frame, it has none.
void frame_from_texts(const char *place, const char *system, const char *unit, Frame *frame);

// --- the file beside ---------------------------------------------------------------------------------------

typedef struct Sidecar {
    double width, height; // of a field; 0: it is none
    const char *type;     // of raw numbers, such as "uint16"; NULL: the file says it
    bool is_big, is_flipped;
    bool scaled; // the numbers span low to high
    double low, high;
    Frame frame;
} Sidecar;

// Writes the .json of `file`, whose path was given as `path`; nothing where whole files go to a stream.
Status sidecar_write(WholeFile *file, const char *path, const Sidecar *sidecar, const Labels *labels,
                     Error *error);

// Reads the .json of the file `path`, if there is one; `sidecar->type` is the type of the file's numbers, or
// NULL. Members that it does not name stay as they are.
Status sidecar_read(const char *path, Sidecar *sidecar, Error *error);

// Fails if the .json gives another size than the field that was read.
Status sidecar_check_size(const char *path, const Sidecar *sidecar, const Field *field, Error *error);

#endif
