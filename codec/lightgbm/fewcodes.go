package lightgbm

import (
	"bytes"
	"iter"
	"math/bits"
	"slices"

	"github.com/coppice-ml/coppice/codec/internal/foreign"
)

// mostListed is the greatest code up to which a column has a level for every code. Codes above it
// may be far apart: a column that has one has levels for the codes alone that splits test or that
// the file lists.
const mostListed = 1 << 16

// fewCodes finds these columns, and numbers the categories of their splits by the places of their
// codes among the few:
//
//	splits test 3, 70000 and 12800000    becomes    0, 1 and 2
func (f *file) fewCodes(b *foreign.Budget) error {
	if len(f.frame) > 0 {
		return nil // there codes are places among the levels of the data frame
	}
	if err := b.Take(int64(len(f.columns))); err != nil {
		return err
	}
	far := make([]bool, len(f.columns))
	for i := range f.columns {
		far[i] = f.columns[i].info != nil && f.columns[i].top > mostListed
	}
	for t, node := range f.sets() {
		column := t.feature[node]
		far[column] = far[column] || largest(t.set(node)) > mostListed
	}
	if !slices.Contains(far, true) {
		return nil
	}
	for i := range f.columns {
		c := &f.columns[i]
		for code := range bytes.SplitSeq(c.info, []byte(":")) {
			if n, err := number(code); far[i] && err == nil && n >= 0 {
				if err := c.hold(int32(n), b); err != nil {
					return err
				}
			}
		}
	}
	for t, node := range f.sets() {
		if column := t.feature[node]; far[column] {
			for code := range codesOf(t.set(node)) {
				if err := f.columns[column].hold(code, b); err != nil {
					return err
				}
			}
		}
	}
	for i := range f.columns {
		f.columns[i].sortFew()
	}
	for i := range f.trees {
		if err := f.trees[i].renumber(f.columns, b); err != nil {
			return err
		}
	}
	return nil
}

// sets yields all nodes that split by categories.
func (f *file) sets() iter.Seq2[*fileTree, int32] {
	return func(yield func(*fileTree, int32) bool) {
		for i := range f.trees {
			for n, d := range f.trees[i].decision {
				if categorical(d) && !yield(&f.trees[i], int32(n)) {
					return
				}
			}
		}
	}
}

// codesOf yields the codes of a set, ascending.
func codesOf(set []uint32) iter.Seq[int32] {
	return func(yield func(int32) bool) {
		for w, word := range set {
			for ; word != 0; word &= word - 1 {
				if !yield(int32(32*w + bits.TrailingZeros32(word))) {
					return
				}
			}
		}
	}
}

// hold adds a code to the few.
func (c *column) hold(code int32, b *foreign.Budget) error {
	if len(c.few) == cap(c.few) {
		if c.sortFew(); 2*len(c.few) >= cap(c.few) {
			n := max(64, 2*cap(c.few))
			if err := b.Take(4 * int64(n)); err != nil {
				return err
			}
			c.few = append(make([]int32, 0, n), c.few...)
		}
	}
	c.few = append(c.few, code)
	return nil
}

func (c *column) sortFew() {
	slices.Sort(c.few)
	c.few = slices.Compact(c.few)
}

// renumber makes the sets of a tree anew, of which nodes may have shared some.
func (t *fileTree) renumber(columns []column, b *foreign.Budget) error {
	cats, at := []uint32(nil), []int32{0}
	for n, d := range t.decision {
		if !categorical(d) {
			continue
		}
		set, few := t.set(int32(n)), columns[t.feature[n]].few
		if err := b.Take(8 + 8*int64(len(set))); err != nil {
			return err
		}
		if few == nil {
			cats = append(cats, set...)
		} else {
			cats = appendSet(cats, set, func(code int32) int32 {
				place, _ := slices.BinarySearch(few, code)
				return int32(place)
			})
		}
		t.threshold[n] = float64(len(at) - 1)
		at = append(at, int32(len(cats)))
	}
	t.cats, t.catAt = cats, at
	return nil
}

// appendSet appends a set whose codes have other numbers, in the same order; those below 0 are left
// out.
func appendSet(cats, set []uint32, of func(code int32) int32) []uint32 {
	start := len(cats)
	for code := range codesOf(set) {
		n := of(code)
		if n < 0 {
			continue
		}
		for len(cats) <= start+int(n/32) {
			cats = append(cats, 0)
		}
		cats[start+int(n/32)] |= 1 << (n % 32)
	}
	return cats
}
