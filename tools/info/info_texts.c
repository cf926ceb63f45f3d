/* SPDX-License-Identifier: MIT */
/* tr-info --texts: all texts of a stream, so that a reader sees what a redacted stream still says. */
#include "base/tr_escape.h"
#include "info/info_report.h"
#include "json/tr_json_write.h"

/* The first strings of every stream are the keys of the derived columns, see tr-stream(5). */

static bool put_lines(const struct tr_dict *d, struct tr_buf *out)
{
    bool ok = true;
    for (uint32_t i = TR_N_DERIVED; ok && i < tr_strtab_count(d->strings); i++) {
        struct tr_str text = tr_dict_text(d, i);
        ok = tr_escape_tsv(out, text.s, text.len) && tr_buf_add_str(out, "\n");
    }
    return ok;
}

static bool put_array(const struct tr_dict *d, struct tr_buf *out)
{
    struct tr_json_doc j = { .out = out, .indent = 2 };
    bool ok = tr_json_doc_open(&j, '{') && tr_json_doc_key(&j, tr_str_of("texts")) && tr_json_doc_open(&j, '[');
    for (uint32_t i = TR_N_DERIVED; ok && i < tr_strtab_count(d->strings); i++)
        ok = tr_json_doc_str(&j, tr_dict_text(d, i));
    return ok && tr_json_doc_close(&j) && tr_json_doc_close(&j) && tr_buf_add_str(out, "\n");
}

enum tr_status info_texts(const struct info_report *r, bool json, struct tr_buf *out, struct tr_error *err)
{
    return (json ? put_array : put_lines)(r->in->dict, out) ? TR_OK : tr_fail_memory(err);
}

bool info_looks_at(const struct info_report *r, size_t source)
{
    return tr_select_source(r->selected, (uint32_t)source);
}

const struct tr_source_summary *info_summary(const struct info_report *r, size_t source)
{
    const struct tr_summary *s = r->in->summary;
    return s && source < s->n ? &s->sources[source] : NULL;
}

const char *info_rank_rule(unsigned rule)
{
    static const char *const names[] = {
        [TR_RANK_NONE] = "none",         [TR_RANK_OPTION] = "option",
        [TR_RANK_METADATA] = "metadata", [TR_RANK_FILE_NAME] = "file_name",
        [TR_RANK_ORDER] = "order",       [TR_RANK_RENUMBERED] = "renumbered",
        [TR_RANK_PID] = "pid",
    };
    return rule < sizeof names / sizeof *names ? names[rule] : "?";
}
