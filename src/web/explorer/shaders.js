// One shader draws all ground. Heights are in scene units above the datum, without exaggeration. A chunk
// mixes its own tile with its parent's by the size of a texel on the screen, so that nothing jumps as one
// zooms (continuous level of detail, as in Strugar 2009, "Continuous distance-dependent level of detail",
// section 4, but by pixels).

const common = `
precision highp float;
precision highp sampler2D;
uniform sampler2D own, mother;
uniform vec4 area;      // where the tile lies in its texture: offset and size
uniform vec4 motherArea; // and in its parent's
uniform vec3 ownHeights, motherHeights; // texel to height: factor and offset, factor of slopes
uniform float hasMother, texelSide, focal;
// 1 where a coarser chunk lies beside: left, right, above, below; and at corners
uniform vec4 coarseSides, coarseCorners;
uniform float sea, rise;
uniform vec4 borders;   // how far the chunk's sides are from the map's border: left, right, above, below
// How much of a tile is shown, rather than its parent's, at this distance; none where it meets a coarser one,
// which stands in for tiles that have not come.
float share(vec2 uv, float depth) {
  vec4 sides = mix(vec4(1.0), smoothstep(0.0, 0.4, vec4(uv, 1.0 - uv).xzyw), coarseSides);
  vec4 away = vec4(length(uv), length(uv - vec2(1.0, 0.0)), length(uv - vec2(0.0, 1.0)), length(uv - vec2(1.0)));
  vec4 seams = min(sides, mix(vec4(1.0), smoothstep(0.0, 0.4, away), coarseCorners));
  float inner = min(min(seams.x, seams.y), min(seams.z, seams.w));
  return mix(1.0, inner * smoothstep(0.75, 1.1, texelSide * focal / max(depth, 1e-6)), hasMother);
}
vec4 sampled(sampler2D tile, vec4 where, vec3 heights, vec2 uv) {
  vec4 texel = texture(tile, where.xy + uv * where.zw);
  return vec4(texel.r * heights.x + heights.y, texel.gb * heights.z, texel.a);
}
vec4 ground(vec2 uv, float depth) {
  float own_share = share(uv, depth);
  vec4 result = sampled(own, area, ownHeights, uv);
  if (own_share < 1.0) result = mix(sampled(mother, motherArea, motherHeights, uv), result, own_share);
  return result;
}
`;

// Most forms, and points of all of them.
export const FORMS = 8,
  POINTS = 512;

// Forms that edits add to the ground (forms.js).
const forms = `
#ifdef FORMED
precision highp int;
uniform sampler2D formPoints;
uniform int formCount;
uniform ivec3 formParts[${FORMS}];  // kind, first point, points
uniform vec3 formMiddles[${FORMS}], formEasts[${FORMS}], formNorths[${FORMS}];
uniform vec3 formSizes[${FORMS}];   // half width, height, how far it reaches
float bare = 0.0; // 1 where what lies over the ground does not fit any more
// From the nearest place of a line or outline to this one; and 1 within the outline.
vec3 from_form(ivec3 part, vec2 at) {
  bool ring = part.x >= 5, within = false;
  vec2 before = texelFetch(formPoints, ivec2(ring ? part.y + part.z - 1 : part.y, 0), 0).xy, nearest = at - before;
  for (int i = 0; i < part.z; i++) {
    vec2 to = texelFetch(formPoints, ivec2(part.y + i, 0), 0).xy, side = to - before, from = at - before;
    vec2 away = from - side * clamp(dot(from, side) / max(dot(side, side), 1e-20), 0.0, 1.0);
    if (dot(away, away) < dot(nearest, nearest)) nearest = away;
    if ((before.y > at.y) != (to.y > at.y) && from.x < side.x * from.y / side.y) within = !within;
    before = to;
  }
  return vec3(nearest, ring && within ? 1.0 : 0.0);
}
vec4 formed(vec4 here, vec3 level, vec3 alongU, vec3 alongV) {
  for (int i = 0; i < formCount; i++) {
    vec3 off = level - formMiddles[i], size = formSizes[i];
    if (dot(off, off) > size.z * size.z) continue;
    vec3 from = from_form(formParts[i], vec2(dot(off, formEasts[i]), dot(off, formNorths[i])));
    int kind = formParts[i].x;
    float far = length(from.xy), d = far / max(size.x, 1e-12), inner = min(d, 1.0) * from.z;
    float dome = inner * inner * (3.0 - 2.0 * inner), rising = 6.0 * inner * (1.0 - inner);
    float height = 0.0, steep = 0.0; // and how it changes with d
    if (kind == 0) {
      float k = max(1.0 - d * d, 0.0);
      height = size.y * k * k * k;
      steep = -6.0 * size.y * d * k * k;
    } else if (kind == 1) {
      float rim = 0.18 * size.y, fades = 1.0 - smoothstep(2.0, 3.0, d);
      height = d < 1.0 ? rim - size.y * (1.0 - d * d) : rim * fades / (d * d * d);
      steep = d < 1.0 ? 2.0 * size.y * d : -3.0 * rim * fades / (d * d * d * d);
    } else if (kind == 2) {
      float flat_share = 1.0 - smoothstep(0.8, 1.25, d);
      here.x = mix(here.x, size.y, flat_share);
      here.yz *= 1.0 - flat_share;
    } else if (kind == 3) {
      here.w = d < 1.0 ? 1.0 : here.w;
    } else if (kind == 4) {
      here.w = d < 1.0 ? 0.0 : here.w;
    } else if (kind == 5) {
      height = size.y * dome;
      steep = size.y * rising;
    } else if (from.z > 0.0 && kind == 6) {
      here.yzw = vec3(0.0, 0.0, 1.0);
    } else if (from.z > 0.0 && kind == 7) {
      here.w = 0.0;
    } else if (from.z > 0.0 && kind == 8 && here.x < sea + size.y * dome) {
      here = vec4(sea, 0.0, 0.0, 0.0);
      height = size.y * (0.02 + 0.98 * dome);
      steep = size.y * rising;
      bare = 1.0;
    } else if (from.z > 0.0 && kind == 9 && here.x > sea - 0.1 * size.y) {
      here = vec4(sea - size.y * (0.1 + 0.3 * dome), 0.0, 0.0, 0.0);
      bare = 1.0;
    }
    vec2 way = from.xy * (steep / max(far * size.x, 1e-12));
    vec3 slope = formEasts[i] * way.x + formNorths[i] * way.y;
    here.x += height;
    here.yz += vec2(dot(slope, alongU), dot(slope, alongV));
  }
  return here;
}
#endif
`;

const placing = `
uniform mat4 viewMatrix, projectionMatrix;
uniform vec3 corner;    // of the chunk in the scene; its middle on a globe
uniform vec2 extent;
`;

export const groundVertex = `${common}${forms}${placing}
uniform vec3 axisU, axisV;
uniform float skirt, foot; // foot: of the sides of a map, or 0
in vec3 position;      // u and v, and 1 on the skirt
#ifdef GLOBE
in vec3 place, outward; // from the chunk's middle, in its sides; from the planet's centre
uniform mat3 axes;      // of the planet to those of the scene
#endif
out vec2 uv;
out float depth, edge;
out vec3 world;
out vec3 up, alongU, alongV;
#ifdef FORMED
out vec3 footing; // of the place, without its height
#endif
void main() {
  uv = position.xy;
#ifdef GLOBE
  vec3 level = corner + axes * place * extent.x;
  up = axes * outward;
#else
  vec3 level = corner + vec3(uv.x * extent.x, -uv.y * extent.y, 0.0);
  up = vec3(0.0, 0.0, 1.0);
#endif
  alongU = normalize(axisU - up * dot(axisU, up));
  alongV = normalize(axisV - up * dot(axisV, up));
  float far = -(viewMatrix * vec4(level, 1.0)).z;
#ifdef FORMED
  footing = level;
  float height = rise == 0.0 ? 0.0 : max(formed(ground(uv, far), level, alongU, alongV).x, sea) * rise;
#else
  float height = rise == 0.0 ? 0.0 : max(ground(uv, far).x, sea) * rise;
#endif
  vec4 beside = vec4(uv.x, 1.0 - uv.x, uv.y, 1.0 - uv.y) + borders; // 0 at the map's border
  bool ends = foot != 0.0 && rise > 0.0 && min(min(beside.x, beside.y), min(beside.z, beside.w)) <= 0.0;
  edge = ends ? position.z : 0.0;
  world = level + up * (ends ? mix(height, foot, position.z) : height - position.z * skirt);
  vec4 seen = viewMatrix * vec4(world, 1.0);
  depth = -seen.z;
  gl_Position = projectionMatrix * seen;
}
`;

// The shading of relief (src/picture/shading.h): three lights with a soft toe on compressed slopes, warm light, bluish shade.
// Slopes are to the right and down; `sun` is in the same axes, `level` its height where ground is level.
const shader = `
float soft(float facing) { return 0.5 * (facing + sqrt(facing * facing + 0.16)); }
float one_light(vec3 towards, float level, vec3 normal, float turn, float rise) {
  float up = towards.z + rise * (1.0 - towards.z), around = sqrt(max(1.0 - up * up, 0.0)) / max(length(towards.xy), 1e-6);
  vec2 flat_way = mat2(cos(turn), sin(turn), -sin(turn), cos(turn)) * towards.xy * around;
  return soft(dot(normal, vec3(flat_way, up))) / soft(level + rise * (1.0 - level));
}
float tone_of(vec2 slope, vec3 towards, float level) {
  float part = length(slope) / 0.8;
  vec3 normal = normalize(vec3(-slope * 1.6 / (1.0 + 0.5 * (part + sqrt(part))), 1.0));
  float light = 0.64 * one_light(towards, level, normal, 0.0, 0.0) + 0.20 * one_light(towards, level, normal, -1.047, 0.2)
    + 0.16 * one_light(towards, level, normal, 0.96, 0.3);
  float tone = 1.65 * (light - 1.0), square = tone * tone;
  return tone / sqrt(sqrt(1.0 + square * square));
}
vec3 lit_ground(vec3 ground, float tone) {
  float dark = max(-tone, 0.0), bright = max(tone, 0.0);
  vec3 lit = ground * (1.0 - dark * vec3(0.80, 0.775, 0.66) + 0.22 * bright) + (vec3(1.30, 1.24, 1.06) - ground) * 0.22 * bright;
  vec3 above = max(lit - 0.72, 0.0) / 0.28; // brighter light is compressed, up to 1.24
  return min(lit, 0.72) + 0.28 * above * (1.0 + above / 3.45) / (1.0 + above);
}
vec3 lit_nature(vec3 ground, float tone) {
  float dark = max(-tone, 0.0), bright = max(tone, 0.0);
  vec3 lit = ground * (1.0 - dark * vec3(0.80, 0.775, 0.66)) + vec3(1.30, 1.24, 1.06) * bright * (0.015 + ground * (1.2 - 0.95 * ground));
  vec3 above = max(lit - 0.72, 0.0) / 0.28;
  return min(lit, 0.72) + 0.28 * above * (1.0 + above / 3.45) / (1.0 + above);
}
`;

const encoding = `
vec3 encoded(vec3 light) {
  return mix(light * 12.92, 1.055 * pow(light, vec3(1.0 / 2.4)) - 0.055, step(0.0031308, light));
}
`;

export const groundFragment = `${common}${forms}
uniform sampler2D ramp, overlay;
uniform vec4 range;     // of the colours: lowest, highest, deepest; factor of slopes
uniform vec2 trend;     // slope of the whole view that is not shaded
uniform vec3 sun, horizon, eye, river;
uniform float tilted, haze, away, contours, contourPhase, opacity, natural, shading, globe; // natural: rivers lie above the overlay
uniform float diverges; // whether colours go both ways from range.x
uniform vec2 extent;
uniform vec4 overlayArea;
in vec2 uv;
in float depth, edge;
in vec3 world;
in vec3 up, alongU, alongV;
#ifdef FORMED
in vec3 footing;
#endif
out vec4 colour;

${encoding}${shader}
// The sun on waves whose slopes are spread as a breeze spreads them (Cox and Munk 1954, "Measurement of the
// roughness of the sea surface from photographs of the sun's glitter"), as a share of the light.
float glitter(vec3 from_eye) {
  vec3 half_way = normalize(sun - from_eye);
  float upright = max(dot(half_way, up), 1e-3), slope2 = 1.0 / (upright * upright) - 1.0, spread = 0.012;
  float mirror = 0.02 + 0.98 * pow(1.0 - max(dot(half_way, sun), 0.0), 5.0), level = max(-dot(from_eye, up), 0.06);
  float bright = mirror * exp(-slope2 / spread) / (4.0 * spread * level * pow(upright, 4.0));
  return 0.75 * (1.0 - exp(-0.12 * bright));
}
// How much of the ground is lost in the air where what is seen ends: far away, and at the map's border for
// who stands within.
float beyond() {
  vec4 beside = borders + vec4(uv.x, 1.0 - uv.x, uv.y, 1.0 - uv.y) * extent.xxyy;
  float brink = min(min(beside.x, beside.y), min(beside.z, beside.w));
  // Rather than the whole map in view
  float within = smoothstep(1.1, 2.0, (borders.x + extent.x + borders.y) / away);
  float far = within * smoothstep(0.9, 1.5, depth / away);
  return max(far * (1.0 - smoothstep(0.0, 0.3 * depth, brink)), smoothstep(36.0, 58.0, depth / away));
}
void main() {
  vec4 here = ground(uv, depth);
  float draped = opacity;
#ifdef FORMED
  here = formed(here, footing, alongU, alongV);
  draped *= 1.0 - bare;
#endif
  float height = here.x;
  float land = clamp((height - sea) / max(fwidth(height), 1e-20) + 0.5, 0.0, 1.0);
  if (sea < -1e30) land = 1.0;
  float high = clamp((height - range.x) / (range.y - range.x), 0.0, 1.0);
  float deep = clamp((sea - height) / max(sea - range.z, 1e-20), 0.0, 1.0);
  vec3 dry = texture(ramp, vec2(0.501 + 0.498 * high, 0.5)).rgb;
  if (diverges > 0.0) dry = texture(ramp, vec2(0.5 + 0.499 * clamp((height - range.x) / (range.y - range.x), -1.0, 1.0), 0.5)).rgb;
  vec3 wet = texture(ramp, vec2(0.499 - 0.498 * deep, 0.5)).rgb;
  vec3 base = mix(wet, dry, land), wet_edge = texture(ramp, vec2(0.35, 0.5)).rgb;

  vec2 slope = (here.yz - trend * land) * range.w * mix(0.15, 1.0, land) * shading;
  vec3 towards = vec3(dot(sun, alongU), dot(sun, alongV), dot(sun, up));
  float tone = tone_of(slope, towards, sun.z) * (0.85 + 0.3 * high * land), light = 1.0 + tone;
  vec3 ground_light = mix(base * mix(1.0, light, 0.5), lit_ground(base, tone), land); // warm light makes dark water brown

  // rivers: the coverage of the texel, in the colour of shallow water
  float water = clamp(here.w, 0.0, 1.0) * land;
  vec3 shown = mix(ground_light, river, water * 0.92);

  if (contours > 0.0) {
    float step_here = (height + contourPhase) / contours, wide = max(fwidth(step_here), 1e-6);
    float line = 1.0 - smoothstep(0.5, 1.2, abs(fract(step_here - 0.5) - 0.5) / wide);
    shown = mix(shown, shown * 0.55, line * land * (1.0 - smoothstep(0.15, 0.5, wide)));
  }
  if (draped > 0.0) {
    vec4 over = texture(overlay, overlayArea.xy + uv * overlayArea.zw);
    shown = mix(shown, natural > 0.0 ? lit_nature(over.rgb, tone) : over.rgb * mix(1.0, light, 0.7), over.a * draped * (1.0 - natural * water));
  }
  if (edge > 0.002) { // a block's side
    vec3 face = normalize(cross(dFdx(world), dFdy(world)));
    bool wet = height < sea && world.z > height * rise; // between the bottom and the surface of the sea
    shown = (wet ? mix(wet_edge, base, 0.5) : vec3(0.20, 0.17, 0.14) * mix(1.15, 0.7, edge)) * (0.85 + 0.4 * dot(face, sun));
  }
  if (tilted + globe > 0.0) {
    // the water's mirror of the sky, and the air between
    vec3 from_eye = normalize(world - eye);
    float sea_share = max(1.0 - land, 0.45 * water) * tilted;
    float grazing = pow(1.0 - clamp(-dot(from_eye, up), 0.0, 1.0), 4.0);
    shown = mix(shown, mix(horizon, vec3(0.25, 0.42, 0.62), 0.35), sea_share * grazing * 0.8);
    shown += sea_share * glitter(from_eye) * vec3(1.0, 0.92, 0.76);
    float air = max(1.0 - exp(-pow(depth / haze, 1.6)), beyond());
    shown = mix(shown, horizon, air * tilted * (1.0 - globe));
    shown = mix(shown, vec3(0.35, 0.55, 0.85), globe * 0.5 * pow(1.0 - clamp(-dot(from_eye, up), 0.0, 1.0), 3.0));
  }
  colour = vec4(encoded(clamp(shown, 0.0, 1.0)), 1.0);
}
`;

export const skyVertex = `
precision highp float;
in vec3 position;
out vec2 spot;
void main() { spot = position.xy; gl_Position = vec4(position.xy, 1.0, 1.0); }
`;

export const skyFragment = `
precision highp float;
uniform vec3 horizon, zenith, forward, right, upward, sun, eye;
uniform vec4 sides; // of what is seen at depth 1: left, right, below, above
uniform float globe, planet; // 1 for a planet, and its radius
in vec2 spot;
out vec4 colour;
${encoding}
void main() {
  vec3 ray = normalize(forward + right * mix(sides.x, sides.y, spot.x * 0.5 + 0.5) + upward * mix(sides.z, sides.w, spot.y * 0.5 + 0.5));
  float high = clamp(ray.z, 0.0, 1.0);
  vec3 sky = mix(horizon, zenith, 1.0 - exp(-3.2 * high));
  if (globe > 0.0) {
    // from space: dark, with a rim of air around the planet
    vec3 from = eye + vec3(0.0, 0.0, planet);
    float height = length(from) / planet - 1.0, along = max(-dot(from, ray), 0.0);
    float above = length(from + ray * along) / planet - 1.0;
    vec3 space = mix(vec3(0.004, 0.007, 0.014), vec3(0.30, 0.52, 0.85), exp(-max(above, 0.0) * 28.0) * 0.75);
    sky = mix(sky, space, smoothstep(0.02, 0.6, height));
  } else {
    float near = max(dot(ray, sun), 0.0);
    sky += vec3(1.0, 0.85, 0.6) * (0.25 * pow(near, 24.0) + 1.2 * pow(near, 900.0));
  }
  colour = vec4(encoded(clamp(sky, 0.0, 1.0)), 1.0);
}
`;

// Lines: a piece's ends are put on the ground, and the strip between them is made wide on the screen.
export const lineVertex = `${common}${placing}
uniform vec2 viewport;
uniform float least; // pixels of the thinnest line
in vec2 corner2;
in vec3 from, to;    // u, v and width in sides of the chunk
in float kind;
in vec2 tones;
#ifdef GLOBE
in vec3 fromPlace, fromOutward, toPlace, toOutward; // as those of the ground
uniform mat3 axes;
uniform vec3 eye;
#endif
out vec2 spot;
out float tone;      // of a palette, 0 to 1
flat out vec2 ends[2];
flat out vec2 reach; // half the width, in pixels, and how much of it is seen
flat out float which;
vec4 placed(vec2 uv, vec3 level, vec3 up) {
  float far = -(viewMatrix * vec4(level, 1.0)).z;
  level += up * (rise == 0.0 ? 0.0 : max(ground(uv, far).x, sea) * rise);
  return viewMatrix * vec4(level, 1.0);
}
void main() {
#ifdef GLOBE
  vec3 first = corner + axes * fromPlace * extent.x, last = corner + axes * toPlace * extent.x;
  vec3 firstUp = axes * fromOutward, lastUp = axes * toOutward;
  if (dot(firstUp, eye - first) < 0.0 || dot(lastUp, eye - last) < 0.0) { // beyond the horizon
    gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
    return;
  }
#else
  vec3 firstUp = vec3(0.0, 0.0, 1.0), lastUp = firstUp;
  vec3 first = corner + vec3(from.x * extent.x, -from.y * extent.y, 0.0);
  vec3 last = corner + vec3(to.x * extent.x, -to.y * extent.y, 0.0);
#endif
  vec4 a = placed(from.xy, first, firstUp), b = placed(to.xy, last, lastUp);
  float ratio = projectionMatrix[1][1] * viewport.y * 0.5; // pixels of 1 at depth 1
  which = kind;
  tone = mix(tones.x, tones.y, corner2.y);
  if (min(-a.z, -b.z) < 0.02) { // behind the eye
    gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
    return;
  }
  vec4 from_clip = projectionMatrix * a, to_clip = projectionMatrix * b;
  ends[0] = (from_clip.xy / from_clip.w * 0.5 + 0.5) * viewport;
  ends[1] = (to_clip.xy / to_clip.w * 0.5 + 0.5) * viewport;
  float wide = mix(from.z, to.z, corner2.y) * max(extent.x, extent.y) * ratio / -mix(a.z, b.z, corner2.y);
  reach = vec2(max(wide, least) * 0.5, clamp(wide / least, 0.55, 1.0));
  vec2 along = ends[1] - ends[0];
  along = length(along) > 1e-4 ? normalize(along) : vec2(1.0, 0.0);
  spot = mix(ends[0], ends[1], corner2.y) + (along * (corner2.y * 2.0 - 1.0) + vec2(-along.y, along.x) * corner2.x) * (reach.x + 1.0);
  vec4 nearer = mix(a, b, corner2.y);
  nearer.xyz *= 0.985; // before the ground that it lies on
  vec4 clip = projectionMatrix * nearer;
  gl_Position = vec4((spot / viewport * 2.0 - 1.0) * clip.w, clip.z, clip.w);
}
`;

export const lineFragment = `
precision highp float;
uniform vec4 ink;
uniform sampler2D lineRamp;
uniform float toned; // 1 where values have colours
in vec2 spot;
in float tone;
flat in vec2 ends[2];
flat in vec2 reach;
flat in float which;
out vec4 colour;
${encoding}
void main() {
  vec2 along = ends[1] - ends[0], from = spot - ends[0];
  float at = clamp(dot(from, along) / max(dot(along, along), 1e-6), 0.0, 1.0);
  float seen = clamp(reach.x + 0.5 - length(from - along * at), 0.0, 1.0) * reach.y * ink.a;
  if (seen <= 0.0) discard;
  vec3 plain = which < 0.5 ? ink.rgb : mix(vec3(0.09, 0.21, 0.10), vec3(0.30, 0.30, 0.08), fract(which * 0.381966));
  colour = vec4(encoded(mix(plain, texture(lineRamp, vec2(0.501 + 0.498 * clamp(tone, 0.0, 1.0), 0.5)).rgb, toned)), seen);
}
`;

export const meshVertex = `
precision highp float;
uniform mat4 viewMatrix, projectionMatrix;
uniform vec3 origin;
uniform float scale, lift;
in vec3 position, normal;
// Of what stands there: its place, and radius, height and kind; 0, 0, 0 and 1, 1, 0 of the surface
in vec3 at, size;
out vec3 world, outward, own;
flat out float kind;
void main() {
  own = position * size.xxy + at;
  kind = size.z;
  world = origin + own * scale;
  world.z *= lift;
  outward = vec3(normal.xy * lift / size.x, normal.z / size.y);
  gl_Position = projectionMatrix * viewMatrix * vec4(world, 1.0);
}
`;

export const meshFragment = `
precision highp float;
uniform sampler2D ramp, picture;
uniform vec3 sun, horizon, eye;
uniform vec2 foot, across, upwards, span;
uniform float textured, shading;
in vec3 world, outward, own;
flat in float kind;
out vec4 colour;
${encoding}${shader}
void main() {
  vec3 base = textured > 0.0 ? texture(picture, vec2(dot(own.xy - foot, across), 1.0 - dot(own.xy - foot, upwards))).rgb
    : texture(ramp, vec2(0.501 + 0.498 * clamp((own.z - span.x) / (span.y - span.x), 0.0, 1.0), 0.5)).rgb;
  if (kind > 0.5) base = mix(vec3(0.035, 0.11, 0.045), vec3(0.13, 0.15, 0.035), fract(kind * 0.381966));
  vec3 normal = normalize(outward);
  if (dot(normal, eye - world) < 0.0) normal = -normal;
  float tone = tone_of(normal.xy / -max(normal.z, 0.05), sun, max(sun.z, 0.2));
  tone *= min(shading, 1.0) * (textured > 0.0 && kind < 0.5 ? 0.4 : 1.0); // a picture has its own light
  colour = vec4(encoded(clamp(lit_ground(base, tone), 0.0, 1.0)), 1.0);
}
`;
