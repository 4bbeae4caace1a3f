package monotone

import (
	"math"
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/tree"
)

// side is the values of one feature that lie in a box. Of a numeric one they are from low to high,
// none if low is greater, and perhaps the missing one. Of a categorical one they are bits: the
// codes of its dictionary, then the unseen category, then the missing value.
type side struct {
	feature   int32
	low, high float64
	missing   bool
	codes     []uint64
}

// whole is the side of all values that a feature may have.
func (s *order) whole(feature int32) side {
	field := &s.fields[feature]
	if field.Kind == data.Numeric {
		w := s.known(feature)
		w.missing = field.Missing != data.Refuse
		return w
	}
	levels := len(field.Levels)
	w := side{feature: feature, codes: make([]uint64, levels/64+1+1)}
	for c := range levels + 2 {
		if c < levels || c == levels && field.Unseen != data.Refuse || c == levels+1 &&
			field.Missing != data.Refuse {
			w.codes[c/64] |= 1 << (c % 64)
		}
	}
	return w
}

// sideOf returns the side of a feature in a box, and its place there.
func (s *order) sideOf(box []side, feature int32) (at int, found bool, is side) {
	at, found = slices.BinarySearchFunc(box, feature,
		func(x side, f int32) int { return int(x.feature) - int(f) })
	if found {
		return at, true, box[at]
	}
	return at, false, s.whole(feature)
}

// with returns a box with a side in its place.
func with(box []side, at int, found bool, is side) []side {
	if !found {
		return slices.Insert(slices.Clone(box), at, is)
	}
	box = slices.Clone(box)
	box[at] = is
	return box
}

// below returns the box of the rows of node n that may go to child c; false if there are none.
func (s *order) below(box []side, n, c int32) ([]side, bool) {
	t := s.t
	if t.Feature(n) < 0 {
		return box, true
	}
	at, found, is := s.sideOf(box, t.Feature(n))
	to := t.NextMissing(n)
	missing := c == to || t.Missing(n) == tree.MissingFractional || t.Surrogates != nil &&
		t.Surrogates.At[n] < t.Surrogates.At[n+1]
	switch {
	case t.Kind(n) != tree.Numeric:
		is = s.among(is, n, c, missing)
	case c == t.Child(n):
		is.high = min(is.high, t.SplitPoint(n))
		is.missing = is.missing && missing
	default:
		if math.IsInf(t.SplitPoint(n), 1) {
			is.low, is.high = math.Inf(1), math.Inf(-1)
		} else {
			is.low = max(is.low, math.Nextafter(t.SplitPoint(n), math.Inf(1)))
		}
		is.missing = is.missing && missing
	}
	return with(box, at, found, is), is.some()
}

// among returns the categories of a side that set or ByCode node n sends to child c.
func (s *order) among(is side, n, c int32, missing bool) side {
	levels := uint32(len(s.fields[is.feature].Levels))
	codes := make([]uint64, len(is.codes))
	for code := range levels + 2 {
		if is.codes[code/64]>>(code%64)&1 == 0 {
			continue
		}
		to := s.t.NextCode(n, s.code(is.feature, code))
		if to == c || to < 0 && missing {
			codes[code/64] |= 1 << (code % 64)
		}
	}
	is.codes = codes
	return is
}

// code returns the category that a bit of a side stands for.
func (s *order) code(feature int32, bit uint32) uint32 {
	switch bit - uint32(len(s.fields[feature].Levels)) {
	case 0:
		return data.UnseenCode
	case 1:
		return data.MissingCode
	}
	return bit
}

// stopping returns the box of the rows of node n that may stop there.
func (s *order) stopping(box []side, n int32) ([]side, bool) {
	if s.t.Feature(n) < 0 {
		return box, true
	}
	at, found, is := s.sideOf(box, s.t.Feature(n))
	if is.codes != nil {
		is = s.among(is, n, -1, true)
	} else {
		is.low, is.high = math.Inf(1), math.Inf(-1)
	}
	return with(box, at, found, is), is.some()
}

// some reports whether a side has a value.
func (x *side) some() bool {
	return x.codes == nil && (x.low <= x.high || x.missing) ||
		slices.ContainsFunc(x.codes, func(w uint64) bool { return w != 0 })
}

// common returns the values that are in both sides of a feature.
func (x *side) common(y *side) side {
	c := side{feature: x.feature, low: max(x.low, y.low), high: min(x.high, y.high),
		missing: x.missing && y.missing}
	for i := range x.codes {
		c.codes = append(c.codes, x.codes[i]&y.codes[i])
	}
	return c
}

// meets reports whether some value is in both sides of a feature.
func (x *side) meets(y *side) bool {
	if x.codes == nil {
		return max(x.low, y.low) <= min(x.high, y.high) || x.missing && y.missing
	}
	for i := range x.codes {
		if x.codes[i]&y.codes[i] != 0 {
			return true
		}
	}
	return false
}
