/* SPDX-License-Identifier: MIT */
/* Dumps of PyTorch, as JSON or as pickles. */
#include "formats/common/tr_dump_int.h"

#include "formats/common/tr_pickle_int.h"

#include <string.h>

#define MAX_BYTES ((size_t)1 << 30) /* of a dump, and of a pickle as JSON */
#define MANY      ((size_t)4 << 20) /* bytes of JSON that any pickle may have */
#define CHUNK     (256u << 10)

enum tr_status tr__dump_read(struct tr_buf *text, struct tr_ingest *g, const char *what, unsigned growth,
                             struct tr_error *err)
{
    size_t got;
    enum tr_status st = TR_OK;
    while (st == TR_OK) {
        if (!tr_buf_reserve(text, CHUNK))
            return tr_fail_memory(err);
        st = tr_ingest_read(g, text->data + text->len, CHUNK, &got, err);
        text->len += st == TR_OK ? got : 0;
        if (text->len > MAX_BYTES)
            return tr_fail(err, TR_DAMAGED, "%s is smaller than 1 GiB, and this is not", what);
    }
    if (st != TR_END)
        return st;
    if (!text->len || text->data[0] != 0x80)
        return TR_OK;
    struct tr_buf json = { 0 };
    size_t max = text->len < MAX_BYTES / growth ? growth * text->len + MANY : MAX_BYTES;
    st = tr__pickle_json(text->data, text->len, max, &json, err);
    tr_buf_free(text);
    *text = json;
    return st;
}

/* The text of a value at p; it is cut if it has no end. */
static struct tr_str value_at(const char *p, size_t n, bool *cut)
{
    size_t len = 0;
    unsigned defects;
    if (tr_json_scan(p, n, true, NULL, &len, &defects) != TR_JSON_DONE) {
        *cut = true;
        len = n;
    }
    return (struct tr_str){ p, len };
}

static size_t skip(const char *p, size_t n, size_t at, const char *bytes)
{
    while (at < n && p[at] && strchr(bytes, p[at]))
        at++;
    return at;
}

static const char blanks[] = " \t\r\n,:";

bool tr__dump_members(struct tr_str object, void (*fn)(void *ctx, struct tr_str key, struct tr_str value, bool cut),
                      void *ctx, bool *cut)
{
    const char *p = object.s;
    size_t n = object.len, at = skip(p, n, 0, " \t\r\n");
    if (at == n || p[at] != '{')
        return false;
    for (at = skip(p, n, at + 1, blanks); at < n && p[at] == '"' && !*cut; at = skip(p, n, at, blanks)) {
        struct tr_str key = value_at(p + at, n - at, cut);
        at = skip(p, n, at + key.len, blanks);
        struct tr_str value = at < n ? value_at(p + at, n - at, cut) : (struct tr_str){ p + at, 0 };
        at += value.len;
        fn(ctx, key, value, *cut);
    }
    *cut |= at >= n;
    return true;
}

struct tr_str tr__dump_next(struct tr_str list, size_t *at, bool *broken)
{
    size_t len = 0;
    unsigned defects;
    *broken = false;
    if (!list.s)
        return (struct tr_str){ NULL, 0 };
    *at = skip(list.s, list.len, *at ? *at : 1, blanks);
    if (*at >= list.len || (list.s[*at] != '{' && list.s[*at] != '['))
        return (struct tr_str){ NULL, 0 };
    const char *p = list.s + *at;
    *broken = tr_json_scan(p, list.len - *at, true, NULL, &len, &defects) != TR_JSON_DONE;
    struct tr_str item = { p, *broken ? list.len - *at : len };
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
    if (!frames || t->tok[frames].kind != TR_JSON_ARRAY)
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
