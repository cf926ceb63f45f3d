/* SPDX-License-Identifier: MIT */
/* Models of operators and peaks of devices, of the program and of files. */
#ifndef CLI_MODELS_H
#define CLI_MODELS_H

#include "cli/cli_main.h"
#include "vendor/tr_models.h"
#include "vendor/tr_peaks.h"

/* Those that come with the program, then those of files: the last one that knows an operator counts.  *out is set, and
 * to be freed, also on failure. */
enum tr_status cli_models_read(const struct tr_option_list *files, struct tr_models **out, struct tr_error *err);

/* The peaks of --arch: of a device that the program knows, else of a file. */
enum tr_status cli_peaks_read(const char *arch, struct tr_peaks *p, struct tr_error *err);

#endif
