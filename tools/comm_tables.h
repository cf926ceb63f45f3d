/* Tables of tr-comm. */
#ifndef COMM_TABLES_H
#define COMM_TABLES_H

#include "analysis/tr_comm.h"
#include "table/tr_table.h"

/* What the tables are made from. */
struct comm_view {
    const struct tr_dict *dict;
    const struct tr_colls *c;
    const struct tr_steps *steps; /* stragglers by step, if not NULL */
    bool suspect;
    struct tr_table *t; /* without columns */
};

void comm_each(const struct comm_view *v);
void comm_members(const struct comm_view *v);
void comm_mismatches(const struct comm_view *v);
enum tr_status comm_sums(const struct comm_view *v, enum tr_comm_by by, struct tr_error *err);
enum tr_status comm_stragglers(const struct comm_view *v, struct tr_error *err);

#endif
