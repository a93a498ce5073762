-- What the mod calls of libesker, for LuaJIT. A test compares each declaration with esker.h.

return [[
typedef enum EskerStatus { ESKER_OK, ESKER_INVALID, ESKER_MEMORY, ESKER_FILE, ESKER_STOPPED } EskerStatus;
typedef struct EskerError { char text[512]; } EskerError;
typedef struct EskerValue EskerValue;
typedef enum EskerKind {
    ESKER_NONE = 0, ESKER_FIELD = 1, ESKER_IMAGE = 2, ESKER_NUMBER = 4, ESKER_TEXT = 8, ESKER_NUMBERS = 16,
    ESKER_LABELS = 32, ESKER_MAP = 64, ESKER_NETWORK = 128, ESKER_MESH = 256, ESKER_POINTS = 512,
    ESKER_LINES = 1024, ESKER_POLYGONS = 2048,
} EskerKind;
void esker_free(EskerValue *value);
EskerValue *esker_field_new(int width, int height, EskerError *error);
float *esker_field_cells(EskerValue *field);
typedef struct EskerPoint { double x, y; float altitude; float radius; float variation; int species; } EskerPoint;
const EskerPoint *esker_points(const EskerValue *points, size_t *count);
typedef struct EskerTask EskerTask;
typedef struct EskerGround EskerGround;
EskerGround *esker_ground_open(const EskerValue *map, size_t memory, EskerError *error);
typedef struct EskerLayer { float *cells; ptrdiff_t step; ptrdiff_t stride; } EskerLayer;
typedef struct EskerTile {
    double x, y;
    double cell;
    int width, height;
    int border;
    bool ahead;
    EskerLayer altitude;
    EskerLayer river;
    EskerLayer flow;
    EskerLayer water;
    EskerLayer level;
} EskerTile;
EskerStatus esker_ground_tile(EskerGround *ground, const EskerTile *tile, const EskerTask *task, EskerError *error);
typedef struct EskerArgument {
    const char *name;
    EskerKind kind;
    double number;
    const char *text;
    const double *numbers;
    size_t count;
    const EskerValue *value;
} EskerArgument;
EskerStatus esker_run(const char *operation, const EskerArgument *arguments, size_t count, const EskerTask *task,
                      EskerValue **results, size_t room, EskerError *error);
]]
