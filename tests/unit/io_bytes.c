/* SPDX-License-Identifier: MIT */
/* tr_bytes.h: what is decoded, by content, from files and pipes; LZ4, zstd, xz, bzip2, zip, tar. */
#include "io_tap.h"

#include <fcntl.h>
#include <lz4frame.h>
#include <zlib.h>
#ifdef HAVE_ZSTD
#include <zstd.h>
#endif

static struct tr_buf gzip(const void *p, size_t n)
{
    struct tr_buf b = { 0 };
    z_stream z = { 0 };
    deflateInit2(&z, 6, Z_DEFLATED, 31, 8, Z_DEFAULT_STRATEGY);
    if (!tr_buf_reserve(&b, deflateBound(&z, (uLong)n) + 64))
        bail("memory");
    z.next_in = (Bytef *)(uintptr_t)p;
    z.avail_in = (uInt)n;
    z.next_out = b.data;
    z.avail_out = (uInt)b.cap;
    if (deflate(&z, Z_FINISH) != Z_STREAM_END)
        bail("deflate");
    b.len = b.cap - z.avail_out;
    deflateEnd(&z);
    return b;
}

static void add_lz4(struct tr_buf *b, const void *p, size_t n, bool linked, bool sums)
{
    LZ4F_preferences_t pref = { 0 };
    pref.frameInfo.blockSizeID = LZ4F_max64KB;
    pref.frameInfo.blockMode = linked ? LZ4F_blockLinked : LZ4F_blockIndependent;
    pref.frameInfo.contentChecksumFlag = sums;
    pref.frameInfo.blockChecksumFlag = sums;
    size_t cap = LZ4F_compressFrameBound(n, &pref);
    if (!tr_buf_reserve(b, cap))
        bail("memory");
    size_t len = LZ4F_compressFrame(b->data + b->len, cap, p, n, &pref);
    if (LZ4F_isError(len))
        bail("LZ4F_compressFrame");
    b->len += len;
}

static bool add_zstd(struct tr_buf *b, const void *p, size_t n)
{
#ifdef HAVE_ZSTD
    ZSTD_CCtx *c = ZSTD_createCCtx();
    size_t cap = ZSTD_compressBound(n);
    if (!c || !tr_buf_reserve(b, cap))
        bail("memory");
    ZSTD_CCtx_setParameter(c, ZSTD_c_checksumFlag, 1);
    size_t len = ZSTD_compress2(c, b->data + b->len, cap, p, n);
    ZSTD_freeCCtx(c);
    b->len += len;
    return !ZSTD_isError(len);
#else
    (void)b, (void)p, (void)n;
    return false;
#endif
}

/* Decode from a file, or (chunk > 0) from a pipe in pieces. */
static enum tr_status decode(const struct tr_buf *in, size_t chunk, size_t cap, struct tr_buf *out,
                             struct tr_error *err, char codec[16])
{
    struct feeder f;
    struct tr_bytes *b;
    int fd = chunk ? feed_start(&f, in->data, in->len, chunk) : file_with(in->data, in->len);
    out->len = 0;
    enum tr_status st = tr_bytes_open(&b, fd, "test", NULL, err);
    if (st == TR_OK) {
        snprintf(codec, 16, "%s", tr_bytes_codec(b));
        st = slurp(b, cap, out, err);
        tr_bytes_close(b);
    }
    if (chunk)
        feed_end(&f);
    return st;
}

static void every_way(const char *what, const char *codec, const struct tr_buf *in, const void *p,
                      size_t n)
{
    static const size_t chunks[] = { 0, 1, 13, 5000 }, caps[] = { 1, 3001, 1 << 18 };
    size_t bad = 0;
    struct tr_buf out = { 0 };
    for (size_t i = 0; i < 4; i++) {
        for (size_t j = 0; j < 3; j++) {
            struct tr_error err = TR_ERROR_INIT;
            char name[16] = "";
            enum tr_status st = decode(in, chunks[i], caps[j], &out, &err, name);
            bad += st != TR_END || !same(&out, p, n) || strcmp(name, codec) != 0;
        }
    }
    ok(bad == 0, "%s: files, pipes, all sizes of reads", what);
    tr_buf_free(&out);
}

static void plain(void)
{
    static const char *const texts[] = {
        "", "x", "\x1f", "P", "PK", "BZh9", "BZh91AY", "\xfd" "7z",
        "{\"traceEvents\": []}", "xG", "x^2 + y^2", "\x28\xb5\x2f",
        "(\xb5/", "hello, world: a line\n", "8", "x\x9c is no zlib data by itself",
    };
    size_t bad = 0;
    struct tr_buf out = { 0 };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        size_t n = strlen(texts[i]);
        struct tr_buf in = { (unsigned char *)(uintptr_t)texts[i], n, n };
        for (size_t chunk = 0; chunk < 3; chunk++) {
            struct tr_error err = TR_ERROR_INIT;
            char name[16] = "";
            enum tr_status st = decode(&in, chunk, 64, &out, &err, name);
            if (st != TR_END || !same(&out, texts[i], n) || strcmp(name, "none") != 0) {
                printf("# '%s' in pieces of %zu: %d, %s\n", texts[i], chunk, st, name);
                bad++;
            }
        }
    }
    ok(!bad, "short texts, and beginnings of magic numbers, are passed on");
    tr_buf_free(&out);
    struct tr_buf text = trace_text(200000, 1);
    every_way("plain text", "none", &text, text.data, text.len);
    tr_buf_free(&text);
}

/* A live pipe: what has been written can be read before more is. */
static void live(void)
{
    static const char *const starts[] = { "{\n", "\x89trs\r\n\x1a\n", "[ ", "Name with blanks\n" };
    size_t bad = 0;
    for (size_t i = 0; i < 4; i++) {
        int ends[2];
        struct tr_bytes *b;
        char buf[64];
        size_t got = 0, n = strlen(starts[i]);
        const unsigned char *p;
        if (pipe(ends) != 0)
            bail("pipe");
        tr_write_full(ends[1], starts[i], n, NULL);
        if (i == 2) /* may be the name of a file in a tar archive until the next byte */
            tr_write_full(ends[1], "\t", 1, NULL);
        alarm(10); /* ends the test if it waits */
        bad += tr_bytes_open(&b, ends[0], "live", NULL, NULL) != TR_OK ||
               tr_bytes_peek(b, &p, &got, 1, NULL) != TR_OK || got < n || memcmp(p, starts[i], n) ||
               tr_bytes_read(b, buf, sizeof buf, &got, NULL) != TR_OK || got < n;
        alarm(0);
        close(ends[1]);
        tr_bytes_close(b);
    }
    ok(!bad, "nothing waits for more than it needs");
}

static void lz4(void)
{
    struct tr_buf text = trace_text(300000, 2), z = { 0 }, out = { 0 };
    char name[16];
    struct tr_error err = TR_ERROR_INIT;
    for (int k = 0; k < 4; k++) {
        z.len = 0;
        add_lz4(&z, text.data, text.len, k & 1, k & 2);
        every_way(k & 2 ? "lz4 with checksums" : "lz4", "lz4", &z, text.data, text.len);
    }
    size_t frame = z.len, lost = 0, missed = 0;
    for (size_t n = 4; n < frame; n += 97) {
        struct tr_buf cut = { z.data, n, n };
        missed += decode(&cut, 0, 1 << 16, &out, &err, name) != TR_DAMAGED;
        /* All blocks but the last are whole, and blocks decode to 64 KiB. */
        double share = (double)n / (double)frame * (double)text.len;
        lost += (double)out.len < share - 140000 || memcmp(out.data, text.data, out.len) != 0;
    }
    ok(!missed && !lost, "cut frames: damaged, and whole blocks are delivered");
    uint32_t seed = 3;
    missed = lost = 0;
    for (int i = 0; i < 300; i++) {
        size_t at = 7 + next_random(&seed) % (frame - 7);
        z.data[at] ^= 0x10;
        missed += decode(&z, 0, 1 << 16, &out, &err, name) != TR_DAMAGED;
        lost += out.len > text.len || memcmp(out.data, text.data, out.len / 65536 * 65536) != 0;
        z.data[at] ^= 0x10;
    }
    ok(!missed && !lost, "flipped bits: damaged, and whole blocks before are right");

    /* The header of the second block is nonsense: the first block must come out all the same. */
    uint32_t len = z.data[7] | (uint32_t)z.data[8] << 8 | (uint32_t)z.data[9] << 16;
    unsigned char *second = z.data + 7 + 4 + len + 4;
    second[2] ^= 0x70;
    ok(decode(&z, 0, 1 << 20, &out, &err, name) == TR_DAMAGED && same(&out, text.data, 65536),
       "a damaged block header does not cost the block before it");
    second[2] ^= 0x70;

    tr_buf_add(&z, "\x5a\x2a\x4d\x18\5\0\0\0skip!", 13);
    add_lz4(&z, text.data, 5000, true, true);
    size_t two = z.len;
    tr_buf_free(&out);
    ok(decode(&z, 0, 1 << 16, &out, &err, name) == TR_END && out.len == text.len + 5000,
       "several frames, and one to skip");
    tr_buf_add_str(&z, "trailing");
    struct tr_bytes *b;
    tr_bytes_open(&b, file_with(z.data, z.len), "t", NULL, NULL);
    out.len = 0;
    ok(slurp(b, 1 << 16, &out, &err) == TR_END && tr_bytes_trailing(b) == 8, "trailing bytes");
    tr_bytes_close(b);
    z.len = two;
    z.data[frame / 2] ^= 0xff;
    tr_bytes_open(&b, file_with(z.data, z.len), "t", NULL, NULL);
    out.len = 0;
    ok(slurp(b, 1 << 16, &out, &err) == TR_DAMAGED && tr_bytes_resync(b, NULL, &err) == TR_OK &&
           slurp(b, 1 << 16, &out, &err) == TR_END && out.len >= 5000 &&
           !memcmp(out.data + out.len - 5000, text.data, 5000),
       "the frame after a damaged one is found");
    tr_bytes_close(b);

    struct tr_buf first = { 0 };
    tr_buf_add(&first, "\x50\x2a\x4d\x18\3\0\0\0abc", 11);
    add_lz4(&first, text.data, 70000, true, true);
    every_way("a frame to skip first", "lz4", &first, text.data, 70000);
    tr_buf_free(&first);
    tr_buf_free(&out);
    tr_buf_free(&z);
    tr_buf_free(&text);
}

static void zstd(void)
{
    struct tr_buf text = trace_text(900000, 4), z = { 0 }, out = { 0 };
    struct tr_error err = TR_ERROR_INIT;
    char name[16];
    if (!add_zstd(&z, text.data, text.len)) {
        struct tr_buf magic = { (unsigned char *)(uintptr_t) "\x28\xb5\x2f\xfd----", 8, 8 };
        ok(decode(&magic, 0, 64, &out, &err, name) == TR_DAMAGED && strstr(err.what, "zstd"),
           "without zstd, zstd data are refused by name");
        tr_buf_free(&text);
        return;
    }
    every_way("zstd", "zstd", &z, text.data, text.len);
    size_t frame = z.len, lost = 0, missed = 0;
    for (size_t n = 4; n < frame; n += 997) {
        struct tr_buf cut = { z.data, n, n };
        missed += decode(&cut, 0, 1 << 16, &out, &err, name) != TR_DAMAGED;
        double share = (double)n / (double)frame * (double)text.len;
        lost += (double)out.len < share - 280000 ||
                (out.len && memcmp(out.data, text.data, out.len) != 0);
    }
    ok(!missed && !lost, "cut frames: damaged, and whole blocks are delivered");
    uint32_t seed = 5;
    missed = lost = 0;
    for (int i = 0; i < 200; i++) {
        size_t at = 10 + next_random(&seed) % (frame - 10);
        z.data[at] ^= 4;
        missed += decode(&z, 0, 1 << 16, &out, &err, name) != TR_DAMAGED;
        lost += out.len > text.len;
        z.data[at] ^= 4;
    }
    ok(!missed && !lost, "flipped bits: damaged");
    tr_buf_add(&z, "\x5a\x2a\x4d\x18\5\0\0\0skip!", 13);
    add_zstd(&z, text.data, 5000);
    ok(decode(&z, 0, 1 << 16, &out, &err, name) == TR_END && out.len == text.len + 5000,
       "several frames, and one to skip");
    z.data[frame / 2] ^= 0xff;
    struct tr_bytes *b;
    tr_bytes_open(&b, file_with(z.data, z.len), "t", NULL, NULL);
    out.len = 0;
    ok(slurp(b, 1 << 16, &out, &err) == TR_DAMAGED && tr_bytes_resync(b, NULL, &err) == TR_OK &&
           slurp(b, 1 << 16, &out, &err) == TR_END &&
           !memcmp(out.data + out.len - 5000, text.data, 5000),
       "the frame after a damaged one is found");
    tr_bytes_close(b);
    z.len = 0;
    tr_buf_add(&z, "\x50\x2a\x4d\x18\3\0\0\0abc", 11);
    add_zstd(&z, text.data, 70000);
    every_way("a frame to skip first", "zstd", &z, text.data, 70000);
    tr_buf_free(&out);
    tr_buf_free(&z);
    tr_buf_free(&text);
}

static void peeks(void)
{
    struct tr_buf text = trace_text(200000, 6), z = gzip(text.data, text.len), out = { 0 };
    const struct tr_buf *ins[] = { &text, &z };
    size_t bad = 0;
    for (size_t k = 0; k < 4; k++) {
        struct feeder f;
        struct tr_bytes *b;
        const unsigned char *p;
        size_t n;
        const struct tr_buf *in = ins[k % 2];
        int fd = k < 2 ? file_with(in->data, in->len) : feed_start(&f, in->data, in->len, 700);
        tr_bytes_open(&b, fd, "peek", NULL, NULL);
        out.len = 0;
        /* A look at every size, and a read of every size, in turn. */
        for (size_t want = 1; want <= TR_BYTES_PEEK_MAX; want *= 4) {
            size_t got;
            bad += tr_bytes_peek(b, &p, &n, want, NULL) != TR_OK || n < want ||
                   memcmp(p, text.data + out.len, n) != 0;
            tr_buf_reserve(&out, want);
            bad += tr_bytes_read(b, out.data + out.len, want / 2 + 1, &got, NULL) != TR_OK;
            out.len += got;
        }
        bad += slurp(b, 5000, &out, NULL) != TR_END || !same(&out, text.data, text.len);
        bad += tr_bytes_peek(b, &p, &n, 10, NULL) != TR_END || n != 0;
        bad += tr_bytes_consumed(b) != in->len || tr_bytes_total(b) != (k < 2 ? in->len : 0);
        tr_bytes_close(b);
        if (k >= 2)
            feed_end(&f);
    }
    ok(!bad, "looks and reads in turn, and the counters at the end");

    struct tr_bytes *b;
    const unsigned char *p;
    size_t n;
    struct tr_error err = TR_ERROR_INIT;
    tr_bytes_open(&b, file_with("short", 5), "s", NULL, NULL);
    ok(tr_bytes_peek(b, &p, &n, 4096, NULL) == TR_OK && n == 5, "fewer bytes than wanted");
    tr_bytes_close(b);
    tr_bytes_open(&b, file_with(z.data, 200), "s", NULL, NULL);
    ok(tr_bytes_peek(b, &p, &n, 4096, &err) == TR_OK && n > 0 && n < 4096 &&
           !memcmp(p, text.data, n),
       "a look at data that are cut gives what there is");
    tr_bytes_close(b);
    tr_buf_free(&out);
    tr_buf_free(&z);
    tr_buf_free(&text);
}

static void options(void)
{
    struct tr_buf text = trace_text(20000, 7), z = gzip(text.data, text.len), out = { 0 };
    struct tr_bytes *b;
    struct tr_bytes_opts opts = { .raw = true, .keep_fd = true };
    int fd = file_with(z.data, z.len);
    tr_bytes_open(&b, fd, "raw", &opts, NULL);
    ok(slurp(b, 999, &out, NULL) == TR_END && same(&out, z.data, z.len), "raw: as it is");
    tr_bytes_close(b);
    ok(lseek(fd, 0, SEEK_SET) == 0, "keep_fd: still open");
    opts.raw = false;
    lseek(fd, 5, SEEK_SET);
    tr_bytes_open(&b, fd, "raw", &opts, NULL);
    ok(tr_bytes_total(b) == z.len - 5 && !strcmp(tr_bytes_codec(b), "none"),
       "reading starts at the present position");
    tr_bytes_close(b);
    tr_bytes_open(&b, fd, "closed", NULL, NULL);
    tr_bytes_close(b);
    ok(lseek(fd, 0, SEEK_SET) < 0, "else it is closed");
    struct tr_error err = TR_ERROR_INIT;
    int dir = open(".", O_RDONLY);
    ok(tr_bytes_open(&b, dir, "a folder", NULL, &err) == TR_SYSTEM && err.sys_errno == EISDIR &&
           !strcmp(err.input, "a folder"),
       "a read failure is the system's, with its reason");
    tr_buf_free(&out);
    tr_buf_free(&z);
    tr_buf_free(&text);
}

#ifdef HAVE_ARCHIVE
#include <archive.h>
#include <archive_entry.h>

static la_ssize_t collect(struct archive *a, void *to, const void *p, size_t n)
{
    (void)a;
    if (!tr_buf_add(to, p, n))
        bail("memory");
    return (la_ssize_t)n;
}

static void add_entry(struct archive *a, const char *name, unsigned type, const void *p, size_t n)
{
    struct archive_entry *e = archive_entry_new();
    archive_entry_set_pathname(e, name);
    archive_entry_set_filetype(e, type);
    archive_entry_set_perm(e, 0644);
    archive_entry_set_size(e, (la_int64_t)n);
    if (archive_write_header(a, e) != ARCHIVE_OK)
        bail(archive_error_string(a));
    archive_write_data(a, p, n);
    archive_entry_free(e);
}

/* Members: plain.json, a folder, sub/run.json.gz (compressed itself), empty.json. */
static struct tr_buf make_archive(bool zip, const struct tr_buf *text, bool store)
{
    struct tr_buf out = { 0 }, z = gzip(text->data, text->len);
    struct archive *a = archive_write_new();
    if (zip)
        archive_write_set_format_zip(a);
    else
        archive_write_set_format_pax_restricted(a);
    if (zip && store)
        archive_write_zip_set_compression_store(a);
    archive_write_set_bytes_per_block(a, 512);
    archive_write_open(a, &out, NULL, collect, NULL);
    add_entry(a, "plain.json", AE_IFREG, text->data, text->len);
    add_entry(a, "sub", AE_IFDIR, NULL, 0);
    add_entry(a, "sub/run.json.gz", AE_IFREG, z.data, z.len);
    add_entry(a, "empty.json", AE_IFREG, NULL, 0);
    archive_write_close(a);
    archive_write_free(a);
    tr_buf_free(&z);
    return out;
}

static bool three_members(const struct tr_buf *in, size_t chunk, const struct tr_buf *text)
{
    struct feeder f;
    struct tr_bytes *b;
    struct tr_error err = TR_ERROR_INIT;
    struct tr_buf out = { 0 };
    const char *name;
    int fd = chunk ? feed_start(&f, in->data, in->len, chunk) : file_with(in->data, in->len);
    bool good = tr_bytes_open(&b, fd, "a.zip", NULL, &err) == TR_OK &&
                !strcmp(tr_bytes_member(b), "plain.json") &&
                !strcmp(tr_bytes_name(b), "a.zip(plain.json)") &&
                slurp(b, 4000, &out, &err) == TR_END && same(&out, text->data, text->len);
    out.len = 0;
    good = good && tr_bytes_next_member(b, &name, &err) == TR_OK &&
           !strcmp(name, "sub/run.json.gz") && !strcmp(tr_bytes_codec(b), "gzip") &&
           slurp(b, 4000, &out, &err) == TR_END && same(&out, text->data, text->len);
    out.len = 0;
    good = good && tr_bytes_next_member(b, &name, &err) == TR_OK && !strcmp(name, "empty.json") &&
           slurp(b, 4000, &out, &err) == TR_END && out.len == 0 &&
           tr_bytes_next_member(b, &name, &err) == TR_END && slurp(b, 9, &out, &err) == TR_END;
    if (!good)
        printf("# %s: %s: %s\n", err.input, err.place, err.what);
    tr_bytes_close(b);
    if (chunk)
        feed_end(&f);
    tr_buf_free(&out);
    return good;
}

static void archives(void)
{
    struct tr_buf text = trace_text(150000, 8), out = { 0 };
    static const char *const what[] = { "zip", "zip, stored", "tar", "tar.gz", "tar.lz4" };
    for (int k = 0; k < 5; k++) {
        struct tr_buf a = make_archive(k < 2, &text, k == 1), packed = { 0 };
        if (k == 3)
            packed = gzip(a.data, a.len);
        if (k == 4)
            add_lz4(&packed, a.data, a.len, true, true);
        const struct tr_buf *in = k < 3 ? &a : &packed;
        ok(three_members(in, 0, &text), "%s: three members of a file", what[k]);
        ok(three_members(in, 11, &text), "%s: three members through a pipe", what[k]);
        tr_buf_free(&a);
        tr_buf_free(&packed);
    }

    struct tr_bytes *b;
    struct tr_error err = TR_ERROR_INIT;
    const char *name;
    struct tr_buf a = make_archive(true, &text, false);
    tr_bytes_open(&b, file_with(a.data, a.len), "a.zip", NULL, &err);
    ok(tr_bytes_next_member(b, &name, &err) == TR_OK && slurp(b, 512, &out, &err) == TR_END &&
           same(&out, text.data, text.len),
       "a member that is not read is passed over");
    tr_bytes_close(b);

    a.data[3000] ^= 0xff;
    out.len = 0;
    tr_bytes_open(&b, file_with(a.data, a.len), "a.zip", NULL, &err);
    enum tr_status st = slurp(b, 512, &out, &err);
    ok(st == TR_DAMAGED && !strcmp(err.input, "a.zip(plain.json)"),
       "a damaged member is damaged, and named");
    tr_bytes_close(b);
    a.data[3000] ^= 0xff;
    err = (struct tr_error)TR_ERROR_INIT;
    out.len = 0;
    tr_bytes_open(&b, file_with(a.data, 5000), "a.zip", NULL, &err);
    ok(slurp(b, 512, &out, &err) == TR_DAMAGED && out.len > 10000 &&
           !memcmp(out.data, text.data, out.len),
       "a cut archive is damaged, and what comes before the cut is delivered");
    tr_bytes_close(b);
    tr_buf_free(&a);

    a = make_archive(false, &text, false);
    struct tr_buf z = gzip(a.data, a.len);
    err = (struct tr_error)TR_ERROR_INIT;
    out.len = 0;
    tr_bytes_open(&b, file_with(z.data, 9000), "a.tar.gz", NULL, &err);
    ok(slurp(b, 512, &out, &err) == TR_DAMAGED && strstr(err.what, "gzip") &&
           !strcmp(err.input, "a.tar.gz") && !memcmp(out.data, text.data, out.len),
       "a cut tar.gz is a matter of the gzip data around it");
    tr_bytes_close(b);
    tr_buf_free(&z);
    tr_buf_free(&a);
    tr_buf_free(&out);
    tr_buf_free(&text);
}
static struct tr_buf compress_by(const struct tr_buf *text, bool xz)
{
    struct tr_buf out = { 0 };
    struct archive *a = archive_write_new();
    if ((xz ? archive_write_add_filter_xz(a) : archive_write_add_filter_bzip2(a)) != ARCHIVE_OK)
        bail("libarchive without xz or bzip2");
    archive_write_set_format_raw(a);
    archive_write_set_bytes_per_block(a, 0);
    archive_write_open(a, &out, NULL, collect, NULL);
    add_entry(a, "data", AE_IFREG, text->data, text->len);
    archive_write_close(a);
    archive_write_free(a);
    return out;
}

/* Text of which a cut or a flipped bit costs at most 64 KiB before it, and a block of bzip2. */
static void filters(void)
{
    static const struct { const char *name; size_t block; } kinds[] = { { "xz", 0 }, { "bzip2", 900000 } };
    struct tr_buf text = trace_text(1200000, 9), out = { 0 };
    for (int k = 0; k < 2; k++) {
        struct tr_buf z = compress_by(&text, k == 0), two = { 0 };
        struct tr_error err = TR_ERROR_INIT;
        char name[16] = "";
        struct tr_buf small = { text.data, 70000, 70000 }, one = compress_by(&small, k == 0);
        every_way(kinds[k].name, kinds[k].name, &one, small.data, small.len);
        size_t lost = 0, missed = 0;
        for (size_t n = 12; n < z.len; n += z.len / 12) {
            struct tr_buf cut = { z.data, n, n };
            err = (struct tr_error)TR_ERROR_INIT;
            missed += decode(&cut, n % 3 ? 0 : 4000, 1 << 16, &out, &err, name) != TR_DAMAGED ||
                      (out.len && !strstr(err.what, "end too early"));
            double share = (double)n / (double)z.len * (double)text.len;
            lost += (double)out.len < share - 65536 - 100000 - (double)kinds[k].block ||
                    (out.len && memcmp(out.data, text.data, out.len) != 0);
        }
        ok(!missed && !lost, "%s: cut data are damaged, and what is decoded before is right", kinds[k].name);
        missed = 0;
        uint32_t seed = 10;
        for (int i = 0; i < 12; i++) {
            size_t at = 12 + next_random(&seed) % (z.len - 12);
            unsigned long long place = 0;
            z.data[at] ^= 4;
            err = (struct tr_error)TR_ERROR_INIT;
            missed += decode(&z, 0, 1 << 16, &out, &err, name) != TR_DAMAGED || out.len > text.len ||
                      sscanf(err.place, "compressed byte %llu", &place) != 1 || place > z.len;
            z.data[at] ^= 4;
        }
        ok(!missed, "%s: flipped bits are damage, with a place in the compressed bytes", kinds[k].name);
        tr_buf_add(&two, one.data, one.len);
        tr_buf_add(&two, one.data, one.len);
        ok(decode(&two, 0, 1 << 16, &out, &err, name) == TR_END && out.len == 2 * small.len,
           "%s: one after the other", kinds[k].name);
        struct tr_buf nothing = { text.data, 0, 0 }, empty = compress_by(&nothing, k == 0);
        ok(decode(&empty, 0, 64, &out, &err, name) == TR_END && out.len == 0, "%s of nothing", kinds[k].name);
        struct tr_buf tar = make_archive(false, &small, false), tar_z = compress_by(&tar, k == 0);
        ok(three_members(&tar_z, 0, &small), "tar compressed with %s: three members", kinds[k].name);
        tr_buf_free(&tar);
        tr_buf_free(&tar_z);
        tr_buf_free(&empty);
        tr_buf_free(&one);
        tr_buf_free(&two);
        tr_buf_free(&z);
    }
    tr_buf_free(&out);
    tr_buf_free(&text);
}
#else
static void archives(void)
{
    struct tr_buf out = { 0 };
    struct tr_error err = TR_ERROR_INIT;
    char name[16];
    struct tr_buf zip = { (unsigned char *)(uintptr_t) "PK\3\4----", 8, 8 };
    ok(decode(&zip, 0, 64, &out, &err, name) == TR_DAMAGED && strstr(err.what, "zip"),
       "without libarchive, archives are refused by name");
}

static void filters(void)
{
    struct tr_buf out = { 0 };
    struct tr_error err = TR_ERROR_INIT;
    char name[16];
    struct tr_buf xz = { (unsigned char *)(uintptr_t) "\xfd" "7zXZ\0----", 10, 10 };
    ok(decode(&xz, 0, 64, &out, &err, name) == TR_DAMAGED && strstr(err.what, "xz"),
       "without libarchive, xz data are refused by name");
}
#endif

int main(void)
{
    plain();
    live();
    lz4();
    zstd();
    peeks();
    options();
    archives();
    filters();
    return done_testing();
}
