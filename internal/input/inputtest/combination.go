package inputtest

import (
	"math"
	"slices"

	"pgregory.net/rapid"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/input"
)

// randomCombination makes a combination of some fields. About half of its keys are those of rows.
func randomCombination(t *rapid.T, fields []data.Field) input.Combination {
	var c input.Combination
	for range rapid.IntRange(1, 4).Draw(t, "elements") {
		f := rapid.IntRange(0, len(fields)-1).Draw(t, "source")
		e := input.Element{Kind: input.Above, Source: int32(f)}
		switch n := len(fields[f].Levels); {
		case fields[f].Kind == data.Numeric:
			e.SplitPoint = rapid.Float64Range(-3, 3).Draw(t, "split point")
		case n > 0 && rapid.Bool().Draw(t, "equal"):
			e.Kind, e.Code = input.Equal, uint32(rapid.IntRange(0, n-1).Draw(t, "code"))
		default:
			e.Kind = input.Category
		}
		e.Missing = e.Kind != input.Category && rapid.Bool().Draw(t, "missing")
		c.Elements = append(c.Elements, e)
	}
	for range rapid.IntRange(0, 6).Draw(t, "keys") {
		key := rapid.Uint64Max(math.MaxUint64-1).Draw(t, "key")
		if rapid.Bool().Draw(t, "of a row") {
			key = Hash(&c, fields, func(f int32) uint32 {
				return uint32(rapid.IntRange(0, len(fields[f].Levels)).Draw(t, "category")) - 1
			}, func(int32) float64 { return rapid.Float64Range(-4, 4).Draw(t, "number") })
		}
		if at, twice := slices.BinarySearch(c.Key, key); !twice && key < math.MaxUint64 {
			c.Key = slices.Insert(c.Key, at, key)
		}
	}
	outputs := rapid.IntRange(0, 3).Draw(t, "outputs")
	n := outputs * len(c.Key)
	c.Value = rapid.SliceOfN(rapid.Float64Range(-9, 9), n, n).Draw(t, "values")
	c.Absent = rapid.SliceOfN(rapid.Float64Range(-9, 9), outputs, outputs).Draw(t, "absent")
	return c
}

// Hash returns the hash of a row by its definition, math.MaxUint64 if it has none.
func Hash(
	c *input.Combination, fields []data.Field, category func(field int32) uint32,
	number func(field int32) float64,
) uint64 {
	h := uint64(0)
	for i := range c.Elements {
		x, ok := value(&c.Elements[i], fields, category, number)
		if !ok {
			return math.MaxUint64
		}
		const m = 0x4906ba494954cb65
		h = m * (h + m*uint64(int64(x)))
	}
	return h
}

// value returns the number of an element, not ok if its category is unseen.
func value(
	e *input.Element, fields []data.Field, category func(field int32) uint32,
	number func(field int32) float64,
) (x int32, ok bool) {
	holds := false
	switch e.Kind {
	case input.Above:
		v := number(e.Source)
		holds = v > e.SplitPoint || e.Missing && math.IsNaN(v)
	case input.Equal:
		code := category(e.Source)
		holds = code == e.Code || e.Missing && code == data.MissingCode
	default:
		f := &fields[e.Source]
		switch code := category(e.Source); code {
		case data.UnseenCode:
			return 0, false
		case data.MissingCode:
			return int32(f.Hash("")), true
		default:
			return int32(f.Hash(f.Levels[code])), true
		}
	}
	if holds {
		x = 1
	}
	return x, true
}
