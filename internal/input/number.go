package input

import (
	"fmt"
	"math"

	"github.com/coppice-ml/coppice/data"
)

// NumberKind is how a Number is made of its field's value.
type NumberKind uint8

// The kinds of numbers.
const (
	// Nonzero is the value, but missing where that is 0: LightGBM's zero_as_missing. Values up to
	// LargestZero on either side count as 0.
	Nonzero NumberKind = iota
)

// Number is one derived column that is made of a single numeric field. Models of other tools have
// them whose trees treat values otherwise than ours.
type Number struct {
	Kind   NumberKind
	Source int32 // a numeric field of the schema
}

// LargestZero is the largest value that counts as 0 where that is missing: LightGBM's
// kZeroThreshold, 1e-35 rounded to a float32.
const LargestZero = float64(float32(1e-35))

// valueOf returns the column's number for a value of its field; NaN is a missing one.
func (n *Number) valueOf(x float64) float64 {
	if math.Abs(x) <= LargestZero {
		return math.NaN()
	}
	return x
}

// name returns the words for the column, such as nonzero(a).
func (n *Number) name(fields []data.Field) string {
	return "nonzero(" + fields[n.Source].Name + ")"
}

func (n *Number) validate(fields []data.Field) error {
	switch f := n.Source; {
	case n.Kind > Nonzero:
		return fmt.Errorf("unknown kind %d of a number", n.Kind)
	case f < 0 || int(f) >= len(fields):
		return fmt.Errorf("source %d of %d fields", f, len(fields))
	case fields[f].Kind != data.Numeric:
		return fmt.Errorf("the source %q is %s", fields[f].Name, fields[f].Kind)
	}
	return nil
}

// number is a Number that is compiled.
type number struct {
	*Number
	column int // its place among the columns that are compiled
	from   int // place of its field in Program.sources
}

// rows computes the column of several rows; from holds the values of the field.
func (n *number) rows(dst, from []float64) {
	for r, x := range from {
		dst[r] = n.valueOf(x)
	}
}
