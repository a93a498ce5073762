#include "rivermap/triangle_rivers.h"

#include "core/math.h"

void triangle_rivers_add(NetworkBuilder *builder, const TriangleRivers *triangle) {
    int in[3], ins = 0, out = NETWORK_NOWHERE;
    for (int i = 0; i < triangle->count; i++) {
        const int node = network_node(builder, triangle->keys[i], triangle->points[i]);
        if (triangle->out[i] && out < 0) // at islands rivers split: the other arms begin here
            out = node;
        else if (!triangle->out[i])
            in[ins++] = node;
    }
    if (out >= 0 && ins == 0) { // a spring
        RiverPoint spring = triangle->middle;
        spring.altitude = triangle->points[0].altitude;
        in[ins++] = network_node(builder, 0, spring);
    } else if (out < 0 && ins > 0) {
        RiverPoint mouth = triangle->points[0];
        for (int i = 1; i < triangle->count; i++) {
            if (triangle->points[i].altitude < mouth.altitude)
                mouth.altitude = triangle->points[i].altitude;
            if (triangle->points[i].area > mouth.area) {
                mouth.area = triangle->points[i].area;
                mouth.width = triangle->points[i].width;
            }
        }
        mouth.altitude = min(mouth.altitude, 0); // the sea's, where a river falls into it
        mouth.x = triangle->middle.x;
        mouth.y = triangle->middle.y;
        out = network_node(builder, 0, mouth);
        network_link(builder, out, NETWORK_MOUTH);
    }
    for (int i = 0; i < ins; i++)
        network_link(builder, in[i], out);
}
