/* SPDX-License-Identifier: MIT */
/* Categories of operators. */
#include "analysis/operators/tr_operator_category.h"

#include "vendor/tr_inductor.h"

#include <string.h>

static enum tr_status read_rules(struct tr_operator_categories *c, struct tr_error *err)
{
    enum tr_status st = tr_rules_new(&c->rules, err);
    for (const struct tr_rules_builtin *b = tr_rules_builtins; b->name && st == TR_OK; b++)
        st = tr_rules_add_builtin(c->rules, b, TR_RULES_IN_ORDER, err);
    return st;
}

/* The class of a name, NULL: none. */
static enum tr_status class_of(struct tr_operator_categories *c, const struct tr_dict *dict, enum tr_rule_target as,
                               uint32_t name, const char **class, struct tr_error *err)
{
    struct tr_number_map *of = &c->rule_of[as == TR_RULE_DEVICE];
    uint32_t rule = TR_RULE_NONE, known = tr_number_of(of, name);
    enum tr_status st = TR_OK;
    if (known == TR_NUMBER_UNKNOWN) {
        struct tr_str text = tr_dict_text(dict, name);
        st = tr_rules_match(c->rules, as, text.s, text.len, &rule, err);
        st = st == TR_NO ? TR_OK : st;
        if (!of->n)
            of->in.spill = tr_strtab_spill(dict->strings); /* where the names are */
        if (st == TR_OK && !tr_number_map_set(of, name, rule + 1))
            st = tr_fail_memory(err);
    } else {
        rule = known - 1;
    }
    *class = st != TR_OK || rule == TR_RULE_NONE ? NULL : tr_rules_get(c->rules, rule)->label;
    return st;
}

enum tr_status tr_operator_category(struct tr_operator_categories *c, const struct tr_dict *dict, uint32_t name,
                                    uint32_t kernel, struct tr_str *label, struct tr_error *err)
{
    const char *class = NULL;
    enum tr_status st = c->rules ? TR_OK : read_rules(c, err);
    if (st == TR_OK)
        st = class_of(c, dict, TR_RULE_OPERATOR, name, &class, err);
    if (st == TR_OK && !class && kernel != TR_NO_STR)
        st = class_of(c, dict, TR_RULE_DEVICE, kernel, &class, err);
    if (st == TR_OK)
        *label = tr_str_of(class ? class : "other");
    return st;
}

/* ---- names of fused operators ---- */

struct fusing {
    struct tr_operator_categories *c;
    struct tr_buf name;
    enum tr_status st;
    struct tr_error *err;
};

/* Names of several words that no rule takes, because they launch nothing themselves. */
static bool is_view(struct tr_str name)
{
    static const char *const names[] = {
        "as_strided",      "broadcast_in_dim", "convert_element_type", "empty_like",
        "full_like",       "lift_fresh_copy",  "new_zeros",            "ones_like",
        "permute_copy",    "scalar_tensor",    "select_scatter",       "slice_scatter",
        "split_with_sizes", "zeros_like",      "_unsafe_index",        "_unsafe_view"
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (tr_str_is(name, names[i]))
            return true;
    return false;
}

static bool is_operator(void *self, struct tr_str name)
{
    struct fusing *f = self;
    uint32_t rule;
    if (is_view(name))
        return true;
    f->name.len = 0;
    if (f->st != TR_OK || !tr_buf_add_str(&f->name, "aten::") || !tr_buf_add_text(&f->name, name) ||
        !tr_buf_add(&f->name, "", 1)) {
        f->st = f->st == TR_OK ? tr_fail_memory(f->err) : f->st;
        return false;
    }
    enum tr_status st = tr_rules_match(f->c->rules, TR_RULE_OPERATOR, (const char *)f->name.data, f->name.len - 1,
                                       &rule, f->err);
    f->st = st == TR_NO ? TR_OK : st;
    return st == TR_OK;
}

enum tr_status tr_operator_fused(struct tr_operator_categories *c, struct tr_str kernel, struct tr_buf *out,
                                 struct tr_error *err)
{
    struct fusing f = { .c = c, .st = c->rules ? TR_OK : read_rules(c, err), .err = err };
    if (f.st == TR_OK && !tr_inductor_split(tr_inductor_fused(kernel), is_operator, &f, out))
        f.st = tr_fail_memory(err);
    tr_buf_free(&f.name);
    return f.st;
}

void tr_operator_categories_free(struct tr_operator_categories *c)
{
    tr_rules_free(c->rules);
    tr_number_map_free(&c->rule_of[0]);
    tr_number_map_free(&c->rule_of[1]);
}
