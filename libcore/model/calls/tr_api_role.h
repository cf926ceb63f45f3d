/* SPDX-License-Identifier: MIT */
/*
 * The role of an API call by its name: does it exist to give work to a device?
 *
 * The rules are those of rules/launches.rules, which describes the roles.
 *
 *     tr_api_roles_new(&roles, &err);
 *     st = tr_api_role_of(roles, dict, b->name[i], &role, &err);
 *     tr_api_roles_free(roles);
 *
 * Memory: a byte for each string of the dictionary.  Not shared between threads.
 */
#ifndef TR_API_ROLE_H
#define TR_API_ROLE_H

#include "model/tr_rules.h"
#include "stream/tr_dict.h"

#ifdef __cplusplus
extern "C" {
#endif

enum tr_api_role {
    TR_API_OTHER,
    TR_API_LAUNCH,
    TR_API_MEMSET,
    TR_API_APPEND,
    TR_API_BEGIN_CAPTURE,
    TR_API_END_CAPTURE,
    TR_N_API_ROLES
};

struct tr_api_roles;

/* TR_OK, or TR_SYSTEM: *out is NULL. */
enum tr_status tr_api_roles_new(struct tr_api_roles **out, struct tr_error *err);
void tr_api_roles_free(struct tr_api_roles *r);

/* The role of a call with this name; name may be TR_NO_STR.  TR_OK, or TR_SYSTEM. */
enum tr_status tr_api_role_of(struct tr_api_roles *r, const struct tr_dict *dict, uint32_t name,
                              enum tr_api_role *role, struct tr_error *err);

/* The text of the rules. */
extern const char tr_api_role_builtin[];

#ifdef __cplusplus
}
#endif
#endif
