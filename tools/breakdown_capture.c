/* SPDX-License-Identifier: MIT */
/* The operators of graph nodes, from traces of the capture. */
#include "breakdown_capture.h"

#include "model/tr_above.h"
#include "stream/tr_args.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A thread: is it capturing, and how many launches has the capture so far? */
struct thread {
    bool on;
    uint64_t n;
    int64_t end; /* of the last launch: calls inside it are part of it */
};

struct launch {
    uint64_t position;
    uint32_t kernel, operator; /* strings of the input; TR_NO_STR: none */
    uint32_t module;           /* in texts; TR_NO_STR: none */
};

struct capture {
    struct tr_input *in;
    struct tr_above *above;
    struct tr_strtab *texts;
    struct tr_arg kernel;
    struct thread *threads; /* by track */
    size_t n_threads, cap_threads;
    struct launch *launches;
    size_t n_launches, cap_launches;
    size_t n_captures;
    bool named; /* the calls say which kernels they launch */
};

static bool has(struct tr_str name, const char *part)
{
    return tr_str_has(name, tr_str_of(part));
}

static bool see_launch(struct capture *c, const struct tr_batch *b, size_t i, struct thread *t)
{
    if (b->ts[i] < t->end)
        return true;
    if (!tr_grow(&c->launches, &c->cap_launches, c->n_launches + 1, sizeof *c->launches))
        return false;
    uint32_t frame = c->above->of[i].frame;
    const struct tr_frame *f = frame == TR_ABOVE_NONE ? NULL : tr_above_frame(c->above, frame);
    struct launch *l = &c->launches[c->n_launches++];
    *l = (struct launch){ .position = t->n++, .kernel = tr_arg_text(&c->kernel, i), .operator = f ? f->op : TR_NO_STR,
                          .module = f ? f->module : TR_NO_STR };
    c->named |= l->kernel != TR_NO_STR;
    t->end = b->dur[i] > 0 ? tr_time_sum(b->ts[i], b->dur[i]) : b->ts[i];
    return true;
}

static bool see(struct capture *c, const struct tr_batch *b, size_t i)
{
    unsigned act = b->activity[i];
    if ((act != TR_ACT_RUNTIME_API && act != TR_ACT_DRIVER_API) || b->phase[i] != TR_SPAN || b->ts[i] == TR_TIME_NONE)
        return true;
    if (b->track[i] >= c->n_threads) {
        if (!tr_grow(&c->threads, &c->cap_threads, (size_t)b->track[i] + 1, sizeof *c->threads))
            return false;
        memset(c->threads + c->n_threads, 0, (b->track[i] + 1 - c->n_threads) * sizeof *c->threads);
        c->n_threads = (size_t)b->track[i] + 1;
    }
    struct thread *t = &c->threads[b->track[i]];
    struct tr_str name = tr_dict_text_if(c->in->dict, b->name[i]);
    if (has(name, "StreamBeginCapture")) {
        *t = (struct thread){ .on = true, .end = INT64_MIN };
        c->n_captures++;
    } else if (has(name, "StreamEndCapture")) {
        t->on = false;
    } else if (t->on && (has(name, "Launch") || has(name, "Memcpy") || has(name, "Memset"))) {
        return see_launch(c, b, i, t);
    }
    return true;
}

static enum tr_status read_all(struct capture *c, struct tr_error *err)
{
    const struct tr_batch *b;
    enum tr_status st;
    while ((st = tr_input_next(c->in, &b, err)) == TR_OK) {
        st = tr_above_batch(c->above, b, err);
        if (st == TR_OK && !tr_arg_read(&c->kernel, b, TR_PLACE_ARGS, "kernel"))
            st = tr_fail_memory(err);
        for (size_t i = 0; st == TR_OK && i < b->n; i++)
            if (!see(c, b, i))
                st = tr_fail_memory(err);
        if (st != TR_OK)
            break;
    }
    return st == TR_END ? TR_OK : st;
}

/* A cell of a table with tabs between its cells. */
static bool put(struct tr_buf *out, struct tr_str text, char after)
{
    bool ok = true;
    for (size_t i = 0; ok && i < text.len; i++)
        ok = tr_buf_add(out, (unsigned char)text.s[i] < ' ' ? " " : text.s + i, 1);
    return ok && tr_buf_add(out, &after, 1);
}

static struct tr_str text_of(const struct tr_strtab *texts, uint32_t id)
{
    return id == TR_NO_STR ? tr_str_of(NULL) : (struct tr_str){ tr_strtab_get(texts, id), tr_strtab_len(texts, id) };
}

static bool make_table(const struct capture *c, struct tr_buf *out)
{
    const struct tr_strtab *strings = c->in->dict->strings;
    char position[24];
    bool ok = put(out, tr_str_of("position"), '\t') && (!c->named || put(out, tr_str_of("name"), '\t')) &&
              put(out, tr_str_of("operator"), '\t') && put(out, tr_str_of("module"), '\n');
    for (size_t i = 0; ok && i < c->n_launches; i++) {
        const struct launch *l = &c->launches[i];
        snprintf(position, sizeof position, "%" PRIu64, l->position);
        ok = put(out, tr_str_of(position), '\t') && (!c->named || put(out, text_of(strings, l->kernel), '\t')) &&
             put(out, text_of(strings, l->operator), '\t') && put(out, text_of(c->texts, l->module), '\n');
    }
    return ok;
}

enum tr_status breakdown_capture(struct cli *cli, const struct cli_list *files, struct tr_graph_names **names,
                                 struct tr_error *err)
{
    struct capture c = { .texts = tr_strtab_new() };
    struct tr_buf table = { 0 };
    enum tr_status st = c.texts ? cli_input_open(cli, files->items, files->n, &c.in, err) : tr_fail_memory(err);
    if (st == TR_OK && !c.in->sorted) {
        st = tr_fail(err, TR_DAMAGED, "captures need an ordered stream");
        tr_error_input(err, c.in->name);
    }
    if (st == TR_OK && !(c.above = tr_above_new(c.in->dict, c.texts, NULL, false)))
        st = tr_fail_memory(err);
    if (st == TR_OK)
        st = read_all(&c, err);
    if (st == TR_OK && !make_table(&c, &table))
        st = tr_fail_memory(err);
    if (st == TR_OK && !c.n_captures)
        cli_remark(cli, "option --attach-capture: no call begins a capture (StreamBeginCapture)");
    else if (st == TR_OK && !c.named)
        cli_remark(cli,
                   "option --attach-capture: the launches do not say their kernels, so nodes are matched by position "
                   "alone");
    if (st == TR_OK)
        st = tr_graph_names_new(names, (const char *)table.data, table.len, err);
    tr_above_free(c.above);
    tr_arg_free(&c.kernel);
    tr_strtab_free(c.texts);
    free(c.threads);
    free(c.launches);
    tr_buf_free(&table);
    if (c.in)
        cli_input_close(cli, c.in);
    return st;
}
