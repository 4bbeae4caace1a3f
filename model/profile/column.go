package profile

import (
	"cmp"
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/model"
)

// column is what the profile of a column is made of.
type column struct {
	source Source
	other  int     // rows of a category that the dictionary does not have
	counts []int32 // of levels
	numbers
}

// scratch is the memory of a worker.
type scratch struct {
	values [4096]float64
	at     []int32
	stored []float64
	powers powers
	choice choice
	seen   bitmap
	sample []float64
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
	if c.countsOnly || c.whole {
		picked = nil
	}
	c.sample = slices.Grow(c.sample, len(picked))
	if values.IsSparse() {
		c.addSparse(values, rows, m)
		rows = picked
	}
	if c.finite == 0 && !values.IsSparse() {
		c.look(values, rows, m)
	}
	for part := range slices.Chunk(rows, len(m.values)) {
		n, last := 0, part[len(part)-1]
		for n < len(picked) && picked[n] <= last {
			n++
		}
		if !values.IsSparse() {
			c.numbers.add(m.pick(values, part), &m.powers)
		}
		if n > 0 {
			c.addSample(m.pick(values, picked[:n]))
		}
		picked = picked[n:]
	}
	m.powers.take(&c.sum)
}

// look finds out by the first rows of a block whether there is any use in counting numbers. What it
// finds has no effect on the profile.
func (c *column) look(values *data.Column, rows []int32, m *scratch) {
	m.seen = bitmap{}
	for part := range slices.Chunk(rows[:min(len(rows), 4*len(m.values))], len(m.values)) {
		before := m.seen.n
		if m.seen.surelyMore(m.pick(values, part), c.distinct.most) {
			c.distinct.more = true
		}
		if c.distinct.more || m.seen.n-before < len(part)/2 {
			return
		}
	}
}

// addSparse takes rows of a sparse column but for the sample.
func (c *column) addSparse(values *data.Column, rows []int32, m *scratch) {
	_, _, absent, _ := values.Stored()
	m.at, m.stored = values.AppendStored(m.at[:0], m.stored[:0], rows)
	for part := range slices.Chunk(m.stored, len(m.values)) {
		c.numbers.add(part, &m.powers)
	}
	if rest := len(rows) - len(m.stored); absent == 0 {
		c.empty, c.finite = c.empty+rest, c.finite+rest
	} else {
		c.missing += rest
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

// profile returns the profile of all rows.
func (c *column) profile(noExtremes bool, m *scratch) model.ColumnProfile {
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
	if c.countsOnly || c.finite == 0 {
		return p
	}
	if d := c.source.Of.From; d != nil && d.Part != data.Days {
		return p // another part is no date
	}
	c.end()
	p.Distinct, p.More = c.different()
	n := &model.NumberProfile{}
	n.Mean, n.Std = c.sum.moments(c.finite)
	if !noExtremes {
		n.Min, n.Max = new(c.min+0), new(c.max+0) // -0 is 0
	}
	n.Quantiles, n.AtMost = m.choice.quantiles(c.sample, noExtremes)
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
	const most = model.ProfileLevels
	order := func(a, b data.LevelCount) int {
		return cmp.Or(cmp.Compare(b.Rows, a.Rows), cmp.Compare(a.Level, b.Level))
	}
	var top []data.LevelCount // of those so far; the others may be among the first no more
	sorted := false
	for i, n := range counts {
		if n <= 0 {
			continue
		}
		p.Distinct++
		p.OtherRows += int(n)
		l := data.LevelCount{Level: levels[i], Rows: int(n)}
		if sorted && order(l, top[most-1]) > 0 {
			continue
		}
		if top = append(top, l); len(top) == 8*most {
			slices.SortFunc(top, order)
			top, sorted = top[:most], true
		}
	}
	slices.SortFunc(top, order)
	p.Levels = slices.Clone(top[:min(most, len(top))])
	p.OtherLevels = p.Distinct - len(p.Levels)
	for _, l := range p.Levels {
		p.OtherRows -= l.Rows
	}
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
