/* SPDX-License-Identifier: MIT */
/* Any bytes as an expression: compiled, shown with a caret if refused, else applied to a small batch. */
#include "expr/tr_expr.h"

#include "../unit/expr_build.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void apply(struct tr_expr *e)
{
    struct tr_error err = TR_ERROR_INIT;
    struct tr_dict *d = must(tr_dict_new());
    struct tr_batch *b = must(tr_batch_new());
    struct tr_summary *s = must(tr_summary_new(1));
    struct tr_track t;
    uint8_t mask[4];
    add_source(d, 0, "host");
    t = host_track(0, 1, 2);
    tr_dict_add_track(d, &t);
    for (uint64_t i = 0; i < sizeof mask; i++) {
        struct event e1 = { .ts = (int64_t)i,
                            .dur = 3,
                            .record = i,
                            .name = "name",
                            .cat = "a,b",
                            .n_members = 2,
                            .members = { { "k", TR_PLACE_ARGS, TR_T_INT, (int64_t)i, NULL },
                                         { "x", TR_PLACE_ARGS, TR_T_STRING, 0, "1e3" } } };
        add_event(d, b, &e1);
    }
    struct tr_input in = { .dict = d, .summary = s, .sorted = true };
    if (tr_expr_bind(e, &in, &err) == TR_OK && tr_expr_eval(e, b, mask, &err) == TR_OK)
        for (size_t i = 0; i < sizeof mask; i++)
            if (mask[i] > 1)
                abort();
    tr_summary_free(s);
    tr_batch_free(b);
    tr_dict_free(d);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct tr_error err = TR_ERROR_INIT;
    struct tr_buf caret = { 0 };
    struct tr_expr *e;
    char *text = must(malloc(size + 1));
    if (size)
        memcpy(text, data, size);
    text[size] = '\0';
    if (tr_expr_compile(&e, text, &err) == TR_OK)
        apply(e);
    else if (!err.what[0] || !tr_expr_caret(text, &err, &caret))
        abort();
    tr_expr_free(e);
    tr_buf_free(&caret);
    free(text);
    return 0;
}
