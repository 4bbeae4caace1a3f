package profile

import (
	"cmp"
	"math"
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/model"
)

// column is what the profile of a column is made of.
type column struct {
	source     Source
	countsOnly bool

	missing, infinite, empty int
	other                    int     // rows of a category that the dictionary does not have
	counts                   []int32 // of levels

	min, max float64
	sum      sum
	distinct distinct
	sample   []float64 // finite numbers of the sample, in the order of their rows
}

// scratch is the memory of a worker.
type scratch struct {
	values [4096]float64
	at     []int32
	stored []float64
}

// pick returns the values of some ascending rows.
func (m *scratch) pick(c *data.Column, rows []int32) []float64 {
	first, n := int(rows[0]), len(rows)
	if int(rows[n-1])-first == n-1 { // one follows the other
		return c.NumbersIn(first, first+n, m.values[:])
	}
	c.PickNumbers(m.values[:], rows)
	return m.values[:n]
}

// add takes rows of a column, of which some are in the sample; both ascend.
func (c *column) add(values *data.Column, rows, picked []int32, m *scratch) {
	if c.source.Kind == data.Categorical {
		c.addCodes(values.Codes(), rows)
		return
	}
	if values.IsSparse() {
		_, _, absent, _ := values.Stored()
		m.at, m.stored = values.AppendStored(m.at[:0], m.stored[:0], rows)
		c.addNumbers(m.stored, 1)
		if rest := len(rows) - len(m.stored); rest > 0 {
			c.addNumbers([]float64{absent}, rest)
		}
	} else {
		for part := range slices.Chunk(rows, len(m.values)) {
			c.addNumbers(m.pick(values, part), 1)
		}
	}
	if c.countsOnly {
		return
	}
	c.sample = slices.Grow(c.sample, len(picked))
	for part := range slices.Chunk(picked, len(m.values)) {
		for _, v := range m.pick(values, part) {
			if v-v == 0 { // finite
				c.sample = append(c.sample, v+0)
			}
		}
	}
}

func (c *column) addCodes(codes []uint32, rows []int32) {
	if c.counts == nil && !c.countsOnly {
		c.counts = make([]int32, len(c.source.Of.Levels))
	}
	for _, row := range rows {
		switch code := codes[row]; {
		case code == data.MissingCode:
			c.missing++
		case c.countsOnly:
		case code == data.UnseenCode:
			c.other++
		default:
			c.counts[code]++
		}
	}
}

// addNumbers takes numbers, each so many times. Only 0 and NaN occur several times.
func (c *column) addNumbers(values []float64, times int) {
	low, high := c.min, c.max
	if c.sum.n == 0 {
		low, high = math.Inf(1), math.Inf(-1)
	}
	for _, v := range values {
		switch {
		case v != v:
			c.missing += times
			continue
		case v-v != 0:
			c.infinite += times
			continue
		case v == 0:
			c.empty += times
			c.sum.n += int64(times)
		case !c.countsOnly:
			c.sum.add(v)
		}
		if v < low {
			low = v
		}
		if v > high {
			high = v
		}
		if !c.distinct.more && !c.countsOnly {
			c.distinct.add(v)
		}
	}
	c.min, c.max = low, high
}

// profile returns the profile of all rows.
func (c *column) profile(noExtremes bool) model.ColumnProfile {
	p := model.ColumnProfile{Name: c.source.Name, Kind: c.source.Kind, Missing: c.missing,
		Infinite: c.infinite}
	if p.Kind == data.Categorical {
		p.OtherRows = c.other
		setLevels(&p, c.counts, c.source.Of.Levels)
		return p
	}
	if p.Kind == data.Text {
		p.Empty = c.empty
	}
	if c.countsOnly || c.sum.n == 0 {
		return p
	}
	if d := c.source.Of.From; d != nil && d.Part != data.Days {
		return p // another part is no date
	}
	p.Distinct, p.More = c.distinct.count()
	n := &model.NumberProfile{}
	n.Mean, n.Std = c.sum.moments()
	if !noExtremes {
		n.Min, n.Max = new(c.min+0), new(c.max+0) // -0 is 0
	}
	n.Quantiles, n.AtMost = quantiles(c.sample, noExtremes)
	if last := model.ProfileQuantiles - 1; n.Quantiles != nil && !noExtremes {
		if *n.Min < n.Quantiles[0] { // it is not in the sample
			n.Quantiles[0], n.AtMost[0] = *n.Min, 0
		}
		if *n.Max > n.Quantiles[last] {
			n.Quantiles[last], n.AtMost[last] = *n.Max, len(c.sample)
		}
	}
	if d := c.source.Of.From; d != nil {
		asDates(n, d)
	}
	p.Numbers = n
	return p
}

// asDates makes days of a date column dates, in microseconds.
func asDates(n *model.NumberProfile, d *data.DatePart) {
	for _, x := range []*float64{n.Min, n.Max, &n.Mean} {
		if x != nil {
			*x = d.Date(*x)
		}
	}
	for i, q := range n.Quantiles {
		n.Quantiles[i] = d.Date(q)
	}
	n.Std = (&data.DatePart{Part: data.Days}).Date(n.Std)
}

// setLevels notes the most frequent levels, and how many others there are.
func setLevels(p *model.ColumnProfile, counts []int32, levels []string) {
	var present []data.LevelCount
	for i, n := range counts {
		if n > 0 {
			present = append(present, data.LevelCount{Level: levels[i], Rows: int(n)})
		}
	}
	slices.SortFunc(present, func(a, b data.LevelCount) int {
		return cmp.Or(cmp.Compare(b.Rows, a.Rows), cmp.Compare(a.Level, b.Level))
	})
	p.Distinct, p.Levels = len(present), present
	keep(p, model.ProfileLevels)
}

// keep leaves all levels but some out, and counts them among the others.
func keep(p *model.ColumnProfile, most int) {
	if most >= len(p.Levels) {
		return
	}
	for _, l := range p.Levels[most:] {
		p.OtherLevels++
		p.OtherRows += l.Rows
	}
	p.Levels = slices.Clone(p.Levels[:most])
}

// quantiles returns the quantiles of numbers, whose order it changes, and how many numbers are at
// most each; nil if there are none.
func quantiles(values []float64, noExtremes bool) (q []float64, atMost []int) {
	if len(values) == 0 {
		return nil, nil
	}
	places := make([]int, model.ProfileQuantiles)
	for i := range places {
		at := int64(len(values)-1) * int64(i) / int64(len(places)-1)
		if noExtremes {
			at = int64(len(values)-1) * (32 + 98*int64(i)) / 3200
		}
		places[i] = int(at)
	}
	arrange(values, 0, places)
	q, atMost = make([]float64, len(places)), make([]int, len(places))
	for i, end := len(places)-1, len(values); i >= 0; i-- {
		at := places[i]
		if q[i] = values[at]; i+1 < len(q) && q[i] == q[i+1] {
			atMost[i], end = atMost[i+1], at
			continue
		}
		atMost[i] = at + 1 // and equal ones before the next place
		for _, v := range values[at+1 : max(at+1, end)] {
			if v == q[i] {
				atMost[i]++
			}
		}
		end = at
	}
	return q, atMost
}

// fewValues is up to how many values are sorted as a whole.
const fewValues = 256

// arrange puts at some ascending places, which count from first on, the values that a sort would.
// It partitions values, and goes on with those parts that have a place (Hoare 1961).
func arrange(values []float64, first int, places []int) {
	for len(places) > 0 {
		if len(values) <= fewValues {
			slices.Sort(values)
			return
		}
		pivot := median(values[0], values[len(values)/2], values[len(values)-1])
		i, j := 0, len(values)-1
		for i <= j {
			for values[i] < pivot {
				i++
			}
			for values[j] > pivot {
				j--
			}
			if i <= j {
				values[i], values[j] = values[j], values[i]
				i, j = i+1, j-1
			}
		}
		// values up to j are at most the pivot, those from i on at least, any between are equal
		left, _ := slices.BinarySearch(places, first+j+1)
		right, _ := slices.BinarySearch(places, first+i)
		arrange(values[:j+1], first, places[:left])
		values, first, places = values[i:], first+i, places[right:]
	}
}

func median(a, b, c float64) float64 { return max(min(a, b), min(max(a, b), c)) }

// rankError returns the bound of Massart (1990, "The tight constant in the Dvoretzky-Kiefer-
// Wolfowitz inequality") for a sample of n rows and a probability of 99 %.
func rankError(n int) float64 {
	const log200 = 5.298317366548036
	return math.Sqrt(log200 / 2 / float64(n))
}
