/* SPDX-License-Identifier: MIT */
/*
 * Rules on names, models and schemas of operators, and peaks of devices: those that come with the library, and files.
 * Of these the last one that knows a name counts.
 *
 *     struct tr_models *m = NULL;
 *     st = tr_models_load(&m, NULL, &err);            the built-in ones
 *     st = tr_models_load(&m, "mine.models", &err);   and those of a file
 *     tr_models_free(m);
 */
#ifndef TR_MODEL_FILES_H
#define TR_MODEL_FILES_H

#include "model/tr_rules.h"
#include "vendor/tr_models.h"
#include "vendor/tr_peaks.h"
#include "vendor/tr_schemas.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * If *m is NULL, make models of the built-in ones.  Then add a file, unless path is NULL.  *m is to be freed also after
 * a failure.  The same for schemas.
 */
enum tr_status tr_models_load(struct tr_models **m, const char *path, struct tr_error *err);
enum tr_status tr_schemas_load(struct tr_schemas **s, const char *path, struct tr_error *err);

/* The peaks of a device that the library knows, else of a file; "none": no peaks. */
enum tr_status tr_peaks_load(struct tr_peaks *p, const char *arch, struct tr_error *err);
/* The figures of the first device in a file. */
enum tr_status tr_peaks_file(struct tr_peaks *p, const char *path, struct tr_error *err);

/* Rules that come with the library.  NULL: none have this name. */
const struct tr_rules_builtin *tr_rules_builtin_named(const char *name);
/* Add rules that come with the library, by their name, or else those of a file, which opts are about. */
enum tr_status tr_rules_load(struct tr_rules *r, const char *name, const struct tr_rules_opts *opts,
                             struct tr_error *err);

#ifdef __cplusplus
}
#endif
#endif
