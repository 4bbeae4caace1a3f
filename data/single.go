package data

import (
	"math"
	"slices"
)

// Numbers32 returns the column of a numeric or a date field: a value for each row, NaN for a
// missing one. It keeps the slice, it does not copy it.
//
// It takes half the memory of Numbers. Code computes with its values in double precision, so that
// results do not depend on the storage.
func Numbers32(values []float32) Column { return Column{single: values} }

// Compact returns the same values in the storage that takes the least memory: Sparse where at most
// a quarter of the rows have another value than 0, or are not missing; else Numbers32 where each
// value is a float32, as small integers are, and what was computed in single precision. A column
// for which there is none, and one that Numbers did not make, is returned as it is.
func (c Column) Compact() Column {
	const piece = 1 << 12 // values, between which it is asked whether enough were seen
	n, zeros, missing := len(c.num), 0, 0
	for from := 0; from < n; from += piece {
		to := min(n, from+piece)
		for _, v := range c.num[from:to] {
			if v != v {
				missing++
			} else if isZero(v) {
				zeros++
			}
		}
		if !FewStored(to-zeros, n) && !FewStored(to-missing, n) {
			return c.Narrow()
		}
	}
	switch {
	case n == 0:
		return c
	case FewStored(n-zeros, n):
		return packed(c.num, 0, n-zeros)
	}
	return packed(c.num, math.NaN(), n-missing)
}

// isZero reports whether a value is 0, and not -0.
func isZero(v float64) bool { return math.Float64bits(v) == 0 }

// packed returns the sparse column of values, of which so many are not the absent one.
func packed(values []float64, absent float64, stored int) Column {
	row, value := make([]int32, 0, stored), make([]float64, 0, stored)
	for i, v := range values {
		if isZero(absent) && isZero(v) || absent != absent && v != v {
			continue
		}
		row, value = append(row, int32(i)), append(value, v)
	}
	return Sparse(len(values), absent, row, value)
}

// Narrow returns the column as Numbers32 stores it, if each of its values is a float32. One for
// which this is not so, and one that Numbers did not make, is returned as it is.
func (c Column) Narrow() Column {
	if c.num == nil || slices.ContainsFunc(c.num, isDouble) {
		return c
	}
	values := make([]float32, len(c.num))
	for i, v := range c.num {
		values[i] = float32(v)
	}
	return Numbers32(values)
}

// isDouble reports whether float32 does not hold a value.
func isDouble(v float64) bool { return float64(float32(v)) != v && v == v }

// widen sets dst to the values of src, of which there are as many.
func widen(dst []float64, src []float32) {
	src = src[:len(dst)]
	for i := range dst {
		dst[i] = float64(src[i])
	}
}
