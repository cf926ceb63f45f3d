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
if outside fish; then
    sh "$make" fish "$built/unit" demo.list >demo.fish
    fish --no-execute demo.fish
    ok $? "fish: can be read"
    printf 'source demo.fish\ncomplete -C "cli_demo --output-format "\n' >ask.fish
    is "$(HOME=$tmp fish --no-config ask.fish | cut -f 1 | tr '\n' ' ')" "csv html json md sqlite svg text tsv vega xlsx " "fish: a choice is offered"
else
    skip "fish: can be read" "$why"
fi
finish
