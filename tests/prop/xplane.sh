#!/bin/sh
# SPDX-License-Identifier: MIT
# XPlane, the traces of JAX: what is read, from GPUs and TPUs, and what is salvaged where files are cut or changed.
. "$(dirname "$0")/lib.sh"
need tr-view tr-breakdown tr-info tr-sum

$python "$here/xplane.py" "$bin" >said 2>&1
take said "what is read"
finish
