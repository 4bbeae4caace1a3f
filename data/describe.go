package data

import (
	"cmp"
	"math"
	"slices"

	"github.com/coppice-ml/coppice/internal/hugepage"
	"github.com/coppice-ml/coppice/internal/kernel"
	"github.com/coppice-ml/coppice/internal/parallel"
)

// ColumnSummary describes the values of a column. It can be written as JSON for every table.
type ColumnSummary struct {
	Name    string `json:"name"`
	Kind    Kind   `json:"kind"`
	Format  string `json:"format,omitempty"` // how files write the values: Field.Format
	Rows    int    `json:"rows"`
	Missing int    `json:"missing"` // rows without a value
	// rows of a categorical column whose text is not in its dictionary
	Unseen   int `json:"unseen,omitempty"`
	Infinite int `json:"infinite,omitempty"` // rows of a numeric column that hold an infinity
	// different values; missing and unseen ones do not count
	Distinct int `json:"distinct"`
	// Distinct is an estimate with a standard error of 0.4 %: see DescribeBlocks
	Estimated bool `json:"distinct_estimated,omitempty"`

	// Min, Max and Mean are of the finite values of a numeric column, nil if it has none.
	Min  *float64 `json:"min,omitempty"`
	Max  *float64 `json:"max,omitempty"`
	Mean *float64 `json:"mean,omitempty"`

	// First and Last are the earliest and the latest date of a date column, as DateText writes
	// them; "" if it has none.
	First string `json:"first,omitempty"`
	Last  string `json:"last,omitempty"`

	// Top are the most frequent levels of a categorical column, at most ten, equally frequent
	// ones bytewise.
	Top []LevelCount `json:"top,omitempty"`
}

// LevelCount is a level of a categorical column and the number of rows that hold it.
type LevelCount struct {
	Level string `json:"level"`
	Rows  int    `json:"rows"`
}

// topLevels is the largest number of levels that Describe lists for a column.
const topLevels = 10

// Describe summarises the columns of a table, in their order. workers is the number of goroutines,
// 0 for one per processor; the summaries are the same for any number.
func Describe(f *Frame, workers int) []ColumnSummary {
	summaries := make([]ColumnSummary, len(f.Columns))
	workers = parallel.Workers(workers)
	sorters := make([][2][]float64, workers)
	parallel.Each(workers, len(f.Columns), func(worker, i int) {
		field, s := &f.Schema.Fields[i], &summaries[i]
		r := newRunningSummary(field)
		if field.Kind == Categorical || field.Kind == Text {
			r.addCodes(f.Columns[i].code)
			*s = r.summary(field, f.Rows())
			return
		}
		distinct, mean := r.sort(&f.Columns[i], &sorters[worker])
		*s = r.summary(field, f.Rows())
		if s.Distinct += distinct; s.Mean != nil {
			*s.Mean = mean
		}
	})
	return summaries
}

// sort takes a column of numbers as a whole. In their order it counts the distinct finite ones and
// adds them up, so that both are exact and do not depend on the order of the rows.
func (r *runningSummary) sort(c *Column, memory *[2][]float64) (distinct int, mean float64) {
	var values []float64
	zeros := 0
	if c.sparse == nil {
		values = c.Numbers()
	} else if values = c.sparse.value; c.sparse.absent == 0 {
		zeros = c.sparse.rows - len(values)
	}
	n := len(values) + 1 // and a zero
	if cap(memory[0]) < n {
		memory[0], memory[1] = hugepage.Slice[float64](n), hugepage.Slice[float64](n)
	}
	finite := memory[0][:0]
	for _, v := range values {
		switch {
		case math.IsNaN(v):
			r.missing++
		case math.IsInf(v, -1):
			r.lowest++
		case math.IsInf(v, 1):
			r.highest++
		default:
			finite = append(finite, v)
		}
	}
	r.missing += c.Len() - zeros - len(values)
	kernel.SortByCells(finite, memory[1])
	for i, v := range finite {
		if i == 0 || v != finite[i-1] {
			distinct++
		}
	}
	if zeros > 0 {
		if at, found := slices.BinarySearch(finite, 0); !found {
			distinct++
			finite, zeros = slices.Insert(finite, at, 0), zeros-1
		}
	}
	if r.finite = len(finite); r.finite == 0 {
		return distinct, 0
	}
	r.low, r.high = finite[0], finite[r.finite-1]
	return distinct, meanOf(finite, zeros)
}

// meanOf returns the mean of ascending finite values and of some zeros more. It is finite too: a
// sum that overflows is taken over values that are divided first.
func meanOf(sorted []float64, zeros int) float64 {
	n := float64(len(sorted) + zeros)
	sum := kernel.Sum(sorted)
	mean := sum / n
	if math.IsInf(sum, 0) || math.IsNaN(sum) {
		mean = 0
		for _, v := range sorted {
			mean += v / n
		}
	}
	return min(max(mean, sorted[0]), sorted[len(sorted)-1])
}

// setLevels notes how many rows hold each level.
func (s *ColumnSummary) setLevels(counts []int, levels []string) {
	var present []LevelCount
	for i, n := range counts {
		if n > 0 {
			present = append(present, LevelCount{levels[i], n})
		}
	}
	s.Distinct = len(present)
	slices.SortFunc(present, func(a, b LevelCount) int {
		return cmp.Or(cmp.Compare(b.Rows, a.Rows), cmp.Compare(a.Level, b.Level))
	})
	s.Top = slices.Clone(present[:min(len(present), topLevels)])
}
