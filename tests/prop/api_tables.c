/* SPDX-License-Identifier: MIT */
/*
 * Analyses through the public interface alone, for prop/api.sh.
 *
 *     api_tables list                             a line for each analysis: NAME, its keys with commas or -
 *     api_tables options                          NAME, its options with commas or -
 *     api_tables NAME[,KEY]... [OPTION=VALUE | select.KEY=VALUE]... -- FILE...    its table as TSV, with all columns
 *
 * Exit 2 with the message of a failure.
 */
#include "tracepipe.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void list(void)
{
    for (size_t i = 0; i < tr_analysis_count(); i++) {
        const char *key;
        printf("%s\t%s", tr_analysis_name(i), tr_analysis_key(i, 0) ? "" : "-");
        for (size_t k = 0; (key = tr_analysis_key(i, k)) != NULL; k++)
            printf("%s%s", k ? "," : "", key);
        printf("\n");
    }
}

static void list_options(void)
{
    for (size_t i = 0; i < tr_analysis_count(); i++) {
        struct tr_option_info info = { .size = sizeof info };
        printf("%s\t%s", tr_analysis_name(i), tr_analysis_option(i, 0, &info) ? "" : "-");
        for (size_t k = 0; tr_analysis_option(i, k, &info); k++)
            printf("%s%s", k ? "," : "", info.name);
        printf("\n");
    }
}

static enum tr_status put(void *ctx, const void *bytes, size_t n, struct tr_error *err)
{
    return fwrite(bytes, 1, n, ctx) == n ? TR_OK : tr_fail(err, TR_SYSTEM, "cannot write");
}

/* Columns are the same before the run and after it, unless the data add some. */
static enum tr_status same_columns(const struct tr_table *before, const struct tr_table *after, struct tr_error *err)
{
    for (size_t c = 0; c < tr_table_column_count(before); c++) {
        struct tr_column_info a = { sizeof a, NULL, 0, 0, NULL, NULL }, b = { sizeof b, NULL, 0, 0, NULL, NULL };
        tr_table_column_info(before, c, &a);
        if (!a.meaning)
            return tr_fail(err, TR_USAGE, "column %s has no meaning", a.name);
        size_t at = tr_table_column_by_name(after, a.name);
        if (!tr_table_column_info(after, at, &b) || a.type != b.type || a.role != b.role)
            return tr_fail(err, TR_USAGE, "column %s is not that of the run", a.name);
    }
    return TR_OK;
}

/* Options of the report, and selections of the trace. */
static enum tr_status set_all(struct tr_report *r, struct tr_trace *t, char **args, int n, struct tr_error *err)
{
    static const char select[] = "select.";
    enum tr_status st = tr_report_set(r, "columns", "all", err);
    for (int i = 0; i < n && st == TR_OK; i++) {
        char *value = strchr(args[i], '=');
        *value++ = '\0';
        bool chooses = strncmp(args[i], select, sizeof select - 1) == 0;
        st = chooses ? tr_trace_select(t, args[i] + sizeof select - 1, value, err)
                     : tr_report_set(r, args[i], value, err);
    }
    return st;
}

int main(int argc, char **argv)
{
    struct tr_error *err = tr_error_new();
    struct tr_report *r = tr_report_new();
    struct tr_trace *t = NULL;
    const struct tr_table *before = NULL;
    char text[1400];
    int files = 1;
    if (argc == 2 && strcmp(argv[1], "list") == 0) {
        list();
        return 0;
    }
    if (argc == 2 && strcmp(argv[1], "options") == 0) {
        list_options();
        return 0;
    }
    while (files < argc && strcmp(argv[files], "--") != 0)
        files++;
    if (argc < 4 || files + 1 >= argc)
        return 2;
    char *keys = strchr(argv[1], ',');
    if (keys)
        *keys++ = '\0';
    enum tr_status st = tr_report_add(r, argv[1], err);
    if (st == TR_OK && keys)
        st = tr_report_set(r, "keys", keys, err);
    if (st == TR_OK)
        st = tr_trace_open(&t, (const char *const *)argv + files + 1, (size_t)(argc - files - 1), NULL, err);
    if (st == TR_OK)
        st = set_all(r, t, argv + 2, files - 2, err);
    if (st == TR_OK)
        st = tr_report_columns(r, 0, &before, err);
    if (st == TR_OK)
        st = tr_report_run(r, t, err);
    if (st == TR_OK)
        st = same_columns(before, tr_report_table(r, 0), err);
    if (st == TR_OK)
        st = tr_table_print(tr_report_table(r, 0), "tsv", put, stdout, err);
    if (st != TR_OK)
        fprintf(stderr, "%s\n", tr_error_text(err, text, sizeof text));
    tr_report_free(r);
    tr_trace_close(t);
    tr_error_free(err);
    return st == TR_OK ? 0 : 2;
}
