/* SPDX-License-Identifier: MIT */
/* Names and their roles, by the rules for names. */
#include "vendor/tr_roles.h"

#include "vendor/tr_names.h"

#include <string.h>

unsigned tr_roles_of(const struct tr_names *own, const char *name, size_t len)
{
    unsigned roles = own ? tr_names_roles_of(own, name, len) : 0;
    for (size_t i = 0; i < tr_names_roles.n; i++)
        if (tr_name_rule_takes(&tr_names_roles.rules[i], name, len))
            roles |= tr_names_roles.rules[i].means;
    return roles;
}

enum tr_device_wait tr_device_wait_of(const struct tr_names *own, const char *name, size_t len)
{
    int wait = own ? tr_names_wait_of(own, name, len) : -1;
    if (wait >= 0)
        return (enum tr_device_wait)wait;
    const struct tr_name_rule *rule = tr_name_list_find(&tr_names_waits, name, len);
    return rule ? (enum tr_device_wait)rule->means : TR_WAIT_NONE;
}

/* Names of copies in CUPTI and Kineto: host, device, array, peer. */
static const char *const directions[TR_N_COPY_DIRECTIONS] = {
    "Memset",      "Memcpy HtoD", "Memcpy DtoH", "Memcpy DtoD", "Memcpy PtoP", "Memcpy HtoH",
    "Memcpy HtoA", "Memcpy AtoH", "Memcpy AtoA", "Memcpy AtoD", "Memcpy DtoA", "Memcpy Unknown",
};

/*
 * The direction in a name of Level Zero, as in "zeCommandListAppendMemoryCopyRegion(M2D)"; -1: the name has none.
 * H and M are memory of the host; the place of S, which both share, is not known.
 */
static int level_zero_direction(const char *name, size_t len)
{
    static const struct tr_name_rule copy = { TR_NAME_CONTAINS, 0, "Copy", 4 };
    static const char places[] = "DHM"; /* the first is the device */
    for (size_t i = 0; i + 5 <= len; i++) {
        if (name[i] != '(' || name[i + 2] != '2' || name[i + 4] != ')' || !tr_name_rule_takes(&copy, name, i))
            continue;
        const char *from = memchr(places, name[i + 1], 3), *to = memchr(places, name[i + 3], 3);
        if (!from || !to)
            continue;
        return from == places ? (to == places ? TR_COPY_DTOD : TR_COPY_DTOH)
                              : (to == places ? TR_COPY_HTOD : TR_COPY_HTOH);
    }
    return -1;
}

unsigned tr_copy_direction(const struct tr_names *own, const char *name, size_t len)
{
    int way = own ? tr_names_copy_of(own, name, len) : -1;
    const struct tr_name_rule *rule = way < 0 ? tr_name_list_find(&tr_names_copies, name, len) : NULL;
    if (rule)
        return rule->means;
    way = way < 0 ? level_zero_direction(name, len) : way;
    return way < 0 ? TR_COPY_UNKNOWN : (unsigned)way;
}

const char *tr_copy_direction_name(unsigned direction)
{
    return directions[direction];
}

bool tr_is_backward_flow(const char *category, size_t len)
{
    static const char flow[] = "fwdbwd"; /* Kineto */
    return len == sizeof flow - 1 && memcmp(category, flow, len) == 0;
}

bool tr_is_work_flow(const char *name, size_t len)
{
    static const char flow[] = "torch_to_npu"; /* torch_npu */
    return len == sizeof flow - 1 && memcmp(name, flow, len) == 0;
}
