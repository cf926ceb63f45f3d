/* SPDX-License-Identifier: MIT */
/* Collectives: groups of devices, as XLA gives them: all groups of an instruction in one list of lists. */
#include "base/tr_num.h"
#include "model/collectives/tr_collective_int.h"

#include <inttypes.h>
#include <stdio.h>

struct walk {
    struct tr_str text;
    size_t at;
    unsigned depth;
    int64_t set; /* number of the current list, -1: before the first */
};

/* The next device.  False: there is none. */
static bool next(struct walk *w, int64_t *device)
{
    while (w->at < w->text.len) {
        uint64_t n;
        size_t digits = tr_num_digits(w->text.s + w->at, w->text.len - w->at, INT64_MAX, &n, NULL);
        if (digits) {
            w->at += digits;
            *device = (int64_t)n;
            return true;
        }
        char c = w->text.s[w->at++];
        if (c == '[' && ++w->depth == 2)
            w->set++;
        else if (c == ']' && w->depth > 0)
            w->depth--;
    }
    return false;
}

int64_t tr__coll_set_of(struct tr_str sets, int64_t device, int64_t *size)
{
    struct walk w = { .text = sets, .set = -1 };
    int64_t one, set = -1;
    while (set < 0 && next(&w, &one))
        set = one == device ? w.set : -1;
    *size = -1;
    if (set < 0)
        return -1;
    *size = 0;
    for (w = (struct walk){ .text = sets, .set = -1 }; next(&w, &one);)
        *size += w.set == set;
    return set;
}

static bool put_run(struct tr_buf *out, int64_t first, int64_t last)
{
    char text[64];
    bool start = out->len == 0;
    int n = snprintf(text, sizeof text, "%s%" PRId64, start ? "devices " : ",", first);
    if (last > first)
        n += snprintf(text + n, sizeof text - (size_t)n, "%s%" PRId64, last == first + 1 ? "," : "..", last);
    return tr_buf_add(out, text, (size_t)n);
}

bool tr_coll_set_name(struct tr_str sets, int64_t set, struct tr_buf *out)
{
    struct walk w = { .text = sets, .set = -1 };
    int64_t one, first = -1, last = -1;
    bool ok = true;
    out->len = 0;
    while (ok && next(&w, &one)) {
        if (w.set != set)
            continue;
        if (first >= 0 && one == last + 1) {
            last = one;
            continue;
        }
        ok = first < 0 || put_run(out, first, last);
        first = last = one;
    }
    return ok && (first < 0 || put_run(out, first, last));
}
