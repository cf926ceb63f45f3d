# SPDX-License-Identifier: MIT
"""Simulated jobs with one planted cause: see ../README.md and ../job.py."""
