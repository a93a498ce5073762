// What a page cannot do, since it has no files (imports.js): read pictures. Found before libpng's own
// functions, so that its reader and zlib's stay out of the module, 50 KB of it.

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
