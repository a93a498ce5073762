// Files of river networks: GeoJSON and SVG.

#include "rivers/network_files.h"
#include "core/elementary.h"
#include "core/json.h"
#include "core/math.h"

#include <math.h>
#include <string.h>

// --- GeoJSON -----------------------------------------------------------------------------------------------

// GeoJSON: one line per reach; and CSV: one row per point of a reach, in the same coordinates. Coordinates
// are map units, y upwards as in a geographic system, and the altitude; for planets degrees of longitude and
// latitude. Widths and areas are in the same units; on planets in metres where their radius is known,
// otherwise shares of the equator and of the planet. The window's lower left corner is (0, 0), as in meshes
// and ESRI grids; the rivers of a window of a map have their position on the map, whose lower left corner is
// (0, 0). Lines that lie on known ground have its coordinates, and name its system in the member "crs" of
// GeoJSON 2008 (section 3), which GDAL and QGIS read; RFC 7946 has none. A vertical system has no place
// there.

// Other programs take all coordinates of GeoJSON without a system for degrees, as RFC 7946 says.
static void tell_no_degrees(const Writing *writing, const Frame *frame) {
    const bool no_degrees = frame_is_set(frame) && !frame->system && frame_sphere(frame).radius == 0;
    if (no_degrees && frame_is_of_map(frame))
        tell(writing->notice,
             "coordinates in '%.200s' are shares of the map's side, which other programs take for degrees "
             "(side = METRES)",
             writing->path);
    else if (no_degrees && (fabs(frame->x) > 180 || fabs(frame->y) > 90))
        tell(writing->notice,
             "'%.200s' has no coordinate system: other programs take its coordinates for degrees "
             "(frame.system)",
             writing->path);
}

void geojson_begin(const Writing *writing, const Frame *frame) {
    FILE *stream = writing->stream;
    const Labels *labels = writing->labels;
    tell_no_degrees(writing, frame);
    fputs("{\"type\":\"FeatureCollection\",", stream);
    const int code = frame_system_code(frame->system);
    if (code)
        fprintf(stream, "\"crs\":{\"type\":\"name\",\"properties\":{\"name\":\"urn:ogc:def:crs:EPSG::%d\"}},",
                code);
    if (labels) {
        fputs("\"recipe\":", stream);
        json_put_labels(stream, labels);
        fputc(',', stream);
    }
    fputs("\"features\":[", stream);
}

// What widths and areas of a network are multiplied by in these files.
typedef struct Units {
    double width, area;
} Units;

static Units units_of(const RiverNetwork *network) {
    const Frame *frame = &network->frame;
    if (!frame_is_set(frame))
        return (Units){ network->cell, 1 };
    if (!network->planet) {
        const double cell = frame_cell(frame), unit = cell / network->cell;
        return (Units){ cell, unit * unit };
    }
    const double radius = frame_unit_metres(frame) > 0 ? frame_sphere(frame).radius : 0;
    return radius > 0 ? (Units){ 2 * PI * radius * network->cell, 4 * PI * radius * radius }
                      : (Units){ network->cell, 1 };
}

void network_locate(const RiverNetwork *network, const RiverPoint *point, double place[2]) {
    if (frame_is_set(&network->frame) && !network->planet) {
        frame_locate(&network->frame, point->x, point->y, place);
        return;
    }
    const bool on_map = network->exact_cell > 0;
    const double x = network->left + point->x * network->cell;
    const double down = network->top + point->y * network->cell; // from the upper edge of the map or window
    const double high = on_map ? 1 : network->height * network->cell;
    place[0] = network->planet ? 360 * x - 180 : x;
    place[1] = network->planet ? 180 - 360 * down : high - down;
}

static void write_point(FILE *stream, const RiverNetwork *network, const RiverPoint *point) {
    double place[2];
    network_locate(network, point, place);
    fprintf(stream, network->planet ? "[%.12g,%.12g,%.9g]" : "[%.17g,%.17g,%.9g]", place[0], place[1],
            (double)point->altitude);
}

// Whether a river leaves a planet's map on one side and re-enters on the other. Such a reach becomes
// several lines (RFC 7946, section 3.1.9). Windows that reach beyond a side are not cut there: they lie in
// the degrees of their fields.
static bool goes_round(const RiverNetwork *network, const RiverPoint *from, const RiverPoint *to) {
    const double off = (to->x - from->x) * network->cell;
    return network->planet && (off > 0.5 || off < -0.5);
}

// Ends a line on one side of the map, and begins one on the other.
static void write_round(FILE *stream, const RiverNetwork *network, const RiverPoint *from,
                        const RiverPoint *to) {
    const double width = 1 / network->cell, left = 0.5 * (network->width - width); // a turn around the window
    const double right = left + width, west = from->x < to->x ? left : right, east = left + right - west;
    const double before = west > from->x ? west - from->x : from->x - west;
    const double after = east > to->x ? east - to->x : to->x - east;
    const double share = before + after > 0 ? before / (before + after) : 0;
    RiverPoint end = *from;
    end.y += (to->y - from->y) * share;
    end.altitude += (to->altitude - from->altitude) * (float)share;
    end.x = west;
    fputc(',', stream);
    write_point(stream, network, &end);
    fputs("],[", stream);
    end.x = east;
    write_point(stream, network, &end);
    fputc(',', stream);
}

static void write_lines(FILE *stream, const RiverNetwork *network, const Reach *reach) {
    const RiverPoint *points = network->points + reach->first;
    bool several = false;
    for (int i = 1; i < reach->count; i++)
        several = several || goes_round(network, &points[i - 1], &points[i]);
    fprintf(stream, "{\"type\":\"%sLineString\",\"coordinates\":%s[", several ? "Multi" : "",
            several ? "[" : "");
    for (int i = 0; i < reach->count; i++) {
        if (i && goes_round(network, &points[i - 1], &points[i]))
            write_round(stream, network, &points[i - 1], &points[i]);
        else if (i)
            fputc(',', stream);
        write_point(stream, network, &points[i]);
    }
    fputs(several ? "]]}" : "]}", stream);
}

static bool is_closed(const RiverPoint *points, const Reach *reach) {
    const RiverPoint *last = points + reach->count - 1;
    return points->x == last->x && points->y == last->y;
}

static void write_line_properties(FILE *stream, const RiverPoint *points, const Reach *reach) {
    char height[32]; // with a point, so that GDAL makes a column of numbers, not of whole ones
    snprintf(height, sizeof height, "%.7g", (double)points->altitude);
    fprintf(stream, "\"height\":%s%s,\"order\":%d,\"closed\":%s}", height, strpbrk(height, ".e") ? "" : ".0",
            reach->order, is_closed(points, reach) ? "true" : "false");
}

static void write_river_properties(FILE *stream, const RiverNetwork *network, const Reach *reach) {
    const RiverPoint *points = network->points + reach->first;
    const Units units = units_of(network);
    fputs("\"downstream\":", stream);
    if (reach->downstream >= 0)
        fprintf(stream, "%d", reach->downstream + 1);
    else
        fputs("null", stream);
    fprintf(stream, ",\"order\":%d,\"mouth\":%s,\"area\":%.9g,\"widths\":[", reach->order,
            reach->mouth ? "true" : "false", network_drained(network, reach) * units.area);
    for (int i = 0; i < reach->count; i++)
        fprintf(stream, "%s%.9g", i ? "," : "", (double)points[i].width * units.width);
    fputs("]", stream);
    if (network->watered)
        fprintf(stream, ",\"water\":%.9g,\"wadi\":%s", (double)network_water(network, reach),
                reach->wadi ? "true" : "false");
    fputs("}", stream);
}

// Whether a line is the outline of an area, such as a lake's; those of its islands follow, of order 2.
static bool is_outline(const RiverNetwork *network, int index) {
    const Reach *reach = &network->reaches[index];
    const RiverPoint *points = network->points + reach->first;
    return network->lines && points->area > 0 && is_closed(points, reach);
}

static bool is_island(const RiverNetwork *network, int index) {
    return index < network->reach_count && network->reaches[index].order > 1 && !is_outline(network, index);
}

// Returns the last line of the polygon.
static int write_polygon(FILE *stream, const RiverNetwork *network, int index) {
    const RiverPoint *points = network->points + network->reaches[index].first;
    fprintf(stream,
            "{\"type\":\"Feature\",\"id\":%d,\"properties\":{\"level\":%.9g,\"area\":%.9g%s},\"geometry\":{"
            "\"type\":\"Polygon\",\"coordinates\":[",
            index + 1, (double)points->altitude, points->area * units_of(network).area,
            network->reaches[index].salt ? ",\"salt\":true" : "");
    for (int i = index;; i++) {
        const Reach *reach = &network->reaches[i];
        for (int k = 0; k < reach->count; k++) {
            fputc(k ? ',' : '[', stream);
            write_point(stream, network, &network->points[reach->first + k]);
        }
        fputc(']', stream);
        if (!is_island(network, i + 1)) {
            fputs("]}}", stream);
            return i;
        }
        fputc(',', stream);
    }
}

static void write_feature(FILE *stream, const RiverNetwork *network, int index) {
    const Reach *reach = &network->reaches[index];
    fprintf(stream, "{\"type\":\"Feature\",\"id\":%d,\"properties\":{", index + 1);
    if (network->lines)
        write_line_properties(stream, network->points + reach->first, reach);
    else
        write_river_properties(stream, network, reach);
    fputs(",\"geometry\":", stream);
    write_lines(stream, network, reach);
    fputc('}', stream);
}

Status write_geojson(const Writing *writing, Error *error) {
    (void)error;
    const RiverNetwork *network = writing->value;
    FILE *stream = writing->stream;
    geojson_begin(writing, &network->frame);
    for (int i = 0; i < network->reach_count; i++) {
        fputs(i ? ",\n" : "\n", stream);
        if (is_outline(network, i))
            i = write_polygon(stream, network, i);
        else
            write_feature(stream, network, i);
    }
    fputs("\n]}\n", stream);
    return STATUS_OK;
}

// Contours, which have no widths and drain nothing.
static Status write_csv_lines(FILE *stream, const RiverNetwork *network) {
    fputs("line,order,closed,x,y,altitude\n", stream);
    for (int i = 0; i < network->reach_count && !ferror(stream); i++) {
        const Reach *reach = &network->reaches[i];
        const RiverPoint *points = network->points + reach->first;
        for (int k = 0; k < reach->count; k++) {
            double place[2];
            network_locate(network, &points[k], place);
            fprintf(stream, "%d,%d,%s,%.17g,%.17g,%.9g\n", i + 1, reach->order,
                    is_closed(points, reach) ? "true" : "false", place[0], place[1],
                    (double)points[k].altitude);
        }
    }
    return STATUS_OK;
}

Status write_csv(const Writing *writing, Error *error) {
    (void)error;
    const RiverNetwork *network = writing->value;
    FILE *stream = writing->stream;
    if (network->lines)
        return write_csv_lines(stream, network);
    const Units units = units_of(network);
    fprintf(stream, "reach,downstream,order,x,y,altitude,width,area%s\n", network->watered ? ",water" : "");
    for (int i = 0; i < network->reach_count && !ferror(stream); i++) {
        const Reach *reach = &network->reaches[i];
        char downstream[16] = "";
        if (reach->downstream >= 0)
            snprintf(downstream, sizeof downstream, "%d", reach->downstream + 1);
        for (int k = reach->first; k < reach->first + reach->count; k++) {
            const RiverPoint *point = &network->points[k];
            double place[2];
            network_locate(network, point, place);
            fprintf(stream, "%d,%s,%d,%.17g,%.17g,%.9g,%.9g,%.9g", i + 1, downstream, reach->order, place[0],
                    place[1], (double)point->altitude, (double)point->width * units.width,
                    point->area * units.area);
            if (network->watered)
                fprintf(stream, ",%.9g", (double)point->water);
            fputc('\n', stream);
        }
    }
    return STATUS_OK;
}

// --- SVG ---------------------------------------------------------------------------------------------------

// SVG: rivers as lines at their width, grouped by Strahler order; ridges; the coast of a polygon. Lines of
// equal height, with labels on those of order 2. One unit is a cell of the network's window.

static void write_ridges(FILE *stream, const RiverNetwork *network) {
    if (network->ridge_count == 0)
        return;
    fputs("<g id=\"ridges\" stroke=\"#b83d22\" stroke-width=\"1\">\n", stream);
    for (int i = 0; i < network->ridge_count; i++) {
        const Ridge *ridge = &network->ridges[i];
        fputs("<polyline points=\"", stream);
        for (int k = ridge->first; k < ridge->first + ridge->count; k++)
            fprintf(stream, "%.6g,%.6g ", network->ridge_points[k].x / network->cell,
                    network->ridge_points[k].y / network->cell);
        fputs("\"/>\n", stream);
    }
    fputs("</g>\n", stream);
}

static void write_coast(FILE *stream, const RiverNetwork *network) {
    const Boundary *boundary = &network->boundary;
    if (!boundary->coast || boundary->corner_count == 0)
        return;
    fputs("<polygon id=\"land\" fill=\"#f6f3ea\" stroke=\"#6d8ea3\" points=\"", stream);
    for (int i = 0; i < boundary->corner_count; i++)
        fprintf(stream, "%.6g,%.6g ", boundary->corners[i].x / network->cell,
                boundary->corners[i].y / network->cell);
    fputs("\"/>\n", stream);
}

// A line has one width: pieces of nearly equal width are joined into one line.
static void write_path(FILE *stream, const RiverNetwork *network, const Reach *reach) {
    const RiverPoint *points = network->points + reach->first;
    for (int first = 0, end; first < reach->count - 1; first = end) {
        for (end = first + 1; end < reach->count - 1 && points[end].width <= 1.2f * points[first].width;)
            end++;
        fprintf(stream, "<polyline stroke-width=\"%.4g\" %spoints=\"", (double)points[first].width,
                reach->wadi ? "stroke-dasharray=\"3 2\" " : "");
        for (int i = first; i <= end; i++)
            fprintf(stream, "%.6g,%.6g ", points[i].x, points[i].y);
        fputs("\"/>\n", stream);
    }
}

// In the middle of each long line of order 2, along it and upright, larger on larger maps.
static void write_labels(FILE *stream, const RiverNetwork *network) {
    const double size = max(max(network->width, network->height) / 64.0, 2);
    fprintf(stream,
            "<g id=\"labels\" font-family=\"sans-serif\" font-size=\"%.4g\" text-anchor=\"middle\" "
            "fill=\"#6b4423\" "
            "stroke=\"#ffffff\" stroke-width=\"%.4g\" paint-order=\"stroke\">\n",
            size, size / 4);
    for (int i = 0; i < network->reach_count; i++) {
        const Reach *reach = &network->reaches[i];
        const RiverPoint *points = network->points + reach->first;
        int at = 0;
        if (reach->order < 2 || (double)points->distance < 8 * size)
            continue;
        while (at + 2 < reach->count && points[at].distance > points->distance / 2)
            at++;
        const double x = points[at + 1].x - points[at].x, y = points[at + 1].y - points[at].y;
        const double length = sqrt(x * x + y * y), dx = fabs(x) / length, dy = (x < 0 ? -y : y) / length;
        fprintf(stream,
                "<text transform=\"matrix(%.4g %.4g %.4g %.4g %.6g %.6g)\" dy=\"0.35em\">%.7g</text>\n", dx,
                dy, -dy, dx, points[at].x, points[at].y, (double)points->altitude);
    }
    fputs("</g>\n", stream);
}

// How it was made, where editors of pictures keep it.
static void write_metadata(FILE *stream, const Labels *labels) {
    fputs("<metadata>", stream);
    for (int i = 0; labels && i < labels->count; i++) {
        fprintf(stream, "%s: ", labels->at[i].key);
        for (const char *at = labels->at[i].value; *at; at++)
            if (*at == '<' || *at == '&')
                fputs(*at == '<' ? "&lt;" : "&amp;", stream);
            else if ((unsigned char)*at >= 32)
                fputc(*at, stream);
        fputc('\n', stream);
    }
    fputs("</metadata>\n", stream);
}

void write_open_svg(const Writing *writing) {
    const RiverNetwork *network = writing->value;
    FILE *stream = writing->stream;
    int highest = 0;
    for (int i = 0; i < network->reach_count; i++)
        highest = max(network->reaches[i].order, highest);
    fprintf(stream,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" fill=\"none\" "
            "stroke-linecap=\"round\" stroke-linejoin=\"round\">\n",
            network->width, network->height);
    if (writing->labels)
        write_metadata(stream, writing->labels);
    write_coast(stream, network);
    write_ridges(stream, network);
    for (int order = 1; order <= highest; order++) {
        fprintf(stream, "<g id=\"order-%d\" stroke=\"%s\">\n", order, network->lines ? "#8a5a2b" : "#1c5694");
        for (int i = 0; i < network->reach_count; i++)
            if (network->reaches[i].order == order)
                write_path(stream, network, &network->reaches[i]);
        fputs("</g>\n", stream);
    }
    if (network->lines)
        write_labels(stream, network);
}

Status write_svg(const Writing *writing, Error *error) {
    (void)error;
    write_open_svg(writing);
    fputs("</svg>\n", writing->stream);
    return STATUS_OK;
}
