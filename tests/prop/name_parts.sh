#!/bin/sh
# SPDX-License-Identifier: MIT
# Grid, block, SIMD width, tile, direction and size of device work: the arg, or what the name says (tr-expr(7)).
# TR_SEEDS: how many random traces are tried [25].
. "$(dirname "$0")/lib.sh"
need tr-parse tr-view tr-sum tr-filter
exec "$python" "$here/name_parts.py" "$bin" "${TR_SEEDS:-25}"
