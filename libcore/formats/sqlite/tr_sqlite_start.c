/* SPDX-License-Identifier: MIT */
/* What the first bytes of a database say. */
#include "formats/sqlite/tr_sqlite_int.h"

#include <string.h>

#define HEADER     100u
#define APPLICATION 68u /* in the header, four bytes */

bool tr__db_starts(const unsigned char *p, size_t n)
{
    static const char magic[16] = "SQLite format 3";
    return n >= sizeof magic && !memcmp(p, magic, sizeof magic);
}

bool tr__db_is_own(const unsigned char *p, size_t n)
{
    return n >= HEADER && !memcmp(p + APPLICATION, "trcp", 4);
}

bool tr__db_start_has(const unsigned char *p, size_t n, const char *const *names, size_t n_names)
{
    bool found = false;
    for (size_t i = 0; !found && i < n_names; i++)
        found = memmem(p, n, names[i], strlen(names[i])) != NULL;
    return found;
}
