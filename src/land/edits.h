// Edits of a land: forms that its user adds, as points and lengths. Each enters one level, on which it is a
// few cells wide, as a function of place: so windows agree, coarser levels and far ground keep every bit, and
// finer levels carve it as they do all ground. Streams are inherited from the coarser level, so they cut
// through what is raised, and no water takes another way.

#ifndef ESKER_EDITS_H
#define ESKER_EDITS_H

#include "land/edit_charts.h"
#include "land/hillslope.h"
#include "land/land.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct Level Level;

typedef enum LandEditKind {
    EDIT_RAISE,  // adds `height`
    EDIT_LEVEL,  // ground becomes level, at `height`
    EDIT_CRATER, // a crater in ground that is `height` high in the mean (land/craters.h)
    EDIT_PAINT,  // heights of a field are added (land/paints.h)
    EDIT_LAND,   // sea in the outline becomes land, in the middle `height` high
    EDIT_SEA,    // land in the outline becomes sea
    EDIT_LAKE,   // the outline becomes a lake, its water at `height`; NAN: as high as its outlet
    EDIT_CANAL,  // a part of a canal (land/canals.h)
} LandEditKind;

// Places lie in an edit's chart. Heights are in sides of a cell of the last graded level, lengths in shares
// of the side of a flat land, or of a planet's circumference.
typedef struct LandEdit {
    LandEditKind kind;
    bool outline;     // its points are a ring, not a line
    int first, count; // its points
    double half;      // half its width
    double height;
    double depth, rim, peak; // of a crater: from the rim's crest, above the ground, above the floor
    int data;                // points after its own, which hold other numbers
    int cells, coarse;       // of a field: along the side of its part, and of the one before; 0: none is
    bool last;               // whether no part of it follows
    double blend;            // the share of its side along which it is blended
    double carries;          // what a canal drains, as a share of the land's area
    bool spring;             // whether this is its first part, in whose first cell its water comes from
    int part;                // of a crater, 0 …: how many levels after the first it enters
    double east, south;      // how its ground rises, in heights per side of the land
    bool wet;                // whether it has a lake,
    double water;            // so high
    bool seaward;            // whether it may raise sea
    int entry;               // the level that it enters
    int basin;               // cells of the box that is looked at as a whole there, across or down; 0: none
    int bowl;                // the same of a crater's bowl, with the walls of gorges
    EditChart chart;
    double left, top, right, bottom; // what it may change on that level, in its chart,
    EditBox on[CUBE_FACES];          // and on the land's faces, in shares of their side
    uint64_t key;                    // of its noise
} LandEdit;

// In the order in which they are made. One block of memory, freed by memory_free.
struct LandEdits {
    int count, point_count;
    LandEdit *at;
    EditPoint *points;
};

enum {
    EDIT_ENTRY_MAX = 28,  // the finest level that edits enter
    EDIT_HALF_CELLS = 8,  // half the width of one there, at least; on the level before less
    LAKE_CELLS = 96,      // a lake's longer side there, at most, unless that is level 1
    LAKE_CELLS_MAX = 512, // there
    LAKE_NARROWEST = 4,   // cells of a lake's mean width there, at least
    SHORE_LEVELS = 3,     // finer ones on which its shore follows the outline
    GORGE_CELLS = 24,     // along which a lake's outlet is cut, at most
    OUTLINE_MORE = 64,    // points that roughness adds to an outline, at most
};

// A copy of `edits` (NULL: none) with room for more, which are not in it yet; NULL if memory runs out.
LandEdits *land_edits_copy(const LandEdits *edits, int more, int more_points, Error *error);

// Adds an edit, for which there is room and whose kind, chart, outline, count, half and height are set.
// `cells`: of level 0 along the side of a flat land, or around a planet.
void land_edits_add(LandEdits *edits, const LandEdit *added, const EditPoint *points, int cells);

// The level that something so wide enters; above EDIT_ENTRY_MAX: it is too small.
int edit_entry(double half, int cells);

// Half the mean width of an outline, by its area and length: of a circle the radius.
double outline_half(const EditPoint *points, int count);

// Puts points between those of an outline, whose last is its first, so that straight edges look like drawn by
// nature: the middle of an edge moves aside by `roughness` (0 … 1) of a quarter of its length or less, then
// those of its halves, down to edges `least` long. Corners stay. Returns how many points are in `rough`, at
// most count + OUTLINE_MORE. `chart`: of the points.
int outline_roughen(const EditChart *chart, const EditPoint *points, int count, double roughness,
                    double least, EditPoint *rough);

// Whether it may hold a lake: it has one place, and sinks it.
static inline bool edit_is_pit(const LandEdit *edit) {
    return edit->kind == EDIT_RAISE && edit->count == 1 && edit->height < 0;
}

// Whether it becomes what its outline says, as a whole.
static inline bool edit_is_shape(const LandEdit *edit) {
    return edit->kind == EDIT_LAKE || edit->kind == EDIT_LAND || edit->kind == EDIT_SEA;
}

static inline bool edit_has_lake(const LandEdit *edit) {
    return edit->kind == EDIT_LAKE || edit_is_pit(edit) || edit->wet;
}

// Whether any that enter levels `first` … `last` may hold lakes.
bool edits_have_lakes(const LandEdits *edits, int first, int last);

// Whether a place of its chart lies in its box.
static inline bool edit_is_at(const LandEdit *edit, EditPoint at) {
    return at.x >= edit->left && at.x <= edit->right && at.y >= edit->top && at.y <= edit->bottom;
}

// Whether it only adds to the ground.
static inline bool edit_only_raises(const LandEdit *edit) {
    return edit->kind == EDIT_LAND || edit->kind == EDIT_CANAL ||
           (edit->kind == EDIT_RAISE && edit->height >= 0);
}

// What a level's form says of its edits: with an edit that enters it, and with all.
void edit_counts(const LandEdit *edit, Hillslope *form);
void edits_count(const LandEdits *edits, int level, Hillslope *form);

// --- forms -------------------------------------------------------------------------------------------------

// How far a form is there at a place, 0 … 1.
typedef struct EditForm {
    double share;  // of its height, or of level ground
    double flanks; // of the slope of its flanks
} EditForm;

EditForm edit_form(const LandEdits *edits, const LandEdit *edit, double x, double y);

// The cells of the noises' lattices in which an edit was asked last, so that places one after the other need
// few random numbers. Zeroed at first.
typedef struct NoiseCell {
    bool known;
    int column, row;
    double at[4]; // its corners
} NoiseCell;

typedef struct FormNoises {
    NoiseCell cells[3][2]; // two octaves of each noise
} FormNoises;

// The same with these.
EditForm edit_form_by(const LandEdits *edits, const LandEdit *edit, FormNoises *noises, double x, double y);

// How far inside an edit's outline a place lies; 0: outside.
double edit_depth(const LandEdits *edits, const LandEdit *edit, double x, double y);

// Whether a place lies in an edit's outline or nearer to it than `reach`.
bool edit_outline_has(const LandEdits *edits, const LandEdit *edit, double reach, double x, double y);

// --- what lakes fit ----------------------------------------------------------------------------------------

// The heights at which a lake's water can stand; an outlet lower than the ground there is cut.
typedef struct LakeFit {
    bool known, fits; // fits: a stream leaves it; a sea reaches it
    double least, most;
    double share;    // of the outline that becomes water; 0 for seas
    double area;     // that does, as a share of the map's
    bool dry;        // whether there is land in the outline
    bool river;      // whether one keeps its valley, or could be where the lake is if none fits,
    EditPoint where; // the largest, in the edit's chart
} LakeFit;

// Sets the fit of edit `which` of the `count` from `first` on, all of them lakes or seas; also those of
// others that lie in the land which is computed for it. `fits`: zeroed at first. Until then no other thread
// may use the land.
Status land_fit_lake(Land *land, const Run *run, int first, int count, int which, LakeFit *fits,
                     Error *error);

// --- on a level (internal to src/land) ---------------------------------------------------------------------

// Of what a level's form says of its edits, leaves what those ask that reach into a window.
void edits_near(const Land *land, const LandWindow *window, Hillslope *form);

// By how many cells raising edits shrinks the region, `most` at most, if a window is to be left: forms change
// what lies on them alone, so that those count which cross its edge, with all that they touch.
int rise_near(const Land *land, const LandWindow *window, int most);

// Whether a place lies inside the outline of a lake that a level a little coarser has, not farther than
// `reach` from it: there the shore follows the outline. All in cells of the coarser level, on the face of the
// level's only patch.
bool edit_shore_has(const Level *level, double reach, double x, double y);

// Finds the edits that matter, and gives the level's new detail and slopes what forms of coarser levels ask.
Status begin_edits(Level *level, Error *error);

// Keeps erosion from the level ground of coarser levels; once erosion's rates are set.
Status hold_edits(const Level *level);

// Sets level->springs.
Status find_springs(Level *level, Error *error);

// Carves the canals that enter here; once streams are inherited.
Status carve_canals(Level *level);

// Leads rivers on over sea that is to be raised; before it is.
Status lead_mouths_on(Level *level);

// Raises ground and the streams that begin on it; after erosion.
Status raise_edits(Level *level);

// Fills the pits behind what is raised.
Status fill_edits(Level *level);

// Lowers ground as far as water runs off, and makes bays of ground below the sea; once drained.
Status lower_edits(Level *level);

// Makes lakes of pits, and lakes and seas of outlines; after that.
Status fill_basins(Level *level);

// Sets a fit just before, if the whole of its edit lies in the level's region.
void fit_basin(const Level *level, const LandEdit *edit, LakeFit *fit);

#endif
