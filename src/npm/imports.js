// What the module imports for recipes (recipe.h), for emscripten's linker, which knows no arrow functions. recipe.mjs
// sets the functions that these call.
mergeInto(LibraryManager.library, {
  npm_find: function (path) {
    Module.foundText = Module.findText(UTF8ToString(path));
    return Module.foundText ? Module.foundText.length : -1;
  },
  npm_copy: function (to) {
    HEAPU8.set(Module.foundText, to);
  },
  npm_print: function (text, size) {
    Module.printLine(UTF8ToString(text, size));
  },
});
