// The rivers in a window of a zoomable map, as data.

#include "rivermap/view.h"
#include "rivers/network.h"

#include "core/memory.h"

#include <math.h>

typedef struct Rivers {
    WINDOW_MEMBERS;
    double side, radius;
} Rivers;

// The points of dry beds, whose water has a sign, make dry reaches.
static void mark_wadis(RiverNetwork *network) {
    for (int i = 0; i < network->reach_count; i++)
        network->reaches[i].wadi = signbit(network_water(network, &network->reaches[i])) != 0;
    for (int i = 0; i < network->point_count; i++)
        network->points[i].water = fabsf(network->points[i].water);
}

static Status run(const Call *call, Error *error) {
    const Rivers *rivers = call->params;
    const RiverMap *map = call->inputs[0].value;
    View view = { 0 };
    const WindowRequest asked = { WINDOW_ASKED(rivers), .side = rivers->side, .radius = rivers->radius };
    Status status = view_set(&view, call, &asked, error);
    if (status != STATUS_OK)
        return status;
    NetworkBuilder builder = { 0 };
    if (map->constants.rivers && map->land->add_rivers)
        status = map->land->add_rivers(&view, &builder, error);
    RiverNetwork *network;
    status = network_finish(&builder, status, call->run, 0, &network, error);
    if (status != STATUS_OK)
        return status;
    view_place_network(&view, network);
    network->watered = map->watered;
    mark_wadis(network);
    call->outputs[0].value = network;
    return STATUS_OK;
}

static const Param params[] = {
    WINDOW_PARAMS(Rivers),
    SIDE_PARAM(Rivers),
    RADIUS_PARAM(Rivers),
    { 0 },
};

const Operation op_rivers = {
    .name = "rivers",
    .category = "zoomable maps",
    .keywords = "streams lines vector geojson network reaches place",
    .summary = "Gives the rivers in a window of a zoomable map as a network of lines",
    .description =
        "Points are in cells of the fields of render. On eroded land they lie along the ground, for rivers "
        "that drain 64 pixels or more, and four times the square of hillslope. What a river drains never "
        "falls downstream. On raw land they lie where rivers cross the triangles that render draws at this "
        "size. Widths are in cells and follow the drained area, as with wide.\n\n"
        "network:reaches() returns a list of reaches. A reach is a list of points in downstream order, each "
        "{ x =, y =, altitude =, width =, area = }, where area is the drained share of the map or planet. "
        "Its members are order (Strahler), downstream and mouth. The number downstream is the reach into "
        "which it flows; nil if it ends or leaves the window. The flag mouth is true if it ends in the sea, "
        "and nil if it leaves the window, or the map over dry land. Maps with a climate add water to each "
        "point, m³/s in the mean of the year, and the flag wadi to reaches that are dry for most of it. 0.3 "
        "% of mouths are in fjords too narrow to be drawn at this size, where two rivers may share one.\n\n"
        "In .geojson, .gpkg and .csv, x, y, widths and areas are in shares of the map's side and of its "
        "area, with side in metres and square metres. On planets x and y are degrees, widths shares of the "
        "equator and areas shares of the planet, with radius metres and square metres. A reach's area is "
        "what it drains before others join it.\n\n"
        "network:place(x, y) converts a point to map units, as two strings of digits for x and y of another "
        "window; the point must be on the map. Planets are seen as equirectangular maps, with y from 0.25 to "
        "0.75, of which `size` is the width, as in render.",
    .source = "Mogensen and Isenbecker 2025, section 3",
    .inputs = { { "map", "a map made by river_map", { &type_map } } },
    .outputs = { { "network", "the rivers", &type_network } },
    .params = params,
    .params_size = sizeof(Rivers),
    .sized = true,
    .example = "local rivers = esker.river_map{ seed = 2 }:rivers{ zoom = 4, size = 64 }\n"
               "local first = rivers:reaches()[1]",
    .picture = "local map, window = esker.river_map{ seed = 7 }, { size = 128, zoom = 8, x = 0.6, y = 0.4 }\n"
               "return (map:render(window)), map:rivers(window)",
    .see_also = "river_map render draw network_statistics",
    .run = run,
};
