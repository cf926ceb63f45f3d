#!/bin/sh
# SPDX-License-Identifier: MIT
# Write completions for a shell from the option tables of the programs.
#
# usage: make-completions.sh bash|zsh|fish BIN LIST
#
# BIN   folder of the built programs
# LIST  tools.list

shell=$1
bin=$2
list=$3
tab=$(printf '\t')

# One line per program and option: the program, then the fields that its --option-table prints.
tables()
{
    awk -F '\t' '!/^#/ && NF { print $1 }' "$list" | while read -r tool; do
        [ -x "$bin/$tool" ] || continue
        "$bin/$tool" --option-table | sed "s/^/$tool$tab/" || exit 1
    done
}

# The words that follow tracepipe: programs without their prefix, each with its question; "help".
words()
{
    awk -F '\t' '!/^#/ && NF { sub(/^tr-/, "", $1); print $1 "\t" $5 }' "$list"
    echo "help${tab}Open a page of the manual"
}

bash_completions()
{
    cat <<'END'
# Completion of the tracepipe programs for bash; made from their option tables.
_tracepipe()
{
    local tool=${COMP_WORDS[0]##*/} cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]}
    local options='' values=''
    COMPREPLY=()
    if [[ $tool == tracepipe ]]; then
        if ((COMP_CWORD == 1)) || [[ ${COMP_WORDS[1]} == help ]]; then
END
    echo "            COMPREPLY=(\$(compgen -W \"$(words | cut -f 1 | tr '\n' ' ')--help --version\" -- \"\$cur\"))"
    cat <<'END'
            return
        fi
        tool=tr-${COMP_WORDS[1]#tr-}
    fi
    # "--name=value" reaches us as three words
    if [[ $cur == '=' ]]; then
        cur=
    elif [[ $prev == '=' ]]; then
        prev=${COMP_WORDS[COMP_CWORD - 2]}
    fi
    case "$tool $prev" in
END
    tables | awk -F '\t' '
        function pattern() { return "\"" $1 " --" $4 "\"" ($3 != "-" ? " | \"" $1 " -" $3 "\"" : "") }
        $7 == "choice" {
            gsub(",", " ", $8)
            printf "    %s) values=\"%s\" ;;\n", pattern(), $8
        }
        $7 == "dir" { printf "    %s) COMPREPLY=($(compgen -d -- \"$cur\")); return ;;\n", pattern() }
        $7 == "other" && $5 == "yes" { printf "    %s) return ;;\n", pattern() }'
    cat <<'END'
    esac
    if [[ $values ]]; then
        COMPREPLY=($(compgen -W "$values" -- "$cur"))
        return
    fi
    if [[ $cur == -* ]]; then
        case $tool in
END
    tables | awk -F '\t' '
        $1 != tool { if (tool) print "\" ;;"; tool = $1; printf "        %s) options=\"", tool }
        { printf "%s--%s", sep[tool]++ ? " " : "", $4 }
        END { if (tool) print "\" ;;" }'
    cat <<'END'
        esac
        COMPREPLY=($(compgen -W "$options" -- "$cur"))
        return
    fi
    compopt -o filenames 2>/dev/null
    COMPREPLY=($(compgen -f -- "$cur"))
}
END
    echo "complete -F _tracepipe tracepipe $(tables | cut -f 1 | uniq | tr '\n' ' ')"
}

zsh_completions()
{
    echo "#compdef tracepipe $(tables | cut -f 1 | uniq | tr '\n' ' ')"
    cat <<'END'
# Completion of the tracepipe programs for zsh; made from their option tables.
if [[ $service == tracepipe ]]; then
    if ((CURRENT == 2)) || [[ $words[2] == help ]]; then
        local -a programs=(
END
    words | sed "s/'/'\\\\''/g; s/$tab/:/; s/.*/            '&'/"
    cat <<'END'
        )
        _describe program programs
        return
    fi
    service=tr-${words[2]#tr-}
    shift words
    ((CURRENT--))
fi
END
    echo "case \$service in"
    tables | awk -F '\t' '
        $1 != tool {
            if (tool) print "        \"*:input:_files\" ;;"
            tool = $1
            printf "%s)\n    _arguments -s -S \\\n", tool
        }
        {
            gsub(/[\[\]:\\"`$]/, "\\\\&", $9)
            action = $7 == "choice" ? "(" $8 ")" : $7 == "file" ? "_files" : $7 == "dir" ? "_files -/" : " "
            gsub(",", " ", action)
            value = $5 == "no" ? "" : ($5 == "maybe" ? "::" : ":") $6 ":" action
            printf "        \"--%s%s[%s]%s\" \\\n", $4, $5 == "maybe" ? "=-" : $5 == "yes" ? "=" : "", $9, value
            if ($3 != "-")
                printf "        \"-%s%s[%s]%s\" \\\n", $3, $5 == "no" ? "" : "+", $9, value
        }
        END { if (tool) print "        \"*:input:_files\" ;;" }'
    echo 'esac'
}

# An option with a value that is no file is exclusive (-x); one with a file only wants a value (-r).
fish_completions()
{
    cat <<'END'
# Completion of the tracepipe programs for fish; made from their option tables.
function __tracepipe_program
    set -l words (commandline -opc)
    set -e words[1]
    set words[1] tr-(string replace -r '^tr-' '' -- $words[1])
    complete -C (string join ' ' -- (string escape -- $words) (commandline -ct))
end
complete -c tracepipe -f
complete -c tracepipe -n __fish_use_subcommand -l help -d 'list the programs'
complete -c tracepipe -n __fish_use_subcommand -l version -d 'print the version'
complete -c tracepipe -n 'not __fish_use_subcommand; and not __fish_seen_subcommand_from help' -a '(__tracepipe_program)'
END
    words | awk -F '\t' -v quote="'" '{
        gsub(/[\\\047]/, "\\\\&", $2)
        printf "complete -c tracepipe -n %s -a %s -d %s\n",
            quote "__fish_use_subcommand; or __fish_seen_subcommand_from help" quote, $1, quote $2 quote
    }'
    tables | awk -F '\t' -v quote="'" '
        function quoted(text) { gsub(/[\\\047]/, "\\\\&", text); return quote text quote }
        {
            gsub(",", " ", $8)
            words = $7 == "choice" ? $8 : $7 == "dir" ? "(__fish_complete_directories)" : ""
            takes = $5 == "no" || $5 == "maybe" ? "" : $7 == "file" ? " -r -F" : " -x"
            printf "complete -c %s%s -l %s%s%s -d %s\n", $1, $3 != "-" ? " -s " $3 : "", $4, takes,
                words != "" ? " -a " quoted(words) : "", quoted($9)
        }'
}

case $shell in
bash | zsh | fish) "${shell}_completions" ;;
*)
    echo "usage: make-completions.sh bash|zsh|fish BIN LIST" >&2
    exit 2
    ;;
esac
