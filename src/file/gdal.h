// GDAL, opened when it is first needed: it takes 40 ms and 160 MB of addresses, which a run without its files
// must not pay. Only functions of its C interface that have not changed since GDAL 3.2 are used, so that no
// headers are needed to build.

#ifndef ESKER_GDAL_H
#define ESKER_GDAL_H

#include "core/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

typedef void *GdalHandle;

#define GDAL_MEMORY_PATH "/vsimem/esker-file" // the file that is read or written

enum { GDAL_READ = 0, GDAL_WRITE = 1 };                                                 // GDALRWFlag
enum { GDAL_BYTE = 1, GDAL_UINT16 = 2, GDAL_INT16 = 3, GDAL_FLOAT32 = 6 };              // GDALDataType
enum { GDAL_PALETTE = 2, GDAL_RED = 3, GDAL_GREEN = 4, GDAL_BLUE = 5, GDAL_ALPHA = 6 }; // GDALColorInterp
enum { GDAL_OPEN_RASTER = 2, GDAL_OPEN_VECTOR = 4 };                                    // GDALOpenEx
enum { GDAL_MASK_ALL_VALID = 1, GDAL_MASK_PER_DATASET = 2, GDAL_MASK_ALPHA = 4 };       // GDALGetMaskFlags

// name, result, arguments
#define GDAL_FUNCTIONS(X)                                                                                    \
    X(GDALAllRegister, void, (void))                                                                         \
    X(CPLSetConfigOption, void, (const char *, const char *))                                                \
    X(CPLSetErrorHandler, void *, (void (*)(int, int, const char *)))                                        \
    X(CPLErrorReset, void, (void))                                                                           \
    X(CPLGetLastErrorMsg, const char *, (void))                                                              \
    X(VSIFileFromMemBuffer, void *, (const char *, void *, unsigned long long, int))                         \
    X(VSIFCloseL, int, (void *))                                                                             \
    X(VSIUnlink, int, (const char *))                                                                        \
    X(VSIAllocFilesystemPluginCallbacksStruct, void *, (void))                                               \
    X(VSIFreeFilesystemPluginCallbacksStruct, void, (void *))                                                \
    X(VSIInstallPluginHandler, int, (const char *, const void *))                                            \
    X(VSIGetMemFileBuffer, void *, (const char *, unsigned long long *, int))                                \
    X(VSIFree, void, (void *))                                                                               \
    X(GDALOpenEx, GdalHandle,                                                                                \
      (const char *, unsigned, const char *const *, const char *const *, const char *const *))               \
    X(GDALClose, void, (GdalHandle))                                                                         \
    X(GDALGetDriverByName, GdalHandle, (const char *))                                                       \
    X(GDALCreate, GdalHandle, (GdalHandle, const char *, int, int, int, int, const char *const *))           \
    X(GDALCreateCopy, GdalHandle,                                                                            \
      (GdalHandle, const char *, GdalHandle, int, const char *const *, void *, void *))                      \
    X(GDALAddBand, int, (GdalHandle, int, const char *const *))                                              \
    X(GDALGetRasterXSize, int, (GdalHandle))                                                                 \
    X(GDALGetRasterYSize, int, (GdalHandle))                                                                 \
    X(GDALGetRasterCount, int, (GdalHandle))                                                                 \
    X(GDALGetRasterBand, GdalHandle, (GdalHandle, int))                                                      \
    X(GDALGetBlockSize, void, (GdalHandle, int *, int *))                                                    \
    X(GDALReadBlock, int, (GdalHandle, int, int, void *))                                                    \
    X(GDALFlushCache, void, (GdalHandle))                                                                    \
    X(GDALGetRasterDataType, int, (GdalHandle))                                                              \
    X(GDALGetRasterColorInterpretation, int, (GdalHandle))                                                   \
    X(GDALSetRasterColorInterpretation, int, (GdalHandle, int))                                              \
    X(GDALRasterIO, int, (GdalHandle, int, int, int, int, int, void *, int, int, int, int, int))             \
    X(GDALGetGeoTransform, int, (GdalHandle, double *))                                                      \
    X(GDALGetGCPCount, int, (GdalHandle))                                                                    \
    X(GDALDataTypeIsComplex, int, (int))                                                                     \
    X(GDALSetGeoTransform, int, (GdalHandle, double *))                                                      \
    X(GDALGetProjectionRef, const char *, (GdalHandle))                                                      \
    X(GDALSetProjection, int, (GdalHandle, const char *))                                                    \
    X(GDALGetMaskBand, GdalHandle, (GdalHandle))                                                             \
    X(GDALGetMaskFlags, int, (GdalHandle))                                                                   \
    X(GDALSetRasterNoDataValue, int, (GdalHandle, double))                                                   \
    X(GDALGetRasterNoDataValue, double, (GdalHandle, int *))                                                 \
    X(GDALGetRasterScale, double, (GdalHandle, int *))                                                       \
    X(GDALGetRasterOffset, double, (GdalHandle, int *))                                                      \
    X(GDALSetRasterScale, int, (GdalHandle, double))                                                         \
    X(GDALSetRasterOffset, int, (GdalHandle, double))                                                        \
    X(GDALGetRasterUnitType, const char *, (GdalHandle))                                                     \
    X(GDALSetRasterUnitType, int, (GdalHandle, const char *))                                                \
    X(GDALSetMetadataItem, int, (GdalHandle, const char *, const char *, const char *))                      \
    X(GDALGetMetadataItem, const char *, (GdalHandle, const char *, const char *))                           \
    X(GDALVectorTranslateOptionsNew, void *, (char **, void *))                                              \
    X(GDALVectorTranslateOptionsFree, void, (void *))                                                        \
    X(GDALVectorTranslate, GdalHandle, (const char *, GdalHandle, int, GdalHandle *, const void *, int *))   \
    X(GDALDatasetGetLayerCount, int, (GdalHandle))                                                           \
    X(GDALDatasetGetLayer, GdalHandle, (GdalHandle, int))                                                    \
    X(OGR_L_GetName, const char *, (GdalHandle))                                                             \
    X(OGR_L_GetSpatialRef, GdalHandle, (GdalHandle))                                                         \
    X(GDALDatasetCreateLayer, GdalHandle, (GdalHandle, const char *, GdalHandle, int, char **))              \
    X(GDALDatasetStartTransaction, int, (GdalHandle, int))                                                   \
    X(GDALDatasetCommitTransaction, int, (GdalHandle))                                                       \
    X(OGR_Fld_Create, GdalHandle, (const char *, int))                                                       \
    X(OGR_Fld_SetSubType, void, (GdalHandle, int))                                                           \
    X(OGR_Fld_Destroy, void, (GdalHandle))                                                                   \
    X(OGR_L_CreateField, int, (GdalHandle, GdalHandle, int))                                                 \
    X(OGR_L_GetLayerDefn, GdalHandle, (GdalHandle))                                                          \
    X(OGR_L_CreateFeature, int, (GdalHandle, GdalHandle))                                                    \
    X(OGR_F_Create, GdalHandle, (GdalHandle))                                                                \
    X(OGR_F_Destroy, void, (GdalHandle))                                                                     \
    X(OGR_F_SetFieldInteger, void, (GdalHandle, int, int))                                                   \
    X(OGR_F_SetFieldDouble, void, (GdalHandle, int, double))                                                 \
    X(OGR_F_SetGeometryDirectly, int, (GdalHandle, GdalHandle))                                              \
    X(OGR_G_CreateFromWkb, int, (const void *, GdalHandle, GdalHandle *, int))                               \
    X(OSRSetFromUserInput, int, (GdalHandle, const char *))                                                  \
    X(OCTNewCoordinateTransformation, GdalHandle, (GdalHandle, GdalHandle))                                  \
    X(OCTDestroyCoordinateTransformation, void, (GdalHandle))                                                \
    X(OCTTransformEx, int, (GdalHandle, int, double *, double *, double *, int *))                           \
    X(OSRSetAxisMappingStrategy, void, (GdalHandle, int))                                                    \
    X(OSRNewSpatialReference, GdalHandle, (const char *))                                                    \
    X(OSRSetCompoundCS, int, (GdalHandle, const char *, GdalHandle, GdalHandle))                             \
    X(OSRIsCompound, int, (GdalHandle))                                                                      \
    X(OSRStripVertical, int, (GdalHandle))                                                                   \
    X(OSRRelease, void, (GdalHandle))                                                                        \
    X(OSRImportFromEPSG, int, (GdalHandle, int))                                                             \
    X(OSRImportFromWkt, int, (GdalHandle, char **))                                                          \
    X(OSRExportToWkt, int, (GdalHandle, char **))                                                            \
    X(OSRFindMatches, GdalHandle *, (GdalHandle, char **, int *, int **))                                    \
    X(OSRFreeSRSArray, void, (GdalHandle *))                                                                 \
    X(OSRMorphToESRI, int, (GdalHandle))                                                                     \
    X(OSRMorphFromESRI, int, (GdalHandle))                                                                   \
    X(OSRAutoIdentifyEPSG, int, (GdalHandle))                                                                \
    X(OSRGetAuthorityName, const char *, (GdalHandle, const char *))                                         \
    X(OSRGetAuthorityCode, const char *, (GdalHandle, const char *))                                         \
    X(OSRIsGeographic, int, (GdalHandle))                                                                    \
    X(OSRIsProjected, int, (GdalHandle))                                                                     \
    X(OSRIsLocal, int, (GdalHandle))                                                                         \
    X(OSRIsVertical, int, (GdalHandle))                                                                      \
    X(OSRGetLinearUnits, double, (GdalHandle, char **))                                                      \
    X(OSRGetTargetLinearUnits, double, (GdalHandle, const char *, char **))                                  \
    X(OSRGetAngularUnits, double, (GdalHandle, char **))                                                     \
    X(OSRGetSemiMajor, double, (GdalHandle, int *))                                                          \
    X(OSRGetInvFlattening, double, (GdalHandle, int *))                                                      \
    X(OSRCloneGeogCS, GdalHandle, (GdalHandle))                                                              \
    X(OCTTransform, int, (GdalHandle, int, double *, double *, double *))

typedef struct Gdal {
#define DECLARE_FUNCTION(name, result, arguments) result(*name) arguments;
    GDAL_FUNCTIONS(DECLARE_FUNCTION)
#undef DECLARE_FUNCTION
} Gdal;

// Opens the library unless it is open; NULL with `error` filled where it is missing. A confined process
// cannot open it: gdal_open is called before.
const Gdal *gdal_open(Error *error);

// Opens the library, if it is installed, before this process is confined.
void gdal_prepare(void);

// The name of a label as GDAL stores it: its separators of names and values become underscores.
enum { GDAL_KEY_MAX = 80 };
void gdal_key(const char *label, char key[GDAL_KEY_MAX]);

// --- the files ---------------------------------------------------------------------------------------------

// The files below GDAL_FILES that GDAL sees, besides those in memory: an open stream that it reads, and files
// in this process's temporary file (scratch.h), which it writes and reads. It opens none itself: what may be
// opened is decided by access.h.

#define GDAL_FILES "/esker/"

enum { GDAL_FILE_NAME = 120 };

// GDAL reads `stream`, which stays open, under the name that this fills in, until it is hidden: that of
// `path` in a folder of its own, since names tell GDAL of formats and places (N36W085.hgt).
Status gdal_files_show(const Gdal *gdal, FILE *stream, const char *path, char shown[GDAL_FILE_NAME],
                       Error *error);

// Another file in that folder, whose stream is closed when the first one is hidden; false if there is no
// room.
bool gdal_files_show_beside(const char *shown, FILE *stream);

// Hides the file of this name and those beside it; "" and unknown names are allowed.
void gdal_files_hide(const char *shown);

// GDAL may create files from now on, each of at most `size` bytes.
Status gdal_files_allow(const Gdal *gdal, int64_t size, Error *error);

// The first failure of the temporary file since gdal_files_allow, whatever GDAL made of it.
Status gdal_files_check(Error *error);

// Removes all files that GDAL has created, and allows no others.
void gdal_files_end(void);

// Copies a file that GDAL has written, unless something of it was lost.
Status gdal_files_copy(const char *path, FILE *to, Error *error);

// Files that lie beside a raster and belong to it: headers, coordinate systems, masks. GDAL sees those that
// the recipe may read.

// Shows GDAL what lies beside the file `path`, which it sees as `shown`, until that is hidden.
void gdal_beside_show(const char *path, const char *shown);

// The ending of the header without which GDAL cannot read the file, "hdr" for "dem.flt". False if it needs
// none.
enum { GDAL_HEADER_MAX = 8 };
bool gdal_beside_header(const char *path, char header[GDAL_HEADER_MAX]);

// The text of the .aux.xml beside a file, in which GDAL keeps what a format cannot say; empty if there is
// none. GDAL does not read it here: it may name other files, which GDAL would open.
void gdal_beside_extra(const char *path, char *text, size_t size);

#endif
