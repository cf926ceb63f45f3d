/* SPDX-License-Identifier: MIT */
/* Any bytes as a file of rules, as text and as JSON: refused with a reason, or every name has one answer. */
#include "formats/tr_rules_json.h"
#include "model/tr_rules.h"

#include "../unit/expr_build.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Names that rules often take, and the end of the input, which may be part of a rule. */
static void ask(struct tr_rules *r, const uint8_t *data, size_t size)
{
    static const char *const names[] = { "", "gemm", "ncclDevKernel_AllReduce", "void at::native::elementwise<2>()" };
    char end[17] = "";
    size_t tail = size < 16 ? size : 16;
    if (tail)
        memcpy(end, data + size - tail, tail);
    for (size_t i = 0; i <= sizeof names / sizeof *names; i++) {
        bool own = i == sizeof names / sizeof *names;
        const char *name = own ? end : names[i];
        size_t len = own ? tail : strlen(name);
        for (unsigned target = 0; target < TR_N_RULE_TARGETS; target++) {
            struct tr_error err = TR_ERROR_INIT;
            uint32_t first, again;
            enum tr_status st = tr_rules_match(r, (enum tr_rule_target)target, name, len, &first, &err);
            if ((st != TR_OK && st != TR_NO) || (st == TR_OK) != (first != TR_RULE_NONE) ||
                (st == TR_OK && first >= tr_rules_count(r)) ||
                tr_rules_match(r, (enum tr_rule_target)target, name, len, &again, &err) != st || again != first)
                abort();
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    /* The first byte chooses the order; the form goes by the content. */
    if (!size)
        return 0;
    const struct tr_rules_opts opts = { .order = (enum tr_rule_order)(data[0] / 2 % 3), .keep_spaces = data[0] & 1 };
    const char *text = (const char *)++data;
    size--;
    struct tr_error err = TR_ERROR_INIT;
    struct tr_rules *r = NULL;
    if (tr_rules_new(&r, &err) != TR_OK)
        abort();
    enum tr_status st = tr_rules_read(r, "fuzz", text, size, &opts, &err);
    if (st == TR_OK)
        ask(r, data, size);
    else if (!err.what[0])
        abort();
    tr_rules_free(r);
    return 0;
}
