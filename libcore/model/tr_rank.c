/* SPDX-License-Identifier: MIT */
/* The rank and the mesh coordinates in the name of a file. */
#include "model/tr_rank.h"

#include "base/tr_num.h"

#include <stdio.h>
#include <string.h>

static const char *last_component(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c + 32) : c;
}

static bool is_letter(char c)
{
    return lower(c) >= 'a' && lower(c) <= 'z';
}

/* A number of at most 9 digits at p; its length, 0: none. */
static size_t number_at(const char *p, int64_t *value)
{
    uint64_t v;
    size_t n = tr_num_digits(p, 10, INT64_MAX, &v, NULL);
    if (n == 0 || n == 10)
        return 0;
    *value = (int64_t)v;
    return n;
}

/* APP.PID.RANK.json, perhaps with a suffix of compression. */
static bool rank_before_suffix(const char *name, int64_t *rank)
{
    const char *json = strstr(name, ".json");
    const char *p = json;
    int64_t pid;
    if (!json || json == name)
        return false;
    while (p > name && tr_num_is_digit(p[-1]))
        p--;
    if (p == json || p - 1 <= name || p[-1] != '.')
        return false;
    const char *q = p - 1;
    while (q > name && tr_num_is_digit(q[-1]))
        q--;
    return q < p - 1 && q > name && q[-1] == '.' && number_at(q, &pid) == (size_t)(p - 1 - q) &&
           number_at(p, rank) == (size_t)(json - p);
}

bool tr_rank_from_name(const char *path, int64_t *rank)
{
    const char *name = last_component(path);
    for (const char *p = name; *p; p++) {
        if (lower(p[0]) != 'r' || lower(p[1]) != 'a' || lower(p[2]) != 'n' || lower(p[3]) != 'k')
            continue;
        if (p > name && is_letter(p[-1]))
            continue;
        const char *q = p + 4;
        if (*q == '-' || *q == '_')
            q++;
        if (number_at(q, rank))
            return true;
    }
    return rank_before_suffix(name, rank);
}

size_t tr_mesh_from_name(const char *path, char *out, size_t size)
{
    static const char *const axes[] = { "TP", "DP", "PP", "EP", "CP", "SP" };
    const char *name = last_component(path);
    size_t len = 0;
    if (size == 0)
        return 0;
    out[0] = '\0';
    for (const char *p = name; *p; p++) {
        if (p > name && is_letter(p[-1]))
            continue;
        for (size_t a = 0; a < sizeof axes / sizeof axes[0]; a++) {
            int64_t value;
            if (lower(p[0]) != lower(axes[a][0]) || lower(p[1]) != lower(axes[a][1]))
                continue;
            const char *q = p + 2;
            if (*q == '-' || *q == '_')
                q++;
            if (!number_at(q, &value))
                continue;
            int n = snprintf(out + len, size - len, "%s%s=%lld", len ? " " : "", axes[a],
                             (long long)value);
            if (n > 0 && (size_t)n < size - len)
                len += (size_t)n;
            else
                out[len] = '\0'; /* not half of a coordinate */
        }
    }
    return len;
}
