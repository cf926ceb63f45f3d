/* SPDX-License-Identifier: MIT */
/* The members of a trace that say what job it is of. */
#include "model/tr_source_facts.h"

#include "base/tr_mem.h"

#include <inttypes.h>
#include <string.h>

#define DEVICES     "deviceProperties"
#define DISTRIBUTED "distributedInfo"
#define MAX_RANKS   1000000000

static struct tr_str member(const struct tr_dict *dict, const struct tr_source *source, const char *key)
{
    for (uint32_t k = 0; k < source->n_header; k++)
        if (tr_str_is(tr_dict_text_if(dict, source->header_keys[k]), key))
            return tr_dict_text_if(dict, source->header_values[k]);
    return (struct tr_str){ NULL, 0 };
}

/* What follows the first key of this name ("key", with its quotes) and the colon; empty: there is no such key. */
static struct tr_str after(struct tr_str json, const char *key)
{
    const size_t len = strlen(key);
    for (size_t at = 0; at + len < json.len; at++) {
        if (memcmp(json.s + at, key, len) != 0)
            continue;
        at += len;
        while (at < json.len && strchr(" \t\r\n:", json.s[at]))
            at++;
        return (struct tr_str){ json.s + at, json.len - at };
    }
    return (struct tr_str){ NULL, 0 };
}

struct tr_str tr_source_device_name(const struct tr_dict *dict, const struct tr_source *source)
{
    struct tr_str value = after(member(dict, source, DEVICES), "\"name\"");
    const char *end = value.len && *value.s == '"' ? memchr(value.s + 1, '"', value.len - 1) : NULL;
    return end && end > value.s + 1 ? (struct tr_str){ value.s + 1, (size_t)(end - value.s) - 1 }
                                    : (struct tr_str){ NULL, 0 };
}

int64_t tr_source_world_size(const struct tr_dict *dict, const struct tr_source *source)
{
    struct tr_str value = after(member(dict, source, DISTRIBUTED), "\"world_size\"");
    int64_t n = 0;
    for (size_t i = 0; i < value.len && value.s[i] >= '0' && value.s[i] <= '9' && n <= MAX_RANKS; i++)
        n = 10 * n + (value.s[i] - '0');
    return n <= MAX_RANKS ? n : 0;
}

/* A member of a source, whose key and value are next to be set. */
static bool keep(struct tr_dict *to, struct tr_source *source, const char *key, const struct tr_buf *value)
{
    uint32_t k = tr_strtab_add(to->strings, key, strlen(key));
    uint32_t v = tr_strtab_add(to->strings, value->data, value->len);
    source->header_keys[source->n_header] = k;
    source->header_values[source->n_header++] = v;
    return k != TR_NO_STR && v != TR_NO_STR;
}

bool tr_source_facts_keep(struct tr_dict *to, struct tr_source *source, uint32_t room[2 * TR_SOURCE_FACTS],
                          const struct tr_dict *from, const struct tr_source *of)
{
    struct tr_str name = tr_source_device_name(from, of);
    int64_t world = tr_source_world_size(from, of);
    struct tr_buf text = { 0 };
    bool ok = true;
    source->header_keys = room;
    source->header_values = room + TR_SOURCE_FACTS;
    source->n_header = source->events_at = 0;
    if (name.len)
        ok = tr_buf_add_str(&text, "[{\"name\": \"") && tr_buf_add(&text, name.s, name.len) &&
             tr_buf_add_str(&text, "\"}]") && keep(to, source, DEVICES, &text);
    text.len = 0;
    if (ok && world)
        ok = tr_buf_print(&text, "{\"world_size\": %" PRId64 "}", world) && keep(to, source, DISTRIBUTED, &text);
    tr_buf_free(&text);
    return ok;
}
