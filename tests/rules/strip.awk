# SPDX-License-Identifier: MIT
# C text without comments and without what stands in strings, line by line, so that a grep sees code only.
{
    text = $0
    out = ""
    while (text != "") {
        if (inside) {
            at = index(text, "*/")
            if (!at) { text = ""; break }
            text = substr(text, at + 2)
            inside = 0
        } else if (match(text, /\/\*|\/\/|"|'/)) {
            token = substr(text, RSTART, RLENGTH)
            out = out substr(text, 1, RSTART - 1)
            text = substr(text, RSTART + RLENGTH)
            if (token == "/*") {
                inside = 1
                out = out " "
            } else if (token == "//") {
                text = ""
            } else {
                while (text != "" && substr(text, 1, 1) != token)
                    text = substr(text, substr(text, 1, 1) == "\\" ? 3 : 2)
                text = substr(text, 2)
                out = out token token
            }
        } else {
            out = out text
            text = ""
        }
    }
    print out
}
