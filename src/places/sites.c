// Each site is the disk of its point's radius. Where the edges of sites overlap, the level is a mean by
// weights
// ((edge - d) / (edge d))² of the distance d to the disk (Franke and Nielson 1980, "Smooth interpolation of
// large sets of scattered data"), so that each disk keeps its own.

#include "places/sites.h"

#include "core/kernel.h"
#include "core/math.h"
#include "core/memory.h"
#include "core/sample.h"
#include "core/whole.h"

#include <math.h>

typedef struct Site { // in cells from the centre of the first
    float x, y, radius, level;
} Site;

typedef struct Finding {
    const Sites *sites;
    int count;
    Site *at; // NULL: they are counted
    Field *levels, *weights, *squared;
} Finding;

// --- disks -------------------------------------------------------------------------------------------------

// A site, and where edges meet its images that reach into the field.
static void add_site(Finding *finding, const PlacePoint *point) {
    const Field *ground = finding->sites->ground;
    const double radius = max(
        finding->sites->own_radii && point->radius > 0 ? (double)point->radius : finding->sites->radius, 0.5);
    const double reach = radius + finding->sites->edge + 1;
    const int images = finding->sites->wraps ? 1 : 0;
    for (int j = -images; j <= images; j++)
        for (int i = -images; i <= images; i++) {
            const double x = point->x - 0.5 + i * (double)ground->width;
            const double y = point->y - 0.5 + j * (double)ground->height;
            if (!(x > -reach && x < ground->width + reach && y > -reach && y < ground->height + reach))
                continue;
            if (finding->at)
                finding->at[finding->count] = (Site){ (float)x, (float)y, (float)radius, 0 };
            finding->count++;
        }
}

static void add_sites(Finding *finding, const Points *points) {
    finding->count = 0;
    for (int i = 0; i < points->count; i++)
        add_site(finding, &points->at[i]);
}

// The mean of the ground whose cells' centres lie in a disk, or the ground at its centre.
static double mean_ground(const Sites *sites, const Site *site) {
    const Field *ground = sites->ground;
    const int width = ground->width, height = ground->height;
    const double x = (double)site->x, y = (double)site->y, radius = (double)site->radius;
    const int across = sites->wraps ? width : 0, down = sites->wraps ? height : 0; // beyond the edges
    const int left = double_to_within(ceil(x - radius), -across, width + across);
    const int right = double_to_within(floor(x + radius), -across - 1, width + across - 1);
    const int top = double_to_within(ceil(y - radius), -down, height + down);
    const int bottom = double_to_within(floor(y + radius), -down - 1, height + down - 1);
    double sum = 0, count = 0;
    for (int j = top; j <= bottom; j++)
        for (int i = left; i <= right; i++) {
            if ((i - x) * (i - x) + (j - y) * (j - y) > radius * radius)
                continue;
            const float *row = field_row(ground, neighbour_at(j, height, sites->wraps));
            sum += (double)row[neighbour_at(i, width, sites->wraps)];
            count++;
        }
    return count > 0 ? sum / count : grid_sample(ground->cells, width, height, x, y);
}

static void level_sites(void *context, int first, int end) {
    const Finding *finding = context;
    const Sites *sites = finding->sites;
    for (int i = first; i < end; i++) {
        Site *site = &finding->at[i];
        const double level =
            isnan(sites->level) ? max(mean_ground(sites, site), sites->sea_level) : sites->level;
        site->level = (float)level;
    }
}

// --- cells -------------------------------------------------------------------------------------------------

// `squared_y` is of the distance to the site's row.
KERNEL static void count_site(const Site *site, float squared_y, float inverse_edge, int first, int end,
                              float *restrict sums, float *restrict weights, float *restrict nearest) {
    for (int x = first; x < end; x++) {
        const float dx = (float)x - site->x;
        const float away = max(sqrtf(dx * dx + squared_y) - site->radius, 0), squared = away * away;
        const float near = max(1 - away * inverse_edge, 0), weight = near * near / (squared + 1e-4f);
        sums[x] += weight * site->level;
        weights[x] += weight;
        nearest[x] = min(nearest[x], squared);
    }
}

static void site_rows(void *context, int first, int end) {
    const Finding *finding = context;
    const int width = finding->levels->width;
    const float edge = (float)finding->sites->edge, inverse_edge = 1 / max(edge, 1e-6f);
    for (int y = first; y < end; y++) {
        float *sums = field_row(finding->levels, y), *weights = field_row(finding->weights, y);
        float *nearest = field_row(finding->squared, y);
        for (int x = 0; x < width; x++)
            sums[x] = weights[x] = 0, nearest[x] = (edge + 1) * (edge + 1);
        for (int i = 0; i < finding->count; i++) {
            const Site *site = &finding->at[i];
            const float dy = (float)y - site->y, reach = site->radius + edge + 1;
            if (dy < reach && dy > -reach)
                count_site(site, dy * dy, inverse_edge, whole_within(site->x - reach, 0, width),
                           whole_within(site->x + reach + 1, 0, width), sums, weights, nearest);
        }
        for (int x = 0; x < width; x++)
            sums[x] = weights[x] > 0 ? sums[x] / weights[x] : 0;
    }
}

Status sites_find(const Run *run, const Sites *sites, const Points *points, Field *levels, Field *weights,
                  Field *squared, Error *error) {
    Finding finding = { .sites = sites, .levels = levels, .weights = weights, .squared = squared };
    add_sites(&finding, points);
    finding.at = memory_new((size_t)finding.count + 1, sizeof *finding.at, error);
    if (!finding.at)
        return STATUS_MEMORY;
    add_sites(&finding, points);
    Status status = parallel_rows(run, finding.count, 1e3, level_sites, &finding);
    if (status == STATUS_OK)
        status = parallel_rows(run, levels->height, finding.count * 10.0 + levels->width * 4.0, site_rows,
                               &finding);
    memory_free(finding.at);
    return status;
}
