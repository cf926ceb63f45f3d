/* SPDX-License-Identifier: MIT */
/* Clock offsets as tr-align reads them from a file. */
#include "align/align.h"

#include "base/tr_num.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_CELLS 32

/* Which cell of a line holds what; -1: none. */
struct columns {
    int rank, offset, drift;
    char unit[4]; /* of offset */
};

/* Split a line at its tabs, in place; the line end goes. */
static int split(char *line, char **cells)
{
    int n = 0;
    line[strcspn(line, "\r\n")] = '\0';
    for (char *at = line; at && n < MAX_CELLS; n++) {
        char *tab = strchr(at, '\t');
        cells[n] = at;
        at = tab ? tab + 1 : NULL;
        if (tab)
            *tab = '\0';
    }
    return n;
}

/* Is the first line a header?  If so, it gives the places of the columns. */
static bool take_header(char **cells, int n, struct columns *c)
{
    struct columns found = { -1, -1, -1, "us" };
    for (int i = 0; i < n; i++) {
        if (strcmp(cells[i], "rank") == 0)
            found.rank = i;
        else if (strncmp(cells[i], "offset_", 7) == 0 && strlen(cells[i]) < 7 + sizeof c->unit) {
            found.offset = i;
            snprintf(found.unit, sizeof found.unit, "%s", cells[i] + 7);
        } else if (strcmp(cells[i], "drift_ppm") == 0)
            found.drift = i;
    }
    if (found.rank < 0)
        return false;
    *c = found;
    return true;
}

static enum tr_status take_line(char **cells, int n, const struct columns *c, int64_t *rank,
                                int64_t *offset, int64_t *drift, struct tr_error *err)
{
    char time[64];
    double ppm = 0, max = (double)TR_DRIFT_MAX / 1e6;
    if (n <= c->rank || n <= c->offset || c->offset < 0)
        return tr_fail(err, TR_DAMAGED, "a rank and an offset were expected");
    if (snprintf(time, sizeof time, "%s%s", cells[c->offset], c->unit) >= (int)sizeof time)
        return tr_fail(err, TR_DAMAGED, "'%.40s...' is not an offset", cells[c->offset]);
    enum tr_status st = tr_num_i64(cells[c->rank], 0, INT64_MAX, rank, err);
    if (st == TR_OK)
        st = tr_num_time(time, -INT64_MAX / 4, INT64_MAX / 4, offset, err);
    if (st == TR_OK && c->drift >= 0 && c->drift < n && cells[c->drift][0])
        st = tr_num_double(cells[c->drift], -max, max, &ppm, err);
    *drift = llround(ppm * 1e6);
    return st == TR_USAGE ? TR_DAMAGED : st;
}

static enum tr_status read_lines(FILE *fp, const struct tr_rank_set *ranks, int64_t *offset,
                                 int64_t *drift, bool *have, int64_t *lowest, struct tr_error *err)
{
    struct columns columns = { 0, 1, 2, "us" };
    char line[4096], *cells[MAX_CELLS];
    for (unsigned number = 1; fgets(line, sizeof line, fp); number++) {
        int64_t rank = 0, at = 0, rate = 0;
        if (!strchr(line, '\n') && !feof(fp))
            return tr_fail(err, TR_DAMAGED, "line %u is too long", number);
        int n = split(line, cells);
        if (line[0] == '\0' || line[0] == '#' || (number == 1 && take_header(cells, n, &columns)))
            continue;
        enum tr_status st = take_line(cells, n, &columns, &rank, &at, &rate, err);
        if (st != TR_OK) {
            tr_error_place(err, "line %u", number);
            return st;
        }
        size_t i = tr_rank_set_find(ranks, rank);
        *lowest = rank < *lowest ? rank : *lowest;
        if (i == ranks->n)
            continue; /* of another part of the job */
        if (have[i]) {
            tr_error_place(err, "line %u", number);
            return tr_fail(err, TR_DAMAGED, "rank %" PRId64 " for the second time", rank);
        }
        have[i] = true;
        offset[i] = at;
        drift[i] = rate;
    }
    return ferror(fp) ? tr_fail_sys(err, errno, "cannot be read") : TR_OK;
}

/* A drift counts from the first event of the reference, most likely the lowest rank of the file. */
static enum tr_status check_drifts(const struct tr_rank_set *ranks, const int64_t *drift, int64_t lowest,
                                   struct tr_error *err)
{
    for (size_t i = 0; i < ranks->n && lowest < ranks->rank[0]; i++)
        if (drift[i] != 0)
            return tr_fail(err, TR_DAMAGED,
                           "drifts count from the first event of the reference: give the traces of rank %" PRId64
                           ", too, "
                           "or name another --reference",
                           lowest);
    return TR_OK;
}

enum tr_status align_offsets_read(const char *path, const struct tr_rank_set *ranks, bool has_reference,
                                  int64_t *offset, int64_t *drift, struct tr_error *err)
{
    int64_t lowest = INT64_MAX;
    FILE *fp = fopen(path, "r");
    if (!fp)
        return tr_fail_sys(err, errno, "cannot open '%s'", path);
    bool *have = calloc(ranks->n + 1, sizeof *have);
    enum tr_status st =
        have ? read_lines(fp, ranks, offset, drift, have, &lowest, err) : tr_fail_memory(err);
    for (size_t i = 0; i < ranks->n && st == TR_OK; i++)
        if (!have[i])
            st = tr_fail(err, TR_DAMAGED, "no offset for rank %" PRId64, ranks->rank[i]);
    if (st == TR_OK && !has_reference)
        st = check_drifts(ranks, drift, lowest, err);
    if (st != TR_OK)
        tr_error_input(err, path);
    free(have);
    fclose(fp);
    return st;
}
