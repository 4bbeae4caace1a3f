package report

import (
	"math"
	"strconv"
)

// number is a float64 with five significant digits in JSON, which is enough for charts. What is not
// finite is null.
type number float64

// MarshalJSON implements json.Marshaler.
func (x number) MarshalJSON() ([]byte, error) {
	v := float64(x)
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return []byte("null"), nil
	}
	rounded, err := strconv.ParseFloat(strconv.FormatFloat(v, 'g', 5, 64), 64)
	if err != nil {
		return nil, err
	}
	if rounded == math.Trunc(rounded) && math.Abs(rounded) < 1e15 {
		return strconv.AppendInt(nil, int64(rounded), 10), nil
	}
	return strconv.AppendFloat(nil, rounded, 'g', -1, 64), nil
}

// numbers converts values.
func numbers(values []float64) []number {
	all := make([]number, len(values))
	for i, v := range values {
		all[i] = number(v)
	}
	return all
}

// floats converts numbers.
func floats(values []number) []float64 {
	all := make([]float64, len(values))
	for i, v := range values {
		all[i] = float64(v)
	}
	return all
}
