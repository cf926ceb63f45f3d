/* What a file says of itself, and the names its metadata gives to tracks. */
#include "formats/chrome/tr_chrome_load_int.h"

#include "json/tr_json_tok.h"
#include "model/tr_rank.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The last header entry with this key, or NULL. */
static const struct tr__header_entry *header(const struct tr__file *f, const char *key)
{
    for (size_t i = f->n_header; i > 0; i--)
        if (!strcmp(f->header[i - 1].key, key))
            return &f->header[i - 1];
    return NULL;
}

/* An integer, plain or in quotes. */
static bool integer(const char *p, size_t n, int64_t *v)
{
    struct tr_number num;
    if (n >= 2 && p[0] == '"') {
        p++;
        n -= 2;
    }
    if (!tr_json_number(p, n, &num) || num.cls != TR_NUMBER_INT)
        return false;
    *v = num.i;
    return true;
}

/* *rank stays negative if metadata do not say it.  False: out of memory. */
static bool rank_in_metadata(const struct tr__file *f, int64_t *rank)
{
    const struct tr__header_entry *h = header(f, "distributedInfo");
    struct tr_json_tokens t = { 0 };
    *rank = -1;
    if (h && tr_json_tokenize(&t, h->value, h->value_len)) {
        size_t v = tr_json_member(&t, h->value, 0, "rank");
        if (v)
            integer(h->value + t.tok[v].start, (size_t)(t.tok[v].end - t.tok[v].start), rank);
    }
    bool ok = !t.no_memory;
    tr_json_tokens_free(&t);
    return ok;
}

bool tr__find_rank(struct tr__load *l)
{
    struct tr__file *f = &l->file;
    if (!rank_in_metadata(f, &f->rank))
        return false;
    if (l->opts->rank >= 0) {
        f->rank = l->opts->rank;
        f->rank_rule = TR_RANK_OPTION;
    } else if (f->rank >= 0) {
        f->rank_rule = TR_RANK_METADATA;
    } else if (tr_rank_from_name(f->name, &f->rank)) {
        f->rank_rule = TR_RANK_FILE_NAME;
    } else {
        f->rank = (int64_t)f->place;
        f->rank_rule = TR_RANK_ORDER;
    }
    return true;
}

/* The inside of a string member, cut to fit. */
static void copy_text(const struct tr__header_entry *h, char *out, size_t size)
{
    if (h && h->value_len >= 2 && h->value[0] == '"')
        snprintf(out, size, "%.*s", (int)(h->value_len - 2 < size ? h->value_len - 2 : size - 1),
                 h->value + 1);
}

/* The keys of the outer object, for the message that it is no trace. */
static void list_keys(const struct tr__file *f, char *out, size_t size)
{
    size_t len = 0;
    out[0] = '\0';
    for (size_t i = 0; i < f->n_header && i < 6 && len < size; i++) {
        int n = snprintf(out + len, size - len, "%s'%.40s'", i ? ", " : "", f->header[i].key);
        len += n > 0 ? (size_t)n : 0;
    }
    if (f->n_header > 6 && len < size)
        snprintf(out + len, size - len, ", ...");
}

static enum tr_status no_trace(const struct tr__file *f, const struct tr__dialect *dialect,
                               struct tr_error *err)
{
    char keys[400];
    enum tr_status st;
    list_keys(f, keys, sizeof keys);
    if (dialect->nothing)
        st = tr_fail(err, TR_DAMAGED, "%s", dialect->nothing);
    else if (!f->seen_events && header(f, "traceEvents"))
        st = tr_fail(err, TR_DAMAGED, "'traceEvents' is not an array: not a trace");
    else if (f->n_header > 0 && !f->seen_events)
        st = tr_fail(err, TR_DAMAGED, "no 'traceEvents' in this JSON object: not a trace (it has %s)", keys);
    else if (!f->seen_bracket)
        st = tr_fail(err, TR_DAMAGED, "not a trace: no JSON object or array");
    else if (f->bare_array)
        st = tr_fail(err, TR_DAMAGED, "not a trace: the JSON array holds no event object");
    else
        st = tr_fail(err, TR_DAMAGED, "no event could be read");
    tr_error_input(err, f->name);
    return st;
}

enum tr_status tr__refuse_damage(const struct tr__file *f, struct tr_error *err)
{
    size_t worst = TR_N_CAUSES;
    for (size_t c = 0; c < TR_N_CAUSES; c++)
        if (f->sum.n_cause[c] &&
            (worst == TR_N_CAUSES || f->sum.first_offset[c] < f->sum.first_offset[worst]))
            worst = c;
    if (worst == TR_N_CAUSES)
        return TR_OK;
    tr_error_input(err, f->name);
    if (f->sum.first_offset[worst] != TR_NO_OFFSET)
        tr_error_place(err, "byte %llu", (unsigned long long)f->sum.first_offset[worst]);
    const char *text = tr_cause_text((unsigned)worst); /* what is wrong, not how it would be mended */
    return tr_fail(err, TR_DAMAGED, "%.*s", (int)strcspn(text, ","), text);
}

enum tr_status tr__understand_file(struct tr__load *l, struct tr_error *err)
{
    struct tr__file *f = &l->file;
    const struct tr__header_entry *base = header(f, "baseTimeNanoseconds");
    bool lost = f->sum.n_cause[TR_CAUSE_BAD_EVENT] || f->sum.n_cause[TR_CAUSE_TRUNCATED] ||
                f->sum.n_cause[TR_CAUSE_NOT_AN_OBJECT] || f->sum.n_cause[TR_CAUSE_TOO_LONG];
    if (!f->seen_events && !f->bare_array)
        return no_trace(f, l->dialect, err);
    if (f->sum.n_events == 0 && lost)
        return no_trace(f, l->dialect, err);
    if (!tr__find_rank(l))
        return tr_fail_memory(err);
    f->has_base = base && integer(base->value, base->value_len, &f->base_ns);
    if (f->has_base && f->n_negative_ts) {
        f->sum.n_suspect[TR_SUSPECT_NO] -= f->n_negative_ts;
        f->sum.n_suspect[TR_SUSPECT_BEFORE_BASE] += f->n_negative_ts;
        f->sum.first_ts = f->first_from_0;
        f->sum.last_end = f->last_from_0;
    }
    copy_text(header(f, "host_name"), f->host, sizeof f->host);
    if (!f->host[0])
        copy_text(header(f, "hostname"), f->host, sizeof f->host);
    tr_mesh_from_name(f->name, f->mesh, sizeof f->mesh);
    bool kineto = header(f, "deviceProperties") || header(f, "distributedInfo") || base ||
                  f->sum.n_activity[TR_ACT_CPU_OP];
    const char *format = l->dialect->format;
    snprintf(f->format, sizeof f->format, "%s", format ? format : kineto ? "kineto" : "chrome");
    return l->opts->strict ? tr__refuse_damage(f, err) : TR_OK;
}

void tr__count_links(struct tr__file *f)
{
    struct tr_source_summary *s = &f->sum;
    s->lag_min = s->lag_max = TR_TIME_NONE;
    for (size_t i = 0; i < f->work.n; i++) {
        const struct tr__device_work *w = tr_paged_at(&f->work, i);
        struct tr_launch *l = tr_launch_find(f->launches, w->correlation, w->ts);
        if (i % (1u << 16) == 0) {
            tr_launch_trim(f->launches);
            tr_paged_trim(&f->work);
        }
        if (!l)
            continue;
        s->n_launches_linked += l->n_device++ == 0;
        s->n_device_linked++;
        int64_t lag = w->ts - l->ts;
        if (s->lag_min == TR_TIME_NONE || lag < s->lag_min)
            s->lag_min = lag;
        if (s->lag_max == TR_TIME_NONE || lag > s->lag_max)
            s->lag_max = lag;
    }
    s->n_launches = tr_launch_n(f->launches);
}

const char *tr__base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* The number of a string, TR_NO_STR for an empty one.  False: out of memory. */
static bool add_string(struct tr_strtab *t, const char *s, size_t len, uint32_t *id)
{
    *id = len ? tr_strtab_add(t, s, len) : TR_NO_STR;
    return len == 0 || *id != TR_NO_STR;
}

static bool add_text(struct tr_dict *d, const char *s, uint32_t *id)
{
    return add_string(d->strings, s, strlen(s), id);
}

bool tr__add_source(struct tr_dict *d, const struct tr__load *l, const struct tr__file *f)
{
    struct tr_source s;
    memset(&s, 0, sizeof s);
    size_t n = f->n_header ? f->n_header : 1;
    s.header_keys = calloc(n, sizeof *s.header_keys);
    s.header_values = calloc(n, sizeof *s.header_values);
    bool ok = s.header_keys && s.header_values;
    s.rank = f->rank;
    s.rank_rule = f->rank_rule;
    s.has_base = f->has_base;
    s.partial = f->partial;
    ok = ok && add_text(d, l->opts->keep_names ? tr__base_name(f->name) : "", &s.name) &&
         add_text(d, f->host, &s.host) && add_text(d, f->mesh, &s.mesh) && add_text(d, f->format, &s.format);
    s.base_ns = s.file_base_ns = f->base_ns;
    s.pid = f->pid;
    for (size_t i = 0; ok && i < f->n_header; i++) {
        s.header_keys[i] = tr_strtab_add(d->strings, f->header[i].key, f->header[i].key_len);
        s.header_values[i] = tr_strtab_add(d->strings, f->header[i].value, f->header[i].value_len);
        ok = s.header_keys[i] != TR_NO_STR && s.header_values[i] != TR_NO_STR;
    }
    s.n_header = (uint32_t)f->n_header;
    s.events_at = (uint32_t)f->events_at;
    s.bare_array = f->bare_array;
    ok = ok && tr_dict_add_source(d, &s) != UINT32_MAX;
    free(s.header_keys);
    free(s.header_values);
    return ok;
}

/* What metadata says of one process or thread; the last event of a kind wins. */
struct given {
    const struct tr__text *name, *labels;
    int64_t sort;
};

struct tr__names {
    const struct tr__load *l;
    struct tr_strtab *keys;
    struct given *given; /* by number of key */
    size_t cap;
    struct tr_buf key;
};

/* A process (tid_type of TR_T_NULL) or thread as bytes. */
static bool make_key(struct tr_buf *b, const struct tr__interner *interner, unsigned pid_type, int64_t pid,
                     unsigned tid_type, int64_t tid)
{
    b->len = 0;
    const unsigned char head[2] = { (unsigned char)pid_type, (unsigned char)tid_type };
    bool ok = tr_buf_add(b, head, sizeof head);
    if (pid_type == TR_T_STRING)
        ok = ok && tr_buf_add(b, interner->texts[pid].text, interner->texts[pid].len) && tr_buf_add(b, "", 1);
    else
        ok = ok && tr_buf_add(b, &pid, sizeof pid);
    if (tid_type == TR_T_STRING)
        return ok && tr_buf_add(b, interner->texts[tid].text, interner->texts[tid].len);
    return ok && (tid_type == TR_T_NULL || tr_buf_add(b, &tid, sizeof tid));
}

bool tr__names_compact(struct tr__file *f)
{
    struct tr_strtab *seen = tr_strtab_new();
    size_t kept = f->n_names;
    bool ok = seen != NULL;
    for (size_t i = f->n_names; ok && i > 0; i--) { /* from the last, which counts */
        struct tr__track_name t = f->names[i - 1];
        uint32_t before = tr_strtab_count(seen);
        const int64_t key[] = { t.pid, t.tid, t.what, t.pid_type, t.tid_type, t.has_tid, t.interner };
        uint32_t id = tr_strtab_add(seen, (const char *)key, sizeof key);
        ok = id != TR_NO_STR;
        if (id == before)
            f->names[--kept] = t;
    }
    tr_strtab_free(seen);
    if (!ok)
        return false;
    memmove(f->names, f->names + kept, (f->n_names - kept) * sizeof *f->names);
    f->n_names -= kept;
    f->compact_at = 2 * f->n_names;
    return true;
}

static bool note_name(struct tr__names *n, const struct tr__track_name *t)
{
    const struct tr__interner *interner = &n->l->parsers[t->interner].interner;
    bool thread = t->what == TR_NAME_THREAD_NAME || t->what == TR_NAME_THREAD_SORT;
    unsigned tid_type = !thread ? TR_T_NULL : t->has_tid ? t->tid_type : t->pid_type;
    int64_t tid = t->has_tid ? t->tid : t->pid;
    if (!make_key(&n->key, interner, t->pid_type, t->pid, tid_type, tid))
        return false;
    uint32_t before = tr_strtab_count(n->keys), id = tr_strtab_add(n->keys, n->key.data, n->key.len);
    if (id == TR_NO_STR || !tr_grow(&n->given, &n->cap, id + 1u, sizeof *n->given))
        return false;
    if (id == before)
        n->given[id] = (struct given){ NULL, NULL, TR_TIME_NONE };
    struct given *g = &n->given[id];
    const struct tr__text *text = t->text == TR_NO_STR ? NULL : &interner->texts[t->text];
    if (t->what == TR_NAME_PROCESS_LABELS)
        g->labels = text;
    else if (t->what == TR_NAME_PROCESS_SORT || t->what == TR_NAME_THREAD_SORT)
        g->sort = t->number;
    else
        g->name = text;
    return true;
}

struct tr__names *tr__names_new(const struct tr__load *l)
{
    struct tr__names *n = calloc(1, sizeof *n);
    if (!n)
        return NULL;
    n->l = l;
    n->keys = tr_strtab_new();
    bool ok = n->keys != NULL;
    for (size_t k = 0; ok && k < l->file.n_names; k++)
        ok = note_name(n, &l->file.names[k]);
    if (!ok) {
        tr__names_free(n);
        n = NULL;
    }
    return n;
}

void tr__names_free(struct tr__names *n)
{
    if (!n)
        return;
    tr_strtab_free(n->keys);
    free(n->given);
    tr_buf_free(&n->key);
    free(n);
}

/* *given is NULL if metadata say nothing.  False: out of memory. */
static bool find_given(struct tr__names *n, const struct tr__interner *interner, const struct tr_track *t,
                       bool thread, const struct given **given)
{
    unsigned tid_type = !thread ? TR_T_NULL : t->tid_type == TR_T_NULL ? t->pid_type : t->tid_type;
    if (!make_key(&n->key, interner, t->pid_type, t->pid, tid_type, t->tid))
        return false;
    uint32_t id = tr_strtab_find(n->keys, n->key.data, n->key.len);
    *given = id == TR_NO_STR ? NULL : &n->given[id];
    return true;
}

/* The number of a text that metadata gave; one that they did not give changes nothing. */
static bool give_text(struct tr_strtab *strings, const struct tr__text *text, uint32_t *id)
{
    if (!text)
        return true;
    *id = tr_strtab_add(strings, text->text, text->len);
    return *id != TR_NO_STR;
}

bool tr__names_give(void *ctx, struct tr_track *t, const struct tr_track *raw, struct tr_strtab *strings,
                    const struct tr__interner *interner)
{
    struct tr__names *n = ctx;
    const struct given *process, *thread;
    if (!find_given(n, interner, raw, false, &process) || !find_given(n, interner, raw, true, &thread))
        return false;
    if (process)
        t->process_sort = process->sort;
    if (thread)
        t->thread_sort = thread->sort;
    return give_text(strings, process ? process->name : NULL, &t->process_name) &&
           give_text(strings, process ? process->labels : NULL, &t->labels) &&
           give_text(strings, thread ? thread->name : NULL, &t->thread_name);
}
