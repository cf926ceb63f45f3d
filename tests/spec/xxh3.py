# SPDX-License-Identifier: MIT
"""XXH3 of 64 bits with seed 0, written from the description of the algorithm: what tr-stream(5) calls the checksum."""
import struct

M64 = (1 << 64) - 1
P32 = (0x9E3779B1, 0x85EBCA77, 0xC2B2AE3D)
P64 = (0x9E3779B185EBCA87, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9, 0x85EBCA77C2B2AE63, 0x27D4EB2F165667C5)
SECRET = bytes.fromhex(
    "b8fe6c3923a44bbe7c01812cf721ad1cded46de9839097db7240a4a4b7b3671fcb79e64eccc0e578825ad07dccff7221"
    "b8084674f743248ee03590e6813a264c3c2852bb91c300cb88d0658b1b532ea371644897a20df94e3819ef46a9deacd8"
    "a8fa763fe39c343ff9dcbbc7c70b4f1d8a51e04bcdb45931c89f7ec9d9787364eac5ac8334d3ebc3c581a0fffa1363eb"
    "170ddd51b7f0da49d316552629d4689e2b16be587d47a1fc8ff8b8d17ad031ce45cb3a8f95160428afd7fbcabb4b407e")


def read(data, at, size=8):
    return int.from_bytes(data[at:at + size], "little")


def fold(a, b):
    """The two halves of a product, one over the other."""
    product = a * b
    return (product & M64) ^ product >> 64


def rotate(v, by):
    return (v << by | v >> (64 - by)) & M64


def finish(h):
    h = (h ^ h >> 37) * 0x165667919E3779F9 & M64
    return h ^ h >> 32


def finish_short(h):
    h = (h ^ h >> 33) * P64[1] & M64
    h = (h ^ h >> 29) * P64[2] & M64
    return h ^ h >> 32


def upto_16(data):
    n = len(data)
    if n > 8:
        low = read(data, 0) ^ read(SECRET, 24) ^ read(SECRET, 32)
        high = read(data, n - 8) ^ read(SECRET, 40) ^ read(SECRET, 48)
        swapped = int.from_bytes(low.to_bytes(8, "little"), "big")
        return finish((n + swapped + high + fold(low, high)) & M64)
    if n >= 4:
        h = (read(data, n - 4, 4) | read(data, 0, 4) << 32) ^ read(SECRET, 8) ^ read(SECRET, 16)
        h = (h ^ rotate(h, 49) ^ rotate(h, 24)) * 0x9FB21C651E98DF25 & M64
        h = (h ^ (h >> 35) + n) * 0x9FB21C651E98DF25 & M64
        return h ^ h >> 28
    if n:
        word = data[0] << 16 | data[n >> 1] << 24 | data[n - 1] | n << 8
        return finish_short(word ^ read(SECRET, 0, 4) ^ read(SECRET, 4, 4))
    return finish_short(read(SECRET, 56) ^ read(SECRET, 64))


def upto_240(data):
    n = len(data)

    def mix(at, secret):
        return fold(read(data, at) ^ read(SECRET, secret), read(data, at + 8) ^ read(SECRET, secret + 8))

    h = n * P64[0]
    if n <= 128:
        for i in range((n - 1) // 32 + 1):
            h += mix(16 * i, 32 * i) + mix(n - 16 * (i + 1), 32 * i + 16)
        return finish(h & M64)
    h = finish((h + sum(mix(16 * i, 16 * i) for i in range(8))) & M64)
    h += sum(mix(16 * i, 16 * (i - 8) + 3) for i in range(8, n // 16))
    return finish((h + mix(n - 16, 136 - 17)) & M64)


def longer(data):
    n = len(data)
    acc = [P32[2], P64[0], P64[1], P64[2], P64[3], P32[1], P64[4], P32[0]]

    def stripe(at, secret):
        words = zip(struct.unpack_from("<8Q", data, at), struct.unpack_from("<8Q", SECRET, secret))
        for i, (word, key) in enumerate(words):
            key ^= word
            acc[i ^ 1] = (acc[i ^ 1] + word) & M64
            acc[i] = (acc[i] + (key & 0xffffffff) * (key >> 32)) & M64

    for i in range((n - 1) // 64):
        stripe(64 * i, 8 * (i % 16))
        if i % 16 == 15:
            for k in range(8):
                acc[k] = (acc[k] ^ acc[k] >> 47 ^ read(SECRET, 128 + 8 * k)) * P32[0] & M64
    stripe(n - 64, 121)
    h = n * P64[0]
    for i in range(4):
        h += fold(acc[2 * i] ^ read(SECRET, 11 + 16 * i), acc[2 * i + 1] ^ read(SECRET, 19 + 16 * i))
    return finish(h & M64)


def xxh3_64(data):
    data = bytes(data)
    return upto_16(data) if len(data) <= 16 else upto_240(data) if len(data) <= 240 else longer(data)
