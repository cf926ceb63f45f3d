#include "formats/tr_chrome_begin_int.h"

#include "json/tr_json_write.h"

#include <string.h>

bool tr__chrome_time_agrees(const char *p, size_t len, int64_t ns)
{
    const char *end = p + len;
    uint64_t v = 0;
    int decimals = -1; /* -1: before the point */
    if (len >= 2 && *p == '"') {
        p++;
        end--;
    }
    bool minus = p < end && *p == '-';
    if (minus)
        p++;
    for (; p < end; p++) {
        if (*p == '.' && decimals < 0) {
            decimals = 0;
        } else if (*p >= '0' && *p <= '9') {
            if (decimals >= 3)
                continue; /* below a nanosecond */
            if (v > (UINT64_MAX - 9) / 10)
                return false;
            v = v * 10 + (uint64_t)(*p - '0');
            decimals += decimals >= 0;
        } else {
            return *p == 'e' || *p == 'E';
        }
    }
    for (; decimals < 3; decimals += decimals < 0 ? 2 : 1) {
        if (v > UINT64_MAX / 10)
            return false;
        v *= 10;
    }
    if (v > INT64_MAX)
        return false;
    int64_t found = minus ? -(int64_t)v : (int64_t)v;
    return found == ns || (ns > INT64_MIN && found == ns - 1) || (ns < INT64_MAX && found == ns + 1);
}

static size_t skip_blanks(const char *p, size_t at, size_t len)
{
    while (at < len && strchr(" \t\r\n", p[at]))
        at++;
    return at;
}

/* The end of the value that begins at at, in valid JSON. */
static size_t value_end(const char *p, size_t at, size_t len)
{
    unsigned depth = 0;
    for (; at < len; at++) {
        char c = p[at];
        if (c == '"') {
            for (at++; at < len && p[at] != '"'; at++)
                if (p[at] == '\\')
                    at++;
            if (!depth)
                return at < len ? at + 1 : len;
        } else if (c == '{' || c == '[') {
            depth++;
        } else if (c == '}' || c == ']') {
            if (!depth)
                return at;
            if (!--depth)
                return at + 1;
        } else if (!depth && strchr(", \t\r\n", c)) {
            return at;
        }
    }
    return len;
}

struct member {
    const char *key, *value; /* the key with its quotes */
    size_t key_len, value_len;
};

/* The member that begins at *at or behind a comma there; false: there is none. */
static bool next_member(const char *p, size_t *at, size_t len, struct member *m)
{
    size_t i = skip_blanks(p, *at, len);
    if (i < len && p[i] == ',')
        i = skip_blanks(p, i + 1, len);
    if (i >= len || p[i] != '"')
        return false;
    m->key = p + i;
    i = value_end(p, i, len);
    m->key_len = (size_t)(p + i - m->key);
    i = skip_blanks(p, i, len);
    if (i >= len || p[i] != ':')
        return false;
    i = skip_blanks(p, i + 1, len);
    m->value = p + i;
    i = value_end(p, i, len);
    m->value_len = (size_t)(p + i - m->value);
    *at = i;
    return true;
}

static bool key_is(const struct member *m, const char *quoted)
{
    return m->key_len == strlen(quoted) && memcmp(m->key, quoted, m->key_len) == 0;
}

static bool add_ts(const struct tr_chrome_begin *how, const struct member *m, struct tr_buf *out)
{
    if (how->ts == TR_TIME_NONE || tr__chrome_time_agrees(m->value, m->value_len, how->ts))
        return tr_buf_add(out, m->value, m->value_len);
    size_t quote = m->value_len && m->value[0] == '"';
    return tr_buf_add(out, "\"", quote) && tr_json_us(out, how->ts) && tr_buf_add(out, "\"", quote);
}

static bool add_value(const struct tr_chrome_begin *how, const struct member *m, struct tr_buf *out)
{
    uint64_t id;
    if (key_is(m, "\"ts\""))
        return add_ts(how, m, out);
    if (how->viewer && key_is(m, "\"pid\""))
        return tr_json_u64(out, how->pid);
    if (how->viewer && key_is(m, "\"bind_id\""))
        return tr_viewer_id(how->viewer, how->source, m->value, m->value_len, &id) &&
               tr_json_u64(out, id);
    return tr_buf_add(out, m->value, m->value_len);
}

bool tr__chrome_begin(const struct tr_chrome_begin *how, const char *text, size_t len,
                      struct tr_buf *out)
{
    size_t at = 1;
    bool first = true, has_pid = false, ok = tr_buf_add(out, "{", 1);
    struct member m;
    while (ok && next_member(text, &at, len, &m)) {
        has_pid |= key_is(&m, "\"pid\"");
        ok = tr_buf_add(out, ",", first ? 0 : 1) && tr_buf_add(out, m.key, m.key_len) &&
             tr_buf_add(out, ":", 1) && add_value(how, &m, out);
        first = false;
    }
    if (how->viewer && !has_pid)
        ok = ok && tr_buf_add_str(out, first ? "\"pid\":" : ",\"pid\":") && tr_json_u64(out, how->pid);
    return ok && tr_buf_add(out, "}", 1);
}
