#include "library/handle.h"

#include "core/finite.h"
#include "core/gaps.h"
#include "core/memory.h"
#include "mesh/mesh.h"
#include "rivermap/tiling.h"
#include "rivers/network.h"

#include <string.h>

// Public structs have the engine's layout, so that nothing is converted.
_Static_assert(sizeof(EskerError) == sizeof(Error), "errors");
_Static_assert((int)ESKER_STOPPED == (int)STATUS_STOPPED && (int)ESKER_FILE == (int)STATUS_FILE, "statuses");
_Static_assert(sizeof(EskerRiverPoint) == sizeof(RiverPoint) &&
                   offsetof(EskerRiverPoint, water) == offsetof(RiverPoint, water),
               "points");
_Static_assert(sizeof(EskerFrame) == sizeof(Frame) && offsetof(EskerFrame, top) == offsetof(Frame, top),
               "frames");
_Static_assert(sizeof(EskerReach) == sizeof(Reach) && offsetof(EskerReach, salt) == offsetof(Reach, salt),
               "reaches");
_Static_assert(sizeof(MeshPoint) == 3 * sizeof(float) && sizeof(MeshTriangle) == 3 * sizeof(uint32_t),
               "meshes");

const char *esker_version(void) {
    return ESKER_VERSION;
}

EskerValue *handle_new(const ValueType *type, Error *error) {
    EskerValue *value = memory_new_zeroed(1, sizeof *value, error);
    if (value)
        value->content.type = type;
    return value;
}

// A missing value has no kind and no content.
static bool is_a(const EskerValue *value, const ValueType *type) {
    return value && value->content.type == type;
}

static void store_count(size_t *count, size_t number) {
    if (count)
        *count = number;
}

EskerKind esker_kind(const EskerValue *value) {
    return value ? (EskerKind)value->content.type->number : ESKER_NONE;
}

EskerValue *handle_keep(const EskerValue *value) {
    EskerValue *kept = (EskerValue *)value;
    atomic_fetch_add(&kept->keepers, 1);
    return kept;
}

void esker_free(EskerValue *value) {
    if (!value || atomic_fetch_sub(&value->keepers, 1) > 0)
        return;
    if (value->release) { // the caller's memory
        value->release(value->context, value->content.type == &type_field
                                           ? (void *)value->content.field.cells
                                           : (void *)value->content.image.pixels);
        gaps_release(value->content.field.gaps);
        value->content = (Output){ 0 };
    }
    const bool is_map = is_a(value, &type_map); // which may have kept much
    output_free(&value->content);
    memory_free(value);
    if (is_map)
        memory_give_back();
}

uint64_t esker_hash(const EskerValue *value) {
    const ValueType *type = value ? value->content.type : NULL;
    const void *content = value ? output_value(&value->content) : NULL;
    return content && type->hash ? type->hash(content) : 0;
}

static int property_of(const EskerValue *value, const char *name) {
    if (!value)
        return 0;
    const ValueProperty *property = value_property(value->content.type, name);
    const void *content = output_value(&value->content);
    return property && content ? (int)property->get(content) : 0;
}

void esker_size(const EskerValue *value, int *width, int *height) {
    if (width)
        *width = property_of(value, "width");
    if (height)
        *height = property_of(value, "height");
}

// --- fields and images -----------------------------------------------------------------------------------

static void release_nothing(void *context, void *memory) {
    (void)context;
    (void)memory;
}

static void copy_rows(void *to, const void *from, size_t row, ptrdiff_t stride, int height) {
    for (int y = 0; y < height; y++)
        memcpy((char *)to + (size_t)y * row, (const char *)from + y * stride, row);
}

// `cell`: bytes of a cell or pixel.
static Status check_memory(const void *memory, int width, int height, size_t cell, ptrdiff_t stride,
                           Error *error) {
    if (!memory)
        return fail(error, STATUS_INVALID, "the memory to wrap is missing: NULL");
    if (width < 1 || height < 1 || width > SIDE_MAX || height > SIDE_MAX)
        return fail(error, STATUS_INVALID, "width and height must be 1 to %d, got %d × %d", SIDE_MAX, width,
                    height);
    const ptrdiff_t row = (ptrdiff_t)((size_t)width * cell);
    if (height == 1 || stride >= row || stride <= -row)
        return STATUS_OK;
    return fail(error, STATUS_INVALID,
                "stride must be at least %td, the bytes of a row, or rows would overlap; got %td", row,
                stride);
}

EskerValue *esker_field_new(int width, int height, EskerError *error) {
    EskerValue *value = handle_new(&type_field, engine_error(error));
    if (value && field_create(&value->content.field, width, height, engine_error(error)) != STATUS_OK) {
        esker_free(value);
        return NULL;
    }
    if (value)
        memset(esker_field_cells(value), 0, field_count(&value->content.field) * sizeof(float));
    return value;
}

EskerValue *esker_field_wrap(float *cells, int width, int height, ptrdiff_t stride, EskerRelease *release,
                             void *context, EskerError *error) {
    const size_t row = (size_t)width * sizeof *cells;
    if (check_memory(cells, width, height, sizeof *cells, stride, engine_error(error)) != STATUS_OK)
        return NULL;
    const bool in_place = stride == (ptrdiff_t)row;
    EskerValue *value =
        in_place ? handle_new(&type_field, engine_error(error)) : esker_field_new(width, height, error);
    if (!value)
        return NULL;
    Field *field = &value->content.field;
    if (in_place)
        *field = (Field){ .width = width, .height = height, .cells = cells };
    else
        copy_rows(esker_field_cells(value), cells, row, stride, height);
    const bool sound = field_check_finite(&(const Run){ 0 }, field, engine_error(error)) == STATUS_OK;
    if (in_place)
        value->release = sound && release ? release : release_nothing, value->context = context;
    else if (sound && release)
        release(context, cells);
    if (!sound) {
        esker_free(value);
        return NULL;
    }
    return value;
}

EskerValue *esker_image_wrap(uint8_t *pixels, int width, int height, ptrdiff_t stride, EskerRelease *release,
                             void *context, EskerError *error) {
    const size_t row = (size_t)width * sizeof(Pixel);
    if (check_memory(pixels, width, height, sizeof(Pixel), stride, engine_error(error)) != STATUS_OK)
        return NULL;
    EskerValue *value = handle_new(&type_image, engine_error(error));
    if (!value)
        return NULL;
    if (stride == (ptrdiff_t)row) {
        value->content.image = (Image){ .width = width, .height = height, .pixels = (Pixel *)(void *)pixels };
        value->release = release ? release : release_nothing;
        value->context = context;
        return value;
    }
    if (image_create(&value->content.image, width, height, engine_error(error)) != STATUS_OK) {
        esker_free(value);
        return NULL;
    }
    copy_rows(esker_image_pixels(value), pixels, row, stride, height);
    if (release)
        release(context, pixels);
    return value;
}

float *esker_field_cells(EskerValue *field) {
    if (!is_a(field, &type_field))
        return NULL;
    return field_row(&field->content.field, 0);
}

uint8_t *esker_image_pixels(EskerValue *image) {
    if (!is_a(image, &type_image))
        return NULL;
    return (uint8_t *)image_row(&image->content.image, 0);
}

bool esker_field_wraps(const EskerValue *field) {
    return is_a(field, &type_field) && field->content.field.wraps;
}

void esker_field_set_wraps(EskerValue *field, bool wraps) {
    if (is_a(field, &type_field))
        field->content.field.wraps = wraps;
}

const uint8_t *esker_field_gaps(const EskerValue *field, size_t *count) {
    const Gaps *gaps = is_a(field, &type_field) ? field->content.field.gaps : NULL;
    store_count(count, gaps ? gaps->count : 0);
    return gaps ? gaps->at : NULL;
}

EskerStatus esker_field_set_gaps(EskerValue *field, const uint8_t *gaps, EskerError *error) {
    if (!is_a(field, &type_field))
        return (EskerStatus)fail(engine_error(error), STATUS_INVALID, "only fields have cells without data");
    Field *cells = &field->content.field;
    Gaps *made = gaps ? gaps_new(field_count(cells), engine_error(error)) : NULL;
    if (gaps && !made)
        return ESKER_MEMORY;
    for (size_t i = 0; made && i < field_count(cells); i++)
        made->at[i] = gaps[i] != 0;
    field_set_gaps(cells, made);
    return ESKER_OK;
}

// --- places ----------------------------------------------------------------------------------------------

static Frame *frame_of(const EskerValue *value) {
    const ValueType *type = value ? value->content.type : NULL;
    void *content = value ? (void *)output_value(&value->content) : NULL;
    return content && type->frame ? type->frame(content) : NULL;
}

bool esker_frame(const EskerValue *value, EskerFrame *frame) {
    const Frame *found = frame_of(value);
    if (!found || !frame_is_set(found))
        return false;
    memcpy(frame, found, sizeof *frame);
    return true;
}

EskerStatus esker_set_frame(EskerValue *value, const EskerFrame *frame, EskerError *error) {
    Frame *place = frame_of(value), wanted = { 0 };
    if (!place)
        return (EskerStatus)fail(engine_error(error), STATUS_INVALID, "a value of this kind lies nowhere");
    Status status = STATUS_OK;
    if (frame) {
        memcpy(&wanted, frame, sizeof wanted);
        if (!frame_is_valid(&wanted))
            return (EskerStatus)fail(engine_error(error), STATUS_INVALID, "cells must have an area");
        status = frame_system(frame->system, &wanted.system, engine_error(error));
    }
    if (frame && status == STATUS_OK)
        status = frame_text(frame->unit, FRAME_UNIT_MAX, &wanted.unit, engine_error(error));
    if (status == STATUS_OK)
        *place = wanted;
    return (EskerStatus)status;
}

// --- other values ----------------------------------------------------------------------------------------

double esker_number_of(const EskerValue *value) {
    return is_a(value, &type_number) ? value->content.number : 0;
}

const double *esker_numbers_of(const EskerValue *value, size_t *count) {
    const bool is_list = is_a(value, &type_numbers);
    store_count(count, is_list ? (size_t)value->content.numbers.count : 0);
    return is_list ? value->content.numbers.at : NULL;
}

size_t esker_label_count(const EskerValue *value) {
    return is_a(value, &type_labels) ? (size_t)value->content.labels.count : 0;
}

const char *esker_label(const EskerValue *value, size_t index, const char **text) {
    if (index >= esker_label_count(value))
        return NULL;
    const Label *label = &value->content.labels.at[index];
    if (text)
        *text = label->value;
    return label->key;
}

const EskerReach *esker_reaches(const EskerValue *network, size_t *count) {
    const RiverNetwork *rivers = is_a(network, &type_network) ? network->content.value : NULL;
    store_count(count, rivers ? (size_t)rivers->reach_count : 0);
    return rivers ? (const EskerReach *)(const void *)rivers->reaches : NULL;
}

const EskerRiverPoint *esker_river_points(const EskerValue *network, size_t *count) {
    const RiverNetwork *rivers = is_a(network, &type_network) ? network->content.value : NULL;
    store_count(count, rivers ? (size_t)rivers->point_count : 0);
    return rivers ? (const EskerRiverPoint *)(const void *)rivers->points : NULL;
}

const float (*esker_mesh_points(const EskerValue *mesh, size_t *count))[3] {
    const Mesh *surface = is_a(mesh, &type_mesh) ? mesh->content.value : NULL;
    store_count(count, surface ? surface->point_count : 0);
    return surface ? (const float(*)[3])(const void *)surface->points : NULL;
}

const uint32_t (*esker_mesh_triangles(const EskerValue *mesh, size_t *count))[3] {
    const Mesh *surface = is_a(mesh, &type_mesh) ? mesh->content.value : NULL;
    store_count(count, surface ? surface->triangle_count : 0);
    return surface ? (const uint32_t(*)[3])(const void *)surface->triangles : NULL;
}

// --- tasks, memory ---------------------------------------------------------------------------------------

EskerTask *esker_task_new(EskerError *error) {
    EskerTask *task = memory_new_zeroed(1, sizeof *task, engine_error(error));
    if (task)
        task->run.stop = &task->stop;
    return task;
}

void esker_task_free(EskerTask *task) {
    memory_free(task);
}

EskerStatus esker_task_set_threads(EskerTask *task, int threads, EskerError *error) {
    if (!task)
        return (EskerStatus)fail(engine_error(error), STATUS_INVALID, "the task is missing: NULL");
    if (threads < 0 || threads > 256)
        return (EskerStatus)fail(engine_error(error), STATUS_INVALID, "threads must be 0 to 256, got %d",
                                 threads);
    task->run.threads = threads;
    return ESKER_OK;
}

void esker_task_set_progress(EskerTask *task, void (*progress)(void *context, double fraction),
                             void *context) {
    if (!task)
        return;
    task->run.progress = progress;
    task->run.progress_context = context;
}

void esker_task_stop(EskerTask *task, bool stop) {
    if (task)
        atomic_store(&task->stop, stop);
}

void esker_set_memory_limit(size_t bytes) {
    memory_set_limit(bytes);
}

size_t esker_memory_in_use(void) {
    return memory_in_use();
}
