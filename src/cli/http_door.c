#define _GNU_SOURCE // mkdtemp
#include "cli/http_door.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char page[] = "<!DOCTYPE html><meta name=referrer content=no-referrer>"
                           "<meta http-equiv=refresh content='0; url=%s'><a href='%s'>esker</a>\n";

static bool write_page(const char *path, const char *address) {
    const int descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (descriptor < 0)
        return false;
    const bool written = dprintf(descriptor, page, address, address) > 0;
    return close(descriptor) == 0 && written;
}

// Where the user's files are that no other user can reach; otherwise where temporary files are.
static const char *place(void) {
    static const char *const names[] = { "XDG_RUNTIME_DIR", "TMPDIR" };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *folder = getenv(names[i]);
        if (folder && *folder == '/' && strlen(folder) < 150 && access(folder, W_OK | X_OK) == 0)
            return folder;
    }
    return "/tmp";
}

static Door *still_open; // until the program ends, however it does without a signal
static pid_t owner;

static void close_at_exit(void) {
    if (still_open && owner == getpid())
        door_close(still_open);
}

bool door_open(Door *door, const char *address) {
    *door = (Door){ 0 };
    Door made;
    snprintf(made.folder, sizeof made.folder, "%s/esker-XXXXXX", place());
    if (!mkdtemp(made.folder))
        return false;
    snprintf(made.path, sizeof made.path, "%s/esker.html", made.folder);
    const bool written = write_page(made.path, address);
    *door = made;
    if (!owner)
        atexit(close_at_exit);
    still_open = door;
    owner = getpid();
    if (!written)
        door_close(door);
    return written;
}

void door_close(Door *door) {
    if (!*door->folder)
        return;
    unlink(door->path);
    rmdir(door->folder);
    still_open = NULL;
    *door = (Door){ 0 };
}
