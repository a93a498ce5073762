// What the module imports besides the C library's clock, for emscripten's linker, which knows no arrow functions:
// tab.c's ways to JavaScript, and files, of which there are none (errors 44: no such file; 8: not open; 59: no terminal).
mergeInto(LibraryManager.library, {
  tab_tell: function (kind, number, text, bytes, size) {
    Module.onTell(UTF8ToString(kind), number, UTF8ToString(text), HEAPU8.slice(bytes, bytes + size));
  },
  tab_cells: function (name, cells, count) {
    var known = Module.cellsOf(UTF8ToString(name));
    if (known) HEAPF32.set(known.subarray(0, count), cells >> 2);
    return known ? 1 : 0;
  },
  __syscall_open: function () {
    return -44;
  },
  __syscall_open__deps: [],
  __syscall_openat: function () {
    return -44;
  },
  __syscall_openat__deps: [],
  __syscall_stat64: function () {
    return -44;
  },
  __syscall_stat64__deps: [],
  __syscall_lstat64: function () {
    return -44;
  },
  __syscall_lstat64__deps: [],
  __syscall_fstatat64: function () {
    return -44;
  },
  __syscall_fstatat64__deps: [],
  __syscall_rename: function () {
    return -44;
  },
  __syscall_rename__deps: [],
  __syscall_renameat: function () {
    return -44;
  },
  __syscall_renameat__deps: [],
  __syscall_rmdir: function () {
    return -44;
  },
  __syscall_rmdir__deps: [],
  __syscall_unlink: function () {
    return -44;
  },
  __syscall_unlink__deps: [],
  __syscall_unlinkat: function () {
    return -44;
  },
  __syscall_unlinkat__deps: [],
  __syscall_fstat64: function () {
    return -8;
  },
  __syscall_fstat64__deps: [],
  __syscall_ftruncate64: function () {
    return -8;
  },
  __syscall_ftruncate64__deps: [],
  __syscall_getdents64: function () {
    return -8;
  },
  __syscall_getdents64__deps: [],
  __syscall_fcntl64: function () {
    return -8;
  },
  __syscall_fcntl64__deps: [],
  __syscall_dup3: function () {
    return -8;
  },
  __syscall_dup3__deps: [],
  __syscall_ioctl: function () {
    return -59;
  },
  __syscall_ioctl__deps: [],
  fd_read: function () {
    return 8;
  },
  fd_read__deps: [],
  fd_pread: function () {
    return 8;
  },
  fd_pread__deps: [],
  fd_pwrite: function () {
    return 8;
  },
  fd_pwrite__deps: [],
  fd_seek: function () {
    return 8;
  },
  fd_seek__deps: [],
  fd_sync: function () {
    return 8;
  },
  fd_sync__deps: [],
  fd_close: function () {
    return 8;
  },
  fd_close__deps: [],
});
