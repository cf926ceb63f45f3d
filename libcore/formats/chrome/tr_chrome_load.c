/* What reading a trace holds: made at the start, released at the end. */
#include "formats/chrome/tr_chrome_load_int.h"

#include <stdlib.h>

#define MIN_SPACE ((size_t)64 << 20) /* bytes that a thread may hold of distinct strings, whatever the limit */

enum tr_status tr__load_init(struct tr__load *l, const struct tr_open_opts *opts,
                             const struct tr__dialect *dialect, struct tr_error *err)
{
    l->opts = opts;
    l->dialect = dialect;
    l->n_threads = opts->n_threads ? opts->n_threads : 1;
    if (l->n_threads > 1000)
        l->n_threads = 1000;
    l->pool = tr_block_pool_new();
    /* a third of the memory for rows; the rest is for what reading them back and other stages need */
    l->runs = tr_runs_new(opts->max_memory_bytes / 3, opts->temp_dir);
    l->parsers = calloc(l->n_threads + 1u, sizeof *l->parsers);
    if (!l->pool || !l->runs || !l->parsers)
        return tr_fail_memory(err);
    for (; l->n_parsers < l->n_threads + 1u; l->n_parsers++) {
        struct tr__parser *ps = &l->parsers[l->n_parsers];
        if (!tr__parser_init(ps))
            return tr_fail_memory(err);
        ps->interner_no = (uint16_t)l->n_parsers;
        ps->interner.max = opts->max_memory_bytes / l->n_threads;
        if (ps->interner.max < MIN_SPACE)
            ps->interner.max = MIN_SPACE;
        ps->tokenize_all = opts->tuning.tokenize_all;
    }
    return TR_OK;
}

bool tr__file_init(const struct tr__load *l, struct tr__file *f, const struct tr_text_source *source)
{
    size_t share = l->opts->max_memory_bytes / 16;
    f->sum.first_ts = f->sum.last_end = f->first_from_0 = f->last_from_0 = TR_TIME_NONE;
    f->sum.lag_min = f->sum.lag_max = f->pid = TR_TIME_NONE;
    f->name = strdup(source->name);
    f->place = source->place;
    f->launches = tr_launch_new(share, l->opts->temp_dir);
    tr_paged_init(&f->work, sizeof(struct tr__device_work), share, l->opts->temp_dir);
    f->ends = tr_runs_new(2 * share, l->opts->temp_dir);
    return f->name && f->launches && f->ends;
}

void tr__load_free(struct tr__load *l)
{
    tr_runs_free(l->runs);
    struct tr__file *f = &l->file;
    for (size_t k = 0; k < f->n_header; k++) {
        free(f->header[k].key);
        free(f->header[k].value);
    }
    free(f->header);
    free(f->steps);
    tr_paged_free(&f->work);
    free(f->names);
    free(f->name);
    tr_launch_free(f->launches);
    tr_runs_free(f->ends);
    for (size_t i = 0; l->parsers && i < l->n_parsers; i++)
        tr__parser_free(&l->parsers[i]);
    free(l->parsers);
    tr_block_pool_free(l->pool);
}
