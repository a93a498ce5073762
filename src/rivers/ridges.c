#include "rivers/ridges.h"

#include <math.h>

static Vec2 blend(Vec2 a, Vec2 b, double from, double to, double at) {
    const double share = to > from ? (at - from) / (to - from) : 0;
    return (Vec2){ a.x + (b.x - a.x) * share, a.y + (b.y - a.y) * share };
}

// Barry and Goldman 1988: a pyramid of blends between knots; centripetal where knots are apart by the square
// root of the distance.
void ridge_span(Vec2 a, Vec2 b, Vec2 c, Vec2 d, int resolution, Vec2 *places) {
    const double t0 = 0, t1 = t0 + sqrt(vec2_distance(a, b)), t2 = t1 + sqrt(vec2_distance(b, c)),
                 t3 = t2 + sqrt(vec2_distance(c, d));
    for (int i = 0; i <= resolution; i++) {
        const double t = t1 + (t2 - t1) * i / resolution;
        const Vec2 ab = blend(a, b, t0, t1, t), bc = blend(b, c, t1, t2, t), cd = blend(c, d, t2, t3, t);
        const Vec2 abc = blend(ab, bc, t0, t2, t), bcd = blend(bc, cd, t1, t3, t);
        places[i] = blend(abc, bcd, t1, t2, t);
    }
    places[0] = b;
    places[resolution] = c;
}
