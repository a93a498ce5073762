// Grey-scale morphology (Serra 1982): a dilation gives each cell the maximum of its surroundings, an erosion
// the minimum; an opening is a dilation of the erosion, a closing the reverse.
//
// Squares and disks are sums of steps; an erosion is the dilation of negated heights.

#include "core/math.h"
#include "core/operation.h"
#include "core/step_max.h"
#include "core/whole.h"
#include "filter/disk.h"

typedef struct Morphology {
    int kind, element;
    double radius; // in cells
} Morphology;

enum { DILATE, ERODE, OPEN, CLOSE };
enum { DISK, SQUARE };

static Status run(const Call *call, Error *error) {
    const Morphology *morphology = call->params;
    const Field *height = call->inputs[0].field;
    const int reach = whole_within(morphology->radius, 0, field_side(height));
    Step square[2 * STEP_RUN_MAX];
    const int across = step_run(square, 0, (Step){ 1, 0 }, 2 * reach);
    StepMax task = { .from = height,
                     .to = &call->outputs[0].field,
                     .gaps = height->gaps,
                     .sign = morphology->kind == DILATE || morphology->kind == CLOSE ? 1 : -1,
                     .wraps = call->wraps,
                     .first = { -reach, -reach },
                     .steps = square,
                     .step_count = step_run(square, across, (Step){ 0, 1 }, 2 * reach) };
    Disk disk = { 0 };
    Field between = { 0 };
    Status status = STATUS_OK;
    if (morphology->element == DISK) {
        status = disk_create(&disk, morphology->radius, reach, error);
        task.first = disk.first;
        task.steps = disk.steps;
        task.step_count = disk.step_count;
        task.others = disk.others;
        task.other_count = disk.other_count;
    }
    if (status == STATUS_OK && morphology->kind >= OPEN) {
        status = field_create(&between, call->width, call->height, error);
        task.to = &between;
        if (status == STATUS_OK)
            status = step_max(call->run, &task, error);
        task.from = &between;
        task.to = &call->outputs[0].field;
        task.sign = -task.sign;
    }
    if (status == STATUS_OK)
        status = step_max(call->run, &task, error);
    field_free(&between);
    disk_free(&disk);
    return status;
}

static int morphology_reach(const Call *call) {
    const Morphology *morphology = call->params;
    const int reach = whole_within(morphology->radius, 0, SIDE_MAX);
    return morphology->kind >= OPEN ? 2 * reach : reach;
}

static const Param params[] = {
    PARAM(Morphology, kind, .choices = CHOICES("dilate", "erode", "open", "close"),
          .doc = "dilate: the maximum around each cell, erode: the minimum; open removes what is narrower "
                 "than the "
                 "element, close fills what is"),
    PARAM(Morphology, radius, .initial = 0.03, .min = 0, .max = 0.5, .unit = UNIT_SIDES,
          .doc = "of the disk, or half the square's side"),
    PARAM(Morphology, element, .choices = CHOICES("disk", "square"), .doc = "shape of the surroundings"),
    { 0 },
};

const Operation op_morphology = {
    .name = "morphology",
    .gaps = GAPS_KEPT,
    .reach = morphology_reach,
    .category = "filter",
    .summary = "Dilates, erodes, opens or closes masks and heights",
    .description = "For masks, dilate grows and erode shrinks the area of 1. Where edges do not meet, only "
                   "cells that exist count, and everywhere only those that have data. With a disk, the time "
                   "grows with the radius in cells to the power 2/3. (Erosion by water is stream_erosion.)",
    .source = "Xu 1991, Decomposition of convex polygonal morphological structuring elements into "
              "neighborhood subsets",
    .inputs = { { "height", "heights or a mask" } },
    .outputs = { { "height", "the result", .heights = true } },
    .params = params,
    .params_size = sizeof(Morphology),
    .always_finite = "gives heights of the field",
    .wrapping = WRAPPING_CHOSEN,
    .example = "local wider = height:remap{ from = { 0.6, 0.61 } }:morphology{ radius = 0.05 }",
    .picture = "return height, height:morphology{ radius = 0.05 }, height:morphology{ kind = \"open\", "
               "radius = 0.05 }",
    .keywords = "dilate dilation erode open opening close closing expand shrink grow maximum minimum "
                "filter structuring element binary grey expander sieve",
    .see_also = "median blur",
    .run = run,
};
