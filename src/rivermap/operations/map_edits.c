#include "rivermap/operations/map_edits.h"

#include "core/elementary.h"
#include "core/math.h"
#include "core/memory.h"
#include "places/points.h"
#include "rivermap/operations/map_charts.h"

#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

typedef struct Adding {
    const Call *call;
    const MapEdit *edit;
    RiverMap *copy;
    Land *land; // of the map before
    int cells;  // of level 0, along the map's side or around a planet
    bool planet;
    double side, cell; // metres: the map's or the equator's, and of a cell of the last graded level
    EditChart chart;   // of the shape that is added
    int first;         // edit that is added
    EditPoint *given;  // the points of the shape that is added
    EditPoint *points; // those with which it is added
    int shapes;        // that are added
} Adding;

// Whether its outline says how wide it is.
static bool is_shape(const MapEdit *edit) {
    return edit->kind == EDIT_LAKE || edit->kind == EDIT_LAND || edit->kind == EDIT_SEA;
}

static bool is_crater(const MapEdit *edit) {
    return edit->kind == EDIT_CRATER;
}

static int last_input(const Operation *operation) {
    int last = 0;
    while (last + 1 < INPUTS_MAX && operation->inputs[last + 1].name)
        last++;
    return last;
}

static const Input *places_of(const Call *call, const MapEdit *edit) {
    return &call->inputs[last_input(edit->operation)];
}

// "Points, Lines or Polygons": what may give its places.
static void name_places(const MapEdit *edit, char *names, size_t size) {
    const ValueType *const *accepts = edit->operation->inputs[last_input(edit->operation)].accepts;
    *names = '\0';
    for (int i = 0; i < ACCEPTS_MAX && accepts[i]; i++) {
        const bool last = i + 1 == ACCEPTS_MAX || !accepts[i + 1];
        const size_t used = strlen(names);
        snprintf(names + used, size - used, "%s%s", i == 0 ? "" : last ? " or " : ", ", accepts[i]->name);
    }
}

// Of a painted field: its parts, and the points that these have.
static int parts_of(const MapEdit *edit) {
    return is_crater(edit) ? CRATER_PARTS : edit->field ? paint_parts(edit->field->width) : 1;
}

static int data_of(const MapEdit *edit, int part) {
    const int side = edit->field ? edit->field->width : 0;
    return !edit->field ? 0
                        : paint_points(paint_cells(side, part)) +
                              (part > 0 ? paint_points(paint_cells(side, part - 1)) : 0);
}

static Status check_width(const Adding *adding, Error *error) {
    const double width = adding->edit->width, side = adding->side;
    if (is_shape(adding->edit))
        return STATUS_OK;
    const int levels = EDIT_ENTRY_MAX - (parts_of(adding->edit) - 1);
    const double cell = side / adding->cells,
                 first = adding->edit->add_line ? cell : 2 * EDIT_HALF_CELLS * cell,
                 least = ldexp(first, -levels);
    if (adding->edit->add_line && !(width >= least && width <= cell))
        return fail(error, STATUS_INVALID,
                    "width must be %s to %s m, got %s m; add_rivers makes wider rivers",
                    digits_of(least).text, digits_of(cell).text, digits_of(width).text);
    const double most = adding->planet ? CHART_REACH * side : side;
    if (!(width >= least && width <= most))
        return fail(error, STATUS_INVALID, "%s must be %s to %s m%s, got %s m",
                    adding->edit->field ? "side" : "width", digits_of(least).text,
                    digits_of(floor(most)).text, adding->planet ? "" : " (the map's side)",
                    digits_of(width).text);
    return STATUS_OK;
}

static Status check_point(const Adding *adding, const ShapePoint *point, int number, Error *error) {
    const double top = adding->planet ? 0.25 : 0;
    if (point->x >= 0 && point->x <= 1 && point->y >= top && point->y <= 1 - top)
        return STATUS_OK;
    return fail(error, STATUS_INVALID,
                adding->planet
                    ? "shape %d lies outside the map: x must be 0 to 1 and y 0.25, the north pole, to "
                      "0.75, got (%s, %s)"
                    : "shape %d lies outside the map: x and y must be 0 to 1, got (%s, %s)",
                number, digits_of(point->x).text, digits_of(point->y).text);
}

// An outline that is finer than the deepest level is none that can be shown.
static Status check_outline(const Adding *adding, const ShapePoint *points, int count, int number,
                            Error *error) {
    const double cell = ldexp(adding->side / adding->cells, -EDIT_ENTRY_MAX);
    for (int i = 0; i < count; i++)
        adding->given[i] = (EditPoint){ points[i].x, points[i].y };
    const double half = outline_half(adding->given, count);
    if (half > 0 && 2 * half * adding->side >= 2 * EDIT_HALF_CELLS * cell)
        return STATUS_OK;
    return half > 0
               ? fail(error, STATUS_INVALID, "shape %d is too small: its mean width must be %s m or more",
                      number, digits_of(2 * EDIT_HALF_CELLS * cell).text)
               : fail(error, STATUS_INVALID, "shape %d has no area", number);
}

static Status check_part(const Adding *adding, const ShapePart *part, const ShapePoint *points, bool outline,
                         int number, Error *error) {
    Status status = STATUS_OK;
    if (part->hole)
        return fail(error, STATUS_INVALID, "shape %d has a hole, which an edit may not", number);
    if (adding->edit->add_line && part->count < 2)
        return fail(error, STATUS_INVALID, "shape %d is no line: give two points or more", number);
    for (int i = 0; i < part->count && status == STATUS_OK; i++)
        status = check_point(adding, &points[i], number, error);
    return status == STATUS_OK && outline ? check_outline(adding, points, part->count, number, error)
                                          : status;
}

// What can be said of all shapes before the land is made, which takes long.
static Status check_shapes(const Adding *adding, const Shapes *shapes, bool outlines, Error *error) {
    Status status = STATUS_OK;
    for (int i = 0; i < shapes->count && status == STATUS_OK; i++) {
        const Shape *shape = &shapes->shapes[i];
        Error why;
        if (outlines)
            status = shapes_check_crossings(shapes, shape, &why);
        if (status != STATUS_OK)
            return fail(error, status, "shape %d: %.150s", i + 1, why.text);
        for (int k = shape->first; k < shape->first + shape->count && status == STATUS_OK; k++) {
            const ShapePart *part = &shapes->parts[k];
            status = check_part(adding, part, shapes->points + part->first, outlines, i + 1, error);
        }
    }
    return status;
}

// --- planets -----------------------------------------------------------------------------------------------

// Sets the points of a shape, and of a planet the chart in which they lie.
static Status chart_shape(Adding *adding, const ShapePoint *points, int count, int number, Error *error) {
    const double width = adding->edit->width, half = width > 0 ? width / adding->side / 2 : 0;
    if (map_chart(adding->copy, points, count, half, &adding->chart, adding->given))
        return STATUS_OK;
    return fail(error, STATUS_INVALID,
                "shape %d is too large: on a planet all of it lies within %s m of its middle", number,
                digits_of(floor(CHART_REACH * adding->side)).text);
}

// What is looked at as a whole crosses one edge of the cube at most (land/edit_sheets.h).
static Status check_faces(const Adding *adding, Error *error) {
    const LandEdits *edits = adding->copy->edits;
    const int added = edits->count - adding->first;
    for (int i = 0; adding->planet && i < added; i++) {
        const LandEdit *edit = &edits->at[adding->first + i];
        const bool whole = edit->basin || edit->bowl;
        if (!whole || boxes_on_two_faces(edit->on))
            continue;
        Vec2 place = { 0 };
        const bool found = map_place_beside(adding->copy, edit, &place);
        return fail(
            error, STATUS_INVALID,
            found ? "shape %d lies at a corner of the cube whose faces a planet's land is made on, where "
                    "pits, lakes, coasts and craters may not; the nearest place for its middle is "
                    "(%.7f, %.7f)"
                  : "shape %d lies at a corner of the cube whose faces a planet's land is made on, where "
                    "pits, lakes, coasts and craters may not; make it smaller",
            1 + i * adding->shapes / added, place.x, place.y);
    }
    return STATUS_OK;
}

// --- the ground there --------------------------------------------------------------------------------------

// Looks at a cell of the land before: its place, and its altitude in units of the level.
typedef void LookAt(void *context, const EditPlace *place, Int128 altitude);

// Looks at all cells of a level in boxes.
static Status look_at_ground(const Adding *adding, int level, const EditBox on[CUBE_FACES], LookAt *look,
                             void *context, Error *error) {
    const double cells = ldexp(adding->cells, level - (adding->planet ? 2 : 0)); // along a face
    Status status = STATUS_OK;
    for (int face = 0; face < CUBE_FACES && status == STATUS_OK; face++) {
        const EditBox *box = &on[face];
        if (box_is_empty(box))
            continue;
        LandFaces faces = { 0 };
        faces.wanted[face] = (LandRect){ whole_128(max(floor(box->left * cells), 0)),
                                         whole_128(max(floor(box->top * cells), 0)),
                                         whole_128(min(ceil(box->right * cells), cells)),
                                         whole_128(min(ceil(box->bottom * cells), cells)) };
        status = land_faces_once(adding->land, adding->call->run, level, &faces, error);
        const LandWindow *window = &faces.on[face];
        for (int y = 0; status == STATUS_OK && y < window->height; y++)
            for (int x = 0; x < window->width; x++) {
                const EditPlace place = place_on_face(
                    adding->planet, cells, face, (double)window->x + x + 0.5, (double)window->y + y + 0.5);
                look(context, &place,
                     window->base + window->altitude[(size_t)y * (size_t)window->width + (size_t)x]);
            }
        land_faces_free(&faces);
    }
    return status;
}

// How far an edit's points reach.
static EditPoint middle_of(const EditPoint *points, int count, double *reach) {
    EditPoint least = points[0], most = points[0];
    for (int i = 1; i < count; i++) {
        least = (EditPoint){ min(least.x, points[i].x), min(least.y, points[i].y) };
        most = (EditPoint){ max(most.x, points[i].x), max(most.y, points[i].y) };
    }
    *reach = max(most.x - least.x, most.y - least.y) / 2;
    return (EditPoint){ (least.x + most.x) / 2, (least.y + most.y) / 2 };
}

#define RIM_FROM 0.75 // in half widths of a crater: where streams come through its rim
#define RIM_TO 1.2

typedef struct Mean {
    double sum, weight;
    double across, down; // sums of heights by the distance from the middle,
    double spread;       // and of its square
    double least;        // the lowest ground below a crater's rim
} Mean;

typedef struct Adds {
    const LandEdits *one;
    EditPoint at;
    int bits; // of an altitude of 1, in sides of cells of the last graded level
    Mean *mean;
} Adds;

static void add_cell(void *context, const EditPlace *place, Int128 altitude) {
    const Adds *adds = context;
    Mean *mean = adds->mean;
    const LandEdit *edit = adds->one->at;
    const EditPoint at = point_in(&edit->chart, place);
    const double share = edit_form(adds->one, edit, at.x, at.y).share,
                 height = ldexp((double)altitude, -adds->bits);
    const double dx = at.x - adds->at.x, dy = at.y - adds->at.y;
    const double away = sqrt(dx * dx + dy * dy) / edit->half;
    if (away > RIM_FROM && away < RIM_TO)
        mean->least = min(mean->least, height);
    mean->sum += share * max(height, 0);
    mean->weight += share;
    mean->across += share * max(height, 0) * dx;
    mean->down += share * max(height, 0) * dy;
    mean->spread += share * (dx * dx + dy * dy) / 2;
}

// Adds what an edit levels of the window of one of its points, or of all of an outline.
static Status add_ground(const Adding *adding, const LandEdits *one, int level, EditPoint at, double reach,
                         Mean *mean, Error *error) {
    const LandRules *rules = &eroded_of(adding->copy)->rules;
    const EditBox box = { at.x - reach, at.y - reach, at.x + reach, at.y + reach };
    Adds adds = { one, at, rules->unit_bits + max(level - rules->graded, 0), mean };
    EditBox on[CUBE_FACES];
    chart_boxes(&one->at->chart, &box, on);
    return look_at_ground(adding, level, on, add_cell, &adds, error);
}

enum { OUTLINE_FINENESS = 4 }; // the shortest edges that roughness makes, in half an outline's width

enum { CRATER_GROUND = 2 }; // levels after its first
#define STEEPEST 0.2        // the slope of the ground of craters

enum { MEAN_WINDOWS = 16, OUTLINE_CELLS = 64 }; // windows of all shapes; cells from an outline's middle

// The mean altitude of the ground that an edit levels, in sides of cells of the last graded level: at all of
// its points, or at some of many, and over the whole of an outline.
static Status mean_ground(const Adding *adding, LandEdit *edit, Error *error) {
    const int windows = max(MEAN_WINDOWS / adding->shapes, 1), step = 1 + (edit->count - 1) / windows;
    // Mountains rise from level to level: craters are made in ground as it is on finer ones.
    int level = edit_entry(edit->half, adding->cells) + (edit->kind == EDIT_CRATER ? CRATER_GROUND : 0);
    LandEdits *one = land_edits_copy(NULL, 1, edit->count, error);
    if (!one)
        return STATUS_MEMORY;
    land_edits_add(one, edit, adding->points, adding->cells);
    Mean mean = { .least = INFINITY };
    Status status = STATUS_OK;
    if (edit->outline) {
        double reach = 0;
        const EditPoint middle = middle_of(adding->points, edit->count, &reach);
        while (level > 1 && ldexp(reach * adding->cells, level) > OUTLINE_CELLS)
            level--;
        status = add_ground(adding, one, level, middle, reach + edit->half, &mean, error);
    }
    for (int i = 0; i < edit->count && !edit->outline && status == STATUS_OK; i += step)
        status = add_ground(adding, one, level, adding->points[i], edit->half, &mean, error);
    memory_free(one);
    edit->height = mean.weight > 0 ? mean.sum / mean.weight : 0;
    if (edit->kind == EDIT_CRATER && mean.spread > 0) {
        const double most = STEEPEST * adding->side / adding->cell;
        edit->water = mean.least;
        edit->east = clamp(mean.across / mean.spread, -most, most);
        edit->south = clamp(mean.down / mean.spread, -most, most);
    }
    return status;
}

// Whether an edit may lie on such ground: a file may have any numbers.
static bool is_ground(const Adding *adding, const EditGround *ground) {
    const double top = ldexp(land_top(adding->land), -eroded_of(adding->copy)->rules.unit_bits),
                 most = STEEPEST * adding->side / adding->cell;
    return ground->height >= 0 && ground->height <= top && fabs(ground->least) <= top &&
           fabs(ground->east) <= most && fabs(ground->south) <= most;
}

// The ground below an edit, as a file has it or as it is found now.
static Status find_ground(const Adding *adding, LandEdit *edit, Error *error) {
    const EditGrounds *known = ((const RiverMap *)adding->call->inputs[0].value)->known;
    EditGrounds *grounds = adding->copy->grounds;
    const EditGround *ground = known && grounds->count < known->count ? &known->at[grounds->count] : NULL;
    Status status = STATUS_OK;
    if (ground && is_ground(adding, ground)) {
        edit->height = ground->height;
        if (is_crater(adding->edit)) {
            edit->water = ground->least;
            edit->east = ground->east;
            edit->south = ground->south;
        }
    } else
        status = mean_ground(adding, edit, error);
    grounds->at[grounds->count++] = (EditGround){ edit->height, edit->water, edit->east, edit->south };
    return status;
}

// What is looked at as a whole is neither too large for that nor too narrow.
static Status check_size(const Adding *adding, const LandEdit *shape, int number, Error *error) {
    const double cells = ldexp(adding->cells, shape->entry), cell = adding->side / cells;
    const int side = shape->basin - 2 * (GORGE_CELLS + 2) - 3;
    if (shape->entry > EDIT_ENTRY_MAX)
        return fail(error, STATUS_INVALID, "shape %d is too small: its mean width must be %s m or more",
                    number, digits_of(2 * EDIT_HALF_CELLS * ldexp(cell, shape->entry - EDIT_ENTRY_MAX)).text);
    if (side > LAKE_CELLS_MAX)
        return fail(error, STATUS_INVALID, "shape %d is too large: it may be %s m long", number,
                    digits_of(LAKE_CELLS_MAX * cell).text);
    if (2 * shape->half * cells < LAKE_NARROWEST)
        return fail(error, STATUS_INVALID,
                    "shape %d is too narrow for its length: its mean width must be %s m or more, got %s m; "
                    "draw several",
                    number, digits_of(LAKE_NARROWEST * cell).text,
                    digits_of(2 * shape->half * adding->side).text);
    return STATUS_OK;
}

// The points with which an edit is added; returns their number.
static int place_points(const Adding *adding, int count, bool outline, double half) {
    if (outline)
        return outline_roughen(&adding->chart, adding->given, count, adding->edit->roughness,
                               half / OUTLINE_FINENESS, adding->points);
    memcpy(adding->points, adding->given, (size_t)count * sizeof *adding->points);
    return count;
}

#define BELOW_BEDS 0.05   // of the depth: how far a lake stays below the streams that come through the rim
#define HOLDING 1.1       // times the least depth with which a crater has a lake
#define LEAST_FLOOR 0.06  // of the depth: how far floors are above the sea
#define LEAST_CRATER 0.01 // of the width: the depth

// A floor below the sea would be under water: one whose depth is not given is as deep as the ground allows.
static Status fit_crater(const Adding *adding, double ground, int number, CraterSize *size, Error *error) {
    const double asked = size->depth;
    if (ground + size->rim >= (1 + LEAST_FLOOR) * asked)
        return STATUS_OK;
    const double most = min((ground + size->rim) / (1 + LEAST_FLOOR), ground / (0.5 + LEAST_FLOOR));
    if (!(most >= LEAST_CRATER * adding->edit->width))
        return fail(error, STATUS_INVALID,
                    "shape %d lies in the sea or too low for a crater: its ground is %s m high", number,
                    digits_of(floor(ground)).text);
    if (adding->edit->exact)
        return fail(
            error, STATUS_INVALID,
            "the floor of shape %d would lie below the sea: depth must be at most %s m there, got %s m",
            number, digits_of(floor(most)).text, digits_of(asked).text);
    size->depth = most;
    size->rim = min(size->rim, most / 2);
    size->peak *= most / asked;
    return STATUS_OK;
}

// A bowl whose floor is higher than the valleys in its rim holds no lake. Places of an input are what they
// can be.
static Status check_lake(const Adding *adding, const LandEdit *edit, const CraterSize *size, int number,
                         Error *error) {
    const double ground = edit->height * adding->cell, valley = edit->water * adding->cell,
                 rim = size->rim / size->depth, floor_height = ground + size->rim - size->depth;
    const double least = HOLDING * (ground - valley) / (1 - BELOW_BEDS - rim);
    if (adding->edit->list->count == 0) {
        tell(adding->call->notice,
             "shape %d has no lake: a valley comes through its rim at %.0f m, and its floor is at %.0f m",
             number, valley, floor_height);
        return STATUS_OK;
    }
    char advice[80] = "place it on higher ground or give no lake";
    if (least <= ground / (1 + LEAST_FLOOR - rim))
        snprintf(advice, sizeof advice, "depth must be %.0f m or more, got %.0f m", ceil(least), size->depth);
    return fail(
        error, STATUS_INVALID,
        "shape %d can hold no lake: a valley comes through its rim at %.0f m, and its floor is at %.0f m; "
        "%s",
        number, valley, floor_height, advice);
}

// The parts of a crater, one for each level that they enter.
static Status add_crater(const Adding *adding, const LandEdit *edit, int number, Error *error) {
    const LandRules *rules = &eroded_of(adding->copy)->rules;
    const int level = edit_entry(edit->half, adding->cells);
    CraterSize size = *adding->edit->crater;
    LandEdit part = *edit;
    Status status = fit_crater(adding, edit->height * adding->cell, number, &size, error);
    part.wet = adding->edit->filled > 0;
    for (part.part = 0; part.part < CRATER_PARTS && status == STATUS_OK; part.part++) {
        // Pictures of coarse levels show heights with what finer ones add to them.
        const double shown = adding->cell * (1 + land_rise(rules, level + part.part) * 0x1p-16);
        part.depth = size.depth / shown;
        part.rim = size.rim / shown;
        part.peak = size.peak / shown;
        if (part.part == 0)
            part.water = min(part.height - (part.depth - part.rim) * (1 - adding->edit->filled),
                             edit->water - BELOW_BEDS * part.depth);
        part.wet &= part.water > part.height + part.rim - part.depth;
        if (part.part == 0 && adding->edit->filled > 0 && !part.wet)
            status = check_lake(adding, edit, &size, number, error);
        land_edits_add(adding->copy->edits, &part, adding->points, adding->cells);
    }
    return status;
}

static void add_paint(const Adding *adding, const LandEdit *edit) {
    const Field *field = adding->edit->field;
    const double unit = frame_height_metres(&field->frame), scale = (unit > 0 ? unit : 1) / adding->cell;
    LandEdit part = *edit;
    part.blend = adding->edit->blend;
    for (part.part = 0; part.part < parts_of(adding->edit); part.part++) {
        part.cells = paint_cells(field->width, part.part);
        part.coarse = part.part > 0 ? paint_cells(field->width, part.part - 1) : 0;
        part.last = part.part == parts_of(adding->edit) - 1;
        part.data = data_of(adding->edit, part.part);
        paint_means(field, part.cells, scale, adding->points + 1);
        if (part.coarse > 0)
            paint_means(field, part.coarse, scale, adding->points + 1 + paint_points(part.cells));
        land_edits_add(adding->copy->edits, &part, adding->points, adding->cells);
    }
}

static Status add_edit(Adding *adding, const ShapePoint *points, int count, bool outline, int number,
                       Error *error) {
    const MapEdit *asked = adding->edit;
    EditPoint *to = adding->given;
    Status status = chart_shape(adding, points, count, number, error);
    if (status != STATUS_OK)
        return status;
    const bool shape = is_shape(asked);
    const double half = shape ? outline_half(to, count) : asked->width / adding->side / 2;
    LandEdit edit = { .kind = asked->kind,
                      .chart = adding->chart,
                      .outline = outline,
                      .count = place_points(adding, count, outline, half),
                      .half = half,
                      .height = asked->height / adding->cell };
    if ((asked->kind == EDIT_LEVEL || is_crater(asked)) && isnan(asked->height)) {
        status = find_ground(adding, &edit, error);
        if (status != STATUS_OK)
            return status;
    }
    if (asked->add_line) {
        const EditLine line = { .call = adding->call,
                                .copy = adding->copy,
                                .land = adding->land,
                                .points = to,
                                .count = count,
                                .number = number,
                                .chart = adding->chart,
                                .cells = adding->cells,
                                .half = half,
                                .side = adding->side,
                                .cell = adding->cell };
        return asked->add_line(&line, error);
    }
    if (asked->field) {
        add_paint(adding, &edit);
        return STATUS_OK;
    }
    if (is_crater(asked))
        return add_crater(adding, &edit, number, error);
    land_edits_add(adding->copy->edits, &edit, adding->points, adding->cells);
    return shape ? check_size(adding, &adding->copy->edits->at[adding->copy->edits->count - 1], number, error)
                 : STATUS_OK;
}

// Room for the shapes that are added.
static Status make_room(Adding *adding, const Shapes *shapes, bool outlines, Error *error) {
    int parts = 0, points = 0, most = 0;
    for (int i = 0; i < shapes->count; i++)
        for (int k = 0; k < shapes->shapes[i].count; k++) {
            const int count = shapes->parts[shapes->shapes[i].first + k].count;
            parts++;
            points += count + (outlines ? OUTLINE_MORE : 0);
            most = max(most, count);
        }
    adding->shapes = parts;
    if (adding->edit->kind == EDIT_LEVEL && isnan(adding->edit->height) && parts > MEAN_WINDOWS)
        return fail(error, STATUS_INVALID, "give altitude for more than %d places at once, got %d",
                    MEAN_WINDOWS, parts);
    const int each = parts_of(adding->edit), last = data_of(adding->edit, each - 1);
    int data = 0;
    for (int part = 0; part < each; part++)
        data += data_of(adding->edit, part);
    LandEdits *edits =
        land_edits_copy(adding->copy->edits, each * parts, each * points + data * parts, error);
    const size_t room = (size_t)most + OUTLINE_MORE + (size_t)last;
    adding->given = edits ? memory_new(2 * room, sizeof *adding->given, error) : NULL;
    if (!adding->given) {
        memory_free(edits);
        return STATUS_MEMORY;
    }
    adding->points = adding->given + room;
    adding->copy->grounds =
        memory_new_zeroed(1, sizeof(EditGrounds) + (size_t)parts * sizeof(EditGround), error);
    if (!adding->copy->grounds) {
        memory_free(edits);
        return STATUS_MEMORY;
    }
    memory_free(adding->copy->edits);
    adding->copy->edits = edits;
    return STATUS_OK;
}

static Status add_shapes(Adding *adding, const Shapes *shapes, bool outlines, Error *error) {
    Status status = STATUS_OK;
    for (int i = 0; i < shapes->count; i++) {
        const Shape *shape = &shapes->shapes[i];
        for (int k = shape->first; k < shape->first + shape->count && status == STATUS_OK; k++) {
            const ShapePart *part = &shapes->parts[k];
            status = add_edit(adding, shapes->points + part->first, part->count, outlines, i + 1, error);
        }
    }
    return status;
}

static Status list_shapes(const MapEdit *edit, Shapes **made, Error *error) {
    const Numbers *list = edit->list;
    Shapes *shapes = *made = shapes_new(error);
    Status status = shapes ? STATUS_OK : STATUS_MEMORY;
    const int end = list->count + (edit->outline ? 2 : 0);
    for (int i = 0; i < end && status == STATUS_OK; i += 2) {
        status = shapes_add_point(
            shapes, (ShapePoint){ list->at[i % list->count], list->at[i % list->count + 1], 0 }, error);
        if (status == STATUS_OK && (edit->apart || i + 2 >= end))
            status = shapes_end_part(shapes, false, error);
        if (status == STATUS_OK && (edit->apart || i + 2 >= end))
            status = shapes_end_shape(shapes, error);
    }
    return status;
}

static Status add_all(Adding *adding, Error *error) {
    const MapEdit *edit = adding->edit;
    const RiverMap *map = adding->call->inputs[0].value;
    const Input *input = places_of(adding->call, edit);
    const bool given = input_is_given(input),
               outlines = given ? input->type == &type_polygons : edit->outline;
    Shapes *shapes = NULL;
    Status status =
        given ? map_shapes(map, input, edit->like, 1, &shapes, error) : list_shapes(edit, &shapes, error);
    if (status == STATUS_OK)
        status = make_room(adding, shapes, outlines, error);
    if (status == STATUS_OK)
        status = check_shapes(adding, shapes, outlines, error);
    if (status == STATUS_OK)
        status = eroded_land(map, adding->call->run, &adding->land, error);
    if (status == STATUS_OK)
        status = eroded_copy(map, adding->copy, error);
    if (status == STATUS_OK)
        status = add_shapes(adding, shapes, outlines, error);
    shapes_free(shapes);
    return status;
}

// Of an outline: lakes that have less are told, and those that are larger than the Caspian Sea, in m².
#define FULL 0.75
#define LARGEST 3.71e11

static Vec2 river_of(const Adding *adding, const LandEdit *edit, const LakeFit *fit) {
    return edit->chart.round ? map_place(adding->copy, chart_direction(&edit->chart, fit->where))
                             : (Vec2){ fit->where.x, fit->where.y };
}

static void tell_size(const Adding *adding, const LandEdit *edit, const LakeFit *fit, int number) {
    Error *notice = adding->call->notice;
    const double area = fit->area * adding->side * adding->side;
    const Vec2 river = river_of(adding, edit, fit);
    if (notice && fit->share < FULL)
        tell(notice,
             fit->river
                 ? "shape %d becomes a lake in %.0f %% of its outline: the river at (%.7f, %.7f) leaves it "
                   "elsewhere than its water does, and keeps its valley"
                 : "shape %d becomes a lake in %.0f %% of its outline: shores stay away from lower ground",
             number, 100 * fit->share, river.x, river.y);
    if (notice && area > LARGEST)
        tell(
            notice,
            "shape %d becomes a lake of %.0f km², larger than any on the earth: all ground in it is cut down "
            "to the water",
            number, area / 1e6);
}

static Status refuse_lake(const Adding *adding, const LandEdit *edit, const LakeFit *fit, int number,
                          Error *error) {
    const Vec2 river = river_of(adding, edit, fit);
    return fail(error, STATUS_INVALID,
                !fit->dry ? "shape %d cannot be a lake: it lies in the sea"
                : fit->river
                    ? "shape %d cannot be a lake: no stream leaves it that could carry its water; draw it "
                      "across the river at (%.7f, %.7f)"
                    : "shape %d cannot be a lake: no stream leaves it on land; draw it across a river, or "
                      "larger",
                number, river.x, river.y);
}

static Status check_fit(const Adding *adding, const LandEdit *edit, const LakeFit *fit, int number,
                        Error *error) {
    const double metres = adding->cell, asked = adding->edit->height;
    // What is shown of a limit may be asked for.
    const double least = fit->least * metres, most = fit->most * metres, rounding = max(1e-4 * most, 0.005);
    if (!fit->fits && adding->edit->kind == EDIT_SEA)
        return fail(error, STATUS_INVALID, "shape %d cannot be sea: the sea does not reach land in it",
                    number);
    if (!fit->fits)
        return refuse_lake(adding, edit, fit, number, error);
    if (!isnan(asked) && !(asked >= least - rounding && asked <= most + rounding))
        return fail(error, STATUS_INVALID,
                    "the altitude of shape %d must be %.2f to %.2f m, where its water can leave it without "
                    "rising, got %s m",
                    number, least, most, digits_of(asked).text);
    if (adding->edit->kind == EDIT_LAKE)
        tell_size(adding, edit, fit, number);
    return STATUS_OK;
}

// Of a list's, or of those with an altitude of their own: others are what they can be.
static Status check_lakes(const Adding *adding, Land *land, Error *error) {
    const int count = adding->shapes, first = adding->copy->edits->count - count;
    if ((adding->edit->kind != EDIT_LAKE && adding->edit->kind != EDIT_SEA) ||
        (adding->edit->list->count == 0 && isnan(adding->edit->height)))
        return STATUS_OK;
    LakeFit *fits = memory_new_zeroed((size_t)max(count, 1), sizeof *fits, error);
    Status status = fits ? STATUS_OK : STATUS_MEMORY;
    for (int i = 0; i < count && status == STATUS_OK; i++) {
        status = land_fit_lake(land, adding->call->run, first, count, i, fits, error);
        if (status == STATUS_OK)
            status = check_fit(adding, &adding->copy->edits->at[first + i], &fits[i], i + 1, error);
    }
    memory_free(fits);
    return status;
}

typedef struct SeaIn {
    const LandEdits *edits;
    const LandEdit *edit;
    bool sea;
} SeaIn;

static void find_sea(void *context, const EditPlace *place, Int128 altitude) {
    SeaIn *in = context;
    const EditPoint at = point_in(&in->edit->chart, place);
    in->sea = in->sea || (altitude <= 0 && edit_outline_has(in->edits, in->edit, 0, at.x, at.y));
}

// Whether there was sea in the outline of an edit.
static Status has_sea(const Adding *adding, const LandEdit *edit, bool *sea, Error *error) {
    SeaIn in = { adding->copy->edits, edit, false };
    const Status status = look_at_ground(adding, edit->entry, edit->on, find_sea, &in, error);
    *sea = in.sea;
    return status;
}

// Of a list's: others are what they can be.
static Status check_new_land(const Adding *adding, Error *error) {
    const LandEdits *edits = adding->copy->edits;
    const int first = edits->count - adding->shapes;
    Status status = STATUS_OK;
    if (adding->edit->kind != EDIT_LAND || adding->edit->list->count == 0)
        return STATUS_OK;
    for (int i = 0; i < adding->shapes && status == STATUS_OK; i++) {
        bool sea = false;
        status = has_sea(adding, &edits->at[first + i], &sea, error);
        if (status == STATUS_OK && !sea)
            status =
                fail(error, STATUS_INVALID,
                     "shape %d cannot become land: there is no sea in it; raise makes hills of land", i + 1);
    }
    return status;
}

// Coasts of finer levels are no farther from those of level 0.
enum { COAST_CELLS = 2 };

// Those that raise ground may raise sea where level 0 has some.
static void find_seaward(const Adding *adding) {
    LandEdits *edits = adding->copy->edits;
    for (int i = 0; i < edits->count; i++) {
        LandEdit *edit = &edits->at[i];
        const bool raises = (edit->kind == EDIT_RAISE && edit->height > 0) || edit->kind == EDIT_LEVEL ||
                            edit->kind == EDIT_PAINT;
        edit->seaward = false;
        for (int face = 0; face < CUBE_FACES && raises && !edit->seaward; face++)
            edit->seaward = land_has_sea(adding->land, face, &edit->on[face], COAST_CELLS);
    }
}

static Status make_land(const Adding *adding, Error *error) {
    find_seaward(adding);
    const Status crossing = check_faces(adding, error);
    if (crossing != STATUS_OK)
        return crossing;
    Land *land = land_with_edits(adding->land, adding->copy->edits, error);
    if (!land)
        return STATUS_MEMORY;
    atomic_store(&((Eroded *)adding->copy->land_state)->land, land);
    const Status status = check_new_land(adding, error);
    return status == STATUS_OK ? check_lakes(adding, land, error) : status;
}

Status map_edit(const Call *call, const MapEdit *edit, Error *error) {
    const RiverMap *map = call->inputs[0].value;
    const bool planet = map->tiling->planet;
    if (!map->land->create)
        return fail(error, STATUS_INVALID, "edits are for maps with land = \"eroded\"");
    const bool given = input_is_given(places_of(call, edit));
    char names[120];
    name_places(edit, names, sizeof names);
    if (!given && edit->list->count == 0)
        return fail(error, STATUS_INVALID, "give %s, a list of points { x, y }, or %s", edit->list_name,
                    names);
    if (given && edit->list->count > 0)
        return fail(error, STATUS_INVALID, "give places or %s, not both", edit->list_name);
    const Eroded *eroded = eroded_of(map);
    const double side = map->metres * (planet ? 2 * PI : 1);
    Adding adding = { .call = call,
                      .edit = edit,
                      .planet = planet,
                      .first = map->edits ? map->edits->count : 0,
                      .cells = 1 << eroded->depth,
                      .side = side,
                      .cell = ldexp(side, -eroded->depth - eroded->rules.graded) };
    Status status = check_width(&adding, error);
    if (status != STATUS_OK)
        return status;
    adding.copy = call->outputs[0].value = map_copy(map, error);
    if (!adding.copy)
        return STATUS_MEMORY;
    status = add_all(&adding, error);
    if (status == STATUS_OK)
        status = make_land(&adding, error);
    memory_free(adding.given);
    return status;
}
