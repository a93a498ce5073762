// Recipes for the package for JavaScript (docs/javascript.md): each runs in a Lua state of its own within the
// module, so that its values become those of esker.h without a copy.

#ifndef ESKER_NPM_RECIPE_H
#define ESKER_NPM_RECIPE_H

#include "esker.h"

// --- called by src/npm/recipe.mjs
// ---------------------------------------------------------------------------

// Runs the recipe of this name and text, with parameters as a JSON object of texts, for at most so many
// seconds; fields and Lua together take at most `bytes` more than now. After it recipe_text gives the results
// as JSON (lua/esker/npm/recipe.lua), or why it failed, and recipe_end is to be called.
ESKER_API EskerStatus recipe_run(const char *path, const char *text, size_t size, const char *parameters,
                                 double seconds, size_t bytes);

ESKER_API const char *recipe_text(void);

// The value of this number, from 1, which the caller frees; NULL if there is none, or it was asked for
// before.
ESKER_API EskerValue *recipe_value(size_t number);

// Frees the text, and the values that nobody has asked for.
ESKER_API void recipe_end(void);

// --- what the module imports (src/npm/imports.js)
// ------------------------------------------------------------

// Looks for a recipe or a module of this name: how many bytes it has; -1 where there is none. The next call
// copies them.
int npm_find(const char *path);
void npm_copy(char *to);

// Takes a line that the recipe prints.
void npm_print(const char *text, size_t size);

#endif
