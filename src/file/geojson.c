// GeoJSON: a line for each reach. Coordinates are map units, y upwards as in a geographic system, and the
// altitude; of planets degrees of longitude and latitude.

#include "file/formats.h"
#include "rivers/network.h"

static void write_point(FILE *stream, const RiverNetwork *network, const RiverPoint *point) {
    const double x = network->left + point->x * network->cell, y = network->top + point->y * network->cell;
    if (network->planet)
        fprintf(stream, "[%.12g,%.12g,%.9g]", 360 * x - 180, 180 - 360 * y, (double)point->altitude);
    else
        fprintf(stream, "[%.17g,%.17g,%.9g]", x, 1 - y, (double)point->altitude);
}

static void write_reach(FILE *stream, const RiverNetwork *network, int index) {
    const Reach *reach = &network->reaches[index];
    const RiverPoint *points = network->points + reach->first;
    fprintf(stream, "{\"type\":\"Feature\",\"id\":%d,\"properties\":{\"downstream\":", index + 1);
    if (reach->downstream >= 0)
        fprintf(stream, "%d", reach->downstream + 1);
    else
        fputs("null", stream);
    fprintf(stream, ",\"order\":%d,\"mouth\":%s,\"area\":%.9g,\"widths\":[", reach->order,
            reach->mouth ? "true" : "false", points[reach->count - 1].area);
    for (int i = 0; i < reach->count; i++)
        fprintf(stream, "%s%.9g", i ? "," : "", (double)points[i].width * network->cell);
    fputs("]},\"geometry\":{\"type\":\"LineString\",\"coordinates\":[", stream);
    for (int i = 0; i < reach->count; i++) {
        if (i)
            fputc(',', stream);
        write_point(stream, network, &points[i]);
    }
    fputs("]}}", stream);
}

Status write_geojson(FILE *stream, const RiverNetwork *network) {
    fputs("{\"type\":\"FeatureCollection\",\"features\":[", stream);
    for (int i = 0; i < network->reach_count; i++) {
        fputs(i ? ",\n" : "\n", stream);
        write_reach(stream, network, i);
    }
    fputs("\n]}\n", stream);
    return STATUS_OK;
}
