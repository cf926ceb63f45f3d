/* SPDX-License-Identifier: MIT */
/* Sorted runs of rows in a temporary file, compressed in frames. */
#include "stream/sort/tr_run_file_int.h"

#include "base/tr_mem.h"
#include "io/tr_io.h"
#include "io/tr_temp.h"

#include <errno.h>
#include <lz4.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define FRAME_BYTES (256u << 10) /* a frame is closed when it has grown past this */
#define FRAME_HEADER 8u          /* raw and stored length */

struct tr_run_file {
    int fd;
    uint64_t end;
    char dir[4096];
};

struct tr_file_run {
    struct tr_run_file *file;
    uint64_t from, to;      /* its place in the file; while reading, the rest */
    struct tr_buf raw;    /* rows of the frame being written or read */
    struct tr_buf packed;
    size_t at;
};

enum tr_status tr_run_file_new(struct tr_run_file **out, const char *temp_dir, struct tr_error *err)
{
    struct tr_run_file *s = calloc(1, sizeof *s);
    if (!s)
        return tr_fail_memory(err);
    snprintf(s->dir, sizeof s->dir, "%s", temp_dir ? temp_dir : "/var/tmp");
    enum tr_status st = tr__temp_fd(&s->fd, s->dir, err);
    if (st == TR_OK)
        *out = s;
    else
        tr_run_file_free(s);
    return st;
}

void tr_run_file_free(struct tr_run_file *s)
{
    if (!s)
        return;
    if (s->fd >= 0)
        close(s->fd);
    free(s);
}

enum tr_status tr_file_run_start(struct tr_run_file *s, struct tr_file_run **out, struct tr_error *err)
{
    struct tr_file_run *run = calloc(1, sizeof *run);
    if (!run)
        return tr_fail_memory(err);
    run->file = s;
    run->from = run->to = s->end;
    *out = run;
    return TR_OK;
}

static enum tr_status write_all(struct tr_run_file *s, const unsigned char *p, size_t n,
                                struct tr_error *err)
{
    enum tr_status st = tr_pwrite_full(s->fd, p, n, s->end, err);
    if (st == TR_OK)
        s->end += n;
    else
        tr_error_input(err, s->dir);
    return st;
}

static enum tr_status damaged(const struct tr_run_file *s, struct tr_error *err)
{
    tr_error_input(err, s->dir);
    return tr_fail_sys(err, EIO, "a temporary file there has changed");
}

static enum tr_status read_all(struct tr_run_file *s, unsigned char *p, size_t n, uint64_t at,
                               struct tr_error *err)
{
    size_t got;
    enum tr_status st = tr_pread_full(s->fd, p, n, at, &got, err);
    if (st == TR_END)
        return damaged(s, err);
    if (st != TR_OK)
        tr_error_input(err, s->dir);
    return st;
}

static enum tr_status flush(struct tr_file_run *run, struct tr_error *err)
{
    if (run->raw.len == 0)
        return TR_OK;
    int bound = LZ4_compressBound((int)run->raw.len);
    run->packed.len = 0;
    if (bound <= 0 || !tr_buf_reserve(&run->packed, FRAME_HEADER + (size_t)bound))
        return tr_fail_memory(err);
    int n = LZ4_compress_default((const char *)run->raw.data, (char *)run->packed.data + FRAME_HEADER,
                                 (int)run->raw.len, bound);
    uint32_t head[2] = { (uint32_t)run->raw.len, (uint32_t)n };
    memcpy(run->packed.data, head, sizeof head);
    run->raw.len = 0;
    return write_all(run->file, run->packed.data, FRAME_HEADER + (size_t)n, err);
}

enum tr_status tr_file_run_write(struct tr_file_run *run, const struct tr_row *row,
                                  struct tr_error *err)
{
    if (!tr_buf_add(&run->raw, row, row->size))
        return tr_fail_memory(err);
    return run->raw.len >= FRAME_BYTES ? flush(run, err) : TR_OK;
}

enum tr_status tr_file_run_end(struct tr_file_run *run, struct tr_error *err)
{
    enum tr_status st = flush(run, err);
    run->to = run->file->end;
    tr_buf_free(&run->raw);
    tr_buf_free(&run->packed);
    return st;
}

static enum tr_status read_frame(struct tr_file_run *run, struct tr_error *err)
{
    uint32_t head[2];
    enum tr_status st = read_all(run->file, (unsigned char *)head, sizeof head, run->from, err);
    if (st != TR_OK)
        return st;
    run->raw.len = run->packed.len = 0;
    if (!tr_buf_reserve(&run->raw, head[0]) || !tr_buf_reserve(&run->packed, head[1]))
        return tr_fail_memory(err);
    st = read_all(run->file, run->packed.data, head[1], run->from + FRAME_HEADER, err);
    if (st != TR_OK)
        return st;
    if (LZ4_decompress_safe((const char *)run->packed.data, (char *)run->raw.data, (int)head[1],
                            (int)head[0]) != (int)head[0])
        return damaged(run->file, err);
    run->raw.len = head[0];
    run->from += FRAME_HEADER + (uint64_t)head[1];
    run->at = 0;
    return TR_OK;
}

enum tr_status tr_file_run_next(struct tr_file_run *run, struct tr_row_ref *ref, struct tr_error *err)
{
    if (run->at >= run->raw.len) {
        if (run->from >= run->to) {
            tr_buf_free(&run->raw);
            tr_buf_free(&run->packed);
            return TR_END;
        }
        enum tr_status st = read_frame(run, err);
        if (st != TR_OK)
            return st;
    }
    ref->row = (const struct tr_row *)(const void *)(run->raw.data + run->at);
    ref->ts = ref->row->ts;
    run->at += ref->row->size;
    return TR_OK;
}

void tr_file_run_free(struct tr_file_run *run)
{
    if (!run)
        return;
    tr_buf_free(&run->raw);
    tr_buf_free(&run->packed);
    free(run);
}
