# SPDX-License-Identifier: MIT
# One part of C text, line by line: the code, without comments and without what stands in strings, so that a grep sees
# code only; with -v part=text, what stands in strings; with -v part=comment, what comments say.
{
    text = $0
    code = said = remark = ""
    while (text != "") {
        if (inside) {
            at = index(text, "*/")
            remark = remark " " (at ? substr(text, 1, at - 1) : text)
            text = at ? substr(text, at + 2) : ""
            inside = !at
        } else if (match(text, /\/\*|\/\/|"|'/)) {
            token = substr(text, RSTART, RLENGTH)
            code = code substr(text, 1, RSTART - 1)
            text = substr(text, RSTART + RLENGTH)
            if (token == "/*") {
                inside = 1
                code = code " "
            } else if (token == "//") {
                remark = remark " " text
                text = ""
            } else {
                from = text
                while (text != "" && substr(text, 1, 1) != token)
                    text = substr(text, substr(text, 1, 1) == "\\" ? 3 : 2)
                said = said " " substr(from, 1, length(from) - length(text))
                text = substr(text, 2)
                code = code token token
            }
        } else {
            code = code text
            text = ""
        }
    }
    print part == "text" ? said : part == "comment" ? remark : code
}
