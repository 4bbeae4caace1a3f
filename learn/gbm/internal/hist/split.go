package hist

import (
	"math"
	"slices"

	"github.com/coppice-ml/coppice/learn/gbm/internal/bins"
	"github.com/coppice-ml/coppice/tree"
)

// split is a way to partition the rows of a leaf.
type split struct {
	column     int     // of the matrix; -1: there is none
	bin        int     // numbers: bins up to this one go to the first child
	splitPoint float64 // XGBoostExact: the threshold of numbers
	set        []int32 // categories: these bins go to the first child, all others to the last
	others     bool    // the other way round: all but those of the set go to the first child
	missing    bool    // whether missing values go to the first child
	gain       float64
	first      pair // sums of the first child; of several outputs: their mean hessian alone
	// by bin of the column, whether the leaf has a row there; nil: not known. See unseen.go
	seen []bool
	// by what the split changes the sum of squares of Config.Cosine
	norm float64
	// inName reports whether the split is one of a level that the leaf itself does not allow: both
	// children keep its value
	inName bool
}

// none is what is found where no split gains anything.
func none() split { return split{column: -1, gain: math.Inf(-1)} }

// better reports whether a is to be taken rather than b: of equal gains that of the lower column.
func (a *split) better(b *split) bool {
	if a.column < 0 {
		return false
	}
	return b.column < 0 || a.gain > b.gain || a.gain == b.gain && a.column < b.column
}

// toFirst reports whether a bin of the split's column goes to the first child.
func (a *split) toFirst(c *bins.Column, b int) bool {
	switch {
	case b == c.Values:
		return a.missing
	case a.set != nil:
		return slices.Contains(a.set, int32(b)) != a.others
	}
	return b <= a.bin
}

// sides writes, by code of the group of a split's column in a matrix, 0 for those that go to the
// first child and 1 for the others.
func (a *split) sides(m *bins.Matrix, side []uint8) []uint8 {
	c := &m.Columns[a.column]
	codes := m.Groups[c.Group].Codes
	side = resize(side, max(codes, 256))
	if a.set == nil && (c.Default < 0 || c.Listed) { // codes are bins
		a.sidesOfPoint(c, side)
		return side
	}
	if a.set == nil { // the codes are those of a bundle
		for code := range codes {
			side[code] = 0
			if !a.toFirst(c, c.Bin(code)) {
				side[code] = 1
			}
		}
		return side
	}
	in, out := uint8(0), uint8(1)
	if a.others {
		in, out = out, in
	}
	for code := range side[:codes] { // codes are bins: columns of categories are never bundled
		side[code] = out
	}
	if c.Values < codes {
		side[c.Values] = 1
		if a.missing {
			side[c.Values] = 0
		}
	}
	for _, b := range a.set {
		side[b] = in
	}
	return side
}

// sidesOfPoint is sides of a split point by a column whose codes are its bins.
func (a *split) sidesOfPoint(c *bins.Column, side []uint8) {
	clear(side[:a.bin+1])
	last := side[a.bin+1:]
	for i := range last {
		last[i] = 1
	}
	if a.missing && c.Values < len(side) {
		side[c.Values] = 0
	}
}

// describe returns the split as trees have it. Where the bins of a column have one value each the
// threshold is the split's own, else that between two bins. The words get its set.
func (a *split) describe(m *bins.Matrix, ownThreshold bool, words []uint64) tree.Split {
	c := &m.Columns[a.column]
	d := tree.Split{Kind: tree.Numeric, Feature: c.Feature, Gain: a.gain, Missing: tree.MissingLast}
	if a.missing {
		d.Missing = tree.MissingFirst
	}
	switch {
	case a.set != nil:
		if d.Kind = tree.SetFirst; a.others {
			d.Kind = tree.SetLast
		}
		d.Set = words[:a.words(m)]
		clear(d.Set)
		for _, b := range a.set {
			code := c.Code[b]
			d.Set[code>>6] |= 1 << (code & 63)
		}
	case ownThreshold:
		d.SplitPoint = a.splitPoint
	case a.bin == c.Values-1:
		d.SplitPoint = math.Inf(1)
	default:
		d.SplitPoint = c.SplitPoints[a.bin]
	}
	return d
}

// words returns how many words the set of the dictionary's codes has.
func (a *split) words(m *bins.Matrix) int {
	n := 0
	for _, b := range a.set {
		n = max(n, int(m.Columns[a.column].Code[b]>>6)+1)
	}
	return n
}
