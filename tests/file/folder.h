// A folder of a test's own, below /tmp.

#ifndef ESKER_TEST_FOLDER_H
#define ESKER_TEST_FOLDER_H

#include "support.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char folder[] = "/tmp/esker-files-XXXXXX";
static char path[512];

static inline const char *in_folder(const char *name) {
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static inline int make_folder(void **state) {
    (void)state;
    return mkdtemp(folder) ? 0 : -1;
}

// Those of save: without the .json that lies beside some.
static inline bool lies_beside(const char *name) {
    const size_t length = strlen(name);
    return length > 5 && strcmp(name + length - 5, ".json") == 0;
}

static inline int files_in_folder(bool remove_them) {
    DIR *directory = opendir(folder);
    assert_non_null(directory);
    int count = 0;
    for (struct dirent *entry = readdir(directory); entry; entry = readdir(directory)) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        count += !lies_beside(entry->d_name);
        if (remove_them)
            unlink(in_folder(entry->d_name));
    }
    closedir(directory);
    return count;
}

static inline int remove_folder(void **state) {
    (void)state;
    files_in_folder(true);
    return rmdir(folder);
}

#endif
