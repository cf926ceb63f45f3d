/* SPDX-License-Identifier: MIT */
/*
 * Tables as a workbook of Excel (ECMA-376, Office Open XML): a ZIP archive with a sheet for each table.
 *
 * Sheets are packed while rows come, so that memory holds only packed ones.  The archive is written at the end, from
 * its first byte to its last one, so any output will do, and each failure to write is seen.
 *
 * Why not libxlsxwriter?  Version 1.1.4 does not see that its temporary files cannot be written: on a full disk, rows
 * are missing, and its status is success.  Of 470 allocations that failed one at a time, 179 crashed it, and 232 lost
 * cells without a status.  It prints to standard error, and gives real numbers 16 digits, which is one too few.
 */
#include "sink/tr_book_int.h"

#include "base/tr_escape.h"
#include "base/tr_num.h"
#include "table/tr_table_int.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <zlib.h>

#define MAX_ROWS    1048576u /* of a sheet, with its header */
#define MAX_COLUMNS 16384u
#define MAX_TEXT    32767u /* UTF-16 units of a cell */
#define MAX_NAME    31u    /* of a sheet */
#define MAX_DIGITS  15u    /* that a number of Excel keeps */
#define MAX_WIDTH   60u    /* characters of a column */
#define PIECE       65536u /* bytes that are packed at once */

/* Styles of cells: general, the header, numbers with commas between thousands and so many decimals. */
enum { STYLE_GENERAL, STYLE_HEADER, STYLE_DECIMALS, MAX_DECIMALS = 9, N_STYLES = STYLE_DECIMALS + MAX_DECIMALS + 1 };

/* A file of the archive. */
struct packed {
    struct tr_buf bytes;
    uint64_t raw;
    uint32_t crc;
};

struct sheet {
    struct xlsx_book *book;
    const char *name;
    struct tr_buf text; /* to be packed */
    struct packed file;
    z_stream z;
    bool started, done;
    uint64_t n_rows; /* with the header */
    struct tr_buf cell;
};

struct xlsx_book {
    struct tr_book base;
    enum tr_status (*write)(void *self, const void *bytes, size_t n, struct tr_error *err);
    void *self;
    struct tr_arena *arena;
    struct sheet **sheets;
    const char **names;
    size_t n, cap, cap_names;
};

/* ---- packing ---- */

static bool pack(z_stream *z, struct packed *file, const void *bytes, size_t n, int flush)
{
    int code;
    z->next_in = (Bytef *)(uintptr_t)bytes;
    z->avail_in = (uInt)n;
    if (n)
        file->crc = (uint32_t)crc32(file->crc, bytes, (uInt)n);
    file->raw += n;
    do {
        if (!tr_buf_reserve(&file->bytes, PIECE))
            return false;
        z->next_out = file->bytes.data + file->bytes.len;
        z->avail_out = PIECE;
        code = deflate(z, flush);
        file->bytes.len += PIECE - z->avail_out;
    } while (code == Z_OK && (z->avail_in || !z->avail_out || flush == Z_FINISH));
    return code == Z_OK || code == Z_STREAM_END || code == Z_BUF_ERROR;
}

static bool pack_start(z_stream *z)
{
    *z = (z_stream){ .zalloc = Z_NULL };
    return deflateInit2(z, 3, Z_DEFLATED, -15, 9, Z_DEFAULT_STRATEGY) == Z_OK;
}

/* What was written of a sheet, once it is worth it. */
static bool give(struct sheet *x)
{
    bool ok = true;
    for (size_t at = 0, n; ok && at < x->text.len; at += n) {
        n = x->text.len - at < PIECE ? x->text.len - at : PIECE;
        ok = pack(&x->z, &x->file, x->text.data + at, n, Z_NO_FLUSH);
    }
    x->text.len = 0;
    return ok;
}

/* ---- texts of XML ---- */

/* "_x0041_" stands for a character, so where a text has that, its first one is written so, too. */
static bool looks_escaped(const char *s, size_t len)
{
    return len >= 7 && s[0] == '_' && s[1] == 'x' && s[6] == '_' && strspn(s + 2, "0123456789abcdefABCDEF") >= 4;
}

/* A text with what XML does not have as _xHHHH_; at most so many UTF-16 units of it. */
static bool add_text(struct tr_buf *out, const char *s, size_t len, size_t max)
{
    bool ok = true;
    size_t units = 0;
    for (size_t n, bad; ok && len; s += n, len -= n) {
        n = tr_utf8_char(s, len, &bad);
        units += n == 4 ? 2 : 1;
        if (units > max)
            break;
        unsigned char c = (unsigned char)*s;
        if (!n || (n == 3 && memcmp(s, "\xef\xbf\xbe", 2) == 0 && (unsigned char)s[2] >= 0xbe)) {
            ok = tr_buf_add_str(out, "\xef\xbf\xbd"); /* no UTF-8, or no character of XML */
            n = n ? n : bad;
        } else if (c == '&' || c == '<' || c == '>' || c == '"') {
            ok = tr_buf_add_str(out, c == '&' ? "&amp;" : c == '<' ? "&lt;" : c == '>' ? "&gt;" : "&quot;");
        } else if ((c < 0x20 && c != '\t' && c != '\n') || looks_escaped(s, len)) {
            ok = tr_buf_print(out, "_x%04X_", c);
        } else {
            ok = tr_buf_add(out, s, n);
        }
    }
    return ok;
}

/* ---- cells ---- */

/* "A", "Z", "AA". */
static bool add_column(struct tr_buf *out, size_t k)
{
    char name[8], *at = name + sizeof name;
    for (k++; k; k = (k - 1) / 26)
        *--at = (char)('A' + (k - 1) % 26);
    return tr_buf_add(out, at, (size_t)(name + sizeof name - at));
}

static bool add_string(struct tr_buf *out, const char *s, size_t len, int style)
{
    return tr_buf_print(out, "<c s=\"%d\" t=\"inlineStr\"><is><t xml:space=\"preserve\">", style) &&
           add_text(out, s, len, MAX_TEXT) && tr_buf_add_str(out, "</t></is></c>");
}

/* Does a number of Excel keep all digits of this one? */
static bool keeps(const char *s, size_t len)
{
    size_t n = 0, zeros = 0;
    bool point = false;
    for (size_t i = 0; i < len; i++) {
        point |= s[i] == '.';
        if (s[i] < '0' || s[i] > '9' || (!n && s[i] == '0'))
            continue;
        n++;
        zeros = s[i] == '0' ? zeros + 1 : 0;
    }
    return n - zeros <= MAX_DIGITS;
}

static int style_of(const struct tr_table *t, const struct tr_table_column *is)
{
    unsigned decimals = is->type == TR_CELL_TIME ? 3 * (unsigned)t->unit : is->type == TR_CELL_RATIO ? is->decimals : 0;
    if (is->type == TR_CELL_STRING || is->type == TR_CELL_DOUBLE || is->role <= TR_ROLE_KEY || is->role == TR_ROLE_RANK)
        return STYLE_GENERAL;
    return STYLE_DECIMALS + (int)(decimals < MAX_DECIMALS ? decimals : MAX_DECIMALS);
}

static bool add_number(struct tr_buf *out, const char *s, size_t len, bool exact, int style)
{
    if (exact && !keeps(s, len))
        return add_string(out, s, len, STYLE_GENERAL); /* a text, so that no digit is lost */
    return tr_buf_print(out, "<c s=\"%d\"><v>", style) && tr_buf_add(out, s, len) && tr_buf_add_str(out, "</v></c>");
}

static bool add_cell(struct sheet *x, const struct tr_table *t, size_t k, const struct tr__cell *cell)
{
    const struct tr__column *column = tr__column_at(t, k);
    int style = style_of(t, &column->is);
    if (cell->absent)
        return tr_buf_add_str(&x->text, "<c/>");
    if (column->is.type != TR_CELL_STRING) {
        x->cell.len = 0;
        return tr__cell_number(t, column, cell, &x->cell) &&
               add_number(&x->text, (char *)x->cell.data, x->cell.len, column->is.type != TR_CELL_DOUBLE, style);
    }
    const char *s = cell->v.s.len ? tr__cell_string(t, cell) : "";
    if (cell->decimals != TR__DIGITS)
        return add_string(&x->text, s, cell->v.s.len, style);
    if (*s == 't' || *s == 'f')
        return tr_buf_print(&x->text, "<c t=\"b\"><v>%d</v></c>", *s == 't');
    return add_number(&x->text, s, cell->v.s.len, strspn(s, "-0123456789") == cell->v.s.len, style);
}

/* ---- sheets ---- */

/* Characters of the longest of the first cells, or of the name. */
static size_t width_of(const struct tr_table *t, size_t k, size_t name)
{
    size_t width = name + 3; /* beside it is the button of the filter */
    for (size_t r = 0; r < tr__rows(t) && r < 1000; r++) {
        const struct tr__cell *cell = tr__cell_at(t, r, k);
        size_t len = cell->absent ? 0 : tr__column_at(t, k)->is.type == TR_CELL_STRING ? cell->v.s.len + 1 : 10;
        width = len > width ? len : width;
    }
    return width < MAX_WIDTH ? width : MAX_WIDTH;
}

static enum tr_status start(struct sheet *x, const struct tr_table *t, struct tr_error *err)
{
    const char *const *names = tr__book_columns(t, NULL, x->book->arena);
    struct tr_buf *out = &x->text;
    if (t->n_shown > MAX_COLUMNS)
        return tr_fail(err, TR_USAGE, "the table %s has more than the %u columns of a sheet", x->name, MAX_COLUMNS);
    bool ok = names && pack_start(&x->z);
    x->started = ok;
    ok = ok && tr_buf_add_str(out, "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n<worksheet "
                                   "xmlns=\"http://schemas.openxmlformats.org/spreadsheetml/2006/main\"><sheetViews>"
                                   "<sheetView workbookViewId=\"0\"><pane ySplit=\"1\" topLeftCell=\"A2\" "
                                   "activePane=\"bottomLeft\" state=\"frozen\"/></sheetView></sheetViews><cols>");
    for (size_t k = 0; ok && k < t->n_shown; k++)
        ok = tr_buf_print(out, "<col min=\"%zu\" max=\"%zu\" width=\"%zu\" customWidth=\"1\"/>", k + 1, k + 1,
                          width_of(t, k, strlen(names[k])));
    ok = ok && tr_buf_add_str(out, "</cols><sheetData><row>");
    for (size_t k = 0; ok && k < t->n_shown; k++)
        ok = add_string(out, names[k], strlen(names[k]), STYLE_HEADER);
    x->n_rows = 1;
    return ok && tr_buf_add_str(out, "</row>\n") ? TR_OK : tr_fail_memory(err);
}

static enum tr_status rows(struct tr_table *t, struct tr_buf *out, struct tr_error *err)
{
    struct sheet *x = t->out_self;
    enum tr_status st = x->started ? TR_OK : start(x, t, err);
    bool ok = true;
    (void)out;
    for (size_t r = 0; st == TR_OK && ok && r < tr__rows(t); r++) {
        if (++x->n_rows > MAX_ROWS)
            return tr_fail(err, TR_USAGE,
                           "the table %s has more than the %u rows of a sheet: --top cuts it, -O sqlite has no limit",
                           x->name, MAX_ROWS - 1);
        ok = tr_buf_add_str(&x->text, "<row>");
        for (size_t k = 0; ok && k < t->n_shown; k++)
            ok = add_cell(x, t, k, tr__cell_at(t, r, k));
        ok = ok && tr_buf_add_str(&x->text, "</row>\n") && (x->text.len < PIECE || give(x));
    }
    return st == TR_OK && !ok ? tr_fail_memory(err) : st;
}

/* Bars in the cells of shares. */
static bool add_bars(struct sheet *x, const struct tr_table *t)
{
    bool ok = true;
    for (size_t k = 0, n = 0; ok && k < t->n_shown && x->n_rows > 1; k++) {
        const struct tr_table_column *is = &tr__column_at(t, k)->is;
        if ((is->role != TR_ROLE_SHARE && !is->bar) || !tr_cell_is_number(is->type))
            continue;
        ok = tr_buf_add_str(&x->text, "<conditionalFormatting sqref=\"") && add_column(&x->text, k) &&
             tr_buf_add_str(&x->text, "2:") && add_column(&x->text, k) &&
             tr_buf_print(&x->text, "%" PRIu64 "\"><cfRule type=\"dataBar\" priority=\"%zu\"><dataBar>", x->n_rows,
                          ++n) &&
             tr_buf_add_str(&x->text, "<cfvo type=\"num\" val=\"0\"/><cfvo type=\"num\" val=\"100\"/>"
                                      "<color rgb=\"FF9CC3E6\"/></dataBar></cfRule></conditionalFormatting>");
    }
    return ok;
}

static enum tr_status sheet_end(struct tr_table *t, struct tr_buf *out, struct tr_error *err)
{
    struct sheet *x = t->out_self;
    (void)out;
    bool ok = tr_buf_add_str(&x->text, "</sheetData><autoFilter ref=\"A1:") &&
              add_column(&x->text, t->n_shown ? t->n_shown - 1 : 0) &&
              tr_buf_print(&x->text, "%" PRIu64 "\"/>", x->n_rows) && add_bars(x, t) &&
              tr_buf_add_str(&x->text, "</worksheet>\n") && give(x) && pack(&x->z, &x->file, NULL, 0, Z_FINISH);
    x->done = ok;
    return ok ? TR_END : tr_fail_memory(err);
}

static enum tr_status no_bytes(void *self, const void *bytes, size_t n, struct tr_error *err)
{
    (void)self, (void)bytes, (void)n, (void)err;
    return TR_OK;
}

/* A name that a sheet may have. */
static const char *sheet_name(struct xlsx_book *b, const char *name)
{
    char own[MAX_NAME + 1];
    size_t n = 0;
    for (size_t len, bad; *name && n < MAX_NAME - 4; name += len) { /* room for a number */
        len = tr_utf8_char(name, strlen(name), &bad);
        bool plain = len == 1 && (unsigned char)*name >= 0x20 && !strchr("[]:*?/\\'", *name);
        own[n++] = (char)(plain ? *name : '_');
        len = len ? len : bad;
    }
    own[n] = '\0';
    return tr__book_name(n ? own : "table", b->names, b->n, b->arena);
}

static const struct tr_book_kind kind;

static enum tr_status book_table(struct tr_book *book, const char *name, struct tr_table *t, struct tr_error *err)
{
    struct xlsx_book *b = (struct xlsx_book *)book;
    struct sheet *x = calloc(1, sizeof *x);
    if (!x || !tr_grow(&b->sheets, &b->cap, b->n + 1, sizeof *b->sheets) ||
        !tr_grow(&b->names, &b->cap_names, b->n + 1, sizeof *b->names) || !(x->name = sheet_name(b, name))) {
        free(x);
        return tr_fail_memory(err);
    }
    x->book = b;
    b->names[b->n] = x->name;
    b->sheets[b->n++] = x;
    tr_table_output(t, &tr_row_sink_xlsx, no_bytes, x);
    return TR_OK;
}

static enum tr_status book_open(struct tr_book **book, const struct tr_book_about *about, struct tr_error *err)
{
    struct xlsx_book *b = calloc(1, sizeof *b);
    if (!b || !(b->arena = tr_arena_new(4096))) {
        free(b);
        return tr_fail_memory(err);
    }
    b->base.kind = &kind;
    b->write = about->write;
    b->self = about->self;
    *book = &b->base;
    return TR_OK;
}

/* ---- the archive ---- */

struct archive {
    struct xlsx_book *book;
    struct tr_buf directory;
    uint64_t at; /* bytes so far */
    unsigned n;
};

static bool add_le(struct tr_buf *out, uint64_t value, unsigned bytes)
{
    unsigned char b[4];
    for (unsigned i = 0; i < bytes; i++)
        b[i] = (unsigned char)(value >> 8 * i);
    return tr_buf_add(out, b, bytes);
}

/* What a local header and the directory have in common; equal runs give equal files, so the time is a constant. */
static bool add_about(struct tr_buf *out, const char *path, const struct packed *file)
{
    return add_le(out, 20, 2) && add_le(out, 0, 2) && add_le(out, 8, 2) && add_le(out, 0, 2) && add_le(out, 0x21, 2) &&
           add_le(out, file->crc, 4) && add_le(out, file->bytes.len, 4) && add_le(out, file->raw, 4) &&
           add_le(out, strlen(path), 2) && add_le(out, 0, 2);
}

static enum tr_status put(struct archive *a, const void *bytes, size_t n, struct tr_error *err)
{
    a->at += n;
    return n ? a->book->write(a->book->self, bytes, n, err) : TR_OK;
}

static enum tr_status add_packed(struct archive *a, const char *path, const struct packed *file, struct tr_error *err)
{
    struct tr_buf head = { 0 }, *d = &a->directory;
    uint64_t at = a->at;
    if (file->raw > UINT32_MAX || at + file->bytes.len > UINT32_MAX)
        return tr_fail(err, TR_USAGE, "more than 4 GiB, which no workbook has: -O sqlite has no limit");
    bool ok = tr_buf_add(&head, "PK\3\4", 4) && add_about(&head, path, file) && tr_buf_add_str(&head, path) &&
              tr_buf_add(d, "PK\1\2", 4) && add_le(d, 20, 2) && add_about(d, path, file) && add_le(d, 0, 2) &&
              add_le(d, 0, 2) && add_le(d, 0, 2) && add_le(d, 0, 4) && add_le(d, at, 4) && tr_buf_add_str(d, path);
    enum tr_status st = ok ? put(a, head.data, head.len, err) : tr_fail_memory(err);
    if (st == TR_OK)
        st = put(a, file->bytes.data, file->bytes.len, err);
    a->n++;
    tr_buf_free(&head);
    return st;
}

static enum tr_status add_part(struct archive *a, const char *path, struct tr_buf *text, struct tr_error *err)
{
    struct packed file = { .crc = 0 };
    z_stream z;
    bool ok = pack_start(&z);
    if (ok) {
        ok = pack(&z, &file, text->data, text->len, Z_FINISH);
        deflateEnd(&z);
    }
    enum tr_status st = ok ? add_packed(a, path, &file, err) : tr_fail_memory(err);
    tr_buf_free(&file.bytes);
    text->len = 0;
    return st;
}

#define XML      "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n"
#define OPEN_XML "http://schemas.openxmlformats.org/"
#define MAIN     "\"" OPEN_XML "spreadsheetml/2006/main\""
#define RELATION OPEN_XML "officeDocument/2006/relationships"
#define OF_XML   "application/vnd.openxmlformats-"
#define OF_SHEETS OF_XML "officedocument.spreadsheetml."

static bool add_types(struct tr_buf *out, size_t n)
{
    static const char head[] = XML
        "<Types xmlns=\"" OPEN_XML "package/2006/content-types\">"
        "<Default Extension=\"rels\" ContentType=\"" OF_XML "package.relationships+xml\"/>"
        "<Default Extension=\"xml\" ContentType=\"application/xml\"/>"
        "<Override PartName=\"/xl/workbook.xml\" ContentType=\"" OF_SHEETS "sheet.main+xml\"/>"
        "<Override PartName=\"/xl/styles.xml\" ContentType=\"" OF_SHEETS "styles+xml\"/>";
    bool ok = tr_buf_add_str(out, head);
    for (size_t i = 1; ok && i <= n; i++)
        ok = tr_buf_print(out, "<Override PartName=\"/xl/worksheets/sheet%zu.xml\" ContentType=\"" OF_SHEETS
                               "worksheet+xml\"/>", i);
    return ok && tr_buf_add_str(out, "</Types>\n");
}

#define FIRST_FORMAT 164 /* of a file's own */
#define XF "<xf numFmtId=\"%d\" fontId=\"%d\" fillId=\"%d\" borderId=\"0\" xfId=\"0\""

static bool add_styles(struct tr_buf *out)
{
    static const char looks[] =
        "</numFmts><fonts count=\"2\"><font><sz val=\"11\"/><name val=\"Calibri\"/></font>"
        "<font><b/><sz val=\"11\"/><name val=\"Calibri\"/></font></fonts>"
        "<fills count=\"3\"><fill><patternFill patternType=\"none\"/></fill>"
        "<fill><patternFill patternType=\"gray125\"/></fill>"
        "<fill><patternFill patternType=\"solid\"><fgColor rgb=\"FFDDE3EA\"/></patternFill></fill></fills>"
        "<borders count=\"1\"><border><left/><right/><top/><bottom/><diagonal/></border></borders>"
        "<cellStyleXfs count=\"1\"><xf numFmtId=\"0\" fontId=\"0\" fillId=\"0\" borderId=\"0\"/></cellStyleXfs>";
    bool ok = tr_buf_print(out, XML "<styleSheet xmlns=" MAIN "><numFmts count=\"%d\">", MAX_DECIMALS + 1);
    for (int d = 0; ok && d <= MAX_DECIMALS; d++)
        ok = tr_buf_print(out, "<numFmt numFmtId=\"%d\" formatCode=\"#,##0%s%.*s\"/>", FIRST_FORMAT + d,
                          d ? "." : "", d, "000000000");
    ok = ok && tr_buf_add_str(out, looks) && tr_buf_print(out, "<cellXfs count=\"%d\">" XF "/>", N_STYLES, 0, 0, 0) &&
         tr_buf_print(out, XF " applyFont=\"1\" applyFill=\"1\"/>", 0, 1, 2);
    for (int d = 0; ok && d <= MAX_DECIMALS; d++)
        ok = tr_buf_print(out, XF " applyNumberFormat=\"1\"/>", FIRST_FORMAT + d, 0, 0);
    return ok && tr_buf_add_str(out, "</cellXfs><cellStyles count=\"1\"><cellStyle name=\"Normal\" xfId=\"0\" "
                                     "builtinId=\"0\"/></cellStyles></styleSheet>\n");
}

static bool add_workbook(struct tr_buf *out, const struct xlsx_book *b)
{
    bool ok = tr_buf_add_str(out, XML "<workbook xmlns=" MAIN " xmlns:r=\"" RELATION "\"><sheets>");
    size_t n = 0;
    for (size_t i = 0; ok && i < b->n; i++) {
        if (!b->sheets[i]->done)
            continue;
        n++;
        ok = tr_buf_add_str(out, "<sheet name=\"") && add_text(out, b->names[i], strlen(b->names[i]), MAX_NAME) &&
             tr_buf_print(out, "\" sheetId=\"%zu\" r:id=\"rId%zu\"/>", n, n);
    }
    return ok && tr_buf_add_str(out, "</sheets></workbook>\n");
}

static bool add_relations(struct tr_buf *out, size_t n)
{
    bool ok = tr_buf_add_str(out, XML "<Relationships xmlns=\"" OPEN_XML "package/2006/relationships\">");
    for (size_t i = 1; ok && i <= n; i++)
        ok = tr_buf_print(out, "<Relationship Id=\"rId%zu\" Type=\"" RELATION
                               "/worksheet\" Target=\"worksheets/sheet%zu.xml\"/>", i, i);
    return ok && tr_buf_print(out, "<Relationship Id=\"rId%zu\" Type=\"" RELATION
                                   "/styles\" Target=\"styles.xml\"/></Relationships>\n", n + 1);
}

static enum tr_status add_sheets(struct archive *a, struct tr_error *err)
{
    enum tr_status st = TR_OK;
    char path[64];
    size_t n = 0;
    for (size_t i = 0; st == TR_OK && i < a->book->n; i++) {
        if (!a->book->sheets[i]->done)
            continue;
        snprintf(path, sizeof path, "xl/worksheets/sheet%zu.xml", ++n);
        st = add_packed(a, path, &a->book->sheets[i]->file, err);
    }
    return st;
}

static enum tr_status add_directory(struct archive *a, struct tr_error *err)
{
    struct tr_buf *d = &a->directory;
    uint64_t at = a->at, len = d->len;
    bool ok = tr_buf_add(d, "PK\5\6\0\0\0\0", 8) && add_le(d, a->n, 2) && add_le(d, a->n, 2) && add_le(d, len, 4) &&
              add_le(d, at, 4) && add_le(d, 0, 2);
    return ok ? put(a, d->data, d->len, err) : tr_fail_memory(err);
}

static enum tr_status book_end(struct tr_book *book, struct tr_error *err)
{
    static const char top[] = XML
        "<Relationships xmlns=\"" OPEN_XML "package/2006/relationships\">"
        "<Relationship Id=\"rId1\" Type=\"" RELATION "/officeDocument\" Target=\"xl/workbook.xml\"/></Relationships>\n";
    struct archive a = { .book = (struct xlsx_book *)book };
    struct tr_buf text = { 0 };
    size_t n = 0;
    for (size_t i = 0; i < a.book->n; i++)
        n += a.book->sheets[i]->done;
    enum tr_status st = n ? TR_OK : tr_fail(err, TR_USAGE, "a workbook needs a table, and there is none");
    if (st == TR_OK)
        st = add_types(&text, n) ? add_part(&a, "[Content_Types].xml", &text, err) : tr_fail_memory(err);
    if (st == TR_OK)
        st = tr_buf_add_str(&text, top) ? add_part(&a, "_rels/.rels", &text, err) : tr_fail_memory(err);
    if (st == TR_OK)
        st = add_workbook(&text, a.book) ? add_part(&a, "xl/workbook.xml", &text, err) : tr_fail_memory(err);
    if (st == TR_OK)
        st = add_relations(&text, n) ? add_part(&a, "xl/_rels/workbook.xml.rels", &text, err) : tr_fail_memory(err);
    if (st == TR_OK)
        st = add_styles(&text) ? add_part(&a, "xl/styles.xml", &text, err) : tr_fail_memory(err);
    if (st == TR_OK)
        st = add_sheets(&a, err);
    if (st == TR_OK)
        st = add_directory(&a, err);
    tr_buf_free(&text);
    tr_buf_free(&a.directory);
    return st;
}

static void book_free(struct tr_book *book)
{
    struct xlsx_book *b = (struct xlsx_book *)book;
    for (size_t i = 0; i < b->n; i++) {
        struct sheet *x = b->sheets[i];
        if (x->started)
            deflateEnd(&x->z);
        tr_buf_free(&x->text);
        tr_buf_free(&x->cell);
        tr_buf_free(&x->file.bytes);
        free(x);
    }
    tr_arena_free(b->arena);
    free(b->sheets);
    free(b->names);
    free(b);
}

static const struct tr_book_kind kind = {
    .any_unit = true, .open = book_open, .table = book_table, .end = book_end, .free = book_free,
};
const struct tr_row_sink tr_row_sink_xlsx = { .name = "xlsx", .streams = true, .book = &kind, .rows = rows,
                                              .end = sheet_end };
