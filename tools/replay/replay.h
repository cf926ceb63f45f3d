/* SPDX-License-Identifier: MIT */
/* What the files of tr-replay share: the program's options, and the writers of calls. */
#ifndef REPLAY_H
#define REPLAY_H

#include "analysis/operators/tr_replay.h"
#include "cli/cli_view.h"

enum replay_format {
    REPLAY_TEXT, REPLAY_TSV, REPLAY_CSV, REPLAY_JSON, REPLAY_MD, REPLAY_PYTHON, REPLAY_SVG, REPLAY_VEGA, REPLAY_HTML
};

struct replay {
    struct cli_analysis a;
    int format; /* enum replay_format, or -1 */
};

/* A writer: what comes first, each call (of struct tr_replay_options, with the writer as self), what comes last. */
struct replay_writer {
    struct cli *cli;
    struct tr_buf text; /* of a call */
    uint64_t n;         /* calls so far */
};
enum tr_status replay_json_start(struct replay_writer *w, struct tr_error *err);
enum tr_status replay_json_call(void *writer, const struct tr_replay_call *call, struct tr_error *err);
enum tr_status replay_json_end(struct replay_writer *w, struct tr_error *err);
enum tr_status replay_python_start(struct replay_writer *w, struct tr_error *err);
enum tr_status replay_python_call(void *writer, const struct tr_replay_call *call, struct tr_error *err);
enum tr_status replay_python_end(struct replay_writer *w, struct tr_error *err);

/* The text of replay.py, with which each script starts. */
extern const char replay_script[];

#endif
