/* SPDX-License-Identifier: MIT */
/* The output of tr-filter, redacted if asked for. */
#include "filter/filter_io.h"

#include "io/tr_io.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define KEY_MAX     65536u /* bytes of a key file */
#define OWN_KEY_LEN 32u    /* bytes of a key made for one run */

/* ---- key ---- */

static enum tr_status random_key(struct tr_buf *key, struct tr_error *err)
{
    size_t got = 0;
    int fd = tr_open_fd("/dev/urandom", O_RDONLY, 0);
    if (fd < 0)
        return tr_fail_sys(err, errno, "cannot open /dev/urandom");
    enum tr_status st = tr_buf_reserve(key, OWN_KEY_LEN) ? tr_read_full(fd, key->data, OWN_KEY_LEN, &got, err)
                                                         : tr_fail_memory(err);
    close(fd);
    key->len = got;
    return st == TR_END ? tr_fail(err, TR_SYSTEM, "no random bytes") : st;
}

static enum tr_status get_key(const struct filter_out *o, struct tr_buf *key, struct tr_error *err)
{
    enum tr_status st = o->key_file ? tr_read_file(o->key_file, KEY_MAX, key, err) : random_key(key, err);
    if (st != TR_OK || !o->key_file)
        return st;
    while (key->len && (key->data[key->len - 1] == '\n' || key->data[key->len - 1] == '\r'))
        key->len--;
    return TR_OK;
}

/* Remove steps without selected events from the output.  Otherwise, the times of steps would be those of the trace. */
static void leave_steps_out(struct filter_out *o)
{
    for (uint32_t i = 0; i < o->summary->n; i++) {
        struct tr_source_summary *s = &o->summary->sources[i];
        size_t n = 0;
        for (size_t k = 0; k < s->n_steps; k++)
            if (o->keeps_step(o->keeps_self, i, &s->steps[k]))
                s->steps[n++] = s->steps[k];
        s->n_steps = n;
    }
}

/* The summary is still that of the sources, except for steps.  It says that the stream is filtered. */
static enum tr_status take_summary(struct filter_out *o, struct tr_error *err)
{
    if (!o->summary)
        o->summary = tr_summary_new(0);
    if (!o->summary || !tr_summary_assign(o->summary, o->in->summary)) /* the writer has its address */
        return tr_fail_memory(err);
    leave_steps_out(o);
    o->summary->filtered = true;
    return TR_OK;
}

/* Tables of sources that are left out are left out, too. */
static enum tr_status take_tables(struct filter_out *o, struct tr_error *err)
{
    const struct tr_side_tables *all = o->in->tables;
    o->tables.n = 0;
    for (size_t i = 0; all && i < all->n; i++) {
        uint32_t source = all->v[i]->source;
        if (source != UINT32_MAX && !o->keeps(o->keeps_self, source))
            continue;
        if (!tr_grow(&o->tables.v, &o->tables.cap, o->tables.n + 1, sizeof(struct tr_side_table *)))
            return tr_fail_memory(err);
        o->tables.v[o->tables.n++] = all->v[i];
    }
    return TR_OK;
}

/* ---- redaction ---- */

static enum tr_status start_extract(struct filter_out *o, struct tr_error *err)
{
    enum tr_status st = o->redact ? get_key(o, &o->key, err) : TR_OK;
    if (st == TR_OK && o->redact && o->key.len < TR_REDACT_MIN_KEY) /* reported before the input is read */
        st = tr_fail(err, TR_USAGE, "the key has %zu bytes, at least %u are needed", o->key.len, TR_REDACT_MIN_KEY);
    if (st == TR_USAGE && o->key_file)
        tr_error_input(err, o->key_file);
    if (st == TR_OK)
        st = tr_extract_new(&o->extract, o->in->dict, o->in->summary, err);
    if (st == TR_OK)
        st = tr_spool_new(&o->spool, o->in, cli_temp_dir(o->cli), o->extracts ? 1 : cli_threads(o->cli), err);
    o->selector = tr_selector_new();
    o->selected = tr_batch_new();
    return st == TR_OK && (!o->selector || !o->selected) ? tr_fail_memory(err) : st;
}

static enum tr_status keep_for_extract(struct filter_out *o, const struct tr_batch *b, const uint8_t *mask,
                                       struct tr_error *err)
{
    enum tr_status st = TR_OK;
    if (mask) {
        st = tr_batch_select(o->selector, b, mask, o->selected, err);
        b = o->selected;
    }
    if (st == TR_OK)
        st = tr_extract_add(o->extract, b, err);
    return st == TR_OK ? tr_spool_add(o->spool, b, err) : st;
}

/* The summary of an extract says, too, that its texts are tokens. */
static enum tr_status extract_summary(struct filter_out *o, struct tr_error *err)
{
    o->summary = tr_summary_copy(tr_extract_summary(o->extract));
    if (!o->summary)
        return tr_fail_memory(err);
    o->summary->redacted |= o->redact;
    o->summary->filtered |= o->redact; /* nothing says of which whole it is a piece */
    return TR_OK;
}

/* Tables with texts are left out, because it is not known what their texts reveal. */
static enum tr_status extract_tables(struct filter_out *o, struct tr_error *err)
{
    const struct tr_side_tables *all = o->in->tables;
    enum tr_status st = TR_OK;
    for (size_t i = 0; all && i < all->n && st == TR_OK; i++) {
        struct tr_side_table *t = NULL;
        if (!o->redact || !tr_side_table_has_text(all->v[i]))
            st = tr_extract_table(o->extract, all->v[i], &t, err);
        if (t && !tr_side_tables_add(&o->tables, t))
            st = tr_fail_memory(err);
    }
    return st;
}

static enum tr_status start_stream(struct filter_out *o, const struct tr_input *in, struct tr_error *err)
{
    const struct cli_stream out = {
        .in = in,
        .dict = o->redactor ? tr_redact_dict(o->redactor) : in->dict,
        .summary = o->summary,
        .tables = &o->tables,
        .no_provenance = o->redact,
        .sink = o->sink,
    };
    return cli_stream_start(o->cli, &out, &o->writer, err);
}

/* Only the chosen events are redacted, so that the redactor's dictionary has nothing else. */
static enum tr_status write_redacted(struct filter_out *o, struct tr_input *in, struct tr_error *err)
{
    const struct tr_redact_opts opts = {
        .key = o->redact ? o->key.data : NULL, .key_len = o->key.len, .keep_known = o->keep_known, .extract = o->extract
    };
    const struct tr_batch *b;
    enum tr_status st = tr_redact_new(&o->redactor, in->dict, in->sorted, &opts, err);
    if (st == TR_OK)
        st = start_stream(o, in, err);
    while (st == TR_OK && (st = tr_input_next(in, &b, err)) == TR_OK) {
        st = tr_redact_batch(o->redactor, b, &b, err);
        if (st == TR_OK)
            st = tr_writer_batch(o->writer, b, err);
    }
    return st == TR_END ? tr_redact_sync(o->redactor, err) : st;
}

static enum tr_status end_extract(struct filter_out *o, enum tr_status st, struct tr_error *err)
{
    struct tr_input *in = NULL;
    if (st == TR_OK && o->leave)
        return TR_OK;
    if (st == TR_OK)
        st = tr_spool_end(o->spool, err);
    if (st == TR_OK)
        st = tr_extract_end(o->extract, err);
    if (st == TR_OK)
        st = extract_summary(o, err);
    if (st == TR_OK)
        st = extract_tables(o, err);
    if (st == TR_OK)
        st = tr_spool_input(o->spool, &in, err);
    if (st == TR_OK)
        st = write_redacted(o, in, err);
    st = cli_stream_end(o->writer, st, err);
    tr_redact_free(o->redactor);
    tr_input_close(in);
    tr_side_tables_free(&o->tables);
    return st;
}

/* ---- output ---- */

enum tr_status filter_out_start(struct filter_out *o, const struct tr_input *in,
                                struct tr_error *err)
{
    o->in = in;
    if (o->redact || o->extracts)
        return start_extract(o, err);
    enum tr_status st = take_summary(o, err);
    if (st == TR_OK)
        st = take_tables(o, err);
    return st == TR_OK ? start_stream(o, in, err) : st;
}

enum tr_status filter_out_batch(struct filter_out *o, const struct tr_batch *b,
                                const uint8_t *mask, struct tr_error *err)
{
    if (o->redact || o->extracts)
        return keep_for_extract(o, b, mask, err);
    return mask ? tr_writer_select(o->writer, b, mask, err) : tr_writer_batch(o->writer, b, err);
}

static enum tr_status end_plain(struct filter_out *o, enum tr_status st, struct tr_error *err)
{
    if (st == TR_OK && !o->in->sorted) /* only now are they complete */
        st = take_summary(o, err);
    if (st == TR_OK && !o->in->sorted)
        st = take_tables(o, err);
    st = cli_stream_end(o->writer, st, err);
    free(o->tables.v);
    return st;
}

enum tr_status filter_out_end(struct filter_out *o, enum tr_status st, struct tr_error *err)
{
    st = o->redact || o->extracts ? end_extract(o, st, err) : end_plain(o, st, err);
    tr_selector_free(o->selector);
    tr_batch_free(o->selected);
    tr_extract_free(o->extract);
    tr_spool_free(o->spool);
    tr_summary_free(o->summary);
    tr_buf_free(&o->key);
    return st;
}
