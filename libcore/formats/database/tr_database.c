/* SPDX-License-Identifier: MIT */
/*
 * Databases as formats.  Which one a database is may follow only from its list of tables, which may be anywhere in it,
 * so the first of them also takes those whose first bytes do not say it.
 */
#include "formats/common/tr_format_list_int.h"
#include "formats/tables/tr_tables_int.h"

#include <string.h>

static const struct tr__schema *const schemas[] = { &tr__schema_nsys, &tr__schema_rocpd, &tr__schema_rpd,
                                                    &tr__schema_ascend, NULL };

static const struct tr__schema *schema_of(const struct tr_format *f)
{
    size_t i = 0;
    while (schemas[i + 1] && strcmp(schemas[i]->name, f->name) != 0)
        i++;
    return schemas[i];
}

static enum tr_status open_database(const struct tr_format *f, struct tr_input **out,
                                    const struct tr_ingest_bytes *bytes, const struct tr_open_opts *opts,
                                    struct tr_error *err)
{
    return tr__tables_open(schemas, schema_of(f), out, bytes, opts, err);
}

static int probe(const struct tr_format *f, const unsigned char *p, size_t n)
{
    int score = tr__tables_probe(schema_of(f), p, n);
    return schema_of(f) == schemas[0] || score >= TR_PROBE_SURE ? score : 0;
}

#define DATABASE(id, its_name, its_brief)                                                       \
    const struct tr_format tr_format_##id = {                                                   \
        .name = its_name, .brief = its_brief, .probe = probe, .needs_seek = true,               \
        .at_any_place = true, .open = open_database,                                            \
    }

DATABASE(nsys, "nsys", "SQLite databases of Nsight Systems (*.sqlite): calls, kernels, copies, graphs, waits, NVTX, "
                       "MPI, metrics, memory");
DATABASE(rocpd, "rocpd", "SQLite databases of rocprofv3 and rocprof-sys (rocpd, *.db): calls, markers, kernels, "
                         "copies, counters, memory");
DATABASE(rpd, "rpd", "SQLite databases of rocmProfileData (*.rpd): calls, ranges, kernels, copies, clocks");
DATABASE(ascend, "ascend-db", "SQLite databases of Ascend's profiler (ascend_pytorch_profiler_*.db, msprof_*.db): "
                              "calls, operators, tasks, collectives, memory, counters");
