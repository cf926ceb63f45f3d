/* SPDX-License-Identifier: MIT */
/* What dialects of the Trace Event Format have in common. */
#include "formats/common/tr_dialect.h"

#include "base/tr_hash.h"
#include "base/tr_num.h"
#include "ingest/tr_lane_int.h"

static struct tr_str member(const struct tr_dialect_event *e, const char *key, bool in_args)
{
    for (size_t i = 0; i < e->n_members; i++)
        if (e->members[i].in_args == in_args && tr_str_is(e->members[i].key, key))
            return e->members[i].raw;
    return (struct tr_str){ NULL, 0 };
}

struct tr_str tr_dialect_arg(const struct tr_dialect_event *e, const char *key)
{
    return member(e, key, true);
}

struct tr_str tr_dialect_member(const struct tr_dialect_event *e, const char *key)
{
    return member(e, key, false);
}

struct tr_str tr_dialect_text(struct tr_str raw)
{
    bool text = raw.s && raw.len >= 2 && raw.s[0] == '"';
    return text ? (struct tr_str){ raw.s + 1, raw.len - 2 } : (struct tr_str){ NULL, 0 };
}

bool tr_dialect_integer(struct tr_str raw, int64_t *value)
{
    struct tr_str text = tr_dialect_text(raw);
    return text.s ? tr_num_plain(text.s, text.len, value) : raw.s && tr_num_plain(raw.s, raw.len, value);
}

int64_t tr_dialect_place(const struct tr_dialect_event *e, int64_t ts)
{
    return tr__place(e->pid_text.s ? (int64_t)tr_hash(e->pid_text.s, e->pid_text.len) : e->pid, e->tid, ts);
}

bool tr_dialect_starts(struct tr_str s, const char *word)
{
    size_t n = strlen(word);
    return s.len >= n && memcmp(s.s, word, n) == 0;
}

int64_t tr_dialect_number_after(struct tr_str s, const char *word)
{
    uint64_t v;
    bool over = false;
    size_t n = strlen(word);
    if (!tr_dialect_starts(s, word) || s.len == n || !tr_num_digits(s.s + n, s.len - n, INT64_MAX / 2, &v, &over))
        return TR_I64_NONE;
    return over ? TR_I64_NONE : (int64_t)v;
}
