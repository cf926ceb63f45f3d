/* SPDX-License-Identifier: MIT */
/* The formats that can be opened, and the detection of the format of an input. */
#include "formats/tr_formats_int.h"

#include <string.h>

#define TR__FORMAT(name) &tr_format_##name,
static const struct tr_format *const formats[] = { TR__FORMATS(TR__FORMAT) };
#undef TR__FORMAT
#define N_FORMATS (sizeof formats / sizeof formats[0])

const struct tr_format *const *tr_formats(size_t *n)
{
    *n = N_FORMATS;
    return formats;
}

/* Number i of all formats, those of the caller last; NULL: there are no more. */
static const struct tr_format *format_at(size_t i, const struct tr_open_opts *opts)
{
    if (i < N_FORMATS)
        return formats[i];
    return i - N_FORMATS < opts->n_formats ? opts->formats[i - N_FORMATS] : NULL;
}

const struct tr_format *tr__format_probe(const unsigned char *p, size_t n, const struct tr_open_opts *opts, int *score,
                                         const struct tr_format **also)
{
    const struct tr_format *f, *best = NULL;
    *score = 0;
    *also = NULL;
    for (size_t i = 0; (f = format_at(i, opts)) != NULL; i++) {
        int s = f->probe(f, p, n);
        if (s > 0 && s == *score)
            *also = f;
        if (s <= *score)
            continue;
        *score = s;
        *also = NULL;
        best = f;
    }
    return best;
}

const struct tr_format *tr__format_by_name(const char *name, const struct tr_open_opts *opts)
{
    const struct tr_format *f;
    for (size_t i = 0; (f = format_at(i, opts)) != NULL; i++)
        if (!strcmp(f->name, name))
            return f;
    return NULL;
}
