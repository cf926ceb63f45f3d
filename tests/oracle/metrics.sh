#!/bin/sh
# SPDX-License-Identifier: MIT
# Metrics of kernels, from traces and from files of their own, and how much of a trace analyses cover.
. "$(dirname "$0")/lib.sh"
need tr-counters tr-info tr-metrics tr-roofline tr-stalls
oracle coverage.py --random "$gen" "$(share 20)"
oracle metrics.py "$(share 20)"
oracle metric_files.py "$(share 40)"
finish
