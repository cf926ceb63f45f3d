/* SPDX-License-Identifier: MIT */
/* Reader of XPlane: what all parts use: damage, texts and their numbers. */
#include "formats/xplane/tr_xplane_int.h"

#include "base/tr_escape.h"

bool tr__xplane_no_memory(struct tr__xplane_reader *r)
{
    tr_fail_memory(r->err);
    return false;
}

void tr__xplane_damaged(struct tr__xplane_reader *r, enum tr__xplane_damage d)
{
    static const struct tr_ingest_cause causes[TR__N_XPLANE_DAMAGES] = {
        [TR__LOST_NAME] = { "lost_name", "number of a name that is not in the file", true },
        [TR__BAD_STAT] = { "bad_value", "name or value that cannot be read", true },
        [TR__BAD_PART] = { "bad_part", "part of a message that cannot be read", true },
        [TR__UNKNOWN_FIELD] = { "unknown_field", "field with a number that is not known, skipped", true },
    };
    tr_ingest_damaged_by(r->g, &causes[d], tr__window_offset(&r->w));
}

void tr__xplane_doubted(struct tr__xplane_reader *r, unsigned doubts)
{
    if (doubts & TR__DOUBT_PART)
        tr__xplane_damaged(r, TR__BAD_PART);
    if (doubts & TR__DOUBT_FIELD)
        tr__xplane_damaged(r, TR__UNKNOWN_FIELD);
}

uint32_t tr__xplane_string(struct tr__xplane_reader *r, const unsigned char *p, size_t n)
{
    const char *text = n ? (const char *)p : "";
    uint32_t id = TR_NO_STR;
    if (tr_utf8_valid(text, n)) {
        id = tr_strtab_add(r->strings, text, n);
    } else {
        r->text.len = 0;
        tr_ingest_damaged(r->g, TR_DAMAGE_BAD_UTF8, tr__window_offset(&r->w));
        if (tr_utf8_add(&r->text, text, n))
            id = tr_strtab_add(r->strings, r->text.data, r->text.len);
    }
    if (id == TR_NO_STR)
        tr__xplane_no_memory(r);
    return id;
}

uint32_t tr__xplane_number(struct tr__xplane_reader *r, uint32_t id, uint32_t *number)
{
    if (*number == TR_NO_STR && id != TR_NO_STR)
        *number = tr_ingest_text(r->g, tr_strtab_get(r->strings, id), tr_strtab_len(r->strings, id));
    return *number;
}
