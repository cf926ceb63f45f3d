/* SPDX-License-Identifier: MIT */
/* The rank in the metadata of a trace. */
#include "formats/common/tr_metadata_rank.h"

#include "json/tr_json_tok.h"

bool tr__metadata_rank(const char *json, size_t len, int64_t *rank)
{
    struct tr_json_tokens t = { 0 };
    struct tr_number num;
    *rank = -1;
    if (tr_json_tokenize(&t, json, len)) {
        size_t v = tr_json_member(&t, json, 0, "rank");
        const struct tr_json_token *is = v ? &t.tok[v] : NULL;
        if (is && (is->kind == TR_JSON_STRING || is->kind == TR_JSON_PRIMITIVE) &&
            tr_json_number(json + is->start, (size_t)(is->end - is->start), &num) && num.cls == TR_NUMBER_INT &&
            num.i >= 0)
            *rank = num.i;
    }
    bool ok = !t.no_memory;
    tr_json_tokens_free(&t);
    return ok;
}
