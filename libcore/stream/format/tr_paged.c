/* SPDX-License-Identifier: MIT */
/* A growing array of records that is paged to a temporary file when it gets large. */
#include "stream/format/tr_paged_int.h"

#include "base/tr_mem.h"
#include "io/tr_mmap_array.h"

#include <stdlib.h>
#include <string.h>

#define LIMIT_BYTES ((uint64_t)64 << 30)
#define TRIM_BYTES ((size_t)8 << 20) /* appended, or walked over, between two trims at most */

void tr_paged_init(struct tr_paged *p, size_t record_bytes, size_t max_bytes, const char *dir)
{
    memset(p, 0, sizeof *p);
    p->record_bytes = record_bytes;
    p->max_bytes = max_bytes;
    p->dir = dir;
}

void tr_paged_free(struct tr_paged *p)
{
    if (p->map)
        tr_mmap_array_free(p->map);
    else
        free(p->data);
    memset(p, 0, sizeof *p);
}

/* Let the array live in a file from now on. */
static enum tr_status move_out(struct tr_paged *p, size_t bytes, struct tr_error *err)
{
    struct tr_mmap_array *map;
    enum tr_status st = tr_mmap_array_open(&map, p->dir ? p->dir : "/var/tmp", 0, LIMIT_BYTES, err);
    if (st != TR_OK)
        return st;
    st = tr_mmap_array_grow(map, bytes, err);
    if (st != TR_OK) {
        tr_mmap_array_free(map);
        return st;
    }
    if (p->n > 0)
        memcpy(tr_mmap_array_data(map), p->data, p->n * p->record_bytes);
    free(p->data);
    p->map = map;
    p->data = tr_mmap_array_data(map);
    p->cap = (size_t)(tr_mmap_array_size(map) / p->record_bytes);
    return TR_OK;
}

static enum tr_status make_room(struct tr_paged *p, size_t n, struct tr_error *err)
{
    enum tr_status st;
    if (n > SIZE_MAX / 2 / p->record_bytes)
        return tr_fail_memory(err);
    size_t bytes = n * p->record_bytes;
    if (!p->map && bytes > p->max_bytes)
        return move_out(p, bytes + bytes / 4, err);
    if (!p->map)
        return tr_grow(&p->data, &p->cap, n, p->record_bytes) ? TR_OK : tr_fail_memory(err);
    st = tr_mmap_array_grow(p->map, bytes + bytes / 8, err);
    p->cap = (size_t)(tr_mmap_array_size(p->map) / p->record_bytes);
    return st;
}

enum tr_status tr_paged_add(struct tr_paged *p, const void *records, size_t n, struct tr_error *err)
{
    if (n == 0)
        return TR_OK;
    if (n > p->cap - p->n) {
        enum tr_status st = make_room(p, p->n + n, err);
        if (st != TR_OK)
            return st;
    }
    unsigned char *to = p->data + p->n * p->record_bytes;
    if (records)
        memcpy(to, records, n * p->record_bytes);
    else if (!p->map) /* what was never used of a file is zero */
        memset(to, 0, n * p->record_bytes);
    p->n += n;
    if (p->map && (p->n - p->trimmed_at) * p->record_bytes > TRIM_BYTES)
        tr_paged_trim(p);
    return TR_OK;
}

bool tr_paged_own(struct tr_paged *p)
{
    return !p->map || tr_mmap_array_own(p->map);
}

void *tr_paged_walk(const struct tr_paged *p, size_t i)
{
    if (p->map && i % (TRIM_BYTES / p->record_bytes) == 0)
        tr_mmap_array_trim(p->map);
    return tr_paged_at(p, i);
}

void tr_paged_trim(struct tr_paged *p)
{
    if (p->map)
        tr_mmap_array_trim(p->map);
    p->trimmed_at = p->n;
}
