// The ground of a map for engines (esker.h): windows of the map in the caller's memory, from many threads.

#include "core/finite.h"
#include "core/memory.h"
#include "core/whole.h"
#include "library/handle.h"
#include "rivermap/eroded/eroded.h"
#include "rivermap/view.h"

#include <math.h>
#include <unistd.h>

struct EskerGround {
    EskerValue *value; // the map's, kept
    const RiverMap *map;
    Monitor monitor;
    int urgent;    // calls that are not ahead
    int computing; // calls that have begun,
    int most;      // at most so many
    pid_t process;
};

enum { LAYERS = 5, BORDER_MAX = 1024, RING_MIN = 9, RING_MAX = 4097, RINGS_MAX = 20, FACES = 6 };
#define MEMORY_LEAST ((size_t)128 << 20)
#define MEMORY_CALL ((size_t)32 << 20) // of a call for 256 × 256 cells
#define MEMORY_USUAL ((size_t)256 << 20)
#define PLANET_PIXEL 0.7 // cells of a face, in the mean, that are as long as a pixel (globe_pixel)
#define STEP_MAX 0x1p40  // bytes: so far from each other no addresses lie, and sums of steps fit in them
#define CELLS_MAX 0x1p36 // along the map's side: corners in doubles are exact to a small part of a cell

// Land is prepared for so many cells more on each side: tiles of points reach half a cell beyond those of
// cells, and what that lacks of the coarse levels would be made with a margin of its own.
enum { POINTS_BEYOND = 2 };

static atomic_int sharing; // calls that compute now, less those that wait for others

// --- which are open ----------------------------------------------------------------------------------------

// An address is looked up before anything there is read: a ground that was closed is an error, no crash.
enum { GROUNDS_MAX = 256 };

typedef struct Slot {
    _Atomic(EskerGround *) ground; // NULL: free
    atomic_int users;              // calls that use it, for which closing waits
} Slot;

static Slot slots[GROUNDS_MAX];

// Without a lock, which another thread might hold while a process forks.
static Slot *use(const EskerGround *ground) {
    for (Slot *slot = slots; slot < slots + GROUNDS_MAX; slot++) {
        if (atomic_load(&slot->ground) != ground)
            continue;
        atomic_fetch_add(&slot->users, 1);
        if (atomic_load(&slot->ground) == ground)
            return slot;
        atomic_fetch_sub(&slot->users, 1); // it was closed in between
    }
    return NULL;
}

static Status use_open(EskerGround *ground, Slot **slot, Error *error) {
    *slot = NULL;
    if (!ground)
        return fail(error, STATUS_INVALID, "the ground is missing: NULL");
    *slot = use(ground);
    if (!*slot)
        return fail(error, STATUS_INVALID, "the ground is not open: esker_ground_close has closed it");
    if (ground->process == getpid())
        return STATUS_OK;
    atomic_fetch_sub(&(*slot)->users, 1);
    return fail(error, STATUS_INVALID, "the ground was opened by another process: open it after the fork");
}

static bool list_open(EskerGround *ground) {
    for (Slot *slot = slots; slot < slots + GROUNDS_MAX; slot++) {
        EskerGround *none = NULL;
        if (atomic_load(&slot->users) == 0 && atomic_compare_exchange_strong(&slot->ground, &none, ground))
            return true;
    }
    return false;
}

static bool any_open(void) {
    for (Slot *slot = slots; slot < slots + GROUNDS_MAX; slot++)
        if (atomic_load(&slot->ground))
            return true;
    return false;
}

// --- opening -----------------------------------------------------------------------------------------------

static Status check_map(const EskerValue *value, Error *error) {
    const RiverMap *map = value && value->content.type == &type_map ? value->content.value : NULL;
    if (!map)
        return fail(error, STATUS_INVALID, "map must be a map, as river_map makes it, got %s",
                    value ? value->content.type->singular : "NULL");
    if (map->land != map->tiling->eroded)
        return fail(error, STATUS_INVALID, "map must have eroded land, got raw land, which has no metres");
    return STATUS_OK;
}

static void ground_free(EskerGround *ground) {
    monitor_destroy(&ground->monitor);
    esker_free(ground->value);
    memory_free(ground);
}

EskerGround *esker_ground_open(const EskerValue *value, size_t memory, EskerError *caller_error) {
    static const Run usual;
    Error *error = engine_error(caller_error);
    Status status = check_map(value, error);
    if (status == STATUS_OK && memory != 0 && memory < MEMORY_LEAST)
        status = fail(error, STATUS_INVALID, "memory must be at least %zu bytes, or 0, got %zu", MEMORY_LEAST,
                      memory);
    EskerGround *ground = status == STATUS_OK ? memory_new_zeroed(1, sizeof *ground, error) : NULL;
    if (!ground)
        return NULL;
    Land *land;
    ground->map = value->content.value;
    ground->process = getpid();
    if (eroded_land(ground->map, &usual, &land, error) != STATUS_OK) {
        memory_free(ground);
        return NULL;
    }
    const size_t limit = memory ? memory : MEMORY_USUAL;
    ground->most = (int)min(limit / 4 / MEMORY_CALL, (size_t)processor_count());
    ground->value = handle_keep(value);
    monitor_create(&ground->monitor);
    if (!list_open(ground)) {
        fail(error, STATUS_INVALID, "at most %d grounds are open at once: close one", GROUNDS_MAX);
        ground_free(ground);
        return NULL;
    }
    land_keep(land, limit / 2);
    memory_keep_at_most(limit / 4);
    return ground;
}

// Waits for the calls that have found the ground before it left its slot.
static void wait_for_calls(EskerGround *ground, Slot *slot) {
    static const Run usual;
    pthread_mutex_lock(&ground->monitor.mutex);
    while (atomic_load(&slot->users) > 1)
        monitor_wait(&ground->monitor, &usual);
    pthread_mutex_unlock(&ground->monitor.mutex);
}

// In a forked process other threads' locks may be held for ever: there the ground is only forgotten.
void esker_ground_close(EskerGround *ground) {
    static const Run usual;
    Error error;
    Land *land;
    Slot *slot = ground ? use(ground) : NULL;
    EskerGround *open = ground;
    if (!slot || !atomic_compare_exchange_strong(&slot->ground, &open, NULL)) {
        if (slot)
            atomic_fetch_sub(&slot->users, 1);
        return;
    }
    if (ground->process != getpid()) {
        atomic_store(&slot->users, 0);
        return;
    }
    wait_for_calls(ground, slot);
    if (eroded_land(ground->map, &usual, &land, &error) == STATUS_OK)
        land_keep(land, 0);
    ground_free(ground);
    atomic_fetch_sub(&slot->users, 1);
    if (!any_open())
        memory_keep_at_most(SIZE_MAX);
    memory_give_back();
}

// --- calls -------------------------------------------------------------------------------------------------

// A call that computes. Calls share the threads, and at most as many compute at once as there are processors:
// more would only take memory and caches from each other, and as many as the memory suffices for.
typedef struct Work {
    EskerGround *ground;
    Run run;
    bool ahead;
} Work;

static Status work_begin(Work *work, EskerGround *ground, const EskerTask *task, bool ahead, Error *error) {
    *work = (Work){ .ground = ground, .ahead = ahead };
    if (task)
        work->run = (Run){ .threads = task->run.threads, .stop = task->run.stop };
    Status status = run_stopped(&work->run) ? STATUS_STOPPED : STATUS_OK;
    pthread_mutex_lock(&ground->monitor.mutex);
    ground->urgent += !ahead;
    while (status == STATUS_OK && ((ahead && ground->urgent > 0) || ground->computing >= ground->most))
        status = monitor_wait(&ground->monitor, &work->run);
    if (status == STATUS_OK)
        ground->computing++;
    else
        ground->urgent -= !ahead;
    pthread_mutex_unlock(&ground->monitor.mutex);
    atomic_fetch_add(&sharing, status == STATUS_OK);
    work->run.sharing = &sharing;
    return status == STATUS_OK ? STATUS_OK : fail(error, status, "stopped");
}

static void work_end(const Work *work) {
    Monitor *monitor = &work->ground->monitor;
    atomic_fetch_sub(&sharing, 1);
    pthread_mutex_lock(&monitor->mutex);
    work->ground->computing--;
    work->ground->urgent -= !work->ahead;
    pthread_cond_broadcast(&monitor->changed);
    pthread_mutex_unlock(&monitor->mutex);
}

// --- windows -----------------------------------------------------------------------------------------------

// The six faces of a planet's cube lie beside each other, x going on from one to the next. A face's metres
// are those of the plane that touches the planet in its middle.
static double side_of(const RiverMap *map) {
    return map->tiling->planet ? 2 * map->metres : map->metres;
}

static int face_at(const RiverMap *map, double x) {
    return map->tiling->planet ? double_to_within(floor(x / side_of(map)), 0, FACES - 1) : 0;
}

static double face_left(const RiverMap *map, int face) {
    return face * side_of(map);
}

// Cells of the grid that has the north-west corner of the map or face, or is moved against it by a part of a
// cell.
typedef struct Window {
    int face;
    double cells;     // along the side
    double left, top; // in cells from that corner
    int width, height;
    int before_x, before_y; // cells outside to the west and north
    int beyond;             // cells outside on each side that are drawn all the same, of a face
} Window;

// Corners are rounded to parts of a cell, so that all tiles of a grid agree on where its cells lie.
static double rounded(double cells) {
    return rint(cells * 0x1p16) * 0x1p-16;
}

static Window window_of(const RiverMap *map, const EskerTile *tile, int face) {
    return (Window){ .face = face,
                     .cells = side_of(map) / tile->cell,
                     .left = rounded((tile->x - face_left(map, face)) / tile->cell) - tile->border,
                     .top = rounded((side_of(map) - tile->y) / tile->cell) - tile->border,
                     .width = tile->width + 2 * tile->border,
                     .height = tile->height + 2 * tile->border };
}

// The part of an axis on the map or face. False: there is none.
static bool clip(double cells, double *first, int *count, int *before) {
    const double least = max(ceil(-*first), 0.0);
    const double most = min(floor(cells * (1 + 0x1p-50) - *first), (double)*count);
    if (!(most > least))
        return false;
    *first += least;
    *before = whole_int(least);
    *count = whole_int(most - least);
    return true;
}

static bool clip_window(Window *window) {
    return clip(window->cells, &window->left, &window->width, &window->before_x) &&
           clip(window->cells, &window->top, &window->height, &window->before_y);
}

// Beyond the edges of a face its plane shows the ground of the next ones. `wide` and `high`: of the window
// before it was clipped.
static void look_beyond(Window *window, int wide, int high) {
    const int across = max(window->before_x, wide - window->width - window->before_x),
              down = max(window->before_y, high - window->height - window->before_y);
    window->beyond = min(max(across, down), (int)BORDER_MAX);
}

static bool is_wanted(const EskerTile *tile) {
    return tile->altitude.cells || tile->river.cells || tile->flow.cells || tile->water.cells ||
           tile->level.cells;
}

// Draws what a tile shows of the map into fields, which the caller frees. If it has no layer, its land is
// only kept.
static Status draw(const RiverMap *map, const Run *run, const Window *window, const EskerTile *tile,
                   Field fields[LAYERS], Error *error) {
    View view;
    Status status = view_on_face(&view, map, map->tiling->planet ? window->face + 1 : 0, error);
    view.altitude = &fields[0];
    view.river = &fields[1];
    view.flow = &fields[2];
    view.water = &fields[3];
    view.level = tile->level.cells ? &fields[4] : NULL;
    const Call call = {
        .inputs = { { .value = map } }, .run = run, .width = window->width, .height = window->height
    };
    const WindowRequest asked = { .x = { .number = (window->left + window->width / 2.0) / window->cells },
                                  .y = { .number = (window->top + window->height / 2.0) / window->cells },
                                  .pixels = window->cells,
                                  .border = window->beyond };
    if (status == STATUS_OK)
        status = view_set(&view, &call, &asked, error);
    if (status == STATUS_OK && !is_wanted(tile))
        return map->land->prepare(&view, error);
    if (status == STATUS_OK)
        status = view_draw(&view, error);
    return status == STATUS_OK ? view_raise(&view) : status;
}

// --- tiles -------------------------------------------------------------------------------------------------

static float *cell_of(const EskerLayer *layer, int width, int x, int y) {
    const ptrdiff_t step = layer->step ? layer->step : (ptrdiff_t)sizeof(float),
                    stride = layer->stride ? layer->stride : step * width;
    return (float *)(void *)((char *)layer->cells + y * stride + x * step);
}

// Copies a field of the window's cells; others have the numbers of the nearest. Without a field all are 0.
static void fill_layer(const EskerLayer *layer, const Field *field, const Window *window, int width,
                       int height) {
    for (int y = 0; y < height && layer->cells; y++) {
        const int row = clamp(y - window->before_y, 0, window->height - 1);
        const float *from = field->cells ? field_row(field, row) : NULL;
        for (int x = 0; x < width; x++)
            *cell_of(layer, width, x, y) =
                from ? from[clamp(x - window->before_x, 0, window->width - 1)] : 0.0f;
    }
}

// Adds the surface of lakes, which altitudes have, and the sea.
static void level_lakes(Field *level, const Field *altitude, const Field *water) {
    const float *surface = field_cells(altitude), *depth = water->cells ? field_cells(water) : NULL;
    float *cells = field_cells(level);
    for (size_t i = 0; i < field_count(level); i++)
        cells[i] = depth && depth[i] > 0 ? surface[i] : max(max(cells[i], surface[i]), 0.0f);
}

static Status compute(const RiverMap *map, const Run *run, const EskerTile *asked, int face, Error *error) {
    EskerTile wide = *asked, *tile = &wide;
    if (!is_wanted(asked))
        wide.border += POINTS_BEYOND;
    Window window = window_of(map, tile, face);
    const int width = window.width, height = window.height;
    Field fields[LAYERS] = { 0 };
    const bool on_map = clip_window(&window);
    if (on_map && map->tiling->planet)
        look_beyond(&window, width, height);
    if (!on_map)
        return fail(error, STATUS_INVALID, "no cell of %s m lies on the map around x = %s, y = %s",
                    digits_of(tile->cell).text, digits_of(tile->x).text, digits_of(tile->y).text);
    const Status status = draw(map, run, &window, tile, fields, error);
    const EskerLayer *layers[LAYERS] = { &tile->altitude, &tile->river, &tile->flow, &tile->water,
                                         &tile->level };
    if (status == STATUS_OK && tile->level.cells)
        level_lakes(&fields[4], &fields[0], &fields[3]);
    window.before_x -= window.beyond;
    window.before_y -= window.beyond;
    window.width += 2 * window.beyond;
    window.height += 2 * window.beyond;
    for (int i = 0; i < LAYERS; i++) {
        if (status == STATUS_OK)
            fill_layer(layers[i], &fields[i], &window, width, height);
        field_free(&fields[i]);
    }
    return status;
}

static const char *whole_of(const RiverMap *map) {
    return map->tiling->planet ? "face" : "map";
}

static Status check_cell(const RiverMap *map, double cell, Error *error) {
    const double side = side_of(map), most = min(CELLS_MAX, map_max_pixels(map));
    if (cell <= side && cell >= side / most)
        return STATUS_OK;
    return fail(error, STATUS_INVALID, "cell must be %s to %s, the %s's side, in metres, got %s",
                digits_of(side / most).text, digits_of(side).text, whole_of(map), digits_of(cell).text);
}

static Status check_place(const RiverMap *map, double x, double y, Error *error) {
    const double side = side_of(map), along = map->tiling->planet ? face_left(map, FACES) : side;
    const bool across = !(x >= 0 && x <= along);
    if (!across && y >= 0 && y <= side)
        return STATUS_OK;
    return fail(error, STATUS_INVALID, "%s must be 0 to %s, %s, got %s", across ? "x" : "y",
                digits_of(across ? along : side).text,
                !map->tiling->planet ? "the map's side"
                : across             ? "six sides of a face"
                                     : "a face's side",
                digits_of(across ? x : y).text);
}

// The face on which the middle of a tile lies.
static int face_of(const RiverMap *map, const EskerTile *tile) {
    return face_at(map, tile->x + tile->width * tile->cell / 2);
}

// Whether all cells of a tile but those of its border lie on the map or face. Those along the edge may lie
// half beyond a face: faces share a row of points, as tiles do.
static Status check_inside(const RiverMap *map, const EskerTile *tile, Error *error) {
    const int face = face_of(map, tile);
    const double part = map->tiling->planet ? 0.5 : 0;
    EskerTile bare = *tile;
    bare.border = 0;
    Window window = window_of(map, &bare, face);
    window.left += part;
    window.top += part;
    window.cells += 2 * part;
    if (clip_window(&window) && window.width == tile->width && window.height == tile->height)
        return STATUS_OK;
    const double cell = tile->cell, beyond = part * cell, wide = tile->width * cell,
                 high = tile->height * cell;
    const double first = face_left(map, face) - beyond, side = side_of(map) + 2 * beyond;
    if (wide > side || high > side)
        return fail(error, STATUS_INVALID, "%s must be at most %s, the %s's side in cells, got %d",
                    wide > side ? "width" : "height", digits_of(floor(side / cell)).text, whole_of(map),
                    wide > side ? tile->width : tile->height);
    const bool across = !(tile->x >= first && tile->x + wide <= first + side);
    return fail(error, STATUS_INVALID, "the tile leaves the %s: %s must be %s to %s, got %s", whole_of(map),
                across ? "x" : "y", digits_of(across ? first : high - beyond).text,
                digits_of(across ? first + side - wide : side - beyond).text,
                digits_of(across ? tile->x : tile->y).text);
}

// Whether no two cells of a layer share bytes: along one axis they lie a float or more apart, along the other
// a whole line of them.
static bool is_apart(double near, int count, double far, int lines) {
    return (count == 1 || fabs(near) >= sizeof(float)) &&
           (lines == 1 || fabs(far) >= (count - 1) * fabs(near) + sizeof(float));
}

static Status check_layer(const EskerLayer *layer, int width, int height, const char *name, Error *error) {
    if (!layer->cells)
        return STATUS_OK;
    if (max(fabs((double)layer->step), fabs((double)layer->stride)) > STEP_MAX)
        return fail(error, STATUS_INVALID,
                    "%s: step and stride must be at most %.0f bytes, either way, got %td and %td", name,
                    STEP_MAX, layer->step, layer->stride);
    const ptrdiff_t bytes = (ptrdiff_t)sizeof(float), step = layer->step ? layer->step : bytes,
                    stride = layer->stride ? layer->stride : step * width;
    if (step % bytes || stride % bytes)
        return fail(error, STATUS_INVALID,
                    "%s: step and stride must be multiples of %td bytes, got %td and %td", name, bytes,
                    layer->step, layer->stride);
    if (is_apart((double)step, width, (double)stride, height) ||
        is_apart((double)stride, height, (double)step, width))
        return STATUS_OK;
    return fail(
        error, STATUS_INVALID,
        "%s: stride must be at least %.0f, the bytes of a row of %d cells with the border, or rows would "
        "overlap; got step %td, stride %td",
        name, (width - 1) * fabs((double)step) + sizeof(float), width, layer->step, layer->stride);
}

// The memory that the caller gives to a tile of so many cells, with its border.
static Status check_layers(const EskerTile *tile, int width, int height, Error *error) {
    static const char *const names[LAYERS] = { "altitude", "river", "flow", "water", "level" };
    const EskerLayer *layers[LAYERS] = { &tile->altitude, &tile->river, &tile->flow, &tile->water,
                                         &tile->level };
    Status status = STATUS_OK;
    for (int i = 0; status == STATUS_OK && i < LAYERS; i++)
        status = check_layer(layers[i], width, height, names[i], error);
    return status;
}

static Status check_tile(const RiverMap *map, const EskerTile *tile, Error *error) {
    if (!tile)
        return fail(error, STATUS_INVALID, "the tile is missing: NULL");
    Status status = check_cell(map, tile->cell, error);
    if (status == STATUS_OK && (tile->border < 0 || tile->border > BORDER_MAX))
        status = fail(error, STATUS_INVALID, "border must be 0 to %d, got %d", BORDER_MAX, tile->border);
    const int most = SIDE_MAX - 2 * (status == STATUS_OK ? tile->border : 0);
    if (status == STATUS_OK && (tile->width < 1 || tile->height < 1 || max(tile->width, tile->height) > most))
        status = fail(error, STATUS_INVALID, "width and height must be 1 to %d, got %d × %d", most,
                      tile->width, tile->height);
    if (status == STATUS_OK && !isfinite(tile->x + tile->y))
        status = fail(error, STATUS_INVALID, "x and y must be numbers, got %s and %s",
                      digits_of(tile->x).text, digits_of(tile->y).text);
    if (status == STATUS_OK)
        status = check_layers(tile, tile->width + 2 * tile->border, tile->height + 2 * tile->border, error);
    return status == STATUS_OK ? check_inside(map, tile, error) : status;
}

static Status draw_tile(EskerGround *ground, const EskerTile *tile, int face, const EskerTask *task,
                        Error *error) {
    Work work;
    Status status = work_begin(&work, ground, task, tile->ahead, error);
    if (status != STATUS_OK)
        return status;
    status = compute(ground->map, &work.run, tile, face, error);
    work_end(&work);
    return status == STATUS_STOPPED ? fail(error, status, "stopped") : status;
}

EskerStatus esker_ground_tile(EskerGround *ground, const EskerTile *tile, const EskerTask *task,
                              EskerError *caller_error) {
    Error *error = engine_error(caller_error);
    Slot *slot;
    Status status = use_open(ground, &slot, error);
    if (status != STATUS_OK)
        return (EskerStatus)status;
    status = check_tile(ground->map, tile, error);
    if (status == STATUS_OK)
        status = draw_tile(ground, tile, face_of(ground->map, tile), task, error);
    atomic_fetch_sub(&slot->users, 1);
    return (EskerStatus)status;
}

// --- rings -------------------------------------------------------------------------------------------------

// Where a ring's tile belongs. Its outermost points lie on points of the next coarser tile.
static EskerTile placed(const EskerTile *tile, double x, double y, double cell, int width) {
    const int half = (width - 1) / 2;
    EskerTile moved = *tile;
    moved.cell = cell;
    moved.width = moved.height = width;
    moved.border = 0;
    moved.x = (2 * floor(x / (2 * cell)) - half - 0.5) * cell;
    moved.y = (2 * floor(y / (2 * cell)) + half + 0.5) * cell;
    return moved;
}

static bool is_placed(const EskerTile *tile, const EskerTile *wanted) {
    return tile->x == wanted->x && tile->y == wanted->y && tile->cell == wanted->cell &&
           tile->width == wanted->width && tile->height == wanted->height && tile->border == 0;
}

// One side of a tile: its points from (x, y) on by (right, down), and the point of the coarser tile on which
// the first one lies.
typedef struct Side {
    int x, y, right, down;
} Side;

static void sew_side(const EskerTile *tile, const EskerTile *coarser, Side side, int from_x, int from_y) {
    const int width = tile->width;
    for (int i = 0; i < width; i++) {
        const int x = side.x + i * side.right, y = side.y + i * side.down;
        const int coarse_x = from_x + x / 2, coarse_y = from_y + y / 2;
        const float here = *cell_of(&coarser->altitude, width, coarse_x, coarse_y);
        const float next =
            i % 2 ? *cell_of(&coarser->altitude, width, coarse_x + side.right, coarse_y + side.down) : here;
        *cell_of(&tile->altitude, width, x, y) = 0.5f * (here + next);
    }
}

// Closes the cracks between a tile and the next coarser one.
static void sew(const EskerTile *tile, const EskerTile *coarser) {
    const int last = tile->width - 1;
    const double half = tile->cell / 2;
    const int x = whole_int(rint((tile->x + half - (coarser->x + 2 * half)) / coarser->cell)),
              y = whole_int(rint((coarser->y - 2 * half - (tile->y - half)) / coarser->cell));
    const Side sides[] = { { 0, 0, 1, 0 }, { 0, last, 1, 0 }, { 0, 0, 0, 1 }, { last, 0, 0, 1 } };
    for (int i = 0; i < 4; i++)
        sew_side(tile, coarser, sides[i], x, y);
}

static Status check_ring(const RiverMap *map, double x, double y, const EskerTile *tiles, int count,
                         Error *error) {
    if (!tiles)
        return fail(error, STATUS_INVALID, "the tiles are missing: NULL");
    if (count < 1 || count > RINGS_MAX)
        return fail(error, STATUS_INVALID, "count must be 1 to %d, got %d", RINGS_MAX, count);
    Status status = check_place(map, x, y, error);
    if (status == STATUS_OK)
        status = check_cell(map, tiles[0].cell, error);
    if (status != STATUS_OK)
        return status;
    const int width = tiles[0].width;
    if (width < RING_MIN || width > RING_MAX || width % 4 != 1)
        return fail(error, STATUS_INVALID, "width must be a multiple of 4 and one more, %d to %d, got %d",
                    RING_MIN, RING_MAX, width);
    for (int i = 1; i < count; i++)
        if (!tiles[i].altitude.cells != !tiles[0].altitude.cells)
            return fail(error, STATUS_INVALID, "tiles: all must have altitudes, or none; tile %d %s", i,
                        tiles[i].altitude.cells ? "has some" : "has none");
    for (int i = 0; status == STATUS_OK && i < count; i++)
        status = check_layers(&tiles[i], width, width, error);
    if (status != STATUS_OK)
        return status;
    const double coarsest = ldexp(tiles[0].cell, count - 1);
    const double half = side_of(map) / 2;
    return coarsest <= half
               ? STATUS_OK
               : fail(error, STATUS_INVALID,
                      "count must be at most %d at this cell: beyond that, cells are larger than half the %s",
                      1 + max(log2_below(half / tiles[0].cell), 0), whole_of(map));
}

static Status draw_ring(EskerGround *ground, double x, double y, EskerTile *tiles, int count,
                        const EskerTask *task, Error *error) {
    Status status = check_ring(ground->map, x, y, tiles, count, error);
    if (status != STATUS_OK)
        return status;
    const double cell = tiles[0].cell;
    const int width = tiles[0].width;
    const bool ahead = tiles[0].ahead;
    for (int i = count - 1; i >= 0 && status == STATUS_OK; i--) {
        EskerTile wanted = placed(&tiles[i], x, y, ldexp(cell, i), width);
        if (is_placed(&tiles[i], &wanted))
            continue;
        wanted.ahead = ahead;
        status = draw_tile(ground, &wanted, face_at(ground->map, x), task, error);
        wanted.ahead = tiles[i].ahead;
        if (status == STATUS_OK && i + 1 < count && wanted.altitude.cells)
            sew(&wanted, &tiles[i + 1]);
        if (status == STATUS_OK)
            tiles[i] = wanted;
    }
    return status;
}

EskerStatus esker_ground_ring(EskerGround *ground, double x, double y, EskerTile *tiles, int count,
                              const EskerTask *task, EskerError *caller_error) {
    Error *error = engine_error(caller_error);
    Slot *slot;
    Status status = use_open(ground, &slot, error);
    if (status != STATUS_OK)
        return (EskerStatus)status;
    status = draw_ring(ground, x, y, tiles, count, task, error);
    atomic_fetch_sub(&slot->users, 1);
    return (EskerStatus)status;
}

// --- places ------------------------------------------------------------------------------------------------

// Horn's slope ("Hill shading and the reflectance map", 1981), from the cells around the middle one.
// `east_of`, `north_of`: where a face's plane is seen from the planet's middle, in its radii, 0 on flat maps:
// there its metres are longer than the ground's.
static void set_slope(const float at[3][3], double cell, double east_of, double north_of, EskerSpot *spot) {
    const double west = (double)at[0][0] + 2 * (double)at[1][0] + (double)at[2][0],
                 east = (double)at[0][2] + 2 * (double)at[1][2] + (double)at[2][2],
                 north = (double)at[0][0] + 2 * (double)at[0][1] + (double)at[0][2],
                 south = (double)at[2][0] + 2 * (double)at[2][1] + (double)at[2][2];
    const double to_east = (east - west) / (8 * cell), to_north = (north - south) / (8 * cell);
    const double across = east_of * north_of, out = 1 + east_of * east_of + north_of * north_of;
    const double up_x = (1 + east_of * east_of) * to_east + across * to_north,
                 up_y = across * to_east + (1 + north_of * north_of) * to_north;
    const double length = sqrt(up_x * up_x + up_y * up_y);
    spot->slope = sqrt(out * (to_east * up_x + to_north * up_y));
    spot->down_x = length > 0 ? -up_x / length : 0;
    spot->down_y = length > 0 ? -up_y / length : 0;
}

static Status describe(EskerGround *ground, double x, double y, double cell, const EskerTask *task,
                       EskerSpot *spot, Error *error) {
    const RiverMap *map = ground->map;
    Status status = check_place(map, x, y, error);
    if (status == STATUS_OK)
        status = check_cell(map, cell, error);
    if (status != STATUS_OK)
        return status;
    const int face = face_at(map, x);
    const double left = face_left(map, face), most = side_of(map) - cell;
    float altitude[3][3] = { 0 }, river[3][3] = { 0 }, flow[3][3] = { 0 }, water[3][3] = { 0 };
    const EskerTile tile = { .x = left + clamp(x - left - cell / 2, 0, most),
                             .y = clamp(y - cell / 2, 0, most) + cell,
                             .cell = cell,
                             .width = 1,
                             .height = 1,
                             .border = 1,
                             .altitude = { .cells = altitude[0] },
                             .river = { .cells = river[0] },
                             .flow = { .cells = flow[0] },
                             .water = { .cells = water[0] } };
    status = draw_tile(ground, &tile, face, task, error);
    if (status != STATUS_OK)
        return status;
    const bool planet = map->tiling->planet;
    const double pixel = planet ? PLANET_PIXEL * cell : cell; // that widths and areas are measured in
    *spot = (EskerSpot){ .altitude = (double)altitude[1][1],
                         .river = (double)river[1][1] * pixel,
                         .drained = (double)flow[1][1] * pixel * pixel,
                         .water = (double)water[1][1] };
    set_slope((const float(*)[3])altitude, cell, planet ? (x - left) / map->metres - 1 : 0,
              planet ? y / map->metres - 1 : 0, spot);
    return STATUS_OK;
}

EskerStatus esker_ground_at(EskerGround *ground, double x, double y, double cell, const EskerTask *task,
                            EskerSpot *spot, EskerError *caller_error) {
    Error *error = engine_error(caller_error);
    Slot *slot;
    if (!spot)
        return (EskerStatus)fail(error, STATUS_INVALID, "the spot is missing: NULL");
    Status status = use_open(ground, &slot, error);
    if (status != STATUS_OK)
        return (EskerStatus)status;
    status = describe(ground, x, y, cell, task, spot, error);
    atomic_fetch_sub(&slot->users, 1);
    return (EskerStatus)status;
}
