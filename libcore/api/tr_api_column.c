/* SPDX-License-Identifier: MIT */
/* The public interface: whole columns of tables, and rows as a record batch of Arrow. */
#include "api/tr_api_arrow_int.h"
#include "api/tr_api_int.h"

#include "table/tr_table_int.h"

#include <stdlib.h>

static bool is_whole(enum tr_cell type)
{
    return type == TR_CELL_INT || type == TR_CELL_COUNT || type == TR_CELL_TIME;
}

/* Is there such a column, of a type that can be read so? */
static enum tr_status check(const struct tr_table *t, size_t column, bool (*fits)(enum tr_cell type),
                            const char *expected, struct tr_error *err)
{
    if (!t)
        return tr_fail(err, TR_USAGE, "there is no table");
    if (column >= t->n_shown)
        return tr_fail(err, TR_USAGE, "there is no column %zu: the table has %zu", column, t->n_shown);
    const struct tr__column *c = tr__column_at(t, column);
    return fits(c->is.type) ? TR_OK : tr_fail(err, TR_USAGE, "column '%.80s' has no %s", c->printed, expected);
}

enum tr_status tr_table_column_i64(const struct tr_table *t, size_t column, int64_t *values, uint8_t *valid,
                                   struct tr_error *err)
{
    enum tr_status st = check(t, column, is_whole, "integers", err);
    for (size_t i = 0; st == TR_OK && i < tr__rows(t); i++) {
        values[i] = tr_table_cell_int(t, i, column);
        if (valid)
            valid[i] = !tr__cell_at(t, i, column)->absent;
    }
    return st;
}

static bool is_number(enum tr_cell type)
{
    return type != TR_CELL_STRING;
}

enum tr_status tr_table_column_f64(const struct tr_table *t, size_t column, double *values, uint8_t *valid,
                                   struct tr_error *err)
{
    enum tr_status st = check(t, column, is_number, "numbers", err);
    for (size_t i = 0; st == TR_OK && i < tr__rows(t); i++) {
        values[i] = tr_table_cell_real(t, i, column);
        if (valid)
            valid[i] = !tr__cell_at(t, i, column)->absent;
    }
    return st;
}

static bool is_text(enum tr_cell type)
{
    return type == TR_CELL_STRING;
}

enum tr_status tr_table_column_str(const struct tr_table *t, size_t column, const char **values, size_t *lens,
                                   uint8_t *valid, struct tr_error *err)
{
    enum tr_status st = check(t, column, is_text, "texts", err);
    for (size_t i = 0; st == TR_OK && i < tr__rows(t); i++) {
        values[i] = tr_table_cell_text(t, i, column, lens ? &lens[i] : NULL);
        if (valid)
            valid[i] = values[i] != NULL;
    }
    return st;
}

/* ---- Arrow ---- */

/* Room for one column, used for each in turn. */
struct scratch {
    union {
        int64_t *i;
        uint64_t *u;
        double *d;
        struct tr_str *s;
    } v;
    uint8_t *valid;
};

static void read_cells(const struct tr_table *t, size_t column, enum tr_cell type, const struct scratch *to)
{
    for (size_t i = 0; i < tr__rows(t); i++) {
        const struct tr__cell *cell = tr__cell_at(t, i, column);
        to->valid[i] = !cell->absent;
        if (type == TR_CELL_STRING)
            to->v.s[i].s = tr_table_cell_text(t, i, column, &to->v.s[i].len);
        else if (type == TR_CELL_COUNT)
            to->v.u[i] = cell->v.u;
        else if (is_whole(type))
            to->v.i[i] = cell->v.i;
        else
            to->v.d[i] = cell->v.d;
    }
}

static bool add_column(struct tr__arrow *a, const struct tr_table *t, size_t column, const struct scratch *to)
{
    const struct tr_table_column *is = &tr__column_at(t, column)->is;
    const bool time = is->type == TR_CELL_TIME;
    const char *const about[] = { "role", tr_column_role_name(is->role), "unit", time ? "ns" : is->unit,
                                  "meaning", is->meaning, NULL };
    const struct tr__arrow_name name = { is->name, time ? "_ns" : NULL, about };
    read_cells(t, column, is->type, to);
    if (is->type == TR_CELL_STRING)
        return tr__arrow_texts(a, &name, to->v.s);
    const char *format = is->type == TR_CELL_COUNT ? "L" : is_whole(is->type) ? "l" : "g";
    return tr__arrow_numbers(a, format, &name, to->v.i, to->valid);
}

enum tr_status tr_table_arrow(const struct tr_table *t, struct ArrowSchema *schema, struct ArrowArray *array,
                              struct tr_error *err)
{
    if (!t)
        return tr_fail(err, TR_USAGE, "there is no table");
    const size_t n = tr__rows(t);
    struct tr__arrow a = { schema, array };
    const struct scratch to = { .v.s = calloc(n + 1, sizeof(struct tr_str)), .valid = calloc(n + 1, 1) };
    bool made = to.v.s && to.valid && tr__arrow_new(&a, t->n_shown, n), ok = made;
    for (size_t c = 0; c < t->n_shown && ok; c++)
        ok = add_column(&a, t, c, &to);
    if (made && !ok)
        tr__arrow_free(&a);
    free(to.v.s);
    free(to.valid);
    return ok ? TR_OK : tr_fail_memory(err);
}
