/* SPDX-License-Identifier: MIT */
/*
 * Writing chosen fields of events as text: for people, for scripts, for other programs.
 *
 *   text    aligned columns, two blanks between, numbers to the right, "-" if there is no value;
 *           control bytes and invalid UTF-8 as \xHH; later columns may be wider;
 *           lines of any width: strings longer than 80 characters end in "...", except in the
 *           last column; lines of some width (tr_text_writer_width): strings are cut so that no two of
 *           a column look the same (base/tr_elide.h), those in the last column to the rest of the line
 *   tsv     a header line, tabs between, empty if there is no value; backslash, tab, newline and
 *           carriage return in strings as \\ \t \n \r, other control bytes as \xHH
 *   jsonl   one JSON object per line
 *   json    one array of these
 *
 * Names of columns and keys are those of the fields; times have the unit after them (ts_us),
 * and all its digits: ns none, us three, ms six, s nine decimals.
 *
 * The calls are those of the writer in tr_chrome_write.h.  One thread per writer.
 *
 * The folder formats/text has this writer and the fields that it writes (tr_fields.h).
 */
#ifndef TR_TEXT_WRITE_H
#define TR_TEXT_WRITE_H

#include "formats/text/tr_fields.h"

#ifdef __cplusplus
extern "C" {
#endif

enum tr_text_format { TR_TEXT_ALIGNED, TR_TEXT_TSV, TR_TEXT_JSONL, TR_TEXT_JSON };
enum tr_text_unit { TR_TEXT_NS, TR_TEXT_US, TR_TEXT_MS, TR_TEXT_S };

#define TR_TEXT_WIDTH 80u /* characters of a string in a column that is not the last */

struct tr_text_writer;

/* fields and columns (tr_fields_start) must outlive the writer.  NULL: out of memory. */
struct tr_text_writer *tr_text_writer_new(enum tr_text_format format, enum tr_text_unit unit,
                                          const struct tr_fields *fields, struct tr_field_columns *columns);
/* Print times as those of each source's file (tr_source_to_file), not as the stream's.  Before the first batch. */
void tr_text_writer_of_files(struct tr_text_writer *w);
/* The lanes of the events of the next batch (tr_overlaps.h); borrowed until it is written. */
void tr_text_writer_lanes(struct tr_text_writer *w, const uint32_t *lanes);
void tr_text_writer_free(struct tr_text_writer *w);

/* How many terminal columns may a line of text have?  0, the default: any number.  Call it before the first event. */
void tr_text_writer_width(struct tr_text_writer *w, size_t width);

/*
 * Append the events of a batch from *at on (0 starts a batch), until end or until there is enough output (about
 * TR_TEXT_CHUNK bytes); *at is set past the last one appended.  TR_OK, or TR_SYSTEM: out of memory.
 */
enum tr_status tr_text_batch(struct tr_text_writer *w, const struct tr_batch *b, size_t *at,
                             size_t end, struct tr_buf *out, struct tr_error *err);

/* Append the text after the events (and the header line, if there were none).  Call it once. */
enum tr_status tr_text_end(struct tr_text_writer *w, struct tr_buf *out, struct tr_error *err);

#ifdef __cplusplus
}
#endif
#endif
