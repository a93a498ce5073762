// Every operation, a line each, in the order of the manual. A test compares this list with the symbols in
// the library, so that a forgotten line fails.

#ifndef ESKER_OPERATIONS_H
#define ESKER_OPERATIONS_H

#include "core/operation.h"

// clang-format off
#define ALL_OPERATIONS(X) \
    /* base */ \
    X(diamond_square) \
    X(spectral) \
    X(voronoi) \
    X(noise) \
    X(shape) \
    X(polygon) \
    X(ridge_line) \
    /* filter */ \
    X(perturb) \
    X(warp) \
    X(normalize) \
    X(clamp) \
    X(lerp) \
    X(blend) \
    X(blur) \
    X(sharpen) \
    X(median) \
    X(bilateral) \
    X(morphology) \
    X(laplacian) \
    X(curve) \
    X(remap) \
    X(terrace) \
    X(resize) \
    X(crop) \
    X(flip) \
    X(transform) \
    X(equalize) \
    X(match) \
    X(seamless) \
    X(inpaint) \
    X(find_gaps) \
    X(set_gaps) \
    /* arithmetic */ \
    X(add) \
    X(subtract) \
    X(multiply) \
    X(divide) \
    X(power) \
    X(negate) \
    X(min) \
    X(max) \
    X(abs) \
    /* places */ \
    X(distance) \
    X(flatten) \
    X(stamp) \
    X(path) \
    X(grade) \
    X(scatter) \
    X(from_points) \
    X(rasterize) \
    X(peaks) \
    X(sites) \
    /* erosion */ \
    X(thermal_erosion) \
    X(hydraulic_erosion) \
    X(olsen_erosion) \
    X(stream_erosion) \
    X(stream_power) \
    X(amplify) \
    /* analysis */ \
    X(slope) \
    X(erosion_score) \
    X(playability) \
    X(statistics) \
    X(argmax) \
    X(histogram) \
    X(relative_height) \
    X(identify) \
    X(contours) \
    X(realism) \
    X(realism_ranges) \
    /* surface */ \
    X(select) \
    X(gradient_angle) \
    X(aspect) \
    X(curvature) \
    X(ruggedness) \
    X(hillshade) \
    X(sky_view) \
    X(openness) \
    X(insolation) \
    X(viewshed) \
    X(position_index) \
    X(ridges) \
    X(valleys) \
    X(wetness_index) \
    X(geomorphons) \
    /* zoomable maps */ \
    X(river_map) \
    X(render) \
    X(set_rivers) \
    X(add_rivers) \
    X(set_places) \
    X(add_places) \
    X(raise) \
    X(level) \
    X(lake) \
    X(coast) \
    X(crater) \
    X(imprint) \
    X(carve) \
    X(rivers) \
    X(lake_outlines) \
    X(altitude_at) \
    X(climate) \
    X(cover) \
    X(places) \
    X(roads) \
    /* rivers */ \
    X(squig_curve) \
    X(squig_mountain) \
    X(river_network) \
    X(terrain) \
    X(fill) \
    X(breach) \
    X(lakes) \
    X(flow_direction) \
    X(basins) \
    X(flow_accumulation) \
    X(stream_order) \
    X(height_above_river) \
    X(distance_to_river) \
    X(rivers_from_flow) \
    X(network_statistics) \
    /* vectors */ \
    X(reproject) \
    X(polygonize) \
    X(catchment) \
    X(catchments) \
    X(longest_flow_path) \
    X(clip) \
    X(burn) \
    X(profile) \
    X(snap) \
    X(zonal_statistics) \
    X(align) \
    X(river_profiles) \
    /* picture */ \
    X(relief) \
    X(perspective) \
    X(draw) \
    X(paint) \
    X(join) \
    X(colorize) \
    X(image) \
    X(normal_map) \
    X(texture) \
    X(contour_map) \
    X(terrain_rgb) \
    X(from_terrain_rgb) \
    /* mesh */ \
    X(mesh) \
    X(drape) \
    X(plant) \
    /* file */ \
    X(georeference) \
    X(load) \
    X(load_world) \
    X(load_map) \
    X(save) \
    X(save_map) \
    X(export) \
    X(info)
// clang-format on

#define DECLARE_OPERATION(name) extern const Operation op_##name;
ALL_OPERATIONS(DECLARE_OPERATION)
#undef DECLARE_OPERATION

// The list itself, NULL-ended.
extern const Operation *const all_operations[];

// The operation that others know by this name, from the keywords; of several the one where it comes first.
// With `type` only those that are methods of it. NULL if there is none.
const Operation *operation_known_as(const char *word, const ValueType *type);

#endif
