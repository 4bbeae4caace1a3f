package axes

import (
	"sort"

	"github.com/coppice-ml/coppice/data"
)

// Intervals are the rows of a numeric column by interval.
type Intervals struct {
	Ends  []float64 // ascending, one more than intervals
	Of    []int32   // by row its interval
	Count []float64 // by interval its rows
}

// NewIntervals divides a column whose values are all present into at most n intervals of about as
// many rows each. The first has its lower end too, the others only their upper one. A column of one
// value has an end and no interval.
func NewIntervals(c *data.Column, n int) *Intervals {
	sorted := Ascending(c)
	v := &Intervals{Ends: []float64{sorted[0]}}
	for i := 1; i <= n; i++ {
		// the inverse of the empirical distribution, rounded up
		end := sorted[max(0, (i*len(sorted)+n-1)/n-1)]
		if end > v.Ends[len(v.Ends)-1] {
			v.Ends = append(v.Ends, end)
		}
	}
	v.Of, v.Count = make([]int32, c.Len()), make([]float64, len(v.Ends)-1)
	if len(v.Count) == 0 {
		return v
	}
	for row, x := range c.Numbers() {
		k := max(0, sort.SearchFloat64s(v.Ends, x)-1)
		v.Of[row] = int32(k)
		v.Count[k]++
	}
	return v
}

// At returns the column with each row at an end of its interval: 0 = the lower one.
func (v *Intervals) At(end int) data.Column {
	values := make([]float64, len(v.Of))
	for row, k := range v.Of {
		values[row] = v.Ends[int(k)+end]
	}
	return data.Numbers(values)
}

// Middles returns the middles of the intervals, as fractions of the range of the column.
func (v *Intervals) Middles() []float64 {
	m, ends := make([]float64, len(v.Count)), v.Ends
	span := ends[len(ends)-1] - ends[0]
	for i := range m {
		m[i] = ((ends[i]-ends[0])/span + (ends[i+1]-ends[0])/span) / 2
	}
	return m
}
