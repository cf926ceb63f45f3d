/* SPDX-License-Identifier: MIT */
/* The report of tr-info for scripts; keys are part of the contract: tr-info(1), "JSON". */
#include "info/info_report.h"
#include "json/tr_json_write.h"

/* A document that is being written.  After memory has run out, every function does nothing. */
struct doc {
    struct tr_json_doc j;
    const struct tr_dict *d;
    bool ok;
};

static void doc_open(struct doc *doc, const char *key, char bracket)
{
    doc->ok =
        doc->ok && (!key || tr_json_doc_key(&doc->j, tr_str_of(key))) && tr_json_doc_open(&doc->j, bracket);
}

static void doc_close(struct doc *doc)
{
    doc->ok = doc->ok && tr_json_doc_close(&doc->j);
}

static void put_text(struct doc *doc, const char *key, struct tr_str s)
{
    doc->ok = doc->ok && tr_json_doc_key(&doc->j, tr_str_of(key)) && tr_json_doc_str(&doc->j, s);
}

static void put_str(struct doc *doc, const char *key, const char *s)
{
    put_text(doc, key, tr_str_of(s));
}

static void put_id(struct doc *doc, const char *key, uint32_t id)
{
    put_text(doc, key, tr_dict_text_if(doc->d, id));
}

static void put_u64(struct doc *doc, const char *key, uint64_t v)
{
    doc->ok = doc->ok && tr_json_doc_key(&doc->j, tr_str_of(key)) && tr_json_doc_u64(&doc->j, v);
}

/* A number that may be absent. */
static void put_i64(struct doc *doc, const char *key, int64_t v, bool present)
{
    doc->ok = doc->ok && tr_json_doc_key(&doc->j, tr_str_of(key)) &&
              (present ? tr_json_doc_i64(&doc->j, v) : tr_json_doc_null(&doc->j));
}

static void put_ns(struct doc *doc, const char *key, int64_t ns)
{
    put_i64(doc, key, ns, ns != TR_TIME_NONE);
}

static void put_bool(struct doc *doc, const char *key, bool v)
{
    doc->ok = doc->ok && tr_json_doc_key(&doc->j, tr_str_of(key)) && tr_json_doc_bool(&doc->j, v);
}

/* Counts by name, also those that are 0, so that a script does not have to test for them. */
static void put_counts(struct doc *doc, const char *key, const uint64_t *counts, unsigned first,
                       unsigned n, const char *(*name)(unsigned))
{
    doc_open(doc, key, '{');
    for (unsigned i = first; i < n; i++)
        put_u64(doc, name(i), counts[i]);
    doc_close(doc);
}

static void put_coverage(struct doc *doc, const struct tr_info_source *s,
                         const struct tr_source_summary *sum)
{
    doc_open(doc, "coverage", '{');
    const struct tr_coverage_counts *c = &s->coverage;
    put_u64(doc, "device_work", c->work);
    put_u64(doc, "device_work_with_launch", c->work_launched);
    put_u64(doc, "launches", c->launches);
    put_u64(doc, "launches_with_device_work", c->launches_used);
    put_ns(doc, "device_time_ns", c->time);
    put_ns(doc, "device_time_by_operator_ns", c->time_by_operator);
    put_u64(doc, "collectives", s->n_comm);
    put_u64(doc, "collectives_with_metadata", s->n_comm_described);
    put_ns(doc, "lag_min_ns", sum ? sum->lag_min : TR_TIME_NONE);
    put_ns(doc, "lag_max_ns", sum ? sum->lag_max : TR_TIME_NONE);
    doc_close(doc);
}

static void put_trust(struct doc *doc, const struct tr_trust_counts *t)
{
    doc_open(doc, "trust", '{');
    put_u64(doc, "device_work_with_launch_time", t->pairs);
    put_u64(doc, "starts_before_launch", t->pairs - t->pairs_causal);
    put_u64(doc, "swallowing", t->swallowing);
    put_u64(doc, "swallowed", t->swallowed);
    put_u64(doc, "lone_work", t->lone);
    put_u64(doc, "python_frames", t->frames);
    put_u64(doc, "python_frames_at_stop", t->frames_at_stop);
    put_u64(doc, "times_in_ns", t->in_ns);
    doc_close(doc);
}

static void put_summary(struct doc *doc, const struct tr_source_summary *sum)
{
    doc_open(doc, "steps", '[');
    for (size_t i = 0; sum && i < sum->n_steps; i++) {
        doc_open(doc, NULL, '{');
        put_i64(doc, "number", sum->steps[i].number, true);
        put_ns(doc, "start_ns", sum->steps[i].start);
        put_ns(doc, "end_ns", sum->steps[i].end);
        doc_close(doc);
    }
    doc_close(doc);
    doc_open(doc, "salvage", '[');
    for (size_t c = 0; sum && c < sum->n_damage; c++) {
        const struct tr_damage *d = &sum->damage[c];
        doc_open(doc, NULL, '{');
        put_str(doc, "cause", d->name);
        put_u64(doc, "count", d->count);
        put_i64(doc, "first_byte", (int64_t)d->first, d->first != TR_NO_OFFSET);
        put_bool(doc, "loses", d->loses);
        put_str(doc, "text", d->text);
        doc_close(doc);
    }
    doc_close(doc);
}

static void put_devices(struct doc *doc, const struct tr_info *info, size_t source)
{
    doc_open(doc, "devices", '[');
    for (size_t i = 0; i < info->n_devices; i++) {
        const struct tr_info_device *v = &info->devices[i];
        if (v->source != source)
            continue;
        doc_open(doc, NULL, '{');
        put_i64(doc, "device", v->device, v->device != TR_I64_NONE);
        put_u64(doc, "streams", v->n_streams);
        put_u64(doc, "kernels", v->n_kernels);
        put_u64(doc, "copies", v->n_copies);
        put_ns(doc, "first_ns", v->first_ts);
        put_ns(doc, "last_ns", v->last_end);
        doc_close(doc);
    }
    doc_close(doc);
}

static void put_number(struct doc *doc, const char *key, unsigned type, int64_t v)
{
    if (type == TR_T_STRING)
        put_id(doc, key, (uint32_t)v);
    else if (type == TR_T_UINT)
        put_u64(doc, key, (uint64_t)v);
    else
        put_i64(doc, key, v, type != TR_T_NULL);
}

static void put_tracks(struct doc *doc, const struct tr_info *info, size_t source)
{
    doc_open(doc, "tracks", '[');
    for (size_t i = 0; i < info->n_tracks; i++) {
        const struct tr_track *t = &doc->d->tracks[i];
        if (t->source != source)
            continue;
        doc_open(doc, NULL, '{');
        put_str(doc, "side", t->side == TR_SIDE_DEVICE ? "device" : "host");
        put_number(doc, "pid", t->pid_type, t->pid);
        put_number(doc, "tid", t->tid_type, t->tid);
        put_ns(doc, "device", t->device);
        put_ns(doc, "stream", t->stream);
        put_id(doc, "process", t->process_name);
        put_id(doc, "thread", t->thread_name);
        put_u64(doc, "events", info->tracks[i].n_events);
        put_ns(doc, "first_ns", info->tracks[i].first_ts);
        put_ns(doc, "last_ns", info->tracks[i].last_end);
        doc_close(doc);
    }
    doc_close(doc);
}

static void put_clocks(struct doc *doc, size_t source)
{
    doc_open(doc, "clocks", '[');
    for (size_t i = 0; i < doc->d->n_clocks; i++) {
        const struct tr_clock *c = &doc->d->clocks[i];
        if (c->source != source)
            continue;
        doc_open(doc, NULL, '{');
        put_u64(doc, "clock", i + 1);
        put_u64(doc, "before", c->before);
        put_i64(doc, "of_rank", c->frame, c->frame >= 0);
        put_i64(doc, "origin_ns", c->origin, !c->domain);
        put_i64(doc, "offset_ns", c->offset, !c->domain);
        put_i64(doc, "drift_ppt", c->drift, !c->domain);
        doc_close(doc);
    }
    doc_close(doc);
}

static void put_source(struct doc *doc, const struct info_report *r, size_t i)
{
    const struct tr_source *s = &doc->d->sources[i];
    const struct tr_info_source *n = &r->info->sources[i];
    const struct tr_source_summary *sum = info_summary(r, i);
    doc_open(doc, NULL, '{');
    put_u64(doc, "source", i);
    put_i64(doc, "rank", s->rank, s->rank >= 0);
    put_str(doc, "rank_from", info_rank_rule(s->rank_rule));
    put_id(doc, "host", s->host);
    put_id(doc, "mesh", s->mesh);
    put_id(doc, "job", s->job);
    put_u64(doc, "capture", s->capture);
    put_id(doc, "name", s->name);
    put_id(doc, "format", s->format);
    put_bool(doc, "partial", s->partial);
    put_i64(doc, "base_ns", s->base_ns, s->has_base);
    put_i64(doc, "file_base_ns", s->file_base_ns, s->has_base);
    put_ns(doc, "first_ns", n->first_ts);
    put_ns(doc, "last_ns", n->last_end);
    put_u64(doc, "events", n->n_events);
    put_i64(doc, "events_in_source", sum ? (int64_t)sum->n_events : 0, sum != NULL);
    put_u64(doc, "spans_without_end", n->n_open);
    put_counts(doc, "phases", n->n_phase, 0, TR_N_PHASES, tr_phase_name);
    put_counts(doc, "activities", n->n_activity, 0, TR_N_ACTIVITIES, tr_activity_name);
    put_counts(doc, "suspects", n->n_suspect, TR_SUSPECT_NO + 1, TR_N_SUSPECTS, tr_suspect_name);
    put_coverage(doc, n, sum);
    put_trust(doc, &n->trust);
    put_summary(doc, sum);
    put_clocks(doc, i);
    put_devices(doc, r->info, i);
    put_tracks(doc, r->info, i);
    doc_open(doc, "header", '[');
    for (uint32_t k = 0; k < s->n_header; k++)
        doc->ok = doc->ok && tr_json_doc_str(&doc->j, tr_dict_text(doc->d, s->header_keys[k]));
    doc_close(doc);
    doc_close(doc);
}

static void put_communication(struct doc *doc, const struct tr_info *info)
{
    doc_open(doc, "communication", '[');
    for (size_t i = 0; i < info->n_comm; i++) {
        const struct tr_info_comm *c = &info->comm[i];
        const struct tr_rule *rule = c->rule == TR_RULE_NONE ? NULL : tr_rules_get(info->comm_rules, c->rule);
        doc_open(doc, NULL, '{');
        put_id(doc, "name", c->name);
        put_u64(doc, "kernels", c->n);
        put_str(doc, "rules", rule ? tr_rules_name(info->comm_rules, rule->set) : NULL);
        put_i64(doc, "line", rule ? rule->line : 0, rule != NULL);
        put_str(doc, "condition", rule ? tr_rule_condition_name(rule->condition) : NULL);
        put_str(doc, "text", rule ? rule->text : NULL);
        doc_close(doc);
    }
    doc_close(doc);
}

static const char *type_name(unsigned type)
{
    static const char *const names[] = {
        [TR_T_INT] = "int",       [TR_T_UINT] = "uint",    [TR_T_DECIMAL] = "decimal", [TR_T_DOUBLE] = "double",
        [TR_T_STRING] = "string", [TR_T_JSON] = "json",    [TR_T_NUMBER] = "number",   [TR_T_QUOTED] = "quoted",
        [TR_SIDE_BOOL] = "bool",  [TR_SIDE_TIME] = "time", [TR_SIDE_TRACK] = "track",  [TR_SIDE_RECORD] = "event",
    };
    return names[type];
}

static void put_tables(struct doc *doc, const struct tr_side_tables *tables)
{
    doc_open(doc, "tables", '[');
    for (size_t i = 0; tables && i < tables->n; i++) {
        const struct tr_side_table *t = tables->v[i];
        bool owned = t->source != UINT32_MAX;
        int64_t rank = owned ? doc->d->sources[t->source].rank : -1;
        doc_open(doc, NULL, '{');
        put_str(doc, "table", t->name);
        put_i64(doc, "source", owned ? (int64_t)t->source : 0, owned);
        put_i64(doc, "rank", rank, rank >= 0);
        put_u64(doc, "rows", t->n_rows);
        doc_open(doc, "columns", '[');
        for (size_t k = 0; k < t->n_columns; k++) {
            doc_open(doc, NULL, '{');
            put_str(doc, "column", t->columns[k].name);
            put_str(doc, "type", type_name(t->columns[k].type));
            doc_close(doc);
        }
        doc_close(doc);
        doc_close(doc);
    }
    doc_close(doc);
}

static void put_provenance(struct doc *doc, const struct tr_provenance *p)
{
    doc_open(doc, "provenance", '[');
    for (size_t i = 0; p && i < p->n; i++) {
        doc_open(doc, NULL, '{');
        put_u64(doc, "run", i);
        put_str(doc, "program", p->runs[i].program);
        put_str(doc, "version", p->runs[i].version);
        put_str(doc, "command", p->runs[i].command);
        doc_open(doc, "parents", '[');
        for (size_t k = 0; k < p->runs[i].n_parents; k++)
            doc->ok = doc->ok && tr_json_doc_u64(&doc->j, p->runs[i].parents[k]);
        doc_close(doc);
        doc_close(doc);
    }
    doc_close(doc);
}

static void put_checks(struct doc *doc, const struct info_report *r)
{
    doc_open(doc, "checks", '[');
    for (size_t i = 0; i < r->n_checks; i++) {
        doc_open(doc, NULL, '{');
        put_str(doc, "check", r->checks[i].name);
        put_bool(doc, "ok", r->checks[i].ok);
        put_str(doc, "found", r->checks[i].found);
        put_str(doc, "needed", r->checks[i].needed);
        doc_close(doc);
    }
    doc_close(doc);
}

enum tr_status info_json(const struct info_report *r, struct tr_buf *out, struct tr_error *err)
{
    struct doc doc = {
        .j = { .out = out, .indent = 2, .flat_below = 5 },
        .d = r->in->dict,
        .ok = true,
    };
    const struct tr_info *info = r->info;
    doc_open(&doc, NULL, '{');
    put_str(&doc, "input", r->in->name);
    put_u64(&doc, "events", info->n_events);
    put_bool(&doc, "filtered", r->selects || r->in->summary->filtered);
    put_bool(&doc, "redacted", r->in->summary->redacted);
    doc_open(&doc, "order", '{');
    put_bool(&doc, "canonical", info->n_disordered == 0);
    put_u64(&doc, "out_of_order", info->n_disordered);
    put_i64(&doc, "first_source", info->disordered_source, info->n_disordered);
    put_i64(&doc, "first_record", (int64_t)info->disordered_record, info->n_disordered);
    doc_close(&doc);
    doc_open(&doc, "sources", '[');
    for (size_t i = 0; i < info->n_sources; i++)
        if (info_looks_at(r, i))
            put_source(&doc, r, i);
    doc_close(&doc);
    put_communication(&doc, info);
    put_tables(&doc, r->in->tables);
    put_provenance(&doc, r->in->provenance);
    put_checks(&doc, r);
    doc_close(&doc);
    return doc.ok && tr_buf_add(out, "\n", 1) ? TR_OK : tr_fail_memory(err);
}
