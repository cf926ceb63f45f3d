#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Print accept/example.trs as the annotated listing of tr-stream(5), after the format has changed.

    annotate.py accept/example.trs

The listing is pasted into the page by hand; spec_check compares its bytes with the sample.
"""
import struct
import sys

NAMES = {1: 'header', 2: 'provenance', 3: 'strings', 4: 'columns', 5: 'shapes', 6: 'sources',
         7: 'tracks', 9: 'summary', 10: 'events', 12: 'index', 13: 'trailer'}
FIXED = ['ts', 'dur', 'record', 'track', 'shape', 'name', 'cat', 'phase', 'activity', 'kind',
         'suspect', 'flags']
NONE = -(1 << 63)


class Listing:
    def __init__(self, data):
        self.data = data
        self.pos = 0

    def emit(self, n, text):
        while n > 0:
            k = min(n, 8)
            hexa = ' '.join('%02x' % b for b in self.data[self.pos:self.pos + k])
            print(('%04x  %-23s  %s' % (self.pos, hexa, text)).rstrip())
            self.pos += k
            n -= k
            text = ''

    def varint(self, at):
        value = shift = 0
        while True:
            b = self.data[at]
            value |= (b & 127) << shift
            shift += 7
            at += 1
            if b < 128:
                return value, at

    def rows(self, kind, end):
        i = 0
        while self.pos < end:
            length, at = self.varint(self.pos)
            row = self.data[at:at + length]
            if kind == 'strings':
                text = '%d "%s"' % (i, row.decode())
            elif kind == 'provenance':
                text = 'run 0: program, version, command, no parents'
            elif kind == 'columns':
                text = 'column %d: key %d, place %d, type %d, flag %d' % (i, *row[:4])
            elif kind == 'shapes':
                text = 'shape %d: %c, %d slots' % (i, row[0], row[1])
            elif kind == 'sources':
                text = 'source 0: rank 3, "kineto", process 100'
            else:
                text = 'track %d: %s' % (i, ['pid 100, tid 101', 'pid 0, tid 7, device 0, stream 7'][i])
            self.emit(at - self.pos + length, text)
            i += 1

    def events(self):
        n = struct.unpack_from('<I', self.data, self.pos)[0]
        self.emit(4, '%d columns' % n)
        stored = []
        for _ in range(n):
            c = struct.unpack_from('<IBBBBBBHIIq', self.data, self.pos)
            name = FIXED[c[0]] if c[0] < 12 else 'packed %d' % (c[0] - 64)
            self.emit(28, '%s: %s' % (name, ['constant %d' % c[10],
                                             'base %d, width %d' % (c[10], c[3])][c[1]]))
            if c[9]:
                stored.append((name, c[9]))
        for name, size in stored:
            self.emit(size, 'offsets of ' + name)

    def index(self, end):
        self.emit(8, 'no index before')
        while self.pos < end:
            kind, at = self.varint(self.pos)
            items, at = self.varint(at)
            offset, at = self.varint(at)
            ranged = self.data[at]
            at += 1
            for _ in range(4 if ranged else 2):
                _, at = self.varint(at)
            self.emit(at - self.pos, '%s, %d items, %d bytes on%s'
                      % (NAMES[kind], items, offset, ', range' if ranged else ''))

    def block(self):
        kind, flags, codec, items, stored, raw, start, end, number = struct.unpack_from(
            '<HBBIIIqqI', self.data, self.pos)
        print()
        self.emit(4, 'block %d: %s, flags %d, codec %d' % (number, NAMES[kind], flags, codec))
        self.emit(12, '%d items, %d bytes, %d raw' % (items, stored, raw))
        self.emit(16, 'no range' if end == NONE else 'from %d to %d ns' % (start, end))
        self.emit(8, 'number, checksum of the header')
        self.emit(8, 'checksum of the payload')
        until = self.pos + stored
        if NAMES[kind] == 'header':
            self.emit(4, 'flags: sorted')
            self.emit(4, 'derived columns')
        elif NAMES[kind] == 'summary':
            self.emit(1, 'flags: sorted')
            self.emit(1, '1 source')
            length, at = self.varint(self.pos)
            self.emit(at - self.pos + length, 'row of %d bytes: source 0' % length)
        elif NAMES[kind] == 'events':
            self.events()
        elif NAMES[kind] == 'index':
            self.index(until)
        elif NAMES[kind] == 'trailer':
            for text in ('events', 'offset of the index', 'offset of this block', 'chain'):
                self.emit(8, text)
            self.emit(128, 'events per phase')
            self.emit(16, 'repairs, losses')
        else:
            self.rows(NAMES[kind], until)
        assert self.pos == until

    def all(self):
        self.emit(8, 'signature')
        self.emit(4, 'version 2.0')
        self.emit(4, 'checksum of these')
        while self.pos < len(self.data):
            self.block()


Listing(open(sys.argv[1], 'rb').read()).all()
