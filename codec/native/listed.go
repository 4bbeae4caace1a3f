package native

import "math/bits"

// A set of categories has a bit for each code up to its last one. Where a column has a million
// categories, and a set holds 32 of them, its words are 125 kB. A tree then has a list of codes in
// place of words, with those of its second set behind all bits of the first:
//
//	words of sets   0010 0000 | 0000 0001       tree.words  2
//	tree.codes      2
//	set.code        2, 15
//
// Readers make the words again, which takes memory beyond the size of the file. So writers list
// codes of no more words than the least limit of memory has room for.
const (
	leastSpared = 1 << 20        // bytes that a file is shorter by
	mostListed  = (64 << 20) / 8 // words in all, half of that limit
	lessCodes   = 8              // times as short as words lists are, at least
)

// listCodes lists the codes of trees whose sets are much shorter so, if that spares some bytes.
func (f *forest) listCodes(least int) {
	codes, spared, left := make([]uint32, len(f.trees)), 0, mostListed
	for i, t := range f.trees {
		n := 0
		for _, w := range t.Sets {
			n += bits.OnesCount64(w)
		}
		if n > 0 && 4*n*lessCodes <= 8*len(t.Sets) && len(t.Sets) <= left {
			codes[i] = uint32(n)
			spared, left = spared+8*len(t.Sets)-4*n, left-len(t.Sets)
		}
	}
	if spared == 0 || spared < least {
		return
	}
	f.codes = codes
	for i, t := range f.trees {
		if codes[i] == 0 {
			continue
		}
		for k, w := range t.Sets {
			for ; w != 0; w &= w - 1 {
				f.code = append(f.code, uint32(64*k+bits.TrailingZeros64(w)))
			}
		}
	}
}

// storedWords is the number of words of tree i's sets that the file has.
func storedWords(f *forest, i int) uint64 {
	if optional(f.codes, i) > 0 {
		return 0
	}
	return setWords(f, i)
}

// makeSets makes the sets of trees that have lists of codes.
func (f *forest) makeSets(p *payload, b *budget) {
	left := f.code
	for i, t := range f.trees {
		n := optional(f.codes, i)
		if n == 0 {
			continue
		}
		if n > uint64(len(left)) {
			p.corrupt(0, "tree %d has %d codes in sets, %d are left", i, n, len(left))
		}
		words, before := setWords(f, i), int64(-1)
		b.take(int64(8 * words))
		t.Sets = make([]uint64, words)
		for _, code := range left[:n] {
			if int64(code) <= before || uint64(code)/64 >= words {
				p.corrupt(0, "tree %d: code %d of its sets, after %d of %d", i, code, before,
					64*words)
			}
			t.Sets[code/64] |= 1 << (code % 64)
			before = int64(code)
		}
		left = left[n:]
	}
	if len(left) > 0 {
		p.corrupt(0, "%d codes in sets belong to no tree", len(left))
	}
}
