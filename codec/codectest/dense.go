package codectest

import (
	"math"

	"pgregory.net/rapid"

	"github.com/coppice-ml/coppice/internal/models/dense"
)

// fullEncoding is an encoding of the fields of Full but one, with no field zero in all columns.
func fullEncoding() dense.Encoding {
	fields := Full().Meta.Schema.Fields
	place := make([]int32, len(fields[1].Levels))
	for code := range place {
		place[code] = int32(code%4) - 1
	}
	return dense.Encoding{Columns: []dense.Column{
		{Field: 0, Mean: 0.5, Scale: 2, Low: -3, High: 7, Missing: -1, Unseen: -1},
		{Field: 1, Place: place, Fraction: []float64{0.5, 0.25, 0.25}, Missing: 2, Unseen: -1},
		{Field: 3, Mean: -1e300, Scale: 5e-324, Low: -math.MaxFloat64, High: 1, Missing: -1,
			Unseen: -1},
	}}
}

// tinyEncoding is an encoding of the column of Tiny.
func tinyEncoding() dense.Encoding {
	return dense.Encoding{Columns: []dense.Column{{Mean: 0.5, Scale: 0.5, High: 1, Missing: -1,
		Unseen: -1}}}
}

// randomNumbers makes n numbers up to a limit in absolute value.
func randomNumbers(t *rapid.T, n int, limit float64, what string) []float64 {
	return rapid.SliceOfN(rapid.OneOf(rapid.Float64Range(-3, 3), rapid.Float64Range(-limit, limit)),
		n, n).Draw(t, what)
}
