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
			values.PickNumbers(m.values[:], part)
			c.addNumbers(m.values[:len(part)], 1)
		}
	}
	if c.countsOnly {
		return
	}
	for part := range slices.Chunk(picked, len(m.values)) {
		values.PickNumbers(m.values[:], part)
		for _, v := range m.values[:len(part)] {
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
	for _, v := range values {
		if v-v != 0 {
			if v != v {
				c.missing += times
			} else {
				c.infinite += times
			}
			continue
		}
		if v == 0 {
			c.empty += times
		}
		if c.countsOnly {
			continue
		}
		if c.sum.n == 0 {
			c.min, c.max = v, v
		}
		c.min, c.max = min(c.min, v), max(c.max, v)
		c.sum.add(v, times)
		c.distinct.add(v)
	}
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
	n.Quantiles = quantiles(c.sample, noExtremes)
	if n.Quantiles != nil && !noExtremes { // of a sample they are not among the quantiles
		n.Quantiles[0], n.Quantiles[model.ProfileQuantiles-1] = *n.Min, *n.Max
	}
	for _, q := range n.Quantiles { // the sample is sorted
		count, _ := slices.BinarySearchFunc(c.sample, q, func(v, q float64) int {
			if v <= q {
				return -1
			}
			return 1
		})
		n.AtMost = append(n.AtMost, count)
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

// quantiles returns the quantiles of numbers, which it sorts; nil if there are none.
func quantiles(values []float64, noExtremes bool) []float64 {
	if len(values) == 0 {
		return nil
	}
	slices.Sort(values)
	q := make([]float64, model.ProfileQuantiles)
	for i := range q {
		at := int64(len(values)-1) * int64(i) / int64(len(q)-1)
		if noExtremes {
			at = int64(len(values)-1) * (32 + 98*int64(i)) / 3200
		}
		q[i] = values[at]
	}
	return q
}

// rankError returns the bound of Massart (1990, "The tight constant in the Dvoretzky-Kiefer-
// Wolfowitz inequality") for a sample of n rows and a probability of 99 %.
func rankError(n int) float64 {
	const log200 = 5.298317366548036
	return math.Sqrt(log200 / 2 / float64(n))
}
