/* SPDX-License-Identifier: MIT */
/* Dumps of PyTorch, as JSON or as pickles. */
#include "formats/common/tr_dump_int.h"

#include "formats/common/tr_pickle_int.h"

#include <stdlib.h>
#include <string.h>

#define MAX_BYTES ((size_t)1 << 30) /* of a dump, and of a pickle as JSON */
#define MANY      ((size_t)4 << 20) /* bytes of JSON that any pickle may have */
#define CHUNK     (256u << 10)
#define PARTS     16u /* of the memory: for the text of a pickle, for what is in it, and for its JSON */
#define LISTS     3u  /* in each other */
#define TRIM_BYTES ((size_t)8 << 20)

void tr__dump_init(struct tr_paged *text, const struct tr_open_opts *opts)
{
    tr_paged_init(text, 1, opts->max_memory_bytes / PARTS, opts->temp_dir);
}

/* The text is read up to here: memory of a text in a file is released now and then. */
static void pass(struct tr_paged *text, const char *at)
{
    size_t n = (size_t)(at - (const char *)text->data);
    if (n - text->trimmed_at > TRIM_BYTES) { /* also if it is before that place */
        tr_paged_trim(text);
        text->trimmed_at = n;
    }
}

static enum tr_status read_bytes(struct tr_paged *text, struct tr_ingest *g, const char *what, struct tr_error *err)
{
    size_t got;
    unsigned char *bytes = malloc(CHUNK);
    enum tr_status st = bytes ? TR_OK : tr_fail_memory(err);
    while (st == TR_OK) {
        st = tr_ingest_read(g, bytes, CHUNK, &got, err);
        if (st == TR_OK)
            st = tr_paged_add(text, bytes, got, err);
        if (st == TR_OK && text->n > MAX_BYTES)
            st = tr_fail(err, TR_DAMAGED, "%s is smaller than 1 GiB, and this is not", what);
    }
    free(bytes);
    return st == TR_END ? TR_OK : st;
}

enum tr_status tr__dump_read(struct tr_paged *text, struct tr_ingest *g, const char *what, unsigned growth,
                             struct tr__pickle_once *once, struct tr_error *err)
{
    enum tr_status st = read_bytes(text, g, what, err);
    if (st != TR_OK || !text->n || text->data[0] != 0x80)
        return st;
    struct tr_paged json;
    size_t max = text->n < MAX_BYTES / growth ? growth * text->n + MANY : MAX_BYTES;
    tr_paged_init(&json, 1, text->max_bytes, text->dir);
    st = tr__pickle_json(text->data, text->n, max, &json, once, err);
    tr_paged_free(text);
    *text = json;
    return st;
}

static size_t skip(const char *p, size_t n, size_t at, const char *bytes)
{
    while (at < n && p[at] && strchr(bytes, p[at]))
        at++;
    return at;
}

static const char blanks[] = " \t\r\n,:";

/* The text of a value at p; it is cut if it has no end.  Lists are passed item by item, for their memory. */
static struct tr_str value_at(struct tr_paged *text, const char *p, size_t n, unsigned depth, bool *cut)
{
    size_t len = 1;
    unsigned defects;
    if (*p != '[' || depth == LISTS) {
        *cut |= tr_json_scan(p, n, true, NULL, &len, &defects) != TR_JSON_DONE;
        return (struct tr_str){ p, *cut ? n : len };
    }
    while ((len = skip(p, n, len, blanks)) < n && p[len] != ']' && !*cut) {
        len += value_at(text, p + len, n - len, depth + 1, cut).len;
        pass(text, p + len);
    }
    *cut |= len >= n;
    return (struct tr_str){ p, *cut ? n : len + 1 };
}

bool tr__dump_members(struct tr_paged *text, void (*fn)(void *ctx, struct tr_str key, struct tr_str value, bool cut),
                      void *ctx, bool *cut)
{
    const char *p = (const char *)text->data;
    size_t n = text->n, at = skip(p, n, 0, " \t\r\n");
    if (at == n || p[at] != '{')
        return false;
    for (at = skip(p, n, at + 1, blanks); at < n && p[at] == '"' && !*cut; at = skip(p, n, at, blanks)) {
        struct tr_str key = value_at(text, p + at, n - at, LISTS, cut);
        at = skip(p, n, at + key.len, blanks);
        struct tr_str value = at < n ? value_at(text, p + at, n - at, 0, cut) : (struct tr_str){ p + at, 0 };
        at += value.len;
        fn(ctx, key, value, *cut);
    }
    *cut |= at >= n;
    return true;
}

struct tr_str tr__dump_next(struct tr_paged *text, struct tr_str list, size_t *at, bool *broken)
{
    *broken = false;
    if (!list.s)
        return (struct tr_str){ NULL, 0 };
    *at = skip(list.s, list.len, *at ? *at : 1, blanks);
    if (*at >= list.len || (list.s[*at] != '{' && list.s[*at] != '['))
        return (struct tr_str){ NULL, 0 };
    pass(text, list.s + *at);
    struct tr_str item = value_at(text, list.s + *at, list.len - *at, 0, broken);
    *at += item.len;
    return item;
}

static struct tr_str member(const struct tr_json_tokens *t, const char *text, size_t i, const char *key)
{
    size_t at = tr_json_member(t, text, i, key);
    return at ? (struct tr_str){ text + t->tok[at].start, (size_t)(t->tok[at].end - t->tok[at].start) }
              : (struct tr_str){ NULL, 0 };
}

bool tr__dump_where(const struct tr_json_tokens *t, const char *text, size_t frames, struct tr_buf *out)
{
    size_t chosen = 0;
    unsigned defects = 0;
    if (t->tok[frames].kind != TR_JSON_ARRAY)
        return false;
    for (size_t i = frames + 1; i < tr_json_next(t, frames); i = tr_json_next(t, i)) {
        struct tr_str file = member(t, text, i, "filename");
        bool own = file.s && tr_str_has(file, tr_str_of("/torch/"));
        if (!chosen || !own)
            chosen = i;
        if (!own)
            break;
    }
    if (!chosen || t->tok[chosen].kind != TR_JSON_OBJECT)
        return false;
    struct tr_str name = member(t, text, chosen, "name"), file = member(t, text, chosen, "filename");
    struct tr_str row = member(t, text, chosen, "line");
    bool ok = !name.s || tr_json_unescape(name.s, name.len, out, &defects);
    return ok && tr_buf_add(out, " (", 2) && (!file.s || tr_json_unescape(file.s, file.len, out, &defects)) &&
           tr_buf_add(out, ":", 1) && (!row.s || tr_buf_add(out, row.s, row.len)) && tr_buf_add(out, ")", 1);
}
