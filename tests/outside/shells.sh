#!/bin/sh
# SPDX-License-Identifier: MIT
# Completions are read by zsh and fish, and fish offers what the option table says; rules/completions.sh has the rest.
. "$(dirname "$0")/lib.sh"
make=$root/contrib/make-completions.sh
[ -x "$built/unit/cli_demo" ] || skip_all "cli_demo is not built"
printf 'cli_demo\t1\tno\tshow what the frame does\n' >demo.list

if outside zsh; then
    sh "$make" zsh "$built/unit" demo.list >demo.zsh
    zsh -n demo.zsh
    ok $? "zsh: can be read"
    sh "$make" zsh "$bin" "$root/tools/tools.list" >all.zsh && zsh -n all.zsh
    ok $? "zsh: those of all programs can be read"
else
    skip "zsh: can be read" "$why"
fi
# what zsh offers, in a terminal of its own: the words after tracepipe, then the options of the program
offered()
{
    python=${PYTHON:-python3}
    "$python" "$here/shells_zsh.py" all.zsh "$1" 2>&1
}
if command -v zsh >/dev/null && command -v "${PYTHON:-python3}" >/dev/null && [ -s all.zsh ]; then
    is "$(offered 'tracepipe overl')" "tracepipe overlap" "zsh: a program of tracepipe"
    is "$(offered 'tracepipe breakdown --relat')" "tracepipe breakdown --relative" "zsh: an option of it"
    is "$(offered 'tracepipe help overl')" "tracepipe help overlap" "zsh: a page"
else
    skip "zsh: what it offers" "no zsh, no python3 or no programs"
fi
if outside fish; then
    sh "$make" fish "$built/unit" demo.list >demo.fish
    fish --no-execute demo.fish
    ok $? "fish: can be read"
    printf 'source demo.fish\ncomplete -C "cli_demo --output-format "\n' >ask.fish
    is "$(HOME=$tmp fish --no-config ask.fish | cut -f 1 | tr '\n' ' ')" "csv html json md sqlite svg text tsv vega xlsx " "fish: a choice is offered"
    sh "$make" fish "$bin" "$root/tools/tools.list" >all.fish
    # asks LINE: what fish offers at its end
    asks()
    {
        printf 'source all.fish\ncomplete -C "%s"\n' "$1" >ask.fish
        HOME=$tmp fish --no-config ask.fish 2>&1 | cut -f 1 | sort | tr '\n' ' '
    }
    is "$(asks 'tracepipe r')" "record replay report roofline " "fish: the programs of tracepipe"
    is "$(asks 'tracepipe help ov')" "overlap " "fish: its pages"
    is "$(asks 'tracepipe breakdown --relat')" "--relative " "fish: an option of a program of tracepipe"
    is "$(asks 'tracepipe breakdown -O text --unit ')" "ms ns s us " "fish: a choice after other options"
    is "$(asks 'tracepipe breakdown all.zs')" "all.zsh " "fish: a file"
else
    skip "fish: can be read" "$why"
fi
finish
