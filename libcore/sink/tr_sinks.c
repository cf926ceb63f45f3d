/* SPDX-License-Identifier: MIT */
/* The list of outputs. */
#include "sink/tr_sinks.h"

#include <string.h>

const struct tr_row_sink *const tr_row_sinks[] = {
    &tr_row_sink_text, &tr_row_sink_tsv, &tr_row_sink_csv,  &tr_row_sink_json, &tr_row_sink_md,
    &tr_row_sink_svg,  &tr_row_sink_vega, &tr_row_sink_html, &tr_row_sink_sqlite, &tr_row_sink_xlsx, NULL,
};

const struct tr_row_sink *tr_row_sink_by_name(const char *name)
{
    for (size_t i = 0; tr_row_sinks[i]; i++)
        if (strcmp(tr_row_sinks[i]->name, name) == 0)
            return tr_row_sinks[i];
    return NULL;
}
