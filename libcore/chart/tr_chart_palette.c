/* SPDX-License-Identifier: MIT */
/* The colours, and the style sheet of a picture. */
#include "chart/tr_chart_palette_int.h"

#include <string.h>

static const struct colour {
    const char *classes, *light, *dark; /* the name follows "f-" */
    bool white_on_light, white_on_dark; /* text on it */
} palette[TR__N_COLOURS] = {
    [TR__COMPUTE] = { "f-compute", "#0072B2", "#4AA3DF", true, false },
    [TR__COMM] = { "f-comm", "#D55E00", "#F07C33", false, false },
    [TR__HIDDEN] = { "f-hidden", "#E69F00", "#F2B632", false, false },
    [TR__MEMORY] = { "f-memory", "#009E73", "#2BC394", false, false },
    [TR__OTHER] = { "f-other", "#CC79A7", "#DB95BC", false, false },
    [TR__IDLE] = { "f-idle", "#C4C9CE", "#545C65", false, true },
    [TR__SERIES] = { "f-s1", "#56B4E9", "#7CC7F0", false, false },
    [TR__SERIES + 1] = { "f-s2", "#3B4754", "#C3CCD5", true, false },
    [TR__SERIES + 2] = { "f-s3", "#CC79A7", "#DB95BC", false, false },
    [TR__SERIES + 3] = { "f-s4", "#B59F00", "#F0E442", false, false },
    [TR__SERIES + 4] = { "f-s5", "#5B4B9A", "#A596E6", true, false },
    [TR__SERIES + 5] = { "f-s6", "#009E73", "#2BC394", false, false },
};

/* Steps of blue; the more, the further from the background. */
static const char *const light_levels[TR__LEVELS] = { "#F2F4F6", "#DCE9F4", "#C3DCEE", "#A3CBE6", "#7DB6DB",
                                                      "#57A0CF", "#3388BF", "#1570AC", "#075592", "#053A6B" };
static const char *const dark_levels[TR__LEVELS] = { "#20262D", "#1F303F", "#1E3A52", "#1F4665", "#225379",
                                                     "#27618D", "#3071A2", "#3D82B7", "#4F95CC", "#66AAE0" };

const char *tr__colour_name(enum tr__colour c)
{
    return palette[c].classes + 2;
}

const char *tr__colour_class(enum tr__colour c)
{
    return palette[c].classes;
}

const char *tr__colour_hex(enum tr__colour c)
{
    return palette[c].light;
}

const char *tr__level_hex(unsigned level)
{
    return light_levels[level];
}

enum tr__colour tr__colour_of(struct tr_str name)
{
    static const struct {
        const char *name;
        enum tr__colour colour;
    } known[] = {
        { "compute", TR__COMPUTE }, { "computation", TR__COMPUTE },   { "busy", TR__COMPUTE },
        { "comm", TR__COMM },       { "exposed_comm", TR__COMM },     { "communication", TR__COMM },
        { "overlap", TR__HIDDEN },  { "compute+comm", TR__HIDDEN },   { "hidden", TR__HIDDEN },
        { "memory", TR__MEMORY },   { "exposed_memory", TR__MEMORY }, { "other", TR__OTHER },
        { "idle", TR__IDLE },       { "others", TR__IDLE },           { "(none)", TR__IDLE },
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (tr_str_is(name, known[i].name))
            return known[i].colour;
    return TR__N_COLOURS;
}

void tr__colours_for(const struct tr_str *names, size_t n, enum tr__colour *colours)
{
    unsigned used = 0;
    if (n == 1 && (names[0].len == 0 || tr_str_is(names[0], "(none)"))) {
        colours[0] = TR__COMPUTE;
        return;
    }
    for (size_t i = 0; i < n; i++) {
        enum tr__colour c = tr__colour_of(names[i]);
        colours[i] = c != TR__N_COLOURS && used >> c & 1 ? TR__N_COLOURS : c;
        if (colours[i] != TR__N_COLOURS)
            used |= 1u << c;
    }
    if (n == 1 && colours[0] == TR__N_COLOURS)
        colours[0] = TR__COMPUTE;
    /* two series have the colour of a kind */
    unsigned taken = (used >> TR__OTHER & 1) << (TR__SERIES + 2) | (used >> TR__MEMORY & 1) << (TR__SERIES + 5);
    unsigned next = TR__SERIES;
    for (size_t i = 0; i < n; i++) {
        if (colours[i] != TR__N_COLOURS)
            continue;
        while (next < TR__SERIES_END && taken >> next & 1)
            next++;
        colours[i] = next < TR__SERIES_END ? (enum tr__colour)next++ : TR__IDLE;
    }
}

static bool add_colours(struct tr_buf *out, unsigned colours, bool levels, bool dark)
{
    bool ok = true;
    for (unsigned c = 0; ok && c < TR__N_COLOURS; c++) {
        const struct colour *p = &palette[c];
        const char *hex = dark ? p->dark : p->light, *name = tr__colour_name((enum tr__colour)c);
        if (colours >> c & 1)
            ok = tr_buf_print(out, ".f-%s{fill:%s}\n.k-%s{stroke:%s}\n.t-%s{fill:%s}\n", name, hex, name, hex, name,
                              (dark ? p->white_on_dark : p->white_on_light) ? "#fff" : "#111");
    }
    for (unsigned i = 0; ok && levels && i < TR__LEVELS; i++)
        ok = tr_buf_print(out, ".h%u{fill:%s}\n", i, dark ? dark_levels[i] : light_levels[i]);
    return ok;
}

bool tr__style_add(struct tr_buf *out, unsigned colours, bool levels)
{
    static const char light[] =
        "text{font-family:system-ui,-apple-system,\"Segoe UI\",Roboto,\"Noto Sans\",\"DejaVu Sans\",sans-serif;"
        "font-size:12px;fill:#1F2328}\n"
        ".bg{fill:#FFFFFF}\n"
        ".ti{font-size:18px;font-weight:600}\n"
        ".tj{font-size:14px;font-weight:600}\n"
        ".fa{font-weight:600}\n"
        ".su,.ax,.tk{fill:#57606A}\n"
        ".tk,.sm{font-size:11px}\n"
        ".n{font-variant-numeric:tabular-nums}\n"
        ".gr{stroke:#E3E6EA;fill:none}\n"
        ".ba{stroke:#6E7781;fill:none}\n"
        ".wh{stroke:#1F2328;stroke-width:1.5;fill:none}\n"
        ".sg{stroke:#FFFFFF;stroke-width:1}\n"
        ".ln{fill:none;stroke-width:1.75;stroke-linejoin:round}\n"
        ".ar{fill-opacity:.22}\n"
        ".pt{fill-opacity:.55}\n"
        ".hl{paint-order:stroke;stroke:#FFFFFF;stroke-width:3px;stroke-linejoin:round}\n"
        ".e{text-anchor:end}\n"
        ".m{text-anchor:middle}\n"
        ".hi{fill:#fff}\n"
        ".lo{fill:#111}\n";
    static const char dark[] = "@media (prefers-color-scheme: dark){\n"
                               "text{fill:#E6EAEE}\n"
                               ".bg{fill:#14181D}\n"
                               ".su,.ax,.tk{fill:#A3ACB5}\n"
                               ".gr{stroke:#2D343C}\n"
                               ".ba{stroke:#8B949E}\n"
                               ".wh{stroke:#E6EAEE}\n"
                               ".sg{stroke:#14181D}\n"
                               ".hl{stroke:#14181D}\n"
                               ".ar{fill-opacity:.3}\n"
                               ".pt{fill-opacity:.75}\n"
                               ".hi{fill:#111}\n"
                               ".lo{fill:#E6EAEE}\n";
    return tr_buf_add_str(out, light) && add_colours(out, colours, levels, false) && tr_buf_add_str(out, dark) &&
           add_colours(out, colours, levels, true) && tr_buf_add_str(out, "}\n");
}
