/* SPDX-License-Identifier: MIT */
/* Tables of a stream as rows: columns of all tables of a name, cells of every type, types that differ. */
#include "../spec/spec_make.h"
#include "analysis/info/tr_side_rows.h"

/* What tr_side_rows makes of the tables of m, as TSV; what of it fails is in err. */
static enum tr_status as_tsv(const struct made *m, const char *name, struct tr_buf *out, struct tr_error *err)
{
    struct tr_table *t = tr_table_new(TR_UNIT_NS);
    NEED(t);
    out->len = 0;
    *err = (struct tr_error)TR_ERROR_INIT;
    enum tr_status st = tr_side_rows(m->dict, &m->tables, name, t, err);
    if (st == TR_OK)
        st = tr_table_write(t, &tr_row_sink_tsv, out, err);
    tr_table_free(t);
    NEED(tr_buf_add(out, "", 1));
    return st;
}

static void is_tsv(struct tap *t, const struct made *m, const char *name, const char *want, const char *what)
{
    struct tr_buf have = { NULL, 0, 0 };
    struct tr_error err;
    enum tr_status st = as_tsv(m, name, &have, &err);
    bool good = st == TR_OK && strcmp((char *)have.data, want) == 0;
    tap_ok(t, good, "%s", what);
    if (!good)
        printf("# %s\n# have: %s\n# want: %s\n", err.what, (char *)have.data, want);
    tr_buf_free(&have);
}

static struct tr_side_table *table_of(struct made *m, const char *name, uint32_t source)
{
    struct tr_side_table *t = tr_side_table_new(name, source);
    NEED(t && tr_side_tables_add(&m->tables, t));
    return t;
}

/* A table of one column and one row. */
static void one_cell(struct made *m, const char *name, const char *column, unsigned type, struct tr_side_value v)
{
    struct tr_side_table *t = table_of(m, name, UINT32_MAX);
    v.present = true;
    NEED(tr_side_table_column(t, column, type) && tr_side_table_add(t, &v));
}

static void test_cells(struct tap *t)
{
    static const struct {
        unsigned type;
        struct tr_side_value v;
        const char *want;
    } cells[] = {
        { TR_T_INT, { .v = -5 }, "rank\tc\n\t-5\n" },
        { TR_T_QUOTED, { .v = -5 }, "rank\tc\n\t-5\n" },
        { TR_T_UINT, { .v = -1 }, "rank\tc\n\t18446744073709551615\n" },
        { TR_T_DOUBLE, { .v = 0x4009000000000000 }, "rank\tc\n\t3.125\n" },
        { TR_T_DOUBLE, { .v = 0x7ff8000000000000 }, "rank\tc\n\t\n" },
        { TR_T_STRING, { .text = "a\tb", .len = 3 }, "rank\tc\n\ta\\tb\n" },
        { TR_T_JSON, { .text = "[1]", .len = 3 }, "rank\tc\n\t[1]\n" },
        { TR_T_NUMBER, { .text = "1e400", .len = 5 }, "rank\tc\n\t1e400\n" },
        { TR_SIDE_BOOL, { .v = 0 }, "rank\tc\n\tfalse\n" },
        { TR_SIDE_TIME, { .v = 1200, .of = 0 }, "rank\tc_ns\tc_track\n\t1200\tpid 100 tid 101\n" },
        { TR_SIDE_TRACK, { .v = 1 }, "rank\tc\n\tdevice 0 stream 7\n" },
        { TR_SIDE_RECORD, { .v = 9, .of = 0 }, "rank\tc_source\tc_record\n\t0\t9\n" },
    };
    for (size_t i = 0; i < sizeof cells / sizeof *cells; i++) {
        struct made m = spec_example();
        char what[32];
        one_cell(&m, "t", "c", cells[i].type, cells[i].v);
        snprintf(what, sizeof what, "a cell of type %u", cells[i].type);
        is_tsv(t, &m, "t", cells[i].want, what);
        made_free(&m);
    }
    struct made m = spec_example();
    one_cell(&m, "t", "c", TR_T_DECIMAL, (struct tr_side_value){ .v = tr_decimal_make(-125, 1) });
    is_tsv(t, &m, "t", "rank\tc\n\t-12.5\n", "a cell of type 5");
    made_free(&m);
}

/* Several tables of one name: their columns together, each row with those that its table has. */
static void test_union(struct tap *t)
{
    struct made m = spec_example();
    struct tr_side_table *a = table_of(&m, "t", 0), *b = table_of(&m, "t", UINT32_MAX), *other = table_of(&m, "u", 0);
    const struct tr_side_value row[] = { { true, 1, 0, NULL, 0 }, { true, 2, 0, NULL, 0 } };
    NEED(tr_side_table_column(a, "x", TR_T_INT) && tr_side_table_column(a, "y", TR_T_INT));
    NEED(tr_side_table_column(b, "z", TR_T_INT) && tr_side_table_column(b, "x", TR_T_INT));
    NEED(tr_side_table_column(other, "w", TR_T_INT));
    NEED(tr_side_table_add(a, row) && tr_side_table_add(b, row) && tr_side_table_add(other, row));
    is_tsv(t, &m, "t", "rank\tx\ty\tz\n3\t1\t2\t\n\t2\t\t1\n", "the columns of all tables of the name");
    is_tsv(t, &m, "u", "rank\tw\n3\t1\n", "and of no other");
    made_free(&m);
}

static void test_mixed(struct tap *t)
{
    struct made m = spec_example();
    one_cell(&m, "t", "c", TR_T_INT, (struct tr_side_value){ .v = -5 });
    one_cell(&m, "t", "c", TR_T_STRING, (struct tr_side_value){ .text = "text", .len = 4 });
    one_cell(&m, "t", "c", TR_T_UINT, (struct tr_side_value){ .v = -1 });
    one_cell(&m, "t", "c", TR_T_DOUBLE, (struct tr_side_value){ .v = 0x4009000000000000 });
    one_cell(&m, "t", "c", TR_T_DECIMAL, (struct tr_side_value){ .v = tr_decimal_make(5, 1) });
    one_cell(&m, "t", "c", TR_SIDE_BOOL, (struct tr_side_value){ .v = 1 });
    one_cell(&m, "t", "c", TR_SIDE_TIME, (struct tr_side_value){ .v = 1200, .of = 1 });
    one_cell(&m, "t", "c", TR_SIDE_TRACK, (struct tr_side_value){ .v = 0 });
    one_cell(&m, "t", "c", TR_SIDE_RECORD, (struct tr_side_value){ .v = 9 });
    is_tsv(t, &m, "t", "rank\tc\n\t-5\n\ttext\n\t18446744073709551615\n\t3.125\n\t0.5\n\ttrue\n\t1200ns\n"
                       "\tpid 100 tid 101\n\tsource 0 record 9\n",
           "columns whose types differ are texts");
    made_free(&m);
}

/* A column of its own that is called as the first one is. */
static void test_rank(struct tap *t)
{
    struct made m = spec_example();
    one_cell(&m, "t", "rank", TR_T_INT, (struct tr_side_value){ .v = 8 });
    is_tsv(t, &m, "t", "rank\trank_of_table\n\t8\n", "a column that is called rank");
    made_free(&m);
}

/* Times are shown as their clock gives them; those that it takes beyond 64 bits are absent. */
static void test_clock(struct tap *t)
{
    struct made m = spec_example();
    struct tr_clock clock = { .source = 0, .frame = 3, .offset = 200 };
    NEED(tr_dict_add_clock(m.dict, &clock) == 0);
    m.dict->tracks[1].clock = 1;
    one_cell(&m, "t", "c", TR_SIDE_TIME, (struct tr_side_value){ .v = 1200, .of = 1 });
    one_cell(&m, "t", "c", TR_SIDE_TIME, (struct tr_side_value){ .v = INT64_MIN + 1, .of = 1 });
    is_tsv(t, &m, "t", "rank\tc_ns\tc_track\n\t1000\tdevice 0 stream 7\n\t\tdevice 0 stream 7\n",
           "times are those of the clock");
    made_free(&m);
}

static void test_refused(struct tap *t)
{
    struct made m = spec_example();
    struct tr_buf out = { NULL, 0, 0 };
    struct tr_error err;
    bool good = as_tsv(&m, "t", &out, &err) == TR_DAMAGED;
    tap_ok(t, good && strcmp(err.what, "no table 't': there are no tables") == 0, "no table: %s", err.what);
    one_cell(&m, "b", "c", TR_T_INT, (struct tr_side_value){ .v = 1 });
    one_cell(&m, "a", "c", TR_T_INT, (struct tr_side_value){ .v = 1 });
    one_cell(&m, "b", "c", TR_T_INT, (struct tr_side_value){ .v = 1 });
    good = as_tsv(&m, "t", &out, &err) == TR_DAMAGED;
    tap_ok(t, good && strcmp(err.what, "no table 't': the tables are b, a") == 0, "another one: %s", err.what);
    for (unsigned i = 0; i <= 1024; i++) {
        char column[16];
        snprintf(column, sizeof column, "c%u", i);
        one_cell(&m, "wide", column, TR_T_INT, (struct tr_side_value){ .v = 1 });
        if (i == 1023)
            tap_ok(t, as_tsv(&m, "wide", &out, &err) == TR_OK, "1024 columns");
    }
    good = as_tsv(&m, "wide", &out, &err) == TR_DAMAGED;
    tap_ok(t, good && strstr(err.what, "more than 1024"), "1025: %s", err.what);
    tr_buf_free(&out);
    made_free(&m);
}

int main(void)
{
    struct tap t = { 0, 0 };
    test_cells(&t);
    test_union(&t);
    test_mixed(&t);
    test_rank(&t);
    test_clock(&t);
    test_refused(&t);
    return tap_end(&t);
}
