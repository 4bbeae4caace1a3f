package axes

import (
	"math"
	"slices"

	"github.com/coppice-ml/coppice/data"
)

// Grid returns ascending values of a column of numbers or dates, points at most: all of them if
// there are few, else values at equal distances from the 5th to the 95th percentile. It returns nil
// for a column without values. points is 2 or more.
func Grid(field *data.Field, c *data.Column, points int) []float64 {
	sorted := Ascending(c)
	if len(sorted) == 0 {
		return nil
	}
	distinct := slices.Compact(slices.Clone(sorted))
	if len(distinct) <= points {
		return distinct
	}
	low, high := Quantile(sorted, 0.05), Quantile(sorted, 0.95)
	if low == high { // most rows have one value
		low, high = sorted[0], sorted[len(sorted)-1]
	}
	values := make([]float64, points)
	for i := range values {
		t := float64(i) / float64(points-1)
		values[i] = float64(low*(1-t)) + float64(high*t)
	}
	return wholeDays(field, values, distinct)
}

// wholeDays rounds values of a column of dates to whole days if all of the column's differ by such,
// so that they are dates that may occur. Values of other columns stay.
func wholeDays(field *data.Field, values, distinct []float64) []float64 {
	day := 1.0
	switch {
	case field.Kind == data.Date:
		day = 24 * 60 * 60 * 1e6
	case field.From == nil || field.From.Part != data.Days:
		return values
	}
	first := distinct[0]
	for _, x := range distinct {
		if math.Mod(x-first, day) != 0 {
			return values
		}
	}
	for i, x := range values {
		values[i] = first + float64(math.Round((x-first)/day)*day)
	}
	return slices.Compact(values)
}

// Frequent returns the codes of a categorical column that occur most often, ascending and so many
// at most. levels is the size of its dictionary. It returns nil where no row has a level.
func Frequent(c *data.Column, levels, most int) []uint32 {
	count := make([]int, levels)
	for _, code := range c.Codes() {
		if int(code) < levels {
			count[code]++
		}
	}
	var codes []uint32
	for code, n := range count {
		if n > 0 {
			codes = append(codes, uint32(code))
		}
	}
	slices.SortStableFunc(codes, func(a, b uint32) int { return count[b] - count[a] })
	codes = codes[:min(most, len(codes))]
	slices.Sort(codes)
	return codes
}
