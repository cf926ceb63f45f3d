/* SPDX-License-Identifier: MIT */
/*
 * The file that libsqlite3 sees: the bytes of the input, and no other files.
 *
 * A database that keeps changes in a file beside it (WAL) looks as if it did not: that file is not read.
 */
#include "formats/sqlite/tr_sqlite_db_int.h"

#ifdef HAVE_SQLITE3

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define VERSIONS 18u /* in the header: two bytes, 2 for a database with a WAL */

struct file {
    sqlite3_file base;
    struct tr__db *db;
};

/* ---- bytes ---- */

/* Read ahead at this place if it follows the last one, else n bytes.  False: failed, and db->failure says why. */
static bool look(struct tr__db *db, uint64_t at, size_t n)
{
    size_t want = at == db->next || n > TR__DB_AHEAD ? TR__DB_AHEAD : n;
    db->ahead_n = 0;
    db->ahead_at = at;
    return tr_ingest_read_at(db->g, db->ahead, want, at, &db->ahead_n, &db->failure) == TR_OK;
}

static int read_bytes(sqlite3_file *f, void *buf, int n, sqlite3_int64 from)
{
    struct tr__db *db = ((struct file *)f)->db;
    unsigned char *to = buf;
    size_t want = n > 0 ? (size_t)n : 0, got = 0;
    uint64_t start = (uint64_t)from;
    while (got < want) {
        uint64_t at = start + got, before = at - db->ahead_at;
        size_t have = at >= db->ahead_at && before < db->ahead_n ? db->ahead_n - (size_t)before : 0;
        if (at >= db->size || (!have && (!look(db, at, want - got) || !db->ahead_n)))
            break;
        have = have ? have : db->ahead_n;
        before = at - db->ahead_at;
        have = have < want - got ? have : want - got;
        have = have < db->size - at ? have : (size_t)(db->size - at);
        memcpy(to + got, db->ahead + before, have);
        got += have;
    }
    db->next = start + got;
    if (db->failure.status != TR_OK)
        return SQLITE_IOERR_READ;
    for (uint64_t k = VERSIONS; k < VERSIONS + 2; k++)
        if (k >= start && k < start + got && to[k - start] == 2)
            to[k - start] = 1;
    memset(to + got, 0, want - got);
    return got < want ? SQLITE_IOERR_SHORT_READ : SQLITE_OK;
}

static int size_of(sqlite3_file *f, sqlite3_int64 *size)
{
    *size = (sqlite3_int64)((struct file *)f)->db->size;
    return SQLITE_OK;
}

/* ---- what a file that never changes needs ---- */

static int done(sqlite3_file *f)
{
    (void)f;
    return SQLITE_OK;
}

static int done_flag(sqlite3_file *f, int flag)
{
    (void)f, (void)flag;
    return SQLITE_OK;
}

static int no_write(sqlite3_file *f, const void *bytes, int n, sqlite3_int64 at)
{
    (void)f, (void)bytes, (void)n, (void)at;
    return SQLITE_READONLY;
}

static int no_truncate(sqlite3_file *f, sqlite3_int64 size)
{
    (void)f, (void)size;
    return SQLITE_READONLY;
}

static int not_locked(sqlite3_file *f, int *locked)
{
    (void)f;
    *locked = 0;
    return SQLITE_OK;
}

static int no_control(sqlite3_file *f, int what, void *arg)
{
    (void)f, (void)what, (void)arg;
    return SQLITE_NOTFOUND;
}

static int sector(sqlite3_file *f)
{
    (void)f;
    return 4096;
}

static int properties(sqlite3_file *f)
{
    (void)f;
    return SQLITE_IOCAP_IMMUTABLE;
}

static const sqlite3_io_methods methods = {
    .iVersion = 1, .xClose = done, .xRead = read_bytes, .xWrite = no_write, .xTruncate = no_truncate,
    .xSync = done_flag, .xFileSize = size_of, .xLock = done_flag, .xUnlock = done_flag,
    .xCheckReservedLock = not_locked, .xFileControl = no_control, .xSectorSize = sector,
    .xDeviceCharacteristics = properties,
};

/* ---- files by name ---- */

static int open_file(sqlite3_vfs *vfs, const char *name, sqlite3_file *f, int flags, int *out)
{
    (void)name;
    f->pMethods = NULL;
    if (!(flags & SQLITE_OPEN_MAIN_DB))
        return SQLITE_CANTOPEN;
    ((struct file *)f)->db = vfs->pAppData;
    f->pMethods = &methods;
    if (out)
        *out = flags;
    return SQLITE_OK;
}

static int no_delete(sqlite3_vfs *vfs, const char *name, int sync)
{
    (void)vfs, (void)name, (void)sync;
    return SQLITE_IOERR_DELETE;
}

static int no_other(sqlite3_vfs *vfs, const char *name, int flags, int *found)
{
    (void)vfs, (void)name, (void)flags;
    *found = 0;
    return SQLITE_OK;
}

static int same_name(sqlite3_vfs *vfs, const char *name, int n, char *out)
{
    (void)vfs;
    snprintf(out, (size_t)n, "%s", name);
    return SQLITE_OK;
}

static int no_chance(sqlite3_vfs *vfs, int n, char *out)
{
    (void)vfs;
    memset(out, 0, (size_t)n);
    return n;
}

static int no_sleep(sqlite3_vfs *vfs, int microseconds)
{
    (void)vfs, (void)microseconds;
    return 0;
}

/* Nothing depends on the time of day. */
static int no_time(sqlite3_vfs *vfs, double *days)
{
    (void)vfs;
    *days = 2440587.5;
    return SQLITE_OK;
}

void tr__db_file(struct tr__db *db)
{
    snprintf(db->vfs_name, sizeof db->vfs_name, "tracepipe-%p", (void *)db);
    db->vfs = (sqlite3_vfs){
        .iVersion = 1, .szOsFile = sizeof(struct file), .mxPathname = 64, .zName = db->vfs_name, .pAppData = db,
        .xOpen = open_file, .xDelete = no_delete, .xAccess = no_other, .xFullPathname = same_name,
        .xRandomness = no_chance, .xSleep = no_sleep, .xCurrentTime = no_time,
    };
}

#endif
