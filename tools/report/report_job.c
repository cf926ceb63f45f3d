/* SPDX-License-Identifier: MIT */
/* tr-report: what the job is that the inputs are of. */
#include "report/report.h"

#include "model/tr_source_facts.h"

static const struct tr_table_column columns[] = {
    { .name = "ranks", .type = TR_CELL_COUNT, .role = TR_ROLE_COUNT },
    { .name = "world_size", .type = TR_CELL_COUNT, .role = TR_ROLE_COUNT },
    { .name = "device", .type = TR_CELL_STRING },
    { .name = "format", .type = TR_CELL_STRING },
    { .name = "steps", .type = TR_CELL_COUNT, .role = TR_ROLE_COUNT },
    { .name = "recorded", .type = TR_CELL_TIME },
};

int64_t report_world_size(const struct report *r)
{
    return tr_findings_world_size(r->in->dict, r->selected);
}

static struct tr_str device_name(const struct tr_dict *d, uint32_t source)
{
    return tr_source_device_name(d, &d->sources[source]);
}

static struct tr_str format_name(const struct tr_dict *d, uint32_t source)
{
    return tr_dict_text_if(d, d->sources[source].format);
}

/* The texts of the sources, each once, in their order. */
static bool add_names(const struct report *r, struct tr_str (*name)(const struct tr_dict *, uint32_t),
                      struct tr_buf *out)
{
    const struct tr_dict *d = r->in->dict;
    bool ok = true;
    for (uint32_t i = 0; i < d->n_sources && ok; i++) {
        struct tr_str own = tr_select_source(r->selected, i) ? name(d, i) : (struct tr_str){ NULL, 0 };
        bool known = !own.len;
        for (uint32_t k = 0; k < i && !known; k++)
            known = tr_select_source(r->selected, k) && tr_str_cmp(name(d, k), own) == 0;
        if (!known)
            ok = (!out->len || tr_buf_add_str(out, ", ")) && tr_buf_add(out, own.s, own.len);
    }
    return ok;
}

/* The longest time between the first and the last event of an input, ns. */
static int64_t recorded(const struct report *r)
{
    const struct tr_summary *s = r->in->summary;
    int64_t longest = 0;
    for (uint32_t i = 0; i < s->n && i < r->in->dict->n_sources; i++) {
        const struct tr_source_summary *of = &s->sources[i];
        if (tr_select_source(r->selected, i) && of->first_ts != TR_TIME_NONE && of->last_end - of->first_ts > longest)
            longest = of->last_end - of->first_ts;
    }
    return longest;
}

static void put_text(struct tr_table *to, const struct tr_buf *text)
{
    if (text->len)
        tr_table_text(to, (struct tr_str){ (const char *)text->data, text->len });
    else
        tr_table_absent(to);
}

bool report_job(const struct report *r, struct tr_table *to)
{
    struct tr_buf devices = { 0 }, formats = { 0 };
    int64_t world = report_world_size(r);
    bool ok = add_names(r, device_name, &devices) && add_names(r, format_name, &formats);
    if (ok) {
        tr_table_columns(to, columns, sizeof columns / sizeof *columns);
        tr_table_count(to, r->n_ranks);
        if (world)
            tr_table_count(to, (uint64_t)world);
        else
            tr_table_absent(to);
        put_text(to, &devices);
        put_text(to, &formats);
        tr_table_count(to, r->test.steps.n);
        tr_table_time(to, recorded(r));
    }
    tr_buf_free(&devices);
    tr_buf_free(&formats);
    return ok;
}
