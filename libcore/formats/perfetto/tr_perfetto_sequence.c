/* SPDX-License-Identifier: MIT */
/* Reader of Perfetto's traces: the state of a writer, which its later packets refer to. */
#include "formats/perfetto/tr_perfetto_read_int.h"

#include <stdlib.h>

enum { DEFAULTS_EVENT = 11, DEFAULT_CLOCK = 58 };
enum { DEFAULT_TRACK = 11, DEFAULT_COUNTERS = 31, DEFAULT_DOUBLE_COUNTERS = 45 };

struct tr__sequence *tr__perfetto_sequence(struct tr__perfetto_reader *r, uint32_t id)
{
    uint32_t at = tr__numbers_get(&r->sequence_of, id);
    if (at != UINT32_MAX)
        return &r->sequences[at];
    if (r->role != TR__ALONE) { /* it was not there in the first walk */
        tr_fail(r->err, TR_DAMAGED, "it changes while it is read");
        return NULL;
    }
    if (!tr_grow(&r->sequences, &r->cap_sequences, r->n_sequences + 1, sizeof *r->sequences) ||
        !tr__numbers_set(&r->sequence_of, id, (uint32_t)r->n_sequences)) {
        tr__perfetto_no_memory(r);
        return NULL;
    }
    struct tr__sequence *s = &r->sequences[r->n_sequences++];
    memset(s, 0, sizeof *s);
    s->thread = UINT32_MAX;
    return s;
}

void tr__sequence_free(struct tr__sequence *s)
{
    for (unsigned k = 0; k < TR__N_TEXTS; k++)
        tr__numbers_free(&s->texts[k]);
    free(s->counters);
    free(s->double_counters);
}

void tr__perfetto_clear_tables(struct tr__perfetto_reader *r, struct tr__sequence *s)
{
    for (unsigned k = 0; k < TR__N_TEXTS; k++) {
        r->n_interned -= s->texts[k].n;
        tr__numbers_clear(&s->texts[k]);
    }
}

void tr__perfetto_clear(struct tr__sequence *s)
{
    s->has_default_track = false;
    s->default_clock = 0;
    s->n_counters = s->n_double_counters = 0;
}

bool tr__perfetto_set(struct tr__perfetto_reader *r, struct tr__sequence *s, enum tr__interned table, uint64_t id,
                      uint32_t value)
{
    if (!r->second) {
        uint32_t before = tr__numbers_get(&s->texts[table], id);
        r->in_order |= before != UINT32_MAX && before != value;
    }
    r->n_interned -= s->texts[table].n;
    bool ok = tr__numbers_set(&s->texts[table], id, value);
    r->n_interned += s->texts[table].n;
    return ok || tr__perfetto_no_memory(r);
}

uint32_t tr__perfetto_lost_text(struct tr__perfetto_reader *r, uint64_t id, uint64_t offset)
{
    if (id)
        tr__perfetto_damaged(r, TR__LOST_TEXT, offset);
    return TR_NO_STR;
}

/* A repeated number, appended, as far as one event may use it. */
static bool add_numbers(const struct tr__proto *m, uint64_t **to, size_t *n, size_t *cap)
{
    const unsigned char *p = NULL;
    for (uint64_t v; *n < TR__MAX_OF_EVENT && tr__proto_element(m, &p, TR__WIRE_VARINT, &v); (*to)[(*n)++] = v)
        if (!tr_grow(to, cap, *n + 1, sizeof **to))
            return false;
    return true;
}

bool tr__perfetto_defaults(struct tr__perfetto_reader *r, struct tr__sequence *s, struct tr__span data)
{
    struct tr__proto m = tr__proto_of(data.data, data.len);
    bool ok = true;
    s->has_default_track = false;
    s->default_clock = 0;
    s->n_counters = s->n_double_counters = 0;
    r->n_defaults -= s->cap_counters + s->cap_double_counters;
    while (ok && tr__proto_next(&m)) {
        if (tr__proto_is(&m, DEFAULT_CLOCK, TR__WIRE_VARINT))
            s->default_clock = (uint32_t)m.v;
        if (!tr__proto_is(&m, DEFAULTS_EVENT, TR__WIRE_BYTES))
            continue;
        struct tr__proto e = tr__proto_inner(&m);
        while (ok && tr__proto_next(&e)) {
            if (tr__proto_is(&e, DEFAULT_TRACK, TR__WIRE_VARINT)) {
                s->has_default_track = true;
                s->default_track = e.v;
            } else if (e.field == DEFAULT_COUNTERS) {
                ok = add_numbers(&e, &s->counters, &s->n_counters, &s->cap_counters);
            } else if (e.field == DEFAULT_DOUBLE_COUNTERS) {
                ok = add_numbers(&e, &s->double_counters, &s->n_double_counters, &s->cap_double_counters);
            }
        }
    }
    r->n_defaults += s->cap_counters + s->cap_double_counters;
    return ok || tr__perfetto_no_memory(r);
}

bool tr__perfetto_first_pass_state(struct tr__perfetto_reader *r, struct tr__sequence *s,
                                   const struct tr__packet *packet, bool cleared)
{
    const struct tr__sequence before = *s; /* its lists are compared only by length */
    bool lists = s->n_counters || s->n_double_counters;
    for (unsigned k = 0; cleared && k < TR__N_TEXTS; k++)
        r->in_order |= s->used && s->texts[k].n; /* its numbers have no meaning from here on */
    if (cleared)
        tr__perfetto_clear(s);
    if (packet->defaults.len && !tr__perfetto_defaults(r, s, packet->defaults))
        return false;
    lists |= s->n_counters || s->n_double_counters;
    bool same = !lists && s->default_clock == before.default_clock &&
                s->has_default_track == before.has_default_track &&
                (!s->has_default_track || s->default_track == before.default_track);
    r->in_order |= before.used && !same;
    return true;
}

void tr__perfetto_forget_numbers(struct tr__perfetto_reader *r)
{
    r->in_order = true;
    for (size_t i = 0; i < r->n_sequences; i++)
        tr__perfetto_clear_tables(r, &r->sequences[i]);
}
