// What a page cannot do, since it has no files (imports.js): read pictures, GeoJSON and Azgaar's maps, open
// GDAL, or have fields larger than memory. Found before the functions of libpng and of the engine's archive,
// so that these stay out of the module.

#include "file/gdal.h"
#include "lua/binding.h"
#include "vectors/azgaar_ground.h"
#include "vectors/geojson_reader.h"

#include <png.h>

// NOLINTBEGIN(readability-non-const-parameter): as libpng declares them

png_structp png_create_read_struct_2(png_const_charp version, png_voidp context, png_error_ptr on_error,
                                     png_error_ptr on_warning, png_voidp memory, png_malloc_ptr allocate,
                                     png_free_ptr release) {
    (void)version, (void)context, (void)on_error, (void)on_warning, (void)memory, (void)allocate,
        (void)release;
    return NULL;
}

void png_destroy_read_struct(png_structpp png, png_infopp info, png_infopp end) {
    (void)png, (void)info, (void)end;
}
void png_read_info(png_structrp png, png_inforp info) {
    (void)png, (void)info;
}
void png_read_update_info(png_structrp png, png_inforp info) {
    (void)png, (void)info;
}
void png_read_row(png_structrp png, png_bytep row, png_bytep shown) {
    (void)png, (void)row, (void)shown;
}
void png_read_end(png_structrp png, png_inforp info) {
    (void)png, (void)info;
}
void png_set_expand(png_structrp png) {
    (void)png;
}
void png_set_strip_16(png_structrp png) {
    (void)png;
}
// NOLINTEND(readability-non-const-parameter)

// --- vectors -----------------------------------------------------------------------------------------------

static Status no_files(Error *error) {
    return fail(error, STATUS_FILE, "a page has no files");
}

Status geojson_read(Reading *reading, FILE *stream, const char *system, Error *error) {
    (void)reading, (void)stream, (void)system;
    return no_files(error);
}
Status read_geojson(Reading *reading, Error *error) {
    (void)reading;
    return no_files(error);
}

Status azgaar_read(FILE *from, const char *path, Azgaar **map, Error *error) {
    (void)from, (void)path;
    *map = NULL;
    return no_files(error);
}
void azgaar_free(Azgaar *map) {
    (void)map;
}
Status azgaar_ground_create(AzgaarGround *ground, const Azgaar *map, double side, bool continued,
                            Error *error) {
    (void)map, (void)side, (void)continued;
    *ground = (AzgaarGround){ 0 };
    return no_files(error);
}
void azgaar_ground_free(AzgaarGround *ground) {
    (void)ground;
}
int azgaar_guide_side(const Azgaar *map) {
    (void)map;
    return 0;
}
Status azgaar_guide(const AzgaarGround *ground, int side, Field *heights, int **cells, Error *error) {
    (void)ground, (void)side, (void)heights, (void)cells;
    return no_files(error);
}
double azgaar_altitude(const AzgaarGround *ground, int cell) {
    (void)ground, (void)cell;
    return 0;
}
AzgaarPlace azgaar_share(const AzgaarGround *ground, AzgaarPlace pixel) {
    (void)ground;
    return pixel;
}
Frame azgaar_frame(const AzgaarGround *ground, int width, bool centred) {
    (void)ground, (void)width, (void)centred;
    return (Frame){ 0 };
}

// --- GDAL --------------------------------------------------------------------------------------------------

const Gdal *gdal_open(Error *error) {
    fail(error, STATUS_FILE, "this needs GDAL, which a page does not have");
    return NULL;
}
void gdal_prepare(void) {}
void gdal_key(const char *label, char key[GDAL_KEY_MAX]) {
    (void)label;
    *key = '\0';
}
Status gdal_files_show(const Gdal *gdal, FILE *stream, const char *path, char shown[GDAL_FILE_NAME],
                       Error *error) {
    (void)gdal, (void)stream, (void)path;
    *shown = '\0';
    return no_files(error);
}
bool gdal_files_show_beside(const char *shown, FILE *stream) {
    (void)shown, (void)stream;
    return false;
}
void gdal_files_hide(const char *shown) {
    (void)shown;
}
Status gdal_files_allow(const Gdal *gdal, int64_t size, Error *error) {
    (void)gdal, (void)size;
    return no_files(error);
}
Status gdal_files_check(Error *error) {
    return no_files(error);
}
void gdal_files_end(void) {}
Status gdal_files_copy(const char *path, FILE *to, Error *error) {
    (void)path, (void)to;
    return no_files(error);
}
void gdal_beside_show(const char *path, const char *shown) {
    (void)path, (void)shown;
}
bool gdal_beside_header(const char *path, char header[GDAL_HEADER_MAX]) {
    (void)path;
    *header = '\0';
    return false;
}
void gdal_beside_extra(const char *path, char *text, size_t size) {
    (void)path, (void)size;
    *text = '\0';
}

// --- fields larger than memory -----------------------------------------------------------------------------

int open_planes(lua_State *L) {
    lua_newtable(L);
    return 1;
}
