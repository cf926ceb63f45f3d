/* SPDX-License-Identifier: MIT */
/*
 * A folder as an input: the traces in it.
 *
 *     struct tr_folder f;
 *     if (tr_folder_is(path) && tr_folder_read(&f, path, &opts, &err) == TR_OK)
 *         st = tr_open_many(&in, (const char *const *)f.traces, f.n_traces, &opts, &err);
 *     tr_folder_free(&f);
 *
 * A trace is a regular file, or a link to one, whose first 64 KiB after decompression are clearly of a known format;
 * with opts->input_format, it is any regular file.  Folders inside it are read to opts->depth: 1 is the folder alone.
 * A file or folder with several names, by links, is read once, so links that lead back end.  Names that start with a
 * point are ignored.
 *
 * In a folder of unitrace (model/tr_rank.h), a timeline and a log are no traces if there is a trace, because its events
 * are the same.
 */
#ifndef TR_FOLDER_H
#define TR_FOLDER_H

#include "base/tr_status.h"
#include "ingest/tr_open_opts.h"

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

struct tr_folder {
    char **traces; /* paths, by the rank in their names (model/tr_rank.h), then by path; files without a rank last */
    char **others; /* paths of files that are not traces, and of folders that are too deep, in order */
    size_t n_traces, n_others;
};

/* Is the path a folder, or a link to one? */
bool tr_folder_is(const char *path);

/*
 * Read the contents of a folder.  Free out in any case.
 *
 * TR_OK, with at least one trace; TR_DAMAGED: there is none; TR_SYSTEM: it, or a file in it, cannot be read.
 */
enum tr_status tr_folder_read(struct tr_folder *out, const char *path, const struct tr_open_opts *opts,
                              struct tr_error *err);
void tr_folder_free(struct tr_folder *f);

#ifdef __cplusplus
}
#endif
#endif
