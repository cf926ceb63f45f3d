#!/bin/sh
# SPDX-License-Identifier: MIT
# The pictures of README.md, from the sample, into a folder [contrib/pictures].  usage: pictures.sh BIN [FOLDER]
set -e
here=$(cd "$(dirname "$0")" && pwd)
bin=$(cd "$1" && pwd)
folder=${2:-$here/pictures}
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
cd "$here/sample"
PATH=$bin:$PATH
tr-breakdown -q --by step -O svg --size 800x320 rank0.json.gz rank1.json.gz >"$folder/steps.svg"
tr-breakdown -q --by typical -O svg --size 800x320 rank0.json.gz >"$folder/typical.svg"
tr-util -q --bin 2ms -O svg --size 800x240 rank0.json.gz rank1.json.gz >"$folder/use.svg"
