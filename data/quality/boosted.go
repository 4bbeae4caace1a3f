package quality

import (
	"cmp"
	"math"
	"slices"

	"github.com/coppice-ml/coppice/data"
)

// The boosted trees that later rows are predicted with.
const (
	trees    = 30
	levels   = 3
	rate     = 0.3
	binned   = 32 // bins of a column: quantiles of numbers, or the most frequent categories
	leafRows = 10 // at either side of a threshold, at least
	leafPart = 25 // also such a part of the training rows, that the last of them in time make no leaf
)

// boosted fits small trees to several targets by gradient boosting with squared loss (Friedman
// 2001). It is as quick as it is rough: it shows where rows differ, not how well they can be
// predicted.
type boosted struct {
	columns []bins
	targets [][]float64
}

// bins are the bins of a column by row. Those of categories have no order.
type bins struct {
	of    []uint8
	order bool
}

// binsOf bins the values of some rows. Missing values have a bin of their own, the first one of
// numbers.
func binsOf(c *data.Column, rows []int32) bins {
	b := bins{of: make([]uint8, len(rows)), order: c.Codes() == nil}
	if !b.order {
		counts := map[uint32]int{}
		for _, row := range rows {
			counts[c.Code(int(row))]++
		}
		var levels []uint32
		for code := range counts {
			levels = append(levels, code)
		}
		slices.SortFunc(levels, func(x, y uint32) int {
			return cmp.Or(counts[y]-counts[x], cmp.Compare(x, y))
		})
		place := map[uint32]uint8{}
		for i, code := range levels {
			place[code] = uint8(min(i, binned-1))
		}
		for i, row := range rows {
			b.of[i] = place[c.Code(int(row))]
		}
		return b
	}
	values := numbers(c, rows)
	sorted := slices.DeleteFunc(slices.Clone(values), math.IsNaN)
	slices.Sort(sorted)
	var bounds []float64
	for k := 1; k < binned-1 && len(sorted) > 0; k++ {
		bounds = append(bounds, sorted[k*len(sorted)/(binned-1)])
	}
	bounds = slices.Compact(bounds)
	for i, v := range values {
		if v == v {
			at, found := slices.BinarySearch(bounds, v)
			if found {
				at++
			}
			b.of[i] = uint8(1 + at)
		}
	}
	return b
}

// errors returns the squared errors of test rows, summed over the targets, of models that are
// fitted to other rows.
func (m *boosted) errors(train, test []int32) []float64 {
	errors := make([]float64, len(test))
	for _, y := range m.targets {
		predicted := m.fit(y, train, test)
		for i, row := range test {
			d := y[row] - predicted[i]
			errors[i] += float64(d * d)
		}
	}
	return errors
}

// fit predicts the test rows by a model of the training rows.
func (m *boosted) fit(y []float64, train, test []int32) []float64 {
	mean := 0.0
	for _, row := range train {
		mean += y[row]
	}
	mean /= float64(len(train))
	f := &fitting{boosted: m, rest: make([]float64, len(y)), predicted: make([]float64, len(y)),
		leaf: float64(max(leafRows, len(train)/leafPart))}
	for _, row := range train {
		f.rest[row] = y[row] - mean
	}
	for _, row := range test {
		f.predicted[row] = mean
	}
	train, test = slices.Clone(train), slices.Clone(test)
	order := slices.Clone(test)
	for range trees {
		f.grow(train, test, levels)
	}
	return data.Pick(f.predicted, order)
}

// fitting is a model that grows: by row what is left of the target, and what is predicted.
type fitting struct {
	*boosted
	rest, predicted []float64
	leaf            float64 // rows, at least
}

// grow splits rows by so many levels, and takes a step towards the mean of each leaf. It reorders
// the rows.
func (f *fitting) grow(train, test []int32, levels int) {
	var s stump
	if levels > 0 {
		s = f.best(train)
	}
	if s.gain <= 0 {
		sum := 0.0
		for _, row := range train {
			sum += f.rest[row]
		}
		step := rate * sum / float64(len(train))
		for _, row := range train {
			f.rest[row] -= step
		}
		for _, row := range test {
			f.predicted[row] += step
		}
		return
	}
	of := f.columns[s.column].of
	at, seen := s.partition(train, of), s.partition(test, of)
	f.grow(train[:at], test[:seen], levels-1)
	f.grow(train[at:], test[seen:], levels-1)
}

// stump is a split of rows by the bins of a column.
type stump struct {
	gain   float64
	column int
	left   [binned]bool
}

// partition moves the rows of the left side to the front, and returns their number.
func (s *stump) partition(rows []int32, of []uint8) int {
	at := 0
	for i, row := range rows {
		if s.left[of[row]] {
			rows[i], rows[at] = rows[at], row
			at++
		}
	}
	return at
}

// best returns the split of the largest gain.
func (f *fitting) best(train []int32) stump {
	var s stump
	total := 0.0
	for _, row := range train {
		total += f.rest[row]
	}
	n := float64(len(train))
	least := total * total / n
	for i := range f.columns {
		c := &f.columns[i]
		var sums, counts [binned]float64
		for _, row := range train {
			sums[c.of[row]] += f.rest[row]
			counts[c.of[row]]++
		}
		places := c.places(&sums, &counts)
		left, k := 0.0, 0.0
		for at := range places[:len(places)-1] {
			left += sums[places[at]]
			k += counts[places[at]]
			if k < f.leaf || n-k < f.leaf {
				continue
			}
			right := total - left
			gain := float64(left*left)/k + float64(right*right)/(n-k) - least
			if gain > s.gain {
				s = stump{gain: gain, column: i}
				for _, b := range places[:at+1] {
					s.left[b] = true
				}
			}
		}
	}
	return s
}

// places returns the bins in the order in which thresholds separate them. For categories it is that
// of their means: the best of all subsets is one of it (Fisher 1958).
func (c *bins) places(sums, counts *[binned]float64) []uint8 {
	places := make([]uint8, 0, binned)
	for b := range uint8(binned) {
		if c.order || counts[b] > 0 {
			places = append(places, b)
		}
	}
	if !c.order {
		slices.SortStableFunc(places, func(a, b uint8) int {
			return cmp.Compare(float64(sums[a]*counts[b]), float64(sums[b]*counts[a]))
		})
	}
	return places
}
