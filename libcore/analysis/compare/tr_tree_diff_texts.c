/* SPDX-License-Identifier: MIT */
/* Names and arguments of the nodes of both trees, each once. */
#include "analysis/compare/tr_tree_diff_int.h"

static bool is_hex(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

/* The text that a name is compared as: no hexadecimal numbers, no lines of Python files, one name for both vendors. */
static bool normalize(struct tr_str name, struct tr_buf *out)
{
    static const char hip[] = "hipModuleLaunchKernel";
    bool ok = true;
    out->len = 0;
    if (name.len == sizeof hip - 1 && memcmp(name.s, hip, name.len) == 0)
        return tr_buf_add_str(out, "cuLaunchKernel");
    for (size_t i = 0; ok && i < name.len;) {
        size_t from = i;
        if (i + 2 < name.len && name.s[i] == '0' && name.s[i + 1] == 'x' && is_hex(name.s[i + 2])) {
            for (i += 2; i < name.len && is_hex(name.s[i]);)
                i++;
            ok = tr_buf_add(out, "0x", 2);
        } else if (i + 4 < name.len && memcmp(name.s + i, ".py(", 4) == 0) {
            for (i += 4; i < name.len && name.s[i] >= '0' && name.s[i] <= '9';)
                i++;
            bool line = i > from + 4 && i < name.len && name.s[i] == ')';
            i = line ? i + 1 : from + 4;
            ok = tr_buf_add(out, name.s + from, line ? 3 : 4);
        } else {
            ok = tr_buf_add(out, name.s + i++, 1);
        }
    }
    return ok;
}

uint32_t tr__tree_add_name(struct tr_tree_diff *d, struct tr_str name)
{
    struct tr_buf brief = { 0 };
    uint32_t text = tr_strtab_add(d->texts, name.s ? name.s : "", name.len), normal = TR_NO_STR;
    if (text != TR_NO_STR && normalize(name, &brief))
        normal = tr_strtab_add(d->texts, brief.len ? (const char *)brief.data : "", brief.len);
    tr_buf_free(&brief);
    uint32_t n = tr_strtab_count(d->texts);
    if (normal == TR_NO_STR || !tr_grow(&d->normal, &d->cap_normal, n, sizeof *d->normal))
        return TR_NO_STR;
    for (; d->n_normal < n; d->n_normal++)
        d->normal[d->n_normal] = d->n_normal;
    d->normal[text] = normal;
    return text;
}

bool tr__tree_add_args(struct tr_tree_diff *d, const struct tr__tree_args *args, uint32_t *number)
{
    bool any = false;
    *number = 0;
    for (int k = 0; k < TR__TREE_N_ARGS; k++)
        any = any || args->text[k] != TR_NO_STR;
    if (!any)
        return true;
    uint64_t hash = tr_hash(args, sizeof *args);
    struct tr_hash_walk walk = tr_hash_index_walk(&d->args_index, hash);
    for (uint32_t k; (k = tr_hash_index_next(&walk)) != TR_HASH_NONE;)
        if (memcmp(&d->args[k], args, sizeof *args) == 0) {
            *number = k + 1;
            return true;
        }
    if (!tr_grow(&d->args, &d->cap_args, d->n_args + 1, sizeof *d->args) ||
        !tr_hash_index_add(&d->args_index, hash, (uint32_t)d->n_args))
        return false;
    d->args[d->n_args++] = *args;
    *number = (uint32_t)d->n_args;
    return true;
}

bool tr__tree_fits(struct tr_tree_diff *d)
{
    size_t bytes = (d->sides[0].n + d->sides[1].n) * sizeof(struct tr__tree_node) + tr_strtab_bytes(d->texts) +
                   2 * d->launches.n * sizeof(struct tr_eventmap_slot) + d->n_args * sizeof *d->args;
    d->full = d->full || bytes > d->max_bytes;
    return !d->full;
}
