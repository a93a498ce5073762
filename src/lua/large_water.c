// The part of the module `esker.planes` for pits, and for water whose directions are known: looks at strips,
// joins their notes, finishes strips (src/large/large.h). Notes, levels and directions are strings, which go
// to files as they are.

#include "core/gaps.h"
#include "core/math.h"
#include "core/memory.h"
#include "large/large.h"
#include "lua/binding.h"
#include "lua/large_values.h"
#include "water/downstream.h"
#include "water/drainage.h"
#include "water/flow.h"
#include "water/outlet_routes.h"

#include <float.h>
#include <lauxlib.h>
#include <math.h>
#include <string.h>

static const char fill_join_type[] = "esker.fill_join", gate_join_type[] = "esker.gate_join";

// --- fill --------------------------------------------------------------------------------------------------

// A strip at 1, whether it goes on above and below at 2 and 3, the sea's level at 4.
static FillStrip to_fill_strip(lua_State *L) {
    return (FillStrip){ to_numbers(L, 1, -FLT_MAX), lua_toboolean(L, 2), lua_toboolean(L, 3),
                        (float)luaL_checknumber(L, 4) };
}

// planes.fill_look(strip, open_top, open_bottom, sea): notes
static int fill_look(lua_State *L) {
    lua_settop(L, 4);
    const FillStrip strip = to_fill_strip(L);
    Notes *notes = push_notes(L);
    Error error;
    binding_operation = "fill";
    check_done(L, large_fill_look(&binding_run, &strip, notes, &error), &error);
    push_words(L, notes);
    return 1;
}

// planes.fill_finish(strip, open_top, open_bottom, sea, levels): the filled strip
static int fill_finish(lua_State *L) {
    lua_settop(L, 5);
    const Field *given = to_strip(L, 1);
    const FillStrip strip = to_fill_strip(L);
    size_t count;
    const float *levels = (const float *)(const void *)to_words(L, 5, &count);
    Field *filled = push_sized_field(L, given->width, given->height, "fill");
    Error error;
    binding_operation = "fill";
    check_done(L, large_fill_finish(&binding_run, &strip, levels, count, filled, &error), &error);
    for (size_t i = 0; i < field_count(filled); i++) // nothing else is so low
        field_cells(filled)[i] = filled->cells[i] == -FLT_MAX ? NAN : filled->cells[i];
    check_done(L, gaps_find(filled, &error), &error);
    return 1;
}

// planes.fill_join(width)
static int new_fill_join(lua_State *L) {
    void **held = push_join(L, fill_join_type);
    Error error;
    *held = fill_join_new(to_size(L, 1), &error);
    check_done(L, *held ? STATUS_OK : STATUS_MEMORY, &error);
    return 1;
}

// join:add(notes): of the next strip
static int add_to_fill_join(lua_State *L) {
    FillJoin *join = to_join(L, fill_join_type);
    size_t count;
    const uint32_t *notes = to_words(L, 2, &count);
    Error error;
    check_done(L, fill_join_add(join, notes, count, &error), &error);
    return 0;
}

// join:solve(strips): a list of the strips' levels
static int solve_fill_join(lua_State *L) {
    FillJoin *join = to_join(L, fill_join_type);
    const int strips = to_size(L, 2);
    Error error;
    check_done(L, fill_join_solve(join, &error), &error);
    lua_createtable(L, strips, 0);
    for (int i = 0; i < strips; i++) {
        size_t count;
        const float *levels = fill_join_levels(join, i, &count);
        lua_pushlstring(L, (const char *)levels, count * sizeof *levels);
        lua_rawseti(L, -2, i + 1);
    }
    return 1;
}

static int free_fill_join(lua_State *L) {
    void **held = luaL_checkudata(L, 1, fill_join_type);
    fill_join_free(*held);
    *held = NULL;
    return 0;
}

// --- counting ----------------------------------------------------------------------------------------------

// planes.count_look(directions, width): notes
static int count_look(lua_State *L) {
    const uint8_t *direction;
    const int width = to_size(L, 2), rows = to_directions(L, width, &direction);
    Notes *notes = push_notes(L);
    Error error;
    check_done(L, large_count_look(&binding_run, direction, width, rows, notes, &error), &error);
    push_words(L, notes);
    return 1;
}

// planes.count_finish(directions, width, entering): the counts
static int count_finish(lua_State *L) {
    const uint8_t *direction;
    const int width = to_size(L, 2), rows = to_directions(L, width, &direction);
    size_t words;
    const uint32_t *entering = to_words(L, 3, &words);
    luaL_argcheck(L, words == 4 * (size_t)width + 2, 3, "of a strip");
    Field *sum = push_sized_field(L, width, rows, "flow_accumulation");
    Error error;
    check_done(
        L, large_count_finish(&binding_run, direction, (const uint64_t *)(const void *)entering, sum, &error),
        &error);
    return 1;
}

// --- water that parts --------------------------------------------------------------------------------------

// The planes of the table at `index`: ways, sum, rest and waiting.
static PartingPlanes to_parting(lua_State *L, int index) {
    PartingPlanes planes;
    Plane *const to[] = { &planes.ways, &planes.sum, &planes.rest, &planes.waiting };
    for (int i = 0; i < 4; i++) {
        lua_rawgeti(L, index, i + 1);
        *to[i] = *to_plane(L, -1);
        lua_pop(L, 1);
    }
    return planes;
}

// planes.part(directions, window, first, sea, least, planes, undivided): finds the ways of the water of a
// strip of filled heights, of which the window has more rows on each side. `undivided`: they are the
// directions.
static int part(lua_State *L) {
    lua_settop(L, 7);
    const bool divides = !lua_toboolean(L, 7);
    const int first = to_size(L, 3);
    const float sea = (float)luaL_checknumber(L, 4), lowest = below_all(L, 5, sea);
    const PartingPlanes planes = to_parting(L, 6);
    const Field *filled = to_numbers(L, 2, lowest);
    const int width = filled->width, row = filled->whole.row;
    const uint8_t *before;
    const int rows = to_directions(L, width, &before);
    const size_t start = (size_t)first * (size_t)width, cells = field_count(filled);
    luaL_argcheck(L, first + rows <= filled->height, 3, "out of range");
    uint8_t *direction = push_memory(L, cells), *second = push_memory(L, cells);
    uint16_t *share = push_memory(L, cells * sizeof *share);
    memset(direction, DRAINS_OFF, cells);
    memset(share, 0, cells * sizeof *share);
    memset(second, NO_SECOND, cells);
    memcpy(direction + start, before, (size_t)rows * (size_t)width);
    const Drainage drainage = {
        .filled = *filled, .direction = direction, .sea_level = (double)sea, .row = row
    };
    Error error;
    binding_operation = "flow_accumulation";
    if (divides)
        check_done(L, part_flow(&binding_run, &drainage, share, second), &error);
    check_done(
        L,
        parting_write(&planes, row + first, rows, direction + start, second + start, share + start, &error),
        &error);
    return 0;
}

// planes.part_count(planes, first, rows): see parting_count.
static int part_count(lua_State *L) {
    const PartingPlanes planes = to_parting(L, 1);
    Error error;
    check_done(L, parting_count(&planes, to_size(L, 2), to_size(L, 3), &error), &error);
    return 0;
}

// planes.part_visit(planes, first, rows, frame): whether the rows above and below can go on now. `frame`:
// cells count with their areas.
static int part_visit(lua_State *L) {
    const PartingPlanes planes = to_parting(L, 1);
    bool above, below;
    Error error;
    lua_settop(L, 4);
    const Field size = { .width = planes.ways.width,
                         .height = planes.ways.height,
                         .frame = read_frame(L, 4) };
    check_done(L,
               parting_visit(&planes, to_size(L, 2), to_size(L, 3), lua_isnil(L, 4) ? NULL : &size, &above,
                             &below, &error),
               &error);
    lua_pushboolean(L, above);
    lua_pushboolean(L, below);
    return 2;
}

// --- gates -------------------------------------------------------------------------------------------------

// planes.gate_join(width, strips)
static int new_gate_join(lua_State *L) {
    void **held = push_join(L, gate_join_type);
    Error error;
    *held = gate_join_new(to_size(L, 1), to_size(L, 2), &error);
    check_done(L, *held ? STATUS_OK : STATUS_MEMORY, &error);
    return 1;
}

// join:add(notes): of the next strip
static int add_to_gate_join(lua_State *L) {
    GateJoin *join = to_join(L, gate_join_type);
    size_t count;
    const uint32_t *notes = to_words(L, 2, &count);
    Error error;
    check_done(L, gate_join_add(join, notes, count, &error), &error);
    return 0;
}

// join:solve(what): finds what enters each strip; with "ends" what becomes of water that leaves it, and how
// many labels are above; with "lengths" how long its ways are.
static int solve_gate_join(lua_State *L) {
    GateJoin *join = to_join(L, gate_join_type);
    const char *what = luaL_optstring(L, 2, "");
    Error error;
    if (strcmp(what, "ends") == 0)
        check_done(L, gate_join_ends(join, &error), &error);
    else if (strcmp(what, "lengths") == 0)
        check_done(L, gate_join_lengths(join, &error), &error);
    else
        gate_join_sums(join);
    return 0;
}

// join:values(strip, width): what was found of a strip, which counts from 1
static int gate_join_text(lua_State *L) {
    const GateJoin *join = to_join(L, gate_join_type);
    const int strip = to_size(L, 2) - 1;
    const size_t gates = 2 * (size_t)to_size(L, 3), size = (gates + 1) * sizeof(uint64_t);
    luaL_Buffer buffer;
    uint64_t *values = (uint64_t *)(void *)luaL_buffinitsize(L, &buffer, size);
    gate_join_values(join, strip, values);
    values[gates] = gate_join_labels(join, strip);
    luaL_pushresultsize(&buffer, size);
    return 1;
}

static int free_gate_join(lua_State *L) {
    void **held = luaL_checkudata(L, 1, gate_join_type);
    gate_join_free(*held);
    *held = NULL;
    return 0;
}

// --- where water ends --------------------------------------------------------------------------------------

// A strip with copies of the directions at 1 and room for values, both on the stack.
static WayStrip push_way_strip(lua_State *L, int width) {
    const uint8_t *direction;
    WayStrip strip = { .width = width, .rows = to_directions(L, width, &direction) };
    const size_t cells = (size_t)width * (size_t)strip.rows;
    strip.value = push_memory(L, cells * sizeof *strip.value);
    strip.direction = push_memory(L, cells);
    memcpy(strip.direction, direction, cells);
    return strip;
}

// Looks at a strip if there is nothing at `index`, and pushes the notes.
static bool looks_at_ways(lua_State *L, const WayStrip *strip, int index) {
    if (!lua_isnil(L, index))
        return false;
    Error error;
    Notes *notes = push_notes(L);
    check_done(L, large_ways_look(&binding_run, strip, notes, &error), &error);
    push_words(L, notes);
    return true;
}

// Looks at a strip if there is nothing at `index`, and pushes the notes; otherwise that is what is known of
// its edges: returns true and sets the values.
static bool follow_ways(lua_State *L, const WayStrip *strip, int index) {
    Error error;
    if (looks_at_ways(L, strip, index))
        return false;
    size_t words;
    const size_t gates = 2 * (size_t)strip->width, cells = (size_t)strip->width * (size_t)strip->rows;
    const uint64_t *ends = (const uint64_t *)(const void *)to_words(L, index, &words);
    luaL_argcheck(L, words == 2 * (gates + 1), index, "of a strip");
    uint32_t *found = push_memory(L, cells * sizeof *found);
    check_done(L, large_ways_finish(&binding_run, strip, ends, (uint32_t)ends[gates], found, &error), &error);
    memcpy(strip->value, found, cells * sizeof *found);
    return true;
}

// planes.basins(directions, window, first, sea, ends): notes, or with `ends` the labels; the window has the
// strip's heights from row `first` on, and one row more on each side.
static int basins(lua_State *L) {
    lua_settop(L, 5);
    const int first = to_size(L, 3);
    const float sea = (float)luaL_checknumber(L, 4);
    const Field *height = to_numbers(L, 2, -FLT_MAX);
    WayStrip strip = push_way_strip(L, height->width);
    luaL_argcheck(L, first + strip.rows <= height->height, 3, "out of range");
    large_end_basins(height, first, sea, &strip);
    if (!follow_ways(L, &strip, 5))
        return 1;
    Field *labels = push_sized_field(L, strip.width, strip.rows, "basins");
    for (size_t i = 0; i < field_count(labels); i++)
        field_cells(labels)[i] = (float)strip.value[i];
    return 1;
}

// planes.catchment(directions, width, outlets, ends): likewise of what drains to outlets, pairs of 32 bits as
// large_end_outlets takes them.
static int catchment(lua_State *L) {
    lua_settop(L, 4);
    WayStrip strip = push_way_strip(L, to_size(L, 2));
    size_t words;
    const uint32_t *outlets = to_words(L, 3, &words);
    for (size_t i = 0; i + 1 < words; i += 2)
        luaL_argcheck(L, outlets[i] < memory_count(strip.width, strip.rows), 3, "in the strip");
    large_end_outlets(outlets, words / 2, &strip);
    if (!follow_ways(L, &strip, 4))
        return 1;
    Field *labels = push_sized_field(L, strip.width, strip.rows, "catchment");
    for (size_t i = 0; i < field_count(labels); i++)
        field_cells(labels)[i] = (float)strip.value[i];
    return 1;
}

// The strip of rivers of the functions below, and its heights.
static WayStrip push_rivers(lua_State *L, bool measured, RiverStrip *rivers) {
    const int first = to_size(L, 3);
    *rivers = (RiverStrip){ to_strip(L, 2),
                            to_strip(L, 6),
                            to_strip(L, 7),
                            (float)luaL_checknumber(L, 4),
                            (float)luaL_checknumber(L, 8),
                            !measured };
    WayStrip strip = push_way_strip(L, rivers->height->width);
    const size_t cells = (size_t)strip.width * (size_t)strip.rows;
    luaL_argcheck(L, first + strip.rows <= rivers->height->height, 3, "out of range");
    luaL_argcheck(L, field_count(rivers->filled) == cells && field_count(rivers->drained) == cells, 6,
                  "of a strip");
    strip.measured = measured;
    large_end_rivers(rivers, first, &strip);
    return strip;
}

// planes.above_river(directions, window, first, sea, ends, filled, drained, least): likewise of heights above
// the river.
static int above_river(lua_State *L) {
    lua_settop(L, 8);
    RiverStrip rivers;
    const WayStrip strip = push_rivers(L, false, &rivers);
    if (!follow_ways(L, &strip, 5))
        return 1;
    Field *above = push_sized_field(L, strip.width, strip.rows, "height_above_river");
    for (size_t i = 0; i < field_count(above); i++) {
        float level;
        memcpy(&level, &strip.value[i], sizeof level);
        field_cells(above)[i] = max(rivers.filled->cells[i] - level, 0);
    }
    return 1;
}

// routes_steps of the rows from `first` on, held by a value on the stack.
static const uint64_t *push_steps(lua_State *L, const Field *height, int first) {
    const size_t count = (size_t)height->height * NEIGHBOURS;
    Error error;
    uint64_t *held = push_memory(L, count * sizeof *held), *steps = routes_steps(height, &error);
    if (steps)
        memcpy(held, steps, count * sizeof *held);
    memory_free(steps);
    check_done(L, steps ? STATUS_OK : STATUS_MEMORY, &error);
    return held + (size_t)first * NEIGHBOURS;
}

// planes.river_distance(directions, window, first, sea, ends, filled, drained, least): likewise of the way to
// the river.
static int river_distance(lua_State *L) {
    lua_settop(L, 8);
    RiverStrip rivers;
    WayStrip strip = push_rivers(L, true, &rivers);
    const double metres = field_cell_metres(rivers.height), side = field_side(rivers.height);
    const bool counted = routes_are_counted(rivers.height);
    if (!counted)
        strip.steps = push_steps(L, rivers.height, to_size(L, 3));
    if (looks_at_ways(L, &strip, 5))
        return 1;
    size_t words;
    const size_t gates = 2 * (size_t)strip.width;
    const uint64_t *ends = (const uint64_t *)(const void *)to_words(L, 5, &words);
    luaL_argcheck(L, words == 2 * (gates + 1), 5, "of a strip");
    Field *distance = push_sized_field(L, strip.width, strip.rows, "distance_to_river");
    uint64_t *length = push_memory(L, field_count(distance) * sizeof *length);
    Error error;
    check_done(L, large_ways_lengths(&binding_run, &strip, ends, length, &error), &error);
    for (size_t i = 0; i < field_count(distance); i++)
        field_cells(distance)[i] = routes_length(length[i], counted, metres > 0 ? metres : 1.0 / side);
    lua_pop(L, 1);
    return 1;
}

// planes.flow_direction(directions, width, angle, frame): the field of codes, or with `angle` of angles.
static int flow_direction(lua_State *L) {
    lua_settop(L, 4);
    const uint8_t *direction;
    const int width = to_size(L, 2), rows = to_directions(L, width, &direction);
    const Frame frame = read_frame(L, 4);
    float names[NEIGHBOURS + 1];
    flow_direction_names(lua_toboolean(L, 3), &frame, names);
    Field *field = push_sized_field(L, width, rows, "flow_direction");
    for (size_t i = 0; i < field_count(field); i++)
        field_cells(field)[i] = names[min(direction[i], NEIGHBOURS)];
    return 1;
}

// -----------------------------------------------------------------------------------------------------------

static const luaL_Reg fill_join_methods[] = { { "add", add_to_fill_join },
                                              { "solve", solve_fill_join },
                                              { NULL, NULL } };
static const luaL_Reg gate_join_methods[] = {
    { "add", add_to_gate_join }, { "solve", solve_gate_join }, { "values", gate_join_text }, { NULL, NULL }
};
static const luaL_Reg functions[] = { { "fill_look", fill_look },
                                      { "fill_join", new_fill_join },
                                      { "fill_finish", fill_finish },
                                      { "part", part },
                                      { "part_count", part_count },
                                      { "part_visit", part_visit },
                                      { "count_look", count_look },
                                      { "gate_join", new_gate_join },
                                      { "count_finish", count_finish },
                                      { "basins", basins },
                                      { "catchment", catchment },
                                      { "above_river", above_river },
                                      { "river_distance", river_distance },
                                      { "flow_direction", flow_direction },
                                      { NULL, NULL } };

void add_water_functions(lua_State *L) {
    define_class(L, fill_join_type, fill_join_methods, free_fill_join);
    define_class(L, gate_join_type, gate_join_methods, free_gate_join);
    luaL_setfuncs(L, functions, 0);
}
