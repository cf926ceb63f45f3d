/* SPDX-License-Identifier: MIT */
/*
 * What names of vendors mean, by rules of files: those of rules/names.rules, which are built in as tables, and those
 * of a file of the user, which say the activity of events, and roles of names (tr-rules(5), "NAMES").
 *
 *     struct tr_names *names;
 *     if (tr_names_read(&names, "npu.rules", text, len, &err) == TR_OK)
 *         activity = tr_names_of_category(names, "npu_kernel", 10);
 *     tr_names_free(names);
 *
 * Rules that have been read do not change, so threads may share them.
 */
#ifndef TR_NAMES_H
#define TR_NAMES_H

#include "base/tr_status.h"
#include "base/tr_str.h"

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

enum tr_name_verb { TR_NAME_IS, TR_NAME_STARTS, TR_NAME_CONTAINS };

struct tr_name_rule {
    enum tr_name_verb verb;
    unsigned means; /* enum tr_activity, enum tr_name_role, enum tr_device_wait or tr_copy_direction */
    const char *text;
    size_t len;
};

struct tr_name_list {
    const struct tr_name_rule *rules;
    size_t n;
};

/* Those of rules/names.rules. */
extern const struct tr_name_list tr_names_categories, tr_names_roles, tr_names_waits, tr_names_copies;

/* Does a rule take a name? */
bool tr_name_rule_takes(const struct tr_name_rule *rule, const char *name, size_t len);
/* The first rule that takes a name; NULL: none. */
const struct tr_name_rule *tr_name_list_find(const struct tr_name_list *list, const char *name, size_t len);

/* The rules of a user's files. */
struct tr_names;

/*
 * Add the rules of a file; *names is NULL before the first one.  Rules of later files come after those before.
 *
 * TR_OK; TR_USAGE: it is no such file, err has the line; TR_SYSTEM.
 */
enum tr_status tr_names_read(struct tr_names **names, const char *file, const char *text, size_t len,
                             struct tr_error *err);
void tr_names_free(struct tr_names *names);

/* The activity (enum tr_activity) of events with this category or name, by the first rule that takes it; -1: none. */
int tr_names_of_category(const struct tr_names *names, const char *category, size_t len);
int tr_names_of_name(const struct tr_names *names, const char *name, size_t len);

/* All roles of a name (enum tr_name_role); 0: none. */
unsigned tr_names_roles_of(const struct tr_names *names, const char *name, size_t len);
/* The wait of a name (enum tr_device_wait), the role of a call (enum tr_api_role), and the direction of a copy (enum
 * tr_copy_direction), by the first rule; -1: none. */
int tr_names_wait_of(const struct tr_names *names, const char *name, size_t len);
int tr_names_call_of(const struct tr_names *names, const char *name, size_t len);
int tr_names_copy_of(const struct tr_names *names, const char *name, size_t len);

/* The table of a stream that has them: columns section and name. */
#define TR_NAME_ROLES "name_roles"

/*
 * Rule number i of those that are needed after events have been read, so that they go with a stream: its section
 * without brackets, and its text.  False: there are no more.
 */
bool tr_names_kept(const struct tr_names *names, size_t i, struct tr_str *section, struct tr_str *text);

#ifdef __cplusplus
}
#endif
#endif
