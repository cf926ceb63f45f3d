/* SPDX-License-Identifier: MIT */
/*
 * tr-replay -O python: a script that makes the calls.
 *
 * Nothing of a trace goes into the script but numbers, and words that this program knows: names are those of schemas,
 * which have letters, digits and '_' only.
 */
#include "replay/replay.h"

#include "base/tr_num.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum tr_status replay_python_start(struct replay_writer *w, struct tr_error *err)
{
    static const char list[] = "\n\nCALLS = [\n";
    enum tr_status st = cli_write(w->cli, replay_script, strlen(replay_script), err);
    return st == TR_OK ? cli_write(w->cli, list, sizeof list - 1, err) : st;
}

enum tr_status replay_python_end(struct replay_writer *w, struct tr_error *err)
{
    static const char end[] = "]\n\nif __name__ == \"__main__\":\n    sys.exit(main(CALLS))\n";
    return cli_write(w->cli, end, sizeof end - 1, err);
}

/* ---- values ---- */

static bool put_text(struct tr_buf *out, struct tr_str text)
{
    return tr_buf_add(out, "\"", 1) && tr_buf_add_text(out, text) && tr_buf_add(out, "\"", 1);
}

static bool put_real(struct tr_buf *out, double r)
{
    char number[TR_NUM_TEXT + 24];
    if (r == floor(r) && fabs(r) < 1e15)
        snprintf(number, sizeof number, "%.1f", r);
    else
        tr_num_print(r, number);
    return tr_buf_add_str(out, number);
}

static bool put_int(struct tr_buf *out, int64_t i)
{
    char number[32];
    snprintf(number, sizeof number, "%" PRId64, i);
    return tr_buf_add_str(out, number);
}

/* A value that is no list. */
static bool put_single(struct tr_buf *out, const struct tr_value *v, enum tr_schema_kind kind)
{
    const char *call = kind == TR_SCHEMA_DTYPE    ? "dtype("
                       : kind == TR_SCHEMA_LAYOUT ? "layout("
                       : kind == TR_SCHEMA_FORMAT ? "memory_format("
                                                  : NULL;
    switch (v->type) {
    case TR_VALUE_BOOL:
        return tr_buf_add_str(out, v->of.i ? "True" : "False");
    case TR_VALUE_INT:
        return (!call || tr_buf_add_str(out, call)) && put_int(out, v->of.i) && (!call || tr_buf_add(out, ")", 1));
    case TR_VALUE_REAL:
        return put_real(out, v->of.r);
    case TR_VALUE_TEXT: /* inf, -inf, nan; or a word of a schema */
        return (kind == TR_SCHEMA_TEXT || tr_buf_add_str(out, "float(")) &&
               put_text(out, (struct tr_str){ v->of.s, v->n }) && (kind == TR_SCHEMA_TEXT || tr_buf_add(out, ")", 1));
    default:
        return tr_buf_add_str(out, "None");
    }
}

static bool put_list(struct tr_buf *out, const struct tr_value *list, enum tr_schema_kind kind)
{
    bool ok = tr_buf_add(out, "[", 1);
    for (size_t i = 0; ok && i < list->n; i++)
        ok = (!i || tr_buf_add_str(out, ", ")) && put_single(out, &list->of.items[i], kind);
    return ok && tr_buf_add(out, "]", 1);
}

static bool put_tensor(struct tr_buf *out, const struct tr_bound_arg *a)
{
    const char *init = tr_tensor_init_name(a->init);
    bool ok = tr_buf_add_str(out, "tensor(") && put_list(out, &a->shape, TR_SCHEMA_INT) && tr_buf_add_str(out, ", ") &&
              put_list(out, &a->strides, TR_SCHEMA_INT) && tr_buf_add_str(out, ", ") &&
              put_text(out, tr_str_of(a->torch)) && tr_buf_add_str(out, ", ") &&
              (init ? put_text(out, tr_str_of(init)) : tr_buf_add_str(out, "None"));
    if (ok && a->init == TR_INIT_INDEX)
        ok = tr_buf_add_str(out, ", below=") && put_int(out, a->below);
    return ok && (!a->host || tr_buf_add_str(out, ", host=True")) && tr_buf_add(out, ")", 1);
}

static bool put_arg(struct tr_buf *out, const struct tr_bound_arg *a)
{
    if (a->tensor)
        return put_tensor(out, a);
    return a->value.type == TR_VALUE_LIST ? put_list(out, &a->value, a->arg->kind)
                                          : put_single(out, &a->value, a->arg->kind);
}

static bool put_args(struct tr_buf *out, const struct tr_bound *b, bool keywords)
{
    bool ok = tr_buf_add(out, keywords ? "{" : "[", 1), first = true;
    for (size_t i = 0; ok && i < b->n; i++) {
        const struct tr_bound_arg *a = &b->args[i];
        if (a->arg->keyword != keywords)
            continue;
        ok = (first || tr_buf_add_str(out, ", ")) &&
             (!keywords || (put_text(out, a->arg->name) && tr_buf_add_str(out, ": "))) && put_arg(out, a);
        first = false;
    }
    return ok && tr_buf_add(out, keywords ? "}" : "]", 1);
}

enum tr_status replay_python_call(void *writer, const struct tr_replay_call *c, struct tr_error *err)
{
    struct replay_writer *w = writer;
    const struct tr_schema *schema = c->bound.schema;
    bool timed = c->device != TR_TIME_NONE && c->calls;
    char counts[80];
    if (!schema)
        return TR_OK;
    snprintf(counts, sizeof counts, ", %" PRIu64 ", %.3f,\n         ", c->calls,
             timed ? (double)c->device / (double)c->calls / 1000 : 0);
    w->text.len = 0;
    bool ok = tr_buf_add_str(&w->text, "    Call(") && put_text(&w->text, schema->op) &&
              tr_buf_add_str(&w->text, ", ") && put_text(&w->text, schema->overload) &&
              tr_buf_add_str(&w->text, counts) && put_args(&w->text, &c->bound, false) &&
              tr_buf_add_str(&w->text, ", ") && put_args(&w->text, &c->bound, true) && tr_buf_add_str(&w->text, "),\n");
    w->n++;
    return ok ? cli_write(w->cli, w->text.data, w->text.len, err) : tr_fail_memory(err);
}
