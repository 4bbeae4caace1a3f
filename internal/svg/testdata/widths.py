#!/usr/bin/env python3
"""Prints the widest advance of each character from U+0020 to U+007E in some TrueType fonts, in
thousandths of an em, then what nine of ten Latin letters with accents have
at most, and nine of ten Greek or Cyrillic letters: the numbers of font.go.

    widths.py DejaVuSans.ttf LiberationSans-Regular.ttf
    widths.py DejaVuSans-Bold.ttf LiberationSans-Bold.ttf

DejaVu 2.37 and Liberation 1.07 were read. Arial has the advances of Liberation Sans by design.
"""
import struct
import sys


def advances(path):
    """Returns a function from a character to its advance in thousandths of an em, rounded up."""
    b = open(path, "rb").read()
    u16 = lambda at: struct.unpack_from(">H", b, at)[0]
    u32 = lambda at: struct.unpack_from(">I", b, at)[0]
    at = {b[p:p + 4]: u32(p + 8) for p in range(12, 12 + 16 * u16(4), 16)}
    em, longs = u16(at[b"head"] + 18), u16(at[b"hhea"] + 34)
    cmap = at[b"cmap"]
    records = [cmap + 4 + 8 * i for i in range(u16(cmap + 2))]
    table = next(cmap + u32(r + 4) for r in records
                 if u16(r) == 3 and u16(r + 2) == 1 and u16(cmap + u32(r + 4)) == 4)
    n = u16(table + 6)

    def advance(c):
        for k in range(0, n, 2):
            if u16(table + 14 + k) >= ord(c):
                start, delta = u16(table + 16 + n + k), u16(table + 16 + 2 * n + k)
                place = table + 16 + 3 * n + k
                glyph = ord(c) + delta
                if u16(place):
                    glyph = u16(place + u16(place) + 2 * (ord(c) - start)) + delta
                glyph = glyph % 65536 if ord(c) >= start else 0
                return -(-1000 * u16(at[b"hmtx"] + 4 * min(glyph, longs - 1)) // em)

    return advance


fonts = [advances(path) for path in sys.argv[1:]]
widest = lambda c: max(f(c) for f in fonts)
for row in range(0x20, 0x7f, 16):
    print("\t\t" + " ".join(f"{widest(chr(c))}," for c in range(row, min(row + 16, 0x7f))))
accented = "ÀÁÂÃÄÅÇÈÉÊËÌÍÎÏÑÒÓÔÕÖØÙÚÛÜÝßàáâãäåçèéêëìíîïñòóôõöøùúûüýÿ"
others = map(chr, [*range(0x391, 0x3a2), *range(0x3b1, 0x3ca), *range(0x410, 0x450)])
for letters in (accented, others):
    found = sorted(map(widest, letters))
    print(found[9 * len(found) // 10])
