/* SPDX-License-Identifier: MIT */
/* Functions of libraries that the program may be linked with, or that are loaded. */
#include "base/tr_library.h"

#include <errno.h>
#include <string.h>

enum tr_status tr_library_load(const char *file, const char *what, const struct tr_library_function *functions,
                               size_t n, void *to, struct tr_error *err)
{
    errno = 0;
    for (size_t i = 0; i < n; i++) {
        void *found = NULL;
        if (functions[i].linked)
            memcpy(&found, &functions[i].linked, sizeof found);
        else
            found = tr_library_find(file, functions[i].name);
        if (!found && errno == ENOMEM)
            return tr_fail_memory(err);
        if (!found)
            return tr_fail(err, TR_USAGE, "%s needs %s, which cannot be loaded%s", what, file,
                           tr_library_can_load() ? "" : ": this program is linked statically");
        memcpy((char *)to + i * sizeof found, &found, sizeof found);
    }
    return TR_OK;
}
