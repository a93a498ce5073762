// The planes in which edits are drawn. On a flat land that is the land itself. On a planet each edit has a
// chart of its own, an equal-area map around its middle, so that its form is the same on all faces of the
// cube (land/cube.h) and has its true size.

#ifndef ESKER_EDIT_CHARTS_H
#define ESKER_EDIT_CHARTS_H

#include "core/vector.h"
#include "land/cube.h"

#include <stdbool.h>

// A place in the plane: shares of a flat land's side, or of a planet's circumference, (1/2, 1/2) in the
// middle.
typedef struct EditPoint {
    double x, y;
} EditPoint;

typedef struct EditChart {
    bool round;           // of a planet
    Vec3 east, south, up; // there: directions in the cube's axes
} EditChart;

typedef struct EditBox {
    double left, top, right, bottom; // empty if right < left
} EditBox;

// Where a cell lies.
typedef struct EditPlace {
    EditPoint flat; // of a flat land
    Vec3 at;        // of a planet: the direction from its middle
} EditPlace;

// The farthest place from a chart's middle at which an edit may lie.
#define CHART_REACH 0.1

// `north`: of the planet. Both directions in the cube's axes.
EditChart edit_chart(Vec3 up, Vec3 north);

EditPoint chart_point(const EditChart *chart, Vec3 at);
Vec3 chart_direction(const EditChart *chart, EditPoint point);

// On which of the land's faces a point lies, and where, in cells. `side`: cells along a face.
CubePlace chart_place(const EditChart *chart, EditPoint point, double side);

static inline EditPoint point_in(const EditChart *chart, const EditPlace *place) {
    return chart->round ? chart_point(chart, place->at) : place->flat;
}

// What a box covers of each face, in shares of the face's side, at least; of a flat land the first face is
// all.
void chart_boxes(const EditChart *chart, const EditBox *box, EditBox on[CUBE_FACES]);

static inline bool box_is_empty(const EditBox *box) {
    return box->right < box->left;
}

// Whether no edge of a planet's cube crosses it, or at most one.
bool boxes_on_one_face(const EditBox on[CUBE_FACES]);
bool boxes_on_two_faces(const EditBox on[CUBE_FACES]);

// A place of a land's face, in cells. `side`: cells along that.
static inline EditPlace place_on_face(bool round, double side, int face, double x, double y) {
    if (round)
        return (EditPlace){ .at = cube_direction(side, face, x, y) };
    return (EditPlace){ .flat = { x / side, y / side } };
}

#endif
