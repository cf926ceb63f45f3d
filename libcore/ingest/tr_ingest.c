/* The builder: what a format says of one event after the other becomes rows of a lane. */
#include "ingest/tr_ingest_int.h"

#include "vendor/tr_vocab.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PIECE_BYTES ((size_t)4 << 20) /* of rows, before they go to the sort */
#define MAX_TEXT    (15u << 20) /* of one text, so that it fits a row of a stream; longer ones are left out */
#define MAX_ARGS    30000u

/* Keys that are no number of the source stand below this. */
#define LINK_NAMED (-(INT64_C(1) << 62))

/* The link of the event being told: its key waits for the track. */
struct link {
    bool set, is_text;
    enum tr_link_scope scope;
    int64_t number;
    struct tr_buf text;
};

struct tr_ingest {
    const struct tr_ingest_reader *reader;
    void *ctx;
    struct tr_ingest_bytes bytes;
    struct tr__load *load;
    struct tr__lane lane;
    struct tr__piece piece; /* of a sorted input */
    struct tr_strtab *links; /* keys that are no plain number of the source */
    bool ended, done, damaged, no_memory; /* bytes have ended; the reader has said TR_END */
    uint64_t offset; /* bytes read */
    int64_t rank, base_ns; /* rank -1: not told */
    bool has_base;
    /* the event being told */
    struct tr__event event;
    enum tr_phase phase;
    int activity; /* -1: by category and name */
    uint64_t record;
    struct tr_ingest_track track;
    struct link link;
    bool is_step;
    int64_t step;
    struct tr_slot *slots;
    size_t n_slots, n_args, cap_slots;
    struct tr_buf values;
    struct { /* keys of the members that every event has */
        uint32_t ph, name, cat, pid, tid, ts, dur, args;
    } keys;
};

/* ---- bytes ---- */

enum tr_status tr_ingest_read(struct tr_ingest *g, void *buf, size_t cap, size_t *got, struct tr_error *err)
{
    *got = 0;
    if (g->ended)
        return TR_END;
    enum tr_status st = g->bytes.read(g->bytes.ctx, buf, cap, got, err);
    if (st == TR_OK) {
        g->offset += *got;
        if (g->load->opts->progress)
            g->load->opts->progress(g->load->opts->progress_ctx, g->offset, 0);
        return TR_OK;
    }
    if (st == TR_DAMAGED && !g->load->opts->strict) {
        *err = (struct tr_error)TR_ERROR_INIT;
        g->damaged = true;
        st = TR_END;
    }
    g->ended = st == TR_END;
    return st;
}

enum tr_status tr_ingest_rewind(struct tr_ingest *g, struct tr_error *err)
{
    g->ended = false;
    g->offset = 0;
    return g->bytes.rewind(g->bytes.ctx, err);
}

/* ---- events ---- */

void tr_ingest_begin(struct tr_ingest *g, enum tr_phase phase, int64_t ts_ns, int64_t dur_ns)
{
    tr__event_clear(&g->event);
    g->event.ts = ts_ns;
    g->event.dur = dur_ns;
    g->phase = phase;
    g->activity = -1;
    g->record = 0;
    g->track = (struct tr_ingest_track){ TR_SIDE_HOST, TR_TIME_NONE, TR_TIME_NONE, TR_TIME_NONE, TR_TIME_NONE,
                                         TR_TIME_NONE };
    g->link.set = g->is_step = false;
    g->n_slots = 8; /* room for the members that every event has */
    g->n_args = 0;
    g->values.len = 0;
}

void tr_ingest_record(struct tr_ingest *g, uint64_t record)
{
    g->record = record;
}

static uint32_t text_of(struct tr_ingest *g, const char *text, size_t len, bool is_json)
{
    if (len > MAX_TEXT) {
        tr__count(g->lane.piece, TR_CAUSE_TOO_LONG, g->offset);
        return TR_NO_STR;
    }
    uint32_t id = tr__intern_text(&g->lane.interner, text, len, is_json);
    g->no_memory |= id == TR_NO_STR;
    return id;
}

void tr_ingest_name(struct tr_ingest *g, const char *name, size_t len)
{
    g->event.name = text_of(g, name, len, false);
}

void tr_ingest_category(struct tr_ingest *g, const char *cat, size_t len)
{
    g->event.cat = text_of(g, cat, len, false);
}

void tr_ingest_activity(struct tr_ingest *g, enum tr_activity activity)
{
    g->activity = (int)activity;
}

void tr_ingest_track(struct tr_ingest *g, const struct tr_ingest_track *track)
{
    g->track = *track;
}

void tr_ingest_correlate(struct tr_ingest *g, enum tr_link_scope scope, int64_t key)
{
    g->link.set = true;
    g->link.is_text = false;
    g->link.scope = scope;
    g->link.number = key;
}

void tr_ingest_correlate_text(struct tr_ingest *g, enum tr_link_scope scope, const char *key, size_t len)
{
    g->link.set = g->link.is_text = true;
    g->link.scope = scope;
    g->link.text.len = 0;
    g->no_memory |= !tr_buf_add(&g->link.text, key, len);
}

void tr_ingest_step(struct tr_ingest *g, int64_t number)
{
    g->is_step = true;
    g->step = number;
}

/* One more member of the event; its value is given by the caller. */
static bool add_slot(struct tr_ingest *g, const char *key, enum tr_type type)
{
    if (g->n_args >= MAX_ARGS) {
        tr__count(g->lane.piece, TR_CAUSE_TOO_LONG, g->offset);
        return false;
    }
    uint32_t id = text_of(g, key, strlen(key), false);
    if (id == TR_NO_STR || !tr_grow(&g->slots, &g->cap_slots, g->n_slots + 1, sizeof *g->slots)) {
        g->no_memory = true;
        return false;
    }
    g->slots[g->n_slots++] = (struct tr_slot){ id, UINT32_MAX, TR_PLACE_ARGS, TR_ROLE_COLUMN, (uint8_t)type };
    g->n_args++;
    return true;
}

static void add_number(struct tr_ingest *g, const char *key, enum tr_type type, int64_t bits)
{
    if (add_slot(g, key, type))
        g->no_memory |= !tr_buf_add(&g->values, &bits, 8);
}

static void add_text(struct tr_ingest *g, const char *key, enum tr_type type, const char *text, size_t len)
{
    uint32_t id = text_of(g, text, len, type != TR_T_STRING);
    if (id != TR_NO_STR && add_slot(g, key, type))
        g->no_memory |= !tr_buf_add(&g->values, &id, 4);
}

void tr_ingest_arg_int(struct tr_ingest *g, const char *key, int64_t value)
{
    add_number(g, key, TR_T_INT, value);
}

void tr_ingest_arg_real(struct tr_ingest *g, const char *key, double value)
{
    int64_t bits;
    memcpy(&bits, &value, 8);
    if (value - value == 0) /* infinity and what is no number have no form in JSON */
        add_number(g, key, TR_T_DOUBLE, bits);
}

void tr_ingest_arg_text(struct tr_ingest *g, const char *key, const char *text, size_t len)
{
    add_text(g, key, TR_T_STRING, text, len);
}

void tr_ingest_arg_json(struct tr_ingest *g, const char *key, const char *json, size_t len)
{
    add_text(g, key, TR_T_JSON, json, len);
}

/* The number of the link's key: of plain numbers of the source themselves, of others by content. */
static int64_t link_number(struct tr_ingest *g)
{
    const struct link *k = &g->link;
    const struct tr_ingest_track *t = &g->track;
    if (!k->is_text && k->scope == TR_LINK_SOURCE && k->number != 0 && k->number > LINK_NAMED)
        return k->number;
    const int64_t head[] = {
        k->scope, k->is_text, k->scope == TR_LINK_SOURCE ? 0 : t->pid, k->scope == TR_LINK_CONTEXT ? t->device : 0,
        k->scope == TR_LINK_CONTEXT ? t->context : 0, k->is_text ? 0 : k->number,
    };
    struct tr_buf key = { 0 };
    bool ok = tr_buf_add(&key, head, sizeof head) && (!k->is_text || tr_buf_add(&key, k->text.data, k->text.len));
    uint32_t id = ok ? tr_strtab_add(g->links, key.data, key.len) : TR_NO_STR;
    g->no_memory |= id == TR_NO_STR;
    tr_buf_free(&key);
    return LINK_NAMED - (int64_t)id;
}

static struct tr_slot member(uint32_t key, enum tr_role role, enum tr_type type)
{
    return (struct tr_slot){ key, UINT32_MAX, TR_PLACE_TOP, (uint8_t)role, (uint8_t)type };
}

/* The shape of the event: members that every event has, as far as this one has them, then args. */
static uint32_t shape_of(struct tr_ingest *g, char ph)
{
    struct tr_slot top[8];
    size_t n = 0;
    top[n++] = member(g->keys.ph, TR_ROLE_PHASE, TR_T_STRING);
    if (g->event.name != TR_NO_STR)
        top[n++] = member(g->keys.name, TR_ROLE_NAME, TR_T_STRING);
    if (g->event.cat != TR_NO_STR)
        top[n++] = member(g->keys.cat, TR_ROLE_CAT, TR_T_STRING);
    if (g->event.pid_type != TR_T_NULL)
        top[n++] = member(g->keys.pid, TR_ROLE_PID, TR_T_INT);
    if (g->event.tid_type != TR_T_NULL)
        top[n++] = member(g->keys.tid, TR_ROLE_TID, TR_T_INT);
    if (g->event.ts != TR_TIME_NONE)
        top[n++] = member(g->keys.ts, TR_ROLE_TS, TR_T_INT);
    if (g->event.dur != TR_TIME_NONE)
        top[n++] = member(g->keys.dur, TR_ROLE_DUR, TR_T_INT);
    if (g->n_args)
        top[n++] = member(g->keys.args, TR_ROLE_ARGS, TR_T_JSON);
    struct tr_slot *first = g->slots + 8 - n;
    memcpy(first, top, n * sizeof *top);
    return tr__intern_shape(&g->lane.interner, first, (uint32_t)(n + g->n_args), ph);
}

static void set_track(struct tr_ingest *g)
{
    struct tr__event *e = &g->event;
    const struct tr_ingest_track *t = &g->track;
    e->pid_type = t->pid == TR_TIME_NONE ? TR_T_NULL : TR_T_INT;
    e->tid_type = t->tid == TR_TIME_NONE ? TR_T_NULL : TR_T_INT;
    e->pid = t->pid == TR_TIME_NONE ? 0 : t->pid;
    e->tid = t->tid == TR_TIME_NONE ? 0 : t->tid;
    e->device = t->device;
    e->context = t->context;
    e->stream = t->stream;
}

static void classify(const struct tr_ingest *g, struct tr_row *row)
{
    const struct tr__interner *s = &g->lane.interner;
    const struct tr__text *name = g->event.name == TR_NO_STR ? NULL : &s->texts[g->event.name];
    enum tr_activity of_category =
        g->event.cat == TR_NO_STR ? TR_ACT_OTHER : (enum tr_activity)s->texts[g->event.cat].category;
    enum tr_vocab_name of_name = name ? (enum tr_vocab_name)name->name : TR_NAME_PLAIN;
    row->activity = (uint8_t)(g->activity >= 0 ? (enum tr_activity)g->activity
                                               : tr_vocab_activity(of_category, of_name, g->phase));
    row->kind = (uint8_t)(row->activity == TR_ACT_KERNEL ? name ? name->kernel_kind : TR_KIND_COMPUTE
                          : tr_is_device_work(row->activity) ? TR_KIND_MEMORY : TR_KIND_NONE);
}

static bool add_event(struct tr_ingest *g)
{
    struct tr__event *e = &g->event;
    set_track(g);
    uint32_t shape = shape_of(g, tr_vocab_letter(g->phase));
    unsigned char *mem = tr_rows_reserve(&g->lane.piece->rows, TR_ROW_HEADER + g->values.len + 16);
    if (shape == UINT32_MAX || !mem)
        return false;
    struct tr_row *row = (struct tr_row *)(void *)mem;
    row->record = g->record;
    row->shape = shape;
    row->phase = (uint8_t)g->phase;
    row->has_link = g->link.set;
    classify(g, row);
    e->out = mem + TR_ROW_HEADER;
    if (g->link.set) {
        e->correlation = link_number(g);
        memcpy(e->out, &e->correlation, 8);
        e->out += 8;
    }
    if (g->values.len)
        memcpy(e->out, g->values.data, g->values.len);
    e->out += g->values.len;
    if (g->no_memory || !tr__lane_add(&g->lane, e, row))
        return false;
    if (!g->is_step || row->ts == TR_TIME_NONE || row->dur == TR_TIME_NONE || row->suspect != TR_SUSPECT_NO)
        return true;
    struct tr_step step = { g->step, row->ts, row->ts + row->dur, row->track };
    return tr_summary_add_step(&g->lane.piece->sum, &step);
}

enum tr_status tr_ingest_end(struct tr_ingest *g, struct tr_error *err)
{
    return add_event(g) ? TR_OK : tr__lane_failed(&g->lane, err);
}

/* ---- the source ---- */

void tr_ingest_rank(struct tr_ingest *g, int64_t rank)
{
    g->rank = rank;
}

void tr_ingest_host(struct tr_ingest *g, const char *host, size_t len)
{
    struct tr__file *f = &g->load->file;
    snprintf(f->host, sizeof f->host, "%.*s", (int)(len < sizeof f->host ? len : sizeof f->host - 1), host);
}

void tr_ingest_base(struct tr_ingest *g, int64_t base_ns)
{
    g->has_base = true;
    g->base_ns = base_ns;
}

void tr_ingest_header(struct tr_ingest *g, const char *key, const char *json, size_t len)
{
    struct tr__piece *pc = g->lane.piece;
    size_t key_len = strlen(key);
    struct tr__header_entry h = { malloc(key_len + 1), malloc(len + 1), key_len, len };
    if (!h.key || !h.value || !tr_grow(&pc->header, &pc->cap_header, pc->n_header + 1, sizeof h)) {
        free(h.key);
        free(h.value);
        g->no_memory = true;
        return;
    }
    memcpy(h.key, key, key_len + 1);
    memcpy(h.value, json, len);
    h.value[len] = '\0';
    pc->header[pc->n_header++] = h;
}

void tr_ingest_bare_array(struct tr_ingest *g)
{
    g->lane.piece->bare_array = true;
}

static void name_track(struct tr_ingest *g, const struct tr__track_name *of, const char *name, size_t len)
{
    struct tr__piece *pc = g->lane.piece;
    struct tr__track_name t = *of;
    t.pid_type = TR_T_INT;
    t.tid_type = t.has_tid ? TR_T_INT : TR_T_NULL;
    t.interner = g->lane.interner_no;
    t.text = name ? text_of(g, name, len, false) : TR_NO_STR;
    if (!tr_grow(&pc->names, &pc->cap_names, pc->n_names + 1, sizeof t))
        g->no_memory = true;
    else
        pc->names[pc->n_names++] = t;
}

void tr_ingest_process(struct tr_ingest *g, int64_t pid, const char *name, size_t len, int64_t sort)
{
    struct tr__track_name t = { .what = TR_NAME_PROCESS_NAME, .pid = pid, .number = sort };
    name_track(g, &t, name, len);
    t.what = TR_NAME_PROCESS_SORT;
    if (sort != TR_TIME_NONE)
        name_track(g, &t, NULL, 0);
}

void tr_ingest_thread(struct tr_ingest *g, int64_t pid, int64_t tid, const char *name, size_t len, int64_t sort)
{
    struct tr__track_name t = { .what = TR_NAME_THREAD_NAME, .pid = pid, .tid = tid, .has_tid = true, .number = sort };
    name_track(g, &t, name, len);
    t.what = TR_NAME_THREAD_SORT;
    if (sort != TR_TIME_NONE)
        name_track(g, &t, NULL, 0);
}

void tr_ingest_damaged(struct tr_ingest *g, enum tr_cause cause, uint64_t offset)
{
    tr__count(g->lane.piece, cause, offset);
}

/* ---- the driver ---- */

static bool prepare(void *ctx, struct tr__load *l)
{
    struct tr_ingest *g = ctx;
    static const char *const names[] = { "ph", "name", "cat", "pid", "tid", "ts", "dur", "args" };
    uint32_t *const ids[] = { &g->keys.ph, &g->keys.name, &g->keys.cat, &g->keys.pid,
                              &g->keys.tid, &g->keys.ts, &g->keys.dur, &g->keys.args };
    g->load = l;
    g->links = tr_strtab_new();
    bool ok = g->links && tr__load_lane(l, &g->lane) && tr_grow(&g->slots, &g->cap_slots, 16, sizeof *g->slots);
    for (size_t i = 0; ok && i < sizeof names / sizeof names[0]; i++) {
        *ids[i] = tr__intern_text(&g->lane.interner, names[i], strlen(names[i]), false);
        ok = *ids[i] != TR_NO_STR;
    }
    return ok;
}

static enum tr_status commit(struct tr_ingest *g, struct tr_error *err)
{
    enum tr_status st = g->no_memory ? tr__lane_failed(&g->lane, err) : tr__piece_sort(g->lane.piece, err);
    if (st == TR_OK)
        st = tr__commit_findings(&g->load->file, g->lane.piece, g->lane.interner_no, err);
    if (st == TR_OK)
        st = tr__commit_rows(g->load, g->lane.piece, err);
    tr__piece_reset(&g->lane, &g->piece, g->load->pool);
    return st;
}

static enum tr_status read_all(void *ctx, struct tr__load *l, struct tr_error *err)
{
    struct tr_ingest *g = ctx;
    enum tr_status st = TR_OK;
    tr__piece_reset(&g->lane, &g->piece, l->pool);
    while (st == TR_OK) {
        st = g->reader->read(g->ctx, g, err);
        if ((st == TR_OK && g->piece.rows.bytes > PIECE_BYTES) || st == TR_END) {
            enum tr_status done = commit(g, err);
            st = done == TR_OK ? st : done;
        }
    }
    return st == TR_END ? TR_OK : st;
}

static enum tr_status next_piece(void *ctx, struct tr__load *l, struct tr__piece *piece, struct tr_error *err)
{
    struct tr_ingest *g = ctx;
    enum tr_status st = TR_OK;
    if (g->done)
        return TR_END;
    tr__piece_reset(&g->lane, piece, l->pool);
    while (st == TR_OK && piece->n_refs + piece->n_ends == 0)
        st = g->reader->read(g->ctx, g, err);
    g->done = st != TR_OK;
    if (st != TR_OK && st != TR_END) {
        tr_error_input(err, l->file.name);
        return st;
    }
    if (g->no_memory)
        return tr__lane_failed(&g->lane, err);
    return tr__commit_findings(&l->file, piece, g->lane.interner_no, err);
}

static enum tr_status understand(void *ctx, struct tr__load *l, struct tr_error *err)
{
    struct tr_ingest *g = ctx;
    (void)err;
    tr__bytes_ended(&l->file, &g->bytes, g->damaged, g->ended, g->offset);
    tr__find_rank(l, g->rank);
    if (g->has_base)
        tr__set_base(&l->file, g->base_ns);
    return TR_OK;
}

static void close_bytes(void *ctx)
{
    struct tr_ingest *g = ctx;
    tr__piece_free(&g->piece); /* its rows are the load's, which goes before this */
    if (g->bytes.close)
        g->bytes.close(g->bytes.ctx);
    g->bytes.close = NULL;
}

static void release(void *ctx)
{
    struct tr_ingest *g = ctx;
    if (g->reader->free)
        g->reader->free(g->ctx);
    tr_strtab_free(g->links);
    tr_buf_free(&g->link.text);
    tr_buf_free(&g->values);
    free(g->slots);
    free(g);
}

enum tr_status tr_ingest_open(struct tr_input **out, const struct tr_ingest_reader *reader, void *ctx,
                              const struct tr_ingest_bytes *bytes, const struct tr_open_opts *opts,
                              struct tr_error *err)
{
    static const struct tr__driver driver = { .prepare = prepare, .read = read_all, .next = next_piece,
                                              .understand = understand, .close = close_bytes, .free = release };
    struct tr_ingest *g = calloc(1, sizeof *g);
    if (!g) {
        if (reader->free)
            reader->free(ctx);
        if (bytes->close)
            bytes->close(bytes->ctx);
        return tr_fail_memory(err);
    }
    g->reader = reader;
    g->ctx = ctx;
    g->bytes = *bytes;
    g->rank = -1;
    return tr__ingest_open(out, &driver, reader->format, g, bytes->name, bytes->place, opts, err);
}
