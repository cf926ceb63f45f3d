/* SPDX-License-Identifier: MIT */
/* The rank and the mesh coordinates in the name of a file or in the label of a process. */
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
    if (rank_before_suffix(name, rank))
        return true;
    struct tr_result_folder folder;
    if (!tr_result_folder(path, &folder) || folder.rank < 0)
        return false;
    *rank = folder.rank;
    return true;
}

/* The names of the files that unitrace writes to the folder of a process. */
static bool is_result(const char *name)
{
    static const char *const names[] = {
        "chrome_trace.json", "host_timing.txt", "device_timing.txt", "device_submission.txt", "device_timeline.txt",
        "call_logging.txt", "ccl_summary_report.txt", "oskmd.json",
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        size_t n = strlen(names[i]);
        if (!strncmp(name, names[i], n) && (!name[n] || name[n] == ')' || name[n] == '.')) /* in an archive; packed */
            return true;
    }
    return false;
}

bool tr_result_folder(const char *path, struct tr_result_folder *out)
{
    const char *name = last_component(path), *end = name - 1, *from = end;
    if (name == path || !is_result(name))
        return false;
    while (from > path && from[-1] != '/' && from[-1] != '(')
        from--;
    *out = (struct tr_result_folder){ .name = from, .len = (size_t)(end - from), .rank = -1 };
    if (!strncmp(from, "rank_", 5)) {
        size_t digits = number_at(from + 5, &out->rank);
        if (!digits || from[5 + digits] != '.')
            return false;
        from += 5 + digits + 1;
    }
    const char *dot = end;
    while (dot > from && tr_num_is_digit(dot[-1]))
        dot--;
    return dot < end && dot - 1 > from && dot[-1] == '.' && number_at(dot, &out->pid) == (size_t)(end - dot);
}

bool tr_result_folder_same(const char *a, const char *b)
{
    struct tr_result_folder x, y;
    if (!tr_result_folder(a, &x) || !tr_result_folder(b, &y))
        return false;
    size_t n = (size_t)(x.name + x.len - a);
    return n == (size_t)(y.name + y.len - b) && !memcmp(a, b, n);
}

/* The length of the worker in the name of a recording; 0: it is another name. */
static size_t worker_of(const char *name)
{
    const char *end = strstr(name, ".pt.trace.json"), *dot = end;
    while (dot && dot > name && tr_num_is_digit(dot[-1]))
        dot--;
    return dot && dot < end && dot > name + 1 && dot[-1] == '.' ? (size_t)(dot - 1 - name) : 0;
}

bool tr_same_worker(const char *a, const char *b)
{
    const char *x = last_component(a), *y = last_component(b);
    size_t n = worker_of(x);
    return n && n == worker_of(y) && !memcmp(x, y, n);
}

static const char *const axes[] = { "TP", "DP", "PP", "EP", "CP", "SP" };
#define N_AXES (sizeof axes / sizeof axes[0])

size_t tr_mesh_from_name(const char *path, char *out, size_t size)
{
    const char *name = last_component(path);
    size_t len = 0;
    if (size == 0)
        return 0;
    out[0] = '\0';
    for (const char *p = name; *p; p++) {
        if (p > name && is_letter(p[-1]))
            continue;
        for (size_t a = 0; a < N_AXES; a++) {
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

/* ---- labels of processes ---- */

/* The number after the word rank: "rank 3", "Rank: 3", "rank_3", "[rank3]".  The place after it; NULL: none. */
static const char *rank_word(const char *text, int64_t *rank)
{
    for (const char *p = text; *p; p++) {
        if (lower(p[0]) != 'r' || lower(p[1]) != 'a' || lower(p[2]) != 'n' || lower(p[3]) != 'k')
            continue;
        if (p > text && is_letter(p[-1]))
            continue;
        const char *q = p + 4;
        q += strspn(q, " -_:=#");
        size_t n = number_at(q, rank);
        if (n)
            return q + n;
    }
    return NULL;
}

/* unitrace adds the host: "HOST<node1>", "DEVICE<node1>[...". */
static void host_of(const char *text, char *out, size_t size)
{
    const char *from = strstr(text, "HOST<");
    from = from ? from + 5 : (from = strstr(text, "DEVICE<")) ? from + 7 : NULL;
    const char *end = from ? strchr(from, '>') : NULL;
    snprintf(out, size, "%.*s", end ? (int)(end - from) : 0, end ? from : "");
}

/* The label in brackets at the start: its inside is in out->text. */
static bool in_brackets(const char *text, struct tr_rank_label *out)
{
    const char *from = text + strspn(text, " "), *end = strchr(from, ']');
    if (*from != '[' || !end || end == from + 1 || (size_t)(end - from) > sizeof out->text)
        return false;
    snprintf(out->text, sizeof out->text, "%.*s", (int)(end - from - 1), from + 1);
    out->len = (size_t)(end + 1 - text);
    return true;
}

bool tr_rank_from_label(const char *text, size_t len, bool any, struct tr_rank_label *out)
{
    char copy[256];
    snprintf(copy, sizeof copy, "%.*s", (int)(len < sizeof copy ? len : sizeof copy - 1), text);
    *out = (struct tr_rank_label){ .rank = -1 };
    const char *end;
    if (in_brackets(copy, out)) {
        int64_t number;
        tr_mesh_from_name(out->text, out->mesh, sizeof out->mesh);
        if (rank_word(out->text, &number) ||
            (any && number_at(out->text, &number) == strlen(out->text)))
            out->rank = number;
        if (any || out->mesh[0] || out->rank >= 0)
            return true;
    }
    end = rank_word(copy, &out->rank);
    if (!end)
        return false;
    out->len = (size_t)(end - copy);
    snprintf(out->text, sizeof out->text, "rank %lld", (long long)out->rank);
    host_of(copy, out->host, sizeof out->host);
    return true;
}

int64_t tr_mesh_place(const char *mesh, const char *axis)
{
    int64_t v;
    for (const char *p = mesh; *p; p += strcspn(p, " "), p += *p == ' ')
        if (lower(p[0]) == lower(axis[0]) && lower(p[1]) == lower(axis[1]) && p[2] == '=' && number_at(p + 3, &v))
            return v;
    return -1;
}

static int64_t coordinate(const char *mesh, size_t axis)
{
    return tr_mesh_place(mesh, axes[axis]);
}

/* A word of a name, in lower case. */
struct word {
    char text[16];
};

static bool next_word(struct tr_str *name, struct word *w)
{
    size_t at = 0, len = 0;
    while (at < name->len && !is_letter(name->s[at]))
        at++;
    for (; at < name->len && is_letter(name->s[at]); at++)
        if (len + 1 < sizeof w->text)
            w->text[len++] = lower(name->s[at]);
    w->text[len] = '\0';
    name->s += at;
    name->len -= at;
    return len > 0;
}

unsigned tr_mesh_axes_of_name(struct tr_str name)
{
    static const char *const shorts[] = { "tp", "dp", "pp", "ep", "cp", "sp" };
    static const char *const longs[] = { "tensor", "data", "pipeline", "expert", "context", "sequence" };
    unsigned by_shorts = 0, by_longs = 0;
    bool parallel = false, expert = false;
    for (struct word w; name.s && next_word(&name, &w);) {
        parallel |= !strcmp(w.text, "parallel");
        for (unsigned k = 0; k < N_AXES; k++) {
            by_shorts |= (unsigned)!strcmp(w.text, shorts[k]) << k;
            if (strcmp(w.text, longs[k]))
                continue;
            if (expert && k < 2) /* EXPERT_DATA_PARALLEL_GROUP: copies of experts */
                by_longs &= ~(1u << 3);
            by_longs |= 1u << k;
        }
        expert = !strcmp(w.text, "expert");
    }
    return by_shorts | (parallel ? by_longs : 0);
}

unsigned tr_mesh_axes_between(const char *mesh, const char *other)
{
    unsigned of = 0;
    for (unsigned k = 0; k < N_AXES; k++)
        of |= (unsigned)(coordinate(mesh, k) != coordinate(other, k)) << k;
    return of;
}

const char *tr_mesh_role(unsigned of, char out[TR_MESH_ROLE])
{
    size_t n = 0;
    for (unsigned k = 0; k < N_AXES; k++)
        if (of >> k & 1) {
            if (n)
                out[n++] = '+';
            out[n++] = lower(axes[k][0]);
            out[n++] = lower(axes[k][1]);
        }
    out[n] = '\0';
    return out;
}

/* Do the chosen axes distinguish two labels? */
static bool differ(const struct tr_rank_label *a, const struct tr_rank_label *b, const bool *chosen)
{
    for (size_t k = 0; k < N_AXES; k++)
        if (chosen[k] && coordinate(a->mesh, k) != coordinate(b->mesh, k))
            return true;
    return false;
}

/* The number of pairs of labels that the chosen axes leave equal. */
static size_t n_equal(const struct tr_rank_label *labels, size_t n, const bool *chosen)
{
    size_t equal = 0;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < i; j++)
            equal += !differ(&labels[i], &labels[j], chosen);
    return equal;
}

bool tr_ranks_from_meshes(struct tr_rank_label *labels, size_t n)
{
    static const uint8_t wanted[N_AXES] = { 0, 2, 1, 3, 4, 5 };  /* TP, PP, DP, EP, CP, SP */
    static const uint8_t fastest[N_AXES] = { 0, 4, 5, 3, 1, 2 }; /* TP, CP, SP, EP, DP, PP */
    bool chosen[N_AXES] = { false };
    size_t equal = n_equal(labels, n, chosen);
    for (size_t k = 0; k < N_AXES && equal; k++) {
        chosen[wanted[k]] = true;
        size_t now = n_equal(labels, n, chosen);
        chosen[wanted[k]] = now < equal;
        equal = now;
    }
    for (size_t i = 0; i < n && !equal; i++)
        labels[i].rank = 0;
    int64_t stride = 1;
    for (size_t k = 0; k < N_AXES && !equal; k++) {
        int64_t max = 0;
        for (size_t i = 0; i < n && chosen[fastest[k]]; i++) {
            int64_t c = coordinate(labels[i].mesh, fastest[k]);
            labels[i].rank += stride * (c < 0 ? 0 : c);
            max = c > max ? c : max;
        }
        if (max >= INT32_MAX / stride)
            return false;
        stride *= max + 1;
    }
    return !equal;
}
