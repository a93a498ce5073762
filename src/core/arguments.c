#include "core/arguments.h"

#include "core/nearest_name.h"
#include "core/whole.h"

#include <string.h>

static bool has_word(const char *text, const char *word) {
    const size_t length = strlen(word);
    const char *const letters = "abcdefghijklmnopqrstuvwxyz_";
    for (const char *at = text; (at = strstr(at, word)); at++)
        if ((at == text || !strchr(letters, at[-1])) && (!at[length] || !strchr(letters, at[length])))
            return true;
    return false;
}

// The one parameter whose documentation has a word; NULL if there are none or several.
static const char *documented_by(const Operation *operation, const char *word) {
    const Param *param, *found = NULL;
    int count = 0;
    for (int i = 0; *word && (param = operation_param_at(operation, i)); i++)
        if (has_word(param->doc, word)) {
            found = param;
            count++;
        }
    return count == 1 ? found->name : NULL;
}

Status argument_unknown(const Operation *operation, const char *name, bool with_inputs, Error *error) {
    enum { NAMES_MAX = 64 };
    const char *names[INPUTS_MAX + NAMES_MAX + 1] = { 0 };
    const Param *param;
    int count = 0;
    for (int i = 0; with_inputs && i < INPUTS_MAX && operation->inputs[i].name; i++)
        names[count++] = operation->inputs[i].name;
    for (int i = 0; i < NAMES_MAX && (param = operation_param_at(operation, i)); i++)
        names[count++] = param->name;
    const Operation *const drawn_by = operation->drawn_by;
    if (drawn_by && operation_param(drawn_by, name))
        return fail(error, STATUS_INVALID, "%s: unknown argument '%.40s', which %s takes: %s:%s{ %s = … }",
                    operation->name, name, drawn_by->name, operation->outputs[0].name, drawn_by->name, name);
    const char *nearest = nearest_name(name, names);
    nearest = nearest ? nearest : documented_by(operation, name);
    if (nearest)
        return fail(error, STATUS_INVALID, "%s: unknown argument '%.40s', did you mean '%s'?",
                    operation->name, name, nearest);
    return fail(error, STATUS_INVALID, "%s: unknown argument '%.40s' (esker help %s lists them)",
                operation->name, name, operation->name);
}

Status argument_wrong(const Operation *operation, const Param *param, const char *got, Error *error) {
    char allowed[200];
    operation_param_allowed(operation, param, allowed, sizeof allowed);
    const ParamKind kind = param_kind(param);
    const char *hint = kind == PARAM_FIELD && (strcmp(got, "RiverNetwork") == 0 || strcmp(got, "Points") == 0)
                           ? "; :rasterize() makes one of it"
                           : "";
    const char *expected = kind == PARAM_NUMBER || kind == PARAM_INTEGER ? "a number, "
                           : kind == PARAM_NUMBERS                       ? "a list of "
                                                                         : "";
    return fail(error, STATUS_INVALID, "%s: %s must be %s%s, got %.60s%s", operation->name, param->name,
                expected, allowed, got, hint);
}

Status argument_sides(const Operation *operation, const int sides[3], Call *call, Error *error) {
    if (sides[0] && (sides[1] || sides[2]))
        return fail(error, STATUS_INVALID, "%s: give size, or width and height, not both", operation->name);
    if (!sides[1] != !sides[2])
        return fail(error, STATUS_INVALID, "%s: width and height are given together", operation->name);
    const int size = sides[0] ? sides[0] : whole_int(size_params[0].initial);
    call->only_size = !sides[1];
    call->width = sides[1] ? sides[1] : size;
    call->height = sides[2] ? sides[2] : size;
    return STATUS_OK;
}
