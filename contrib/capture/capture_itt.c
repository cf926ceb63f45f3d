/* SPDX-License-Identifier: MIT */
/*
 * Intel's ITT.  The static part in a program opens the library that INTEL_LIBITTNOTIFY64 names, calls __itt_api_init
 * in it once, and expects that the pointers in its list of functions are set: to a function here, or to one that does
 * nothing.  Domains, names and their handles stay; the layout of their structures, and the arguments of functions, are
 * those of ittnotify 3.
 *
 * Not recorded: synchronisation (sync, fsync), memory (heap), models, stitching of stacks, suppression, modules.
 */
#include "capture.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct itt_domain {
    volatile int flags; /* 0: switched off */
    const char *name;
};

struct itt_handle {
    const char *name;
};

struct itt_id {
    uint64_t d1, d2, d3;
};

struct itt_function {
    const char *name;
    void **function;
    void *at_first, *nothing;
    int group;
};

struct itt_global {
    unsigned char magic[8];
    unsigned long version[3];
    volatile long state[3];
    pthread_mutex_t mutex;
    void *library, *error_handler;
    const char **path;
    struct itt_function *functions;
};

/* Types of metadata and of counters. */
enum { ITT_UNKNOWN, ITT_U64, ITT_S64, ITT_U32, ITT_S32, ITT_U16, ITT_S16, ITT_FLOAT, ITT_DOUBLE };

#define TIMESTAMP_NONE UINT64_MAX

static bool is_ccl(const struct itt_domain *d)
{
    return d->name && strncmp(d->name, "oneCCL", 6) == 0;
}

static enum tr_rec_api api_of(const struct itt_domain *d)
{
    return is_ccl(d) ? TR_REC_ONECCL : TR_REC_ITT;
}

static bool is_used(const struct itt_domain *d)
{
    return d && d->flags;
}

static struct capture_text domain_text(const struct itt_domain *d)
{
    return d->name ? (struct capture_text){ d->name, CAPTURE_STRING, d } : CAPTURE_NONE;
}

/* ---- domains and names ---- */

/*
 * Made here, as those that the static part in oneTBB makes by itself have no name.  Whole structures, as programs may
 * look into them.
 */
struct itt_domain_made {
    int flags;
    char *name;
    void *wide;
    int extra1;
    void *extra2;
    struct itt_domain_made *next;
};
struct itt_handle_made {
    char *name;
    void *wide;
    int extra1;
    void *extra2;
    struct itt_handle_made *next;
};

/* A name, with what a program gets if it is that of a domain, or of a handle. */
static struct {
    pthread_mutex_t lock;
    struct made {
        struct made *next;
        struct itt_domain_made domain;
        struct itt_handle_made handle;
    } *first;
} made = { .lock = PTHREAD_MUTEX_INITIALIZER };

/* NULL: there is no name, or no memory. */
static struct made *made_of(const char *name)
{
    if (!name)
        return NULL;
    pthread_mutex_lock(&made.lock);
    struct made *m = made.first;
    while (m && strcmp(m->domain.name, name) != 0)
        m = m->next;
    char *copy = m ? NULL : strdup(name);
    if (copy && (m = calloc(1, sizeof *m))) {
        m->domain.flags = 1;
        m->domain.name = m->handle.name = copy;
        m->next = made.first;
        made.first = m;
        copy = NULL;
    }
    pthread_mutex_unlock(&made.lock);
    free(copy);
    return m;
}

static void *domain_create(const char *name)
{
    struct made *m = made_of(name);
    return m ? &m->domain : NULL;
}

static void *string_handle_create(const char *name)
{
    struct made *m = made_of(name);
    return m ? &m->handle : NULL;
}

/* ---- ids ---- */

static bool is_id(struct itt_id id)
{
    return id.d1 || id.d2 || id.d3;
}

/* Neither CAPTURE_INNERMOST nor CAPTURE_BEFORE. */
static uint64_t key_of(const struct itt_domain *d, struct itt_id id)
{
    const uint64_t k = UINT64_C(0x9e3779b97f4a7c15);
    uint64_t h = ((uintptr_t)d ^ id.d1) * k;
    h = ((h ^ h >> 31) + id.d2) * k;
    h = ((h ^ h >> 31) + id.d3) * k;
    return ((h ^ h >> 31) & UINT64_C(0x0fffffffffffffff)) | 1;
}

static char *add_hex(char *to, uint64_t v)
{
    unsigned digits = 1;
    while (digits < 16 && v >> 4 * digits)
        digits++;
    while (digits-- > 0)
        *to++ = "0123456789abcdef"[v >> 4 * digits & 15];
    return to;
}

/* As text, "7ffe2a10:3": the parts that are not zero at its end. */
#define ID_TEXT 52
static struct capture_text id_text(struct itt_id id, char text[ID_TEXT])
{
    char *end = add_hex(text, id.d1);
    if (id.d2 || id.d3) {
        *end++ = ':';
        end = add_hex(end, id.d2);
    }
    if (id.d3) {
        *end++ = ':';
        end = add_hex(end, id.d3);
    }
    return (struct capture_text){ text, (size_t)(end - text), NULL };
}

static void add_id(struct capture *c, uint64_t of, const char *key, struct itt_id id)
{
    char text[ID_TEXT];
    if (is_id(id))
        capture_arg_string(c, TR_REC_ITT, of, capture_kept(key), id_text(id, text));
}

/* ---- tasks ---- */

/* The name of a task; those of oneCCL are named as unitrace does it. */
static struct capture_text task_name(const struct itt_domain *d, const struct itt_handle *name, char text[TR_REC_TEXT])
{
    if (!name || !name->name)
        return capture_kept("task");
    if (!is_ccl(d))
        return (struct capture_text){ name->name, CAPTURE_STRING, name };
    snprintf(text, TR_REC_TEXT, "oneCCL::%s", name->name);
    return capture_text(text);
}

static void begin(const struct itt_domain *d, struct itt_id id, struct itt_id parent, struct capture_text name,
                  int64_t ts)
{
    struct capture *c = capture_in();
    if (!c)
        return;
    if (capture_begin_at(c, api_of(d), domain_text(d), name, ts)) {
        if (is_id(id))
            capture_id(c, api_of(d), key_of(d, id));
        add_id(c, CAPTURE_INNERMOST, "id", id);
        add_id(c, CAPTURE_INNERMOST, "parent", parent);
    }
    capture_out(c);
}

static void begin_named(const struct itt_domain *d, struct itt_id id, struct itt_id parent,
                        const struct itt_handle *name, int64_t ts)
{
    if (is_ccl(d)) {
        char text[TR_REC_TEXT];
        begin(d, id, parent, task_name(d, name, text), ts);
    } else {
        begin(d, id, parent, task_name(d, name, NULL), ts);
    }
}

static void task_begin(const struct itt_domain *d, struct itt_id id, struct itt_id parent, struct itt_handle *name)
{
    if (is_used(d))
        begin_named(d, id, parent, name, capture_now());
}

static void task_begin_fn(const struct itt_domain *d, struct itt_id id, struct itt_id parent, void *function)
{
    char text[32] = "0x";
    if (!is_used(d))
        return;
    *add_hex(text + 2, (uintptr_t)function) = '\0';
    begin(d, id, parent, capture_text(text), capture_now());
}

static void task_end(const struct itt_domain *d)
{
    struct capture *c = is_used(d) ? capture_in() : NULL;
    if (!c)
        return;
    capture_end(c, api_of(d), domain_text(d));
    capture_out(c);
}

/* Times are those of get_timestamp unless they are of another clock, whose zero is not known. */
static int64_t time_of(const void *clock, uint64_t ts)
{
    return clock || !ts || ts == TIMESTAMP_NONE ? capture_now() : (int64_t)ts;
}

static void task_begin_ex(const struct itt_domain *d, void *clock, uint64_t ts, struct itt_id id, struct itt_id parent,
                          struct itt_handle *name)
{
    if (is_used(d))
        begin_named(d, id, parent, name, time_of(clock, ts));
}

static void task_end_ex(const struct itt_domain *d, void *clock, uint64_t ts)
{
    struct capture *c = is_used(d) ? capture_in() : NULL;
    if (!c)
        return;
    capture_end_at(c, api_of(d), domain_text(d), time_of(clock, ts));
    capture_out(c);
}

/* ---- spans that overlap ---- */

static void open_span(const struct itt_domain *d, uint64_t key, struct itt_id id, struct itt_id parent,
                      struct capture_text name, int64_t ts)
{
    struct capture *c = capture_in();
    if (!c)
        return;
    if (capture_open(c, TR_REC_ITT, domain_text(d), name, key, ts)) {
        add_id(c, CAPTURE_BEFORE, "id", id);
        add_id(c, CAPTURE_BEFORE, "parent", parent);
    }
    capture_out(c);
}

static void close_span(uint64_t key, int64_t ts)
{
    struct capture *c = capture_in();
    if (!c)
        return;
    capture_close(c, TR_REC_ITT, key, ts);
    capture_out(c);
}

static struct capture_text handle_text(const struct itt_handle *name, const char *otherwise)
{
    return name && name->name ? (struct capture_text){ name->name, CAPTURE_STRING, name } : capture_kept(otherwise);
}

static void task_begin_overlapped(const struct itt_domain *d, struct itt_id id, struct itt_id parent,
                                  struct itt_handle *name)
{
    if (is_used(d))
        open_span(d, key_of(d, id), id, parent, handle_text(name, "task"), capture_now());
}

static void task_begin_overlapped_ex(const struct itt_domain *d, void *clock, uint64_t ts, struct itt_id id,
                                     struct itt_id parent, struct itt_handle *name)
{
    if (is_used(d))
        open_span(d, key_of(d, id), id, parent, handle_text(name, "task"), time_of(clock, ts));
}

static void task_end_overlapped(const struct itt_domain *d, struct itt_id id)
{
    if (is_used(d))
        close_span(key_of(d, id), capture_now());
}

static void task_end_overlapped_ex(const struct itt_domain *d, void *clock, uint64_t ts, struct itt_id id)
{
    if (is_used(d))
        close_span(key_of(d, id), time_of(clock, ts));
}

static void region_begin(const struct itt_domain *d, struct itt_id id, struct itt_id parent, struct itt_handle *name)
{
    if (is_used(d))
        open_span(d, key_of(d, id) + 2, id, parent, handle_text(name, "region"), capture_now());
}

static void region_end(const struct itt_domain *d, struct itt_id id)
{
    if (is_used(d))
        close_span(key_of(d, id) + 2, capture_now());
}

/* A frame without an id is that of its domain. */
static struct itt_id frame_id(const struct itt_id *id)
{
    return id ? *id : (struct itt_id){ 0, 0, 0 };
}

static struct capture_text frame_name(const struct itt_domain *d)
{
    return d->name ? domain_text(d) : capture_kept("frame");
}

static void frame_begin(const struct itt_domain *d, struct itt_id *id)
{
    if (is_used(d))
        open_span(d, key_of(d, frame_id(id)) + 4, frame_id(id), frame_id(NULL), frame_name(d), capture_now());
}

static void frame_end(const struct itt_domain *d, struct itt_id *id)
{
    if (is_used(d))
        close_span(key_of(d, frame_id(id)) + 4, capture_now());
}

static void frame_submit(const struct itt_domain *d, struct itt_id *id, uint64_t from, uint64_t to)
{
    uint64_t key = UINT64_C(1) << 59 | capture_number();
    if (!is_used(d))
        return;
    open_span(d, key, frame_id(id), frame_id(NULL), frame_name(d), time_of(NULL, from));
    close_span(key, time_of(NULL, to));
}

/* ---- events, the older form of tasks ---- */

static struct {
    pthread_mutex_t lock;
    char **names;
    int n;
} events = { .lock = PTHREAD_MUTEX_INITIALIZER };

static int event_create(const char *name, int len)
{
    int number = 0; /* none */
    char *copy = name && len >= 0 ? strndup(name, (size_t)len) : NULL;
    pthread_mutex_lock(&events.lock);
    char **names = copy ? realloc(events.names, ((size_t)events.n + 1) * sizeof *names) : NULL;
    if (names) {
        events.names = names;
        names[events.n++] = copy;
        number = events.n;
    } else {
        free(copy);
    }
    pthread_mutex_unlock(&events.lock);
    return number;
}

static const char *event_name(int number)
{
    pthread_mutex_lock(&events.lock);
    const char *name = number > 0 && number <= events.n ? events.names[number - 1] : NULL;
    pthread_mutex_unlock(&events.lock);
    return name;
}

/* An event is open once in each thread. */
static uint64_t event_key(const struct capture *c, int number)
{
    return key_of(NULL, (struct itt_id){ (uintptr_t)c, (uint64_t)number, 1 }) + 6;
}

static int event_start(int number)
{
    const char *name = event_name(number);
    struct capture *c = name ? capture_in() : NULL;
    if (!c)
        return 0;
    capture_open(c, TR_REC_ITT, CAPTURE_NONE, capture_kept(name), event_key(c, number), capture_now());
    capture_out(c);
    return 0;
}

static int event_end(int number)
{
    struct capture *c = event_name(number) ? capture_in() : NULL;
    if (!c)
        return 0;
    capture_close(c, TR_REC_ITT, event_key(c, number), capture_now());
    capture_out(c);
    return 0;
}

/* ---- markers, metadata, relations ---- */

static void marker(const struct itt_domain *d, struct itt_id id, struct itt_handle *name, int scope)
{
    static const char *const scopes[] = { "unknown", "global", "track_group", "track", "task", "marker" };
    struct capture *c = is_used(d) ? capture_in() : NULL;
    if (!c)
        return;
    if (capture_mark(c, TR_REC_ITT, domain_text(d), handle_text(name, "marker"), capture_now())) {
        if (scope > 0 && (size_t)scope < sizeof scopes / sizeof *scopes)
            capture_arg_text(c, "scope", capture_kept(scopes[scope]));
        add_id(c, CAPTURE_BEFORE, "id", id);
    }
    capture_out(c);
}

/* One value of a type as the bits of an int64_t, uint64_t or double. */
static uint64_t value_of(int type, const void *p, size_t i, enum tr_rec_value *as)
{
    union {
        double real;
        uint64_t bits;
    } v;
    *as = type == ITT_S64 || type == ITT_S32 || type == ITT_S16 ? TR_REC_INT : TR_REC_UINT;
    switch (type) {
    case ITT_S64:
        return (uint64_t)((const int64_t *)p)[i];
    case ITT_U32:
        return ((const uint32_t *)p)[i];
    case ITT_S32:
        return (uint64_t)((const int32_t *)p)[i];
    case ITT_U16:
        return ((const uint16_t *)p)[i];
    case ITT_S16:
        return (uint64_t)((const int16_t *)p)[i];
    case ITT_FLOAT:
        *as = TR_REC_REAL;
        v.real = (double)((const float *)p)[i];
        return v.bits;
    case ITT_DOUBLE:
        *as = TR_REC_REAL;
        v.real = ((const double *)p)[i];
        return v.bits;
    default:
        return ((const uint64_t *)p)[i];
    }
}

/* Several values as text: "1, 2, 3". */
static size_t list_values(int type, const void *p, size_t count, char *text, size_t n)
{
    size_t at = 0;
    for (size_t i = 0; i < count && at + 32 < n; i++) {
        enum tr_rec_value as;
        uint64_t v = value_of(type, p, i, &as);
        double real;
        memcpy(&real, &v, sizeof real);
        const char *comma = i ? ", " : "";
        int len = as == TR_REC_REAL  ? snprintf(text + at, n - at, "%s%.17g", comma, real)
                  : as == TR_REC_INT ? snprintf(text + at, n - at, "%s%lld", comma, (long long)v)
                                     : snprintf(text + at, n - at, "%s%llu", comma, (unsigned long long)v);
        at += len > 0 ? (size_t)len : 0;
    }
    return at;
}

/* The event that metadata is of.  Without a task, it is a mark, with the name of the metadata.  False: none. */
static bool event_of(const struct itt_domain *d, struct itt_id id, struct capture *c, struct capture_text name,
                     uint64_t *of)
{
    *of = is_id(id) ? key_of(d, id) : CAPTURE_INNERMOST;
    if (is_id(id) || capture_ends(c, api_of(d), domain_text(d)))
        return true;
    *of = CAPTURE_BEFORE;
    return capture_depth(c, api_of(d), domain_text(d)) == 0 &&
           capture_mark(c, TR_REC_ITT, domain_text(d), name, capture_now());
}

/* How an arg is named: as the metadata, unless that is the name of its mark. */
static struct capture_text arg_name(struct capture_text key, uint64_t of)
{
    return of == CAPTURE_BEFORE ? capture_kept("value") : key;
}

static void metadata_add(const struct itt_domain *d, struct itt_id id, struct itt_handle *key, int type, size_t count,
                         void *data)
{
    struct capture *c = is_used(d) && key && data && count ? capture_in() : NULL;
    uint64_t of;
    if (c && type > ITT_UNKNOWN && type <= ITT_DOUBLE && event_of(d, id, c, handle_text(key, "metadata"), &of)) {
        const struct capture_text name = arg_name(handle_text(key, "metadata"), of);
        enum tr_rec_value as;
        char text[1024];
        if (count == 1) {
            uint64_t v = value_of(type, data, 0, &as);
            capture_arg(c, api_of(d), of, name, as, v);
        } else {
            size_t n = list_values(type, data, count, text, sizeof text);
            capture_arg_string(c, api_of(d), of, name, (struct capture_text){ text, n, NULL });
        }
    }
    if (c)
        capture_out(c);
}

static void metadata_str_add(const struct itt_domain *d, struct itt_id id, struct itt_handle *key, const char *data,
                             size_t len)
{
    struct capture *c = is_used(d) && key && data ? capture_in() : NULL;
    uint64_t of;
    if (c && event_of(d, id, c, handle_text(key, "metadata"), &of))
        capture_arg_string(c, api_of(d), of, arg_name(handle_text(key, "metadata"), of),
                           (struct capture_text){ data, len ? strnlen(data, len) : CAPTURE_STRING, NULL });
    if (c)
        capture_out(c);
}

static void add_relation(const struct itt_domain *d, struct itt_id id, int relation, struct itt_id tail)
{
    static const char *const names[] = { "related_to",   "depends_on",   "sibling_of", "parent_of", "continues",
                                         "child_of",     "continued_by", "predecessor_of" };
    struct capture *c = is_used(d) ? capture_in() : NULL;
    if (c && relation >= 0 && (size_t)relation < sizeof names / sizeof *names &&
        (is_id(id) || capture_ends(c, api_of(d), domain_text(d))))
        add_id(c, is_id(id) ? key_of(d, id) : CAPTURE_INNERMOST, names[relation], tail);
    if (c)
        capture_out(c);
}

static void relation_add(const struct itt_domain *d, struct itt_id head, int relation, struct itt_id tail)
{
    add_relation(d, head, relation, tail);
}

static void relation_add_to_current(const struct itt_domain *d, int relation, struct itt_id tail)
{
    add_relation(d, (struct itt_id){ 0, 0, 0 }, relation, tail);
}

/* ---- counters ---- */

struct counter {
    const char *name, *domain; /* owned; stay */
    const void *of_domain, *of_name; /* of a counter that is named by handles */
    int type;
    _Atomic uint64_t sum;
    struct counter *next;
};
static struct {
    pthread_mutex_t lock;
    struct counter *first;
} counters = { .lock = PTHREAD_MUTEX_INITIALIZER };

static struct counter *counter_make(const char *name, const char *domain, int type)
{
    struct counter *k = calloc(1, sizeof *k);
    if (!k)
        return NULL;
    k->name = strdup(name ? name : "counter");
    k->domain = domain ? strdup(domain) : NULL;
    k->type = type;
    return k;
}

static void *counter_create_typed(const char *name, const char *domain, int type)
{
    return counter_make(name, domain, type);
}

static void *counter_create(const char *name, const char *domain)
{
    return counter_make(name, domain, ITT_U64);
}

static void put_counter(struct counter *k, enum tr_rec_value as, uint64_t value, int64_t ts)
{
    struct capture *c = k && k->name ? capture_in() : NULL;
    if (!c)
        return;
    capture_counter(c, TR_REC_ITT, k->domain ? capture_kept(k->domain) : CAPTURE_NONE, capture_kept(k->name), as, value,
                    ts);
    capture_out(c);
}

static void counter_set_value_ex(void *counter, void *clock, uint64_t ts, void *value)
{
    struct counter *k = counter;
    enum tr_rec_value as = TR_REC_UINT;
    if (!k || !value)
        return;
    uint64_t v = value_of(k->type, value, 0, &as);
    atomic_store(&k->sum, v);
    put_counter(k, as, v, time_of(clock, ts));
}

static void counter_set_value(void *counter, void *value)
{
    counter_set_value_ex(counter, NULL, 0, value);
}

static void counter_add(struct counter *k, uint64_t delta)
{
    if (k)
        put_counter(k, TR_REC_INT, atomic_fetch_add(&k->sum, delta) + delta, capture_now());
}

static void counter_inc(void *counter)
{
    counter_add(counter, 1);
}

static void counter_dec(void *counter)
{
    counter_add(counter, UINT64_MAX);
}

static void counter_inc_delta(void *counter, uint64_t delta)
{
    counter_add(counter, delta);
}

static void counter_dec_delta(void *counter, uint64_t delta)
{
    counter_add(counter, 0 - delta);
}

/* The counter with this name in the domain. */
static struct counter *counter_of(const struct itt_domain *d, const struct itt_handle *name)
{
    if (!is_used(d) || !name || !name->name)
        return NULL;
    pthread_mutex_lock(&counters.lock);
    struct counter *k = counters.first;
    while (k && (k->of_domain != d || k->of_name != name))
        k = k->next;
    if (!k && (k = counter_make(name->name, d->name, ITT_U64))) {
        k->of_domain = d;
        k->of_name = name;
        k->next = counters.first;
        counters.first = k;
    }
    pthread_mutex_unlock(&counters.lock);
    return k;
}

static void counter_inc_v3(const struct itt_domain *d, struct itt_handle *name)
{
    counter_add(counter_of(d, name), 1);
}

static void counter_dec_v3(const struct itt_domain *d, struct itt_handle *name)
{
    counter_add(counter_of(d, name), UINT64_MAX);
}

static void counter_inc_delta_v3(const struct itt_domain *d, struct itt_handle *name, uint64_t delta)
{
    counter_add(counter_of(d, name), delta);
}

static void counter_dec_delta_v3(const struct itt_domain *d, struct itt_handle *name, uint64_t delta)
{
    counter_add(counter_of(d, name), 0 - delta);
}

/* ---- control ---- */

static void pause_all(void)
{
    capture_pause(true);
}

static void resume_all(void)
{
    capture_pause(false);
}

static void thread_set_name(const char *name)
{
    struct capture *c = name ? capture_in() : NULL;
    if (!c)
        return;
    capture_thread_name(c, name);
    capture_out(c);
}

static int thr_name_set(const char *name, int len)
{
    char text[256];
    if (name && len > 0) {
        snprintf(text, sizeof text, "%.*s", len, name);
        thread_set_name(text);
    }
    return 0;
}

static uint64_t get_timestamp(void)
{
    return (uint64_t)capture_now();
}

/* ---- the list of functions ---- */

#define FUNCTION(name, function) { "__itt_" name, (void *)(uintptr_t)(function) }
static const struct {
    const char *name;
    void *function;
} functions[] = {
    FUNCTION("domain_create", domain_create),
    FUNCTION("string_handle_create", string_handle_create),
    FUNCTION("task_begin", task_begin),
    FUNCTION("task_begin_fn", task_begin_fn),
    FUNCTION("task_end", task_end),
    FUNCTION("task_begin_ex", task_begin_ex),
    FUNCTION("task_end_ex", task_end_ex),
    FUNCTION("task_begin_overlapped", task_begin_overlapped),
    FUNCTION("task_begin_overlapped_ex", task_begin_overlapped_ex),
    FUNCTION("task_end_overlapped", task_end_overlapped),
    FUNCTION("task_end_overlapped_ex", task_end_overlapped_ex),
    FUNCTION("region_begin", region_begin),
    FUNCTION("region_end", region_end),
    FUNCTION("frame_begin_v3", frame_begin),
    FUNCTION("frame_end_v3", frame_end),
    FUNCTION("frame_submit_v3", frame_submit),
    FUNCTION("event_create", event_create),
    FUNCTION("event_start", event_start),
    FUNCTION("event_end", event_end),
    FUNCTION("marker", marker),
    FUNCTION("metadata_add", metadata_add),
    FUNCTION("metadata_str_add", metadata_str_add),
    FUNCTION("relation_add", relation_add),
    FUNCTION("relation_add_to_current", relation_add_to_current),
    FUNCTION("counter_create", counter_create),
    FUNCTION("counter_create_typed", counter_create_typed),
    FUNCTION("counter_set_value", counter_set_value),
    FUNCTION("counter_set_value_ex", counter_set_value_ex),
    FUNCTION("counter_inc", counter_inc),
    FUNCTION("counter_dec", counter_dec),
    FUNCTION("counter_inc_delta", counter_inc_delta),
    FUNCTION("counter_dec_delta", counter_dec_delta),
    FUNCTION("counter_inc_v3", counter_inc_v3),
    FUNCTION("counter_dec_v3", counter_dec_v3),
    FUNCTION("counter_inc_delta_v3", counter_inc_delta_v3),
    FUNCTION("counter_dec_delta_v3", counter_dec_delta_v3),
    FUNCTION("pause", pause_all),
    FUNCTION("resume", resume_all),
    FUNCTION("detach", pause_all),
    FUNCTION("thread_set_name", thread_set_name),
    FUNCTION("thr_name_set", thr_name_set),
    FUNCTION("get_timestamp", get_timestamp),
};

static void *function_of(const char *name)
{
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        if (strcmp(functions[i].name, name) == 0)
            return functions[i].function;
    return NULL;
}

void __itt_api_init(struct itt_global *global, int groups);

__attribute__((visibility("default"))) void __itt_api_init(struct itt_global *global, int groups)
{
    for (struct itt_function *f = global ? global->functions : NULL; f && f->name; f++) {
        void *function = f->group == 0 || (f->group & groups) ? function_of(f->name) : NULL;
        *f->function = function ? function : f->nothing;
    }
}
