/* SPDX-License-Identifier: MIT */
/* The start of a text, to detect formats. */
#include "formats/common/tr_json_probe_int.h"

bool tr__probe_holds(const unsigned char *p, size_t n, const char *letters)
{
    return memmem(p, n, letters, strlen(letters)) != NULL;
}
