/* SPDX-License-Identifier: MIT */
/* Events as tables of a database, or of a folder of CSV. */
#include "view/view_book.h"

#include "analysis/info/tr_side_rows.h"
#include "cli/cli_book.h"
#include "cli/cli_graphs.h"
#include "cli/cli_view.h"
#include "formats/text/tr_fields.h"
#include "stream/tr_batch_select.h"
#include "view/view.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ALL_FIELDS                                                                                                  \
    "rank,source,record,phase,activity,kind,class,ts,dur,end,name,cat,step,step_phase,operator,module,annotation,"  \
    "parent,host,process,thread,pid,tid,device,stream,context,correlation,api,launch_record,launch_ts,launch_dur,"  \
    "queue_wait,n_device,group,kernel,grid,block,simd,tile,direction,bytes,graph_id,graph_node,ts_ps,dur_ps,suspect"

enum { LAUNCHES, COLLECTIVES, N_VIEWS };
static const struct {
    const char *table, *view; /* of the registry */
} views[N_VIEWS] = {
    [LAUNCHES] = { "launches", "launch.launch" },
    [COLLECTIVES] = { "collectives", "comm.collective" },
};

struct book {
    struct cli *cli;
    const struct view_book *v;
    struct tr_input *in;
    struct tr_fields fields;
    struct tr_field_columns columns;
    struct tr_field_reader reader;
    struct tr_overlaps *overlaps;   /* NULL: spans stay as they are */
    struct tr_selector *selector;
    struct tr_batch *selected;
    struct tr_table *events, *args; /* args NULL: none */
    uint64_t left;                  /* events that still go to the table */
    struct tr_runner *runner;       /* NULL: the input is not sorted, so nothing is known of these */
    struct tr_view_use uses[N_VIEWS];
    struct tr_table *tables[N_VIEWS];
    struct cli_analysis a;
    struct cli_listener listener;
    struct tr_buf text; /* of a value */
};

static struct tr_table *new_table(struct book *b, const char *name)
{
    cli_name_table(b->cli, name);
    return cli_table_plain(b->cli);
}

/* ---- events ---- */

/* "a,b" as fields "args.a" and "args.b". */
static bool add_args(const char *list, struct tr_buf *fields)
{
    bool ok = true;
    for (size_t len; ok && *list; list += len + (list[len] == ',')) {
        len = strcspn(list, ",");
        ok = !len ||
             (tr_buf_add_str(fields, ",args.\"") && tr_buf_add(fields, list, len) && tr_buf_add_str(fields, "\""));
    }
    return ok;
}

static bool is_rows(const char *args)
{
    return args && strcmp(args, "rows") == 0;
}

static enum tr_status read_fields(struct book *b, struct tr_error *err)
{
    const char *columns = cli_arrange(b->cli)->columns, *args = b->v->args;
    struct tr_buf list = { 0 };
    bool ok = tr_buf_add_str(&list, columns && strcmp(columns, "all") != 0 ? columns : ALL_FIELDS) &&
              (!args || is_rows(args) || add_args(args, &list)) && tr_buf_add(&list, "", 1);
    enum tr_status st = ok ? tr_fields_parse(&b->fields, (const char *)list.data, err) : tr_fail_memory(err);
    if (st == TR_USAGE)
        tr_error_place(err, "option --columns");
    tr_buf_free(&list);
    return st;
}

/* Values whose type the trace decides. */
static bool is_mixed(const struct tr_field *f)
{
    enum tr_field_type type = tr_event_fields[f->id].type;
    return type == TR_FIELD_IS_ANY || type == TR_FIELD_IS_SIZE;
}

static enum tr_cell cell_of(const struct tr_field *f)
{
    enum tr_field_type type = tr_event_fields[f->id].type;
    return type == TR_FIELD_IS_TIME ? TR_CELL_TIME : type == TR_FIELD_IS_INT ? TR_CELL_INT : TR_CELL_STRING;
}

static void add_columns(const struct tr_fields *fields, struct tr_table *t)
{
    for (size_t k = 0; k < fields->n; k++) {
        const struct tr_field *f = &fields->list[k];
        const struct tr_table_column column = { .name = f->name, .type = cell_of(f), .mixed = is_mixed(f),
                                                .meaning = tr_event_fields[f->id].meaning };
        tr_table_columns(t, &column, 1);
    }
}

/* A value as stored in the trace: digits, a word, a text, or JSON. */
static bool add_typed(struct book *b, const struct tr_field_value *v, struct tr_table *t)
{
    const char *word = v->type == TR_T_TRUE ? "true" : "false";
    if (v->type == TR_T_NULL) {
        tr_table_absent(t);
        return true;
    }
    if (!tr_type_has_entry(v->type)) {
        tr_table_digits(t, word, strlen(word));
        return true;
    }
    b->text.len = 0;
    if (!tr_members_value(&b->reader.members, v->type, v->i, &b->text))
        return false;
    const char *s = (const char *)b->text.data;
    size_t len = b->text.len;
    if (len >= 2 && *s == '"')
        tr_table_bytes(t, s + 1, len - 2); /* an integer in quotes, or what is no number */
    else if (len && (*s == '[' || *s == '{'))
        tr_table_bytes(t, s, len);
    else
        tr_table_digits(t, s, len);
    return true;
}

static bool add_text(struct book *b, const struct tr_field_value *v, struct tr_table *t)
{
    switch (v->is) {
    case TR_VALUE_NONE:
        tr_table_absent(t);
        return true;
    case TR_VALUE_STR:
        tr_table_text(t, tr_dict_text(b->in->dict, (uint32_t)v->i));
        return true;
    case TR_VALUE_TYPED:
        return add_typed(b, v, t);
    default:
        tr_table_bytes(t, v->text, v->len);
        return true;
    }
}

static bool add_event(struct book *b, size_t i)
{
    struct tr_field_value v;
    struct tr_table *t = b->events;
    bool ok = true;
    for (size_t k = 0; ok && k < b->fields.n; k++) {
        enum tr_cell type = cell_of(&b->fields.list[k]);
        ok = tr_field_reader_get(&b->reader, i, k, &v);
        if (type == TR_CELL_STRING)
            ok = ok && add_text(b, &v, t);
        else if (v.is == TR_VALUE_NONE || (v.type == TR_T_UINT && v.i < 0))
            tr_table_absent(t); /* or it does not fit */
        else if (type == TR_CELL_TIME)
            tr_table_time(t, v.i);
        else if (v.is == TR_VALUE_TYPED)
            tr_table_int(t, v.i);
        else
            tr_table_absent(t);
    }
    return ok;
}

static bool add_arg_rows(struct book *b, const struct tr_batch *batch, size_t i)
{
    struct tr_field_value v;
    struct tr_str key;
    bool ok = true;
    for (uint32_t at = 0; ok && tr_field_reader_arg(&b->reader, i, &at, &key, &v);) {
        tr_table_int(b->args, batch->dict->tracks[batch->track[i]].source);
        tr_table_int(b->args, (int64_t)batch->record[i]);
        tr_table_text(b->args, key);
        ok = add_text(b, &v, b->args);
    }
    return ok;
}

/* Handle spans that overlap others in part; the result has the selected events alone. */
static enum tr_status resolve(struct book *b, const struct tr_batch **batch, const uint8_t **keep, struct tr_error *err)
{
    enum tr_status st = TR_OK;
    if (*keep && memchr(*keep, 0, (*batch)->n)) {
        st = tr_batch_select(b->selector, *batch, *keep, b->selected, err);
        *batch = b->selected;
    }
    *keep = NULL;
    if (st == TR_OK)
        st = tr_overlaps_batch(b->overlaps, *batch, batch, err);
    b->reader.lanes = tr_overlaps_lanes(b->overlaps);
    return st;
}

static enum tr_status add_batch(struct book *b, const struct tr_batch *batch, const uint8_t *keep, struct tr_error *err)
{
    enum tr_status st = b->overlaps ? resolve(b, &batch, &keep, err) : TR_OK;
    if (st != TR_OK)
        return st;
    bool ok = tr_field_reader_start(&b->reader, &b->fields, batch);
    for (size_t i = 0; ok && b->left && i < batch->n; i++) {
        if (!keep || keep[i]) {
            ok = add_event(b, i) && (!b->args || add_arg_rows(b, batch, i));
            b->left--;
        }
        tr_field_reader_next(&b->reader, i);
    }
    if (!ok)
        return tr_fail_memory(err);
    return tr_table_status(b->events, err) == TR_OK && b->args ? tr_table_status(b->args, err)
                                                              : tr_table_status(b->events, err);
}

/* ---- what belongs to the inputs ---- */

/* A time of a source, as events show it. */
static void add_time(const struct book *b, struct tr_table *t, const struct tr_source *s, int64_t ns)
{
    tr_table_time(t, ns == TR_TIME_NONE || !cli_relative(b->cli) ? ns : tr_source_to_file(s, ns));
}

static void add_rank(struct tr_table *t, int64_t rank)
{
    if (rank < 0)
        tr_table_absent(t);
    else
        tr_table_int(t, rank);
}

static void add_known(struct tr_table *t, int64_t value)
{
    if (value == TR_I64_NONE)
        tr_table_absent(t);
    else
        tr_table_int(t, value);
}

static void fill_sources(const struct book *b, struct tr_table *t)
{
    static const struct tr_table_column columns[] = {
        { "source", TR_CELL_INT, TR_ROLE_KEY, .meaning = "its number, as events have it" },
        { "rank", TR_CELL_INT, TR_ROLE_GROUP, .meaning = "the rank" },
        { "capture", TR_CELL_INT, TR_ROLE_TEXT, .meaning = "which recording of the rank, from 0" },
        { "host", TR_CELL_STRING, TR_ROLE_TEXT, .meaning = "its host" },
        { "name", TR_CELL_STRING, TR_ROLE_TEXT, .meaning = "the file that it was read from" },
        { "format", TR_CELL_STRING, TR_ROLE_TEXT, .meaning = "the format of that" },
        { "mesh", TR_CELL_STRING, TR_ROLE_TEXT, .meaning = "its place in the job" },
        { "base", TR_CELL_TIME, TR_ROLE_TIME, .meaning = "the time that its times count from, since 1970" },
        { "first", TR_CELL_TIME, TR_ROLE_TIME, .meaning = "start of its first event" },
        { "last", TR_CELL_TIME, TR_ROLE_TIME, .meaning = "end of its last event" },
        { "events", TR_CELL_COUNT, TR_ROLE_COUNT, .meaning = "its events, before any selection" },
    };
    const struct tr_dict *d = b->in->dict;
    tr_table_columns(t, columns, sizeof columns / sizeof *columns);
    for (uint32_t i = 0; i < d->n_sources; i++) {
        const struct tr_source *s = &d->sources[i];
        const struct tr_source_summary *sum = i < b->in->summary->n ? &b->in->summary->sources[i] : NULL;
        if (!tr_select_source(b->v->select->selected, i))
            continue;
        tr_table_int(t, i);
        add_rank(t, s->rank);
        tr_table_int(t, s->capture);
        tr_table_text(t, tr_dict_text_if(d, s->host));
        tr_table_text(t, tr_dict_text_if(d, s->name));
        tr_table_text(t, tr_dict_text_if(d, s->format));
        tr_table_text(t, tr_dict_text_if(d, s->mesh));
        tr_table_time(t, s->base_ns);
        add_time(b, t, s, sum ? sum->first_ts : TR_TIME_NONE);
        add_time(b, t, s, sum ? sum->last_end : TR_TIME_NONE);
        tr_table_count(t, sum ? sum->n_events : 0);
    }
}

/* A pid or tid, a number or a text. */
static void add_id(const struct tr_dict *d, struct tr_table *t, unsigned type, int64_t id)
{
    char digits[32];
    if (type == TR_T_STRING)
        tr_table_text(t, tr_dict_text(d, (uint32_t)id));
    else if (type == TR_T_NULL)
        tr_table_absent(t);
    else
        tr_table_digits(t, digits,
                        (size_t)(type == TR_T_UINT ? snprintf(digits, sizeof digits, "%" PRIu64, (uint64_t)id)
                                                   : snprintf(digits, sizeof digits, "%" PRId64, id)));
}

static void fill_tracks(const struct book *b, struct tr_table *t)
{
    static const struct tr_table_column columns[] = {
        { "source", TR_CELL_INT, TR_ROLE_KEY, .meaning = "its source" },
        { "pid", TR_CELL_STRING, TR_ROLE_KEY, .mixed = true, .meaning = "process, as in the trace" },
        { "tid", TR_CELL_STRING, TR_ROLE_KEY, .mixed = true, .meaning = "thread, as in the trace" },
        { "process", TR_CELL_STRING, TR_ROLE_TEXT, .meaning = "name of the process" },
        { "thread", TR_CELL_STRING, TR_ROLE_TEXT, .meaning = "name of the thread" },
        { "device", TR_CELL_INT, TR_ROLE_KEY, .meaning = "the device" },
        { "context", TR_CELL_INT, TR_ROLE_KEY, .meaning = "its context" },
        { "stream", TR_CELL_INT, TR_ROLE_KEY, .meaning = "the stream" },
    };
    const struct tr_dict *d = b->in->dict;
    tr_table_columns(t, columns, sizeof columns / sizeof *columns);
    for (size_t i = 0; i < d->n_tracks; i++) {
        const struct tr_track *k = &d->tracks[i];
        if (!tr_select_source(b->v->select->selected, k->source))
            continue;
        tr_table_int(t, k->source);
        add_id(d, t, k->pid_type, k->pid);
        add_id(d, t, k->tid_type, k->tid);
        tr_table_text(t, tr_dict_text_if(d, k->process_name));
        tr_table_text(t, tr_dict_text_if(d, k->thread_name));
        add_known(t, k->device);
        add_known(t, k->context);
        add_known(t, k->stream);
    }
}

static void fill_steps(const struct book *b, struct tr_table *t)
{
    static const struct tr_table_column columns[] = {
        { "rank", TR_CELL_INT, TR_ROLE_GROUP, .meaning = "the rank" },
        { "source", TR_CELL_INT, TR_ROLE_KEY, .meaning = "its source" },
        { "step", TR_CELL_INT, TR_ROLE_KEY, .meaning = "its number" },
        { "start", TR_CELL_TIME, TR_ROLE_TIME, .meaning = "when it starts on the host" },
        { "end", TR_CELL_TIME, TR_ROLE_TIME, .meaning = "when it ends on the host" },
        { "phase", TR_CELL_STRING, TR_ROLE_TEXT, .meaning = "of inference: prefill, decode or mixed" },
        { "thread", TR_CELL_STRING, TR_ROLE_TEXT, .meaning = "name of its thread" },
    };
    const struct tr_dict *d = b->in->dict;
    tr_table_columns(t, columns, sizeof columns / sizeof *columns);
    for (uint32_t i = 0; i < b->in->summary->n && i < d->n_sources; i++) {
        const struct tr_source_summary *sum = &b->in->summary->sources[i];
        for (size_t k = 0; k < sum->n_steps && tr_select_source(b->v->select->selected, i); k++) {
            const struct tr_step *step = &sum->steps[k];
            add_rank(t, d->sources[i].rank);
            tr_table_int(t, i);
            tr_table_int(t, step->number);
            add_time(b, t, &d->sources[i], step->start);
            add_time(b, t, &d->sources[i], step->end);
            tr_table_string(t, tr_step_phase_name(step->about.phase));
            tr_table_text(t, step->track < d->n_tracks ? tr_dict_text_if(d, d->tracks[step->track].thread_name)
                                                       : tr_str_of(NULL));
        }
    }
}

static enum tr_status write_filled(struct book *b, const char *name,
                                   void (*fill)(const struct book *, struct tr_table *), struct tr_error *err)
{
    struct tr_table *t = new_table(b, name);
    if (!t)
        return tr_fail_memory(err);
    fill(b, t);
    enum tr_status st = tr_table_end(t, err);
    tr_table_free(t);
    return st;
}

/* The tables of the inputs, each name once. */
static enum tr_status write_stored(struct book *b, struct tr_error *err)
{
    const struct tr_side_tables *list = b->in->tables;
    enum tr_status st = TR_OK;
    for (size_t i = 0; list && st == TR_OK && i < list->n; i++) {
        size_t first = 0;
        while (strcmp(list->v[first]->name, list->v[i]->name) != 0)
            first++;
        if (first < i || strncmp(list->v[i]->name, "partial.", 8) == 0)
            continue;
        struct tr_table *t = new_table(b, list->v[i]->name);
        st = t ? tr_side_rows(b->in->dict, list, list->v[i]->name, t, err) : tr_fail_memory(err);
        if (st == TR_OK)
            st = tr_table_end(t, err);
        tr_table_free(t);
    }
    return st;
}

/* ---- views of other programs ---- */

static enum tr_status start_views(struct book *b, struct tr_projection *want, struct tr_error *err)
{
    struct tr_analysis_in in;
    bool host;
    b->runner = tr_runner_new();
    enum tr_status st = b->runner ? TR_OK : tr_fail_memory(err);
    for (int i = 0; st == TR_OK && i < N_VIEWS; i++) {
        const struct tr_view_host about = cli_view_host(b->cli);
        st = tr_view_open(&b->uses[i], tr_view_find(views[i].view), err);
        if (st == TR_OK)
            st = tr_view_ready(&b->uses[i], &about, err);
        if (st == TR_OK && !(b->tables[i] = new_table(b, views[i].table)))
            st = tr_fail_memory(err);
        if (st == TR_OK)
            st = tr_runner_add(b->runner, b->uses[i].analysis, b->uses[i].options, -1, b->tables[i], err);
    }
    if (st == TR_OK)
        st = tr_runner_needs(b->runner, want, &host, err);
    b->listener = (struct cli_listener){ b->cli, &b->a };
    b->a.in = b->in;
    b->a.select = *b->v->select; /* borrowed */
    in = cli_view_in(&b->listener);
    return st == TR_OK ? tr_runner_start(b->runner, &in, err) : st;
}

static enum tr_status end_views(struct book *b, struct tr_error *err)
{
    enum tr_status st = b->runner ? tr_runner_finish(b->runner, err) : TR_OK;
    for (int i = 0; b->runner && st == TR_OK && i < N_VIEWS; i++)
        st = tr_table_end(b->tables[i], err);
    return st;
}

/* ---- a run ---- */

static bool has_field(const struct book *b, enum tr_field_id id)
{
    size_t k = 0;
    while (k < b->fields.n && b->fields.list[k].id != id)
        k++;
    return k < b->fields.n;
}

/* What makes queries fast, and short. */
static enum tr_status add_sql(struct book *b, struct tr_error *err)
{
    enum tr_status st = TR_OK;
    if (has_field(b, TR_FIELD_SOURCE) && has_field(b, TR_FIELD_RECORD))
        st = cli_book_sql(b->cli, "CREATE INDEX IF NOT EXISTS events_record ON events (source, record)", err);
    if (st == TR_OK && has_field(b, TR_FIELD_TS))
        st = cli_book_sql(b->cli, "CREATE INDEX IF NOT EXISTS events_ts ON events (ts_ns)", err);
    if (st == TR_OK && b->args)
        st = cli_book_sql(b->cli, "CREATE INDEX IF NOT EXISTS args_record ON args (source, record)", err);
    if (st == TR_OK && has_field(b, TR_FIELD_ACTIVITY))
        st = cli_book_sql(b->cli,
                          "CREATE VIEW IF NOT EXISTS kernels AS SELECT * FROM events WHERE activity = 'kernel';"
                          "CREATE VIEW IF NOT EXISTS operators AS SELECT * FROM events WHERE activity = 'cpu_op'",
                          err);
    return st;
}

static enum tr_status read_events(struct book *b, struct tr_error *err)
{
    struct tr_projection want = { .fixed = TR_FIXED_ALL, .derived = (1u << TR_N_DERIVED) - 1, .all_packed = true };
    const struct tr_batch *batch;
    const uint8_t *keep = NULL;
    enum tr_status st = tr_fields_start(&b->fields, &b->columns, b->in, err);
    if (st == TR_OK && b->in->sorted)
        st = start_views(b, &want, err);
    if (st == TR_OK)
        st = view_overlaps_open(b->v->overlap, b->in, &b->overlaps, err);
    b->selector = b->overlaps ? tr_selector_new() : NULL;
    b->selected = b->overlaps ? tr_batch_new() : NULL;
    if (st == TR_OK && b->overlaps && !(b->selector && b->selected))
        st = tr_fail_memory(err);
    b->reader.columns = &b->columns;
    b->reader.of_files = cli_relative(b->cli);
    while (st == TR_OK && (st = tr_input_next(b->in, &batch, err)) == TR_OK) {
        st = cli_select_mask(b->v->select, batch, &keep, err);
        if (st == TR_OK && b->runner)
            st = tr_runner_feed(b->runner, batch, keep, err);
        if (st == TR_OK)
            st = add_batch(b, batch, keep, err);
    }
    if (st == TR_END && (st = cli_select_end(b->v->select, err)) == TR_OK) {
        cli_owners_warn(b->cli, b->in);
        view_overlaps_warn(b->cli, b->v->overlap, b->overlaps, b->in);
    }
    return st;
}

static enum tr_status start_tables(struct book *b, struct tr_error *err)
{
    static const struct tr_table_column columns[] = {
        { "source", TR_CELL_INT, TR_ROLE_KEY, .meaning = "source of the event" },
        { "record", TR_CELL_INT, TR_ROLE_KEY, .meaning = "its number in the source" },
        { "key", TR_CELL_STRING, TR_ROLE_KEY, .meaning = "name of the arg" },
        { "value", TR_CELL_STRING, TR_ROLE_TEXT, .mixed = true, .meaning = "its value; lists and objects as JSON" },
    };
    b->events = new_table(b, "events");
    if (!b->events || (is_rows(b->v->args) && !(b->args = new_table(b, "args"))))
        return tr_fail_memory(err);
    add_columns(&b->fields, b->events);
    if (b->args)
        tr_table_columns(b->args, columns, sizeof columns / sizeof *columns);
    return TR_OK;
}

static void release(struct book *b)
{
    tr_runner_free(b->runner);
    for (int i = 0; i < N_VIEWS; i++) {
        tr_table_free(b->tables[i]);
        tr_view_close(&b->uses[i]);
    }
    tr_table_free(b->events);
    tr_table_free(b->args);
    tr_overlaps_free(b->overlaps);
    tr_selector_free(b->selector);
    tr_batch_free(b->selected);
    tr_field_reader_free(&b->reader);
    tr_field_columns_free(&b->columns);
    tr_fields_free(&b->fields);
    tr_buf_free(&b->text);
}

enum tr_status view_book_write(struct cli *cli, const struct view_book *v, struct tr_error *err)
{
    struct book b = { .cli = cli, .v = v, .left = v->limit };
    enum tr_status st = cli_select_compile(cli, v->select, err);
    if (st == TR_OK)
        st = read_fields(&b, err);
    if (st == TR_OK)
        st = start_tables(&b, err);
    if (st == TR_OK)
        st = cli_input_operands(cli, 0, &b.in, err);
    if (st == TR_OK)
        st = cli_select_bind(v->select, b.in, err);
    if (st == TR_OK)
        st = read_events(&b, err);
    if (st == TR_DAMAGED && b.in)
        tr_error_input(err, b.in->name);
    if (st == TR_OK)
        st = tr_table_end(b.events, err);
    if (st == TR_OK && b.args)
        st = tr_table_end(b.args, err);
    if (st == TR_OK)
        st = end_views(&b, err);
    if (st == TR_OK)
        st = write_filled(&b, "steps", fill_steps, err);
    if (st == TR_OK)
        st = write_filled(&b, "sources", fill_sources, err);
    if (st == TR_OK)
        st = write_filled(&b, "tracks", fill_tracks, err);
    if (st == TR_OK)
        st = write_stored(&b, err);
    if (st == TR_OK)
        st = add_sql(&b, err);
    release(&b);
    return st;
}
