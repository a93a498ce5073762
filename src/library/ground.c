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
    const RiverMap *map;
    Monitor monitor;
    int urgent;    // calls that are not ahead
    int computing; // calls that have begun,
    int most;      // at most so many
    pid_t process;
};

enum { LAYERS = 5, BORDER_MAX = 1024, RING_MIN = 9, RING_MAX = 4097, RINGS_MAX = 20 };
#define MEMORY_LEAST ((size_t)128 << 20)
#define MEMORY_CALL ((size_t)32 << 20) // of a call for 256 × 256 cells
#define MEMORY_USUAL ((size_t)256 << 20)
#define CELLS_MAX 0x1p36 // along the map's side: corners in doubles are exact to a small part of a cell

static atomic_int sharing; // calls that compute now, less those that wait for others
static atomic_int grounds; // that are open

// --- opening -----------------------------------------------------------------------------------------------

static Status check_map(const EskerValue *value, Error *error) {
    const RiverMap *map = value && value->content.type == &type_map ? value->content.value : NULL;
    if (!map)
        return fail(error, STATUS_INVALID, "map must be a map, as river_map makes it, got %s",
                    value ? value->content.type->singular : "NULL");
    if (map->tiling->planet)
        return fail(error, STATUS_INVALID, "map must be flat, got a planet");
    if (map->land != map->tiling->eroded)
        return fail(error, STATUS_INVALID, "map must have eroded land, got raw land, which has no metres");
    return STATUS_OK;
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
    if (eroded_land(ground->map, &usual, &land, error) != STATUS_OK) {
        memory_free(ground);
        return NULL;
    }
    const size_t limit = memory ? memory : MEMORY_USUAL;
    land_keep(land, limit / 2);
    memory_keep_at_most(limit / 4);
    ground->most = (int)min(limit / 4 / MEMORY_CALL, (size_t)processor_count());
    monitor_create(&ground->monitor);
    ground->process = getpid();
    atomic_fetch_add(&grounds, 1);
    return ground;
}

void esker_ground_close(EskerGround *ground) {
    static const Run usual;
    Error error;
    Land *land;
    if (!ground)
        return;
    if (eroded_land(ground->map, &usual, &land, &error) == STATUS_OK)
        land_keep(land, 0);
    monitor_destroy(&ground->monitor);
    memory_free(ground);
    if (atomic_fetch_sub(&grounds, 1) == 1)
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

static EskerStatus no_ground(Error *error) {
    fail(error, STATUS_INVALID, "the ground is missing: NULL");
    return ESKER_INVALID;
}

static Status work_begin(Work *work, EskerGround *ground, const EskerTask *task, bool ahead, Error *error) {
    *work = (Work){ .ground = ground, .ahead = ahead };
    if (ground->process != getpid())
        return fail(error, STATUS_INVALID,
                    "the ground was opened by another process: open it after the fork");
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

// Cells of the grid that has the map's north-west corner, or is moved against it by a part of a cell.
typedef struct Window {
    double cells;     // along the map's side
    double left, top; // in cells from that corner
    int width, height;
    int before_x, before_y; // cells outside the map to the west and north
} Window;

// Corners are rounded to parts of a cell, so that all tiles of a grid agree on where its cells lie.
static double rounded(double cells) {
    return rint(cells * 0x1p16) * 0x1p-16;
}

static Window window_of(const RiverMap *map, const EskerTile *tile) {
    const double cells = map->metres / tile->cell;
    return (Window){ .cells = cells,
                     .left = rounded(tile->x / tile->cell) - tile->border,
                     .top = rounded((map->metres - tile->y) / tile->cell) - tile->border,
                     .width = tile->width + 2 * tile->border,
                     .height = tile->height + 2 * tile->border };
}

// The part of an axis on the map. False: there is none.
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

static bool is_wanted(const EskerTile *tile) {
    return tile->altitude.cells || tile->river.cells || tile->flow.cells || tile->water.cells ||
           tile->level.cells;
}

// Draws what a tile shows of the map into fields, which the caller frees. If it has no layer, its land is
// only kept.
static Status draw(const RiverMap *map, const Run *run, const Window *window, const EskerTile *tile,
                   Field fields[LAYERS], Error *error) {
    View view = { .altitude = &fields[0],
                  .river = &fields[1],
                  .flow = &fields[2],
                  .water = &fields[3],
                  .level = tile->level.cells ? &fields[4] : NULL };
    const Call call = {
        .inputs = { { .value = map } }, .run = run, .width = window->width, .height = window->height
    };
    const WindowRequest asked = { .x = { .number = (window->left + window->width / 2.0) / window->cells },
                                  .y = { .number = (window->top + window->height / 2.0) / window->cells },
                                  .pixels = window->cells };
    Status status = view_set(&view, &call, &asked, error);
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

static Status compute(const RiverMap *map, const Run *run, const EskerTile *tile, Error *error) {
    Window window = window_of(map, tile);
    const int width = window.width, height = window.height;
    Field fields[LAYERS] = { 0 };
    if (!clip_window(&window))
        return fail(error, STATUS_INVALID, "no cell of %s m lies on the map around x = %s, y = %s",
                    digits_of(tile->cell).text, digits_of(tile->x).text, digits_of(tile->y).text);
    const Status status = draw(map, run, &window, tile, fields, error);
    const EskerLayer *layers[LAYERS] = { &tile->altitude, &tile->river, &tile->flow, &tile->water,
                                         &tile->level };
    if (status == STATUS_OK && tile->level.cells)
        level_lakes(&fields[4], &fields[0], &fields[3]);
    for (int i = 0; i < LAYERS; i++) {
        if (status == STATUS_OK)
            fill_layer(layers[i], &fields[i], &window, width, height);
        field_free(&fields[i]);
    }
    return status;
}

static Status check_cell(const RiverMap *map, double cell, Error *error) {
    if (cell <= map->metres && cell >= map->metres / CELLS_MAX)
        return STATUS_OK;
    return fail(error, STATUS_INVALID, "cell must be %s to %s, the map's side, in metres, got %s",
                digits_of(map->metres / CELLS_MAX).text, digits_of(map->metres).text, digits_of(cell).text);
}

static Status check_place(const RiverMap *map, const char *name, double place, Error *error) {
    if (place >= 0 && place <= map->metres)
        return STATUS_OK;
    return fail(error, STATUS_INVALID, "%s must be 0 to %s, the map's side, got %s", name,
                digits_of(map->metres).text, digits_of(place).text);
}

// Whether all cells of a tile but those of its border lie on the map.
static Status check_inside(const RiverMap *map, const EskerTile *tile, Error *error) {
    EskerTile bare = *tile;
    bare.border = 0;
    Window window = window_of(map, &bare);
    if (clip_window(&window) && window.width == tile->width && window.height == tile->height)
        return STATUS_OK;
    const double side = map->metres, cell = tile->cell, wide = tile->width * cell, high = tile->height * cell;
    if (wide > side || high > side)
        return fail(error, STATUS_INVALID, "%s must be at most %s, the map's side in cells, got %d",
                    wide > side ? "width" : "height", digits_of(floor(side / cell)).text,
                    wide > side ? tile->width : tile->height);
    const bool across = !(tile->x >= 0 && tile->x + wide <= side);
    return fail(error, STATUS_INVALID, "the tile leaves the map: %s must be %s to %s, got %s",
                across ? "x" : "y", digits_of(across ? 0 : high).text,
                digits_of(across ? side - wide : side).text, digits_of(across ? tile->x : tile->y).text);
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
    return status == STATUS_OK ? check_inside(map, tile, error) : status;
}

EskerStatus esker_ground_tile(EskerGround *ground, const EskerTile *tile, const EskerTask *task,
                              EskerError *caller_error) {
    Error *error = engine_error(caller_error);
    Work work;
    if (!ground)
        return no_ground(error);
    Status status = check_tile(ground->map, tile, error);
    if (status == STATUS_OK)
        status = work_begin(&work, ground, task, tile->ahead, error);
    if (status != STATUS_OK)
        return (EskerStatus)status;
    status = compute(ground->map, &work.run, tile, error);
    work_end(&work);
    return (EskerStatus)(status == STATUS_STOPPED ? fail(error, status, "stopped") : status);
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
    Status status = check_place(map, "x", x, error);
    if (status == STATUS_OK)
        status = check_place(map, "y", y, error);
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
    const double coarsest = ldexp(tiles[0].cell, count - 1);
    return coarsest <= map->metres / 2
               ? STATUS_OK
               : fail(
                     error, STATUS_INVALID,
                     "count must be at most %d at this cell: beyond that, cells are larger than half the map",
                     1 + max(log2_below(map->metres / 2 / tiles[0].cell), 0));
}

EskerStatus esker_ground_ring(EskerGround *ground, double x, double y, EskerTile *tiles, int count,
                              const EskerTask *task, EskerError *caller_error) {
    Error *error = engine_error(caller_error);
    if (!ground)
        return no_ground(error);
    Status status = check_ring(ground->map, x, y, tiles, count, error);
    if (status != STATUS_OK)
        return (EskerStatus)status;
    const double cell = tiles[0].cell;
    const int width = tiles[0].width;
    const bool ahead = tiles[0].ahead;
    for (int i = count - 1; i >= 0 && status == STATUS_OK; i--) {
        const EskerTile wanted = placed(&tiles[i], x, y, ldexp(cell, i), width);
        Work work;
        if (is_placed(&tiles[i], &wanted))
            continue;
        status = work_begin(&work, ground, task, ahead, error);
        if (status != STATUS_OK)
            break;
        status = compute(ground->map, &work.run, &wanted, error);
        work_end(&work);
        if (status == STATUS_OK && i + 1 < count && wanted.altitude.cells)
            sew(&wanted, &tiles[i + 1]);
        if (status == STATUS_OK)
            tiles[i] = wanted;
    }
    return (EskerStatus)(status == STATUS_STOPPED ? fail(error, status, "stopped") : status);
}

// --- places ------------------------------------------------------------------------------------------------

// Horn's slope ("Hill shading and the reflectance map", 1981), from the cells around the middle one.
static void set_slope(const float at[3][3], double cell, EskerSpot *spot) {
    const double west = (double)at[0][0] + 2 * (double)at[1][0] + (double)at[2][0],
                 east = (double)at[0][2] + 2 * (double)at[1][2] + (double)at[2][2],
                 north = (double)at[0][0] + 2 * (double)at[0][1] + (double)at[0][2],
                 south = (double)at[2][0] + 2 * (double)at[2][1] + (double)at[2][2];
    const double to_east = (east - west) / (8 * cell), to_north = (north - south) / (8 * cell);
    spot->slope = sqrt(to_east * to_east + to_north * to_north);
    spot->down_x = spot->slope > 0 ? -to_east / spot->slope : 0;
    spot->down_y = spot->slope > 0 ? -to_north / spot->slope : 0;
}

EskerStatus esker_ground_at(EskerGround *ground, double x, double y, double cell, const EskerTask *task,
                            EskerSpot *spot, EskerError *caller_error) {
    Error *error = engine_error(caller_error);
    Work work;
    if (!spot) {
        fail(error, STATUS_INVALID, "the spot is missing: NULL");
        return ESKER_INVALID;
    }
    if (!ground)
        return no_ground(error);
    Status status = check_place(ground->map, "x", x, error);
    if (status == STATUS_OK)
        status = check_place(ground->map, "y", y, error);
    if (status == STATUS_OK)
        status = check_cell(ground->map, cell, error);
    if (status == STATUS_OK)
        status = work_begin(&work, ground, task, false, error);
    if (status != STATUS_OK)
        return (EskerStatus)status;
    const double most = ground->map->metres - cell;
    float altitude[3][3] = { 0 }, river[3][3] = { 0 }, flow[3][3] = { 0 }, water[3][3] = { 0 };
    const EskerTile tile = { .x = clamp(x - cell / 2, 0, most),
                             .y = clamp(y - cell / 2, 0, most) + cell,
                             .cell = cell,
                             .width = 1,
                             .height = 1,
                             .border = 1,
                             .altitude = { .cells = altitude[0] },
                             .river = { .cells = river[0] },
                             .flow = { .cells = flow[0] },
                             .water = { .cells = water[0] } };
    status = compute(ground->map, &work.run, &tile, error);
    work_end(&work);
    if (status != STATUS_OK)
        return (EskerStatus)(status == STATUS_STOPPED ? fail(error, status, "stopped") : status);
    *spot = (EskerSpot){ .altitude = (double)altitude[1][1],
                         .river = (double)river[1][1] * cell,
                         .drained = (double)flow[1][1] * cell * cell,
                         .water = (double)water[1][1] };
    set_slope((const float(*)[3])altitude, cell, spot);
    return ESKER_OK;
}
