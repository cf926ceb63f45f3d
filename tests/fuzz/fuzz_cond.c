/* SPDX-License-Identifier: MIT */
/* Any bytes as a condition over a row: refused with a place that can be shown, or true of some rows. */
#include "expr/tr_cond.h"
#include "expr/tr_expr.h"

#include "../unit/expr_build.h"

#include <math.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const struct tr_cond_var vars[] = { { "name", TR_COND_TEXT },
                                           { "count", TR_COND_NUMBER },
                                           { "diff_us", TR_COND_TIME },
                                           { "step.diff_pct", TR_COND_PCT } };
static const struct tr_cond_value rows[][4] = {
    { { .text = { "gemm", 4 } }, { .number = 3 }, { .number = 61000 }, { .number = 2.5 } },
    { { .number = 0 }, { .number = NAN }, { .number = -INFINITY }, { .number = INFINITY } },
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct tr_error err = TR_ERROR_INIT;
    struct tr_buf caret = { 0 };
    struct tr_cond *c = NULL;
    char *text = must(malloc(size + 1));
    if (size)
        memcpy(text, data, size);
    text[size] = '\0';
    if (tr_cond_compile(&c, text, vars, sizeof vars / sizeof *vars, &err) == TR_OK) {
        for (size_t r = 0; r < sizeof rows / sizeof *rows; r++)
            if (tr_cond_eval(c, rows[r]) != tr_cond_eval(c, rows[r]))
                abort();
    } else if (c || !err.what[0] || !tr_expr_caret(text, &err, &caret)) {
        abort();
    }
    tr_cond_free(c);
    tr_buf_free(&caret);
    free(text);
    return 0;
}
