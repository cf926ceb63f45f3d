#include "formats/memory_timeline/tr_memory_timeline.h"

#include "formats/chrome/tr_chrome_load_int.h"
#include "json/tr_json.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define MAX_ENTRY 4096u /* bytes; a regular entry has less than 100 */
#define N_FIELDS  4u

enum field { AT, ACTION, BYTES, CATEGORY };

static const char *const categories[] = { "Parameter",  "Optimizer state", "Input",    "Temporary",
                                          "Activation", "Gradient",        "Autograd", "Unknown" };
static const char *const actions[] = { NULL, "preexisting", "create", "increment_version",
                                       "destroy" };

bool tr_memory_timeline_probe(const unsigned char *p, size_t n)
{
    size_t i = 0;
    if (n == 0 || p[i++] != '[')
        return false;
    while (i < n && tr_json_space((char)p[i]))
        i++;
    return i < n && p[i] == '[';
}

/* The four integers of a clean, minified array.  False: it is something else. */
static bool read_fields(const char *p, size_t n, int64_t *v)
{
    size_t at = 1;
    if (n < 2 || p[0] != '[')
        return false;
    for (unsigned k = 0; k < N_FIELDS; k++) {
        struct tr_number number;
        size_t len = 0;
        while (at + len < n && p[at + len] != ',' && p[at + len] != ']')
            len++;
        if (!tr_json_number(p + at, len, &number) || number.cls != TR_NUMBER_INT)
            return false;
        v[k] = number.i;
        at += len;
        if (at >= n || p[at++] != (k + 1 < N_FIELDS ? ',' : ']'))
            return false;
    }
    return at == n && v[CATEGORY] >= 0 && v[ACTION] >= 0;
}

/* The same entry as an event's text. */
static size_t event_text(char *out, size_t size, const int64_t *v)
{
    char category[40], action[40], time[40];
    bool named = (size_t)v[CATEGORY] < sizeof categories / sizeof categories[0];
    bool known = v[ACTION] > 0 && (size_t)v[ACTION] < sizeof actions / sizeof actions[0];
    if (named)
        snprintf(category, sizeof category, "%s", categories[v[CATEGORY]]);
    else
        snprintf(category, sizeof category, "category %" PRId64, v[CATEGORY]);
    if (known)
        snprintf(action, sizeof action, "%s", actions[v[ACTION]]);
    else
        snprintf(action, sizeof action, "action %" PRId64, v[ACTION]);
    time[0] = '\0';
    if (v[AT] >= 0)
        snprintf(time, sizeof time, "\"ts\":%" PRId64 ".%03d,", v[AT] / 1000, (int)(v[AT] % 1000));
    int n = snprintf(out, size,
                     "{\"ph\":\"%s\",\"name\":\"[memory]\",%s"
                     "\"args\":{\"Bytes\":%" PRId64 ",\"Category\":\"%s\",\"Action\":\"%s\"}}",
                     v[AT] < 0 ? "M" : "i", time, v[BYTES], category, action);
    return (size_t)n;
}

struct text {
    struct tr__parser *ps;
    struct tr__position *pos;
    const char *p;
    size_t n, at;
    bool last;
    uint64_t offset;
    struct tr_buf clean;
};

static void count(struct text *t, enum tr_cause cause)
{
    tr__count(t->ps->piece, cause, t->offset + t->at);
}

/* Damage at t->at: count it and go on at the next bracket from there on that may begin an entry. */
static enum tr__took lose_entry(struct text *t, enum tr_cause cause, size_t from)
{
    const char *next = from < t->n ? memchr(t->p + from, '[', t->n - from) : NULL;
    count(t, cause);
    t->ps->piece->n_elements++;
    t->pos->state = next ? TR__EVENTS_COMMA : TR__EVENTS_LOST;
    t->at = next ? (size_t)(next - t->p) : t->n;
    return TR__TOOK;
}

/* The text of an entry, brackets included. */
static enum tr__took take_text(struct text *t, size_t len)
{
    char event[320 + TR__PAD] = "";
    int64_t v[N_FIELDS];
    size_t whole, event_len;
    unsigned defects;
    const char *p = t->p + t->at;
    t->clean.len = 0;
    bool ok = tr_json_scan(p, len, true, &whole, &defects) == TR_JSON_DONE && whole == len;
    if (ok && !tr_json_clean(p, len, true, false, &t->clean))
        return TR__NO_MEMORY;
    if (!ok || !read_fields((const char *)t->clean.data, t->clean.len, v)) {
        count(t, TR_CAUSE_BAD_EVENT);
        t->ps->piece->n_elements++;
    } else {
        tr__count_defects(t->ps->piece, defects, t->offset + t->at);
        size_t n = event_text(event, sizeof event - TR__PAD, v);
        if (tr__take_event(t->ps, event, n, true, t->offset + t->at, &event_len) != TR__TOOK)
            return TR__NO_MEMORY;
    }
    t->at += len;
    t->pos->state = TR__EVENTS_VALUE;
    return TR__TOOK;
}

/*
 * What stands where an entry is due.  An entry holds no brackets, so the next one is its end, or damage; thus
 * no text is looked at again and again, whatever was made of it.
 */
static enum tr__took take_entry(struct text *t)
{
    size_t i = t->at + 1, end = t->n - t->at > MAX_ENTRY ? t->at + MAX_ENTRY : t->n;
    if (t->p[t->at] != '[')
        return lose_entry(t, TR_CAUSE_BAD_EVENT, i);
    while (i < end && t->p[i] != ']' && t->p[i] != '[')
        i++;
    if (i < end)
        return t->p[i] == ']' ? take_text(t, i + 1 - t->at) : lose_entry(t, TR_CAUSE_BAD_EVENT, i);
    if (end < t->n)
        return lose_entry(t, TR_CAUSE_TOO_LONG, end);
    return t->last ? lose_entry(t, TR_CAUSE_TRUNCATED, end) : TR__MORE;
}

static enum tr__took in_array(struct text *t)
{
    char c = t->p[t->at];
    if (c == ']') {
        t->at++;
        t->pos->state = TR__AT_END;
        return TR__TOOK;
    }
    if (c == ',') {
        if (t->pos->state != TR__EVENTS_VALUE)
            count(t, TR_CAUSE_EXTRA_COMMA);
        t->at++;
        t->pos->state = TR__EVENTS_COMMA;
        return TR__TOOK;
    }
    if (t->pos->state == TR__EVENTS_VALUE) {
        if (c != '[')
            return lose_entry(t, TR_CAUSE_BAD_EVENT, t->at + 1);
        count(t, TR_CAUSE_MISSING_COMMA);
        t->pos->state =
            TR__EVENTS_COMMA; /* once, though the entry may have to wait for more of the text */
    }
    return take_entry(t);
}

static enum tr__took at_start(struct text *t)
{
    size_t n = t->n - t->at;
    if (t->offset + t->at == 0 && n >= 3 && !memcmp(t->p, "\xef\xbb\xbf", 3)) {
        count(t, TR_CAUSE_BYTE_ORDER_MARK);
        t->at += 3;
        return TR__TOOK;
    }
    if (t->offset + t->at == 0 && n < 3 && !t->last && t->p[0] == '\xef')
        return TR__MORE;
    if (t->p[t->at] != '[') {
        t->pos->state = TR__IGNORE;
        return TR__TOOK;
    }
    t->pos->seen_bracket = t->pos->bare_array = t->ps->piece->bare_array = true;
    t->pos->state = TR__EVENTS_FIRST;
    t->at++;
    return TR__TOOK;
}

static enum tr__took take_next(struct text *t)
{
    const char *next;
    switch (t->pos->state) {
    case TR__AT_START:
        return at_start(t);
    case TR__EVENTS_LOST:
        next = memchr(t->p + t->at, '[', t->n - t->at);
        t->at = next ? (size_t)(next - t->p) : t->n;
        t->pos->state = next ? TR__EVENTS_COMMA : TR__EVENTS_LOST;
        return TR__TOOK;
    case TR__AT_END:
        count(t, TR_CAUSE_TRAILING_BYTES);
        t->pos->state = TR__IGNORE;
        return TR__TOOK;
    case TR__IGNORE:
        t->at = t->n;
        return TR__TOOK;
    default:
        return in_array(t);
    }
}

static enum tr__took take_timeline(struct tr__parser *ps, struct tr__position *pos, const char *p,
                                   size_t n, bool last, uint64_t offset, size_t *used)
{
    struct text t = { .ps = ps, .pos = pos, .p = p, .n = n, .last = last, .offset = offset };
    enum tr__took took = TR__TOOK;
    while (took == TR__TOOK) {
        while (t.at < n && tr_json_space(p[t.at]))
            t.at++;
        if (t.at >= n)
            break;
        took = take_next(&t);
    }
    if (took == TR__TOOK && last && pos->state >= TR__EVENTS_FIRST &&
        pos->state <= TR__EVENTS_VALUE)
        tr__count(ps->piece, TR_CAUSE_TRUNCATED, offset + n);
    *used = t.at;
    tr_buf_free(&t.clean);
    return took;
}

enum tr_status tr_memory_timeline_open(struct tr_input **out, const struct tr_text_source *source,
                                const struct tr_open_opts *opts, struct tr_error *err)
{
    static const struct tr__dialect timeline = {
        .take = take_timeline,
        .format = "memory-timeline",
        .nothing = "no memory timeline: the array holds no entry [time, action, bytes, category]",
    };
    return tr__text_open(out, source, opts, &timeline, err);
}
