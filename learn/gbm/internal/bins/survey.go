package bins

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/parallel"
)

// Survey is what bins are fitted to after one pass over rows, none of which it keeps:
//
//	categories          how many rows each has
//	numbers, few        how many rows each distinct value has, while there are no more than bins
//	numbers, many       the values of the rows of a sample, or a sketch of all rows
//
// The sample is a random row of each of Sample runs of rows of equal length, or all rows if they
// are fewer. It depends on the number of rows alone. So the same rows give the same bins, whatever
// blocks they come in and whichever surveys of a part of them are merged: counts and samples of
// parts add up. One thing may differ, if rows have weights and parts were merged: the last bit of
// the weight of a value, which is a sum.
//
// Bins are those that Make fits to the same sample, but for columns that are mostly of one value:
// Make reads these again.
type Survey struct {
	fields   []data.Field
	o        Options
	weighted bool
	rows     int     // of the whole table that count
	sample   []int32 // their places, ascending; nil: all
	columns  []surveyed
}

// surveyed is what is known of a column.
type surveyed struct {
	count    []uint32 // rows of each level; nil for numbers
	distinct distinctValues
	many     bool // there are more values than bins
	least    float64
	keys     []uint64  // of the sampled rows that have a value
	weight   []float64 // of these rows; nil: 1
	sketch   sketch    // in place of the two
}

// NewSurvey returns a survey of none of so many rows of a table. Of the options it takes Bins,
// MinInBin, Sample, Seed, Sketch and Distinct.
func NewSurvey(fields []data.Field, rows int, weighted bool, o Options) (*Survey, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	s := &Survey{fields: fields, o: o, weighted: weighted, rows: rows,
		columns: make([]surveyed, len(fields))}
	if o.Sample > 0 && o.Sample < rows && o.Sketch == 0 {
		s.sample = sampled(nil, rows, o.Sample, o.Seed)
	}
	for i := range fields {
		c := &s.columns[i]
		if fields[i].Kind == data.Categorical {
			c.count = make([]uint32, len(fields[i].Levels))
		} else {
			c.distinct.reset(o.bins())
			c.least = math.Inf(1)
		}
	}
	return s, nil
}

// add takes a part of the rows. Weights are by row of the block, nil = 1.
func (s *Survey) add(ctx context.Context, p *part, weight []float64, workers int) error {
	if len(p.Columns) != len(s.fields) {
		return fmt.Errorf("a block of %d columns, want %d", len(p.Columns), len(s.fields))
	}
	from, _ := slices.BinarySearch(s.sample, int32(p.at))
	to, _ := slices.BinarySearch(s.sample, int32(p.at+p.len()))
	places := s.sample[from:to]
	return parallel.EachUntil(ctx, workers, len(s.fields), func(_, i int) {
		c := &s.columns[i]
		if c.count != nil || s.fields[i].Kind == data.Categorical {
			countLevels(c.count, p.Columns[i].Codes(), p.rows)
			return
		}
		num := p.Columns[i].Numbers()
		if s.o.Least {
			for k := range p.len() {
				if x := num[rowAt(p.rows, k)]; x < c.least {
					c.least = x
				}
			}
		}
		if !c.many && !c.distinct.addAll(num, p.rows, weight) {
			c.many = true
			c.distinct = distinctValues{}
		}
		if s.o.Sketch > 0 {
			c.sketch.add(p.at, num, p.rows, weight, s.o.Sketch)
			return
		}
		c.take(num, weight, p, places, s.sample == nil)
	})
}

// take adds the sampled rows of a part: those at some places of all rows, or all.
func (c *surveyed) take(num, weight []float64, p *part, places []int32, all bool) {
	add := func(i int) {
		r := rowAt(p.rows, i)
		x, w := num[r], 1.0
		if weight != nil {
			w = weight[r]
		}
		if x != x || w == 0 {
			return
		}
		if c.keys = append(c.keys, keyOf(x+0)); weight != nil {
			c.weight = append(c.weight, w)
		}
	}
	if all {
		for i := range p.len() {
			add(i)
		}
		return
	}
	for _, at := range places {
		add(int(at) - p.at)
	}
}

// Merge adds what another survey found, of rows behind those of this one. Both are of one table,
// with the same options.
func (s *Survey) Merge(other *Survey) {
	for i := range s.columns {
		c, from := &s.columns[i], &other.columns[i]
		for k, n := range from.count {
			c.count[k] += n
		}
		c.least = min(c.least, from.least)
		c.keys = append(c.keys, from.keys...)
		c.weight = append(c.weight, from.weight...)
		c.sketch.merge(&from.sketch, s.o.Sketch)
		if c.many = c.many || from.many; c.many {
			c.distinct = distinctValues{}
			continue
		}
		if c.count == nil && !c.distinct.merge(&from.distinct) {
			c.many, c.distinct = true, distinctValues{}
		}
	}
}

// merge adds the counts of another table. It returns false if there are too many values.
func (t *distinctValues) merge(other *distinctValues) bool {
	for _, v := range other.slots {
		if v.key != 0 && !t.addTimes(keyValue(v.key), v.rows, v.weight) {
			return false
		}
	}
	return true
}

// Columns returns the columns with their bins.
func (s *Survey) Columns() ([]Column, error) {
	columns := make([]Column, len(s.fields))
	var t fitter
	for i := range columns {
		c, from := &columns[i], &s.columns[i]
		*c = Column{Feature: int32(i), Default: -1}
		switch {
		case s.fields[i].Kind == data.Categorical:
			c.setLevels(from.count)
			continue
		case !from.many:
			from.distinct.mass(&t.mass, s.weighted)
			c.SplitPoints = t.mass.splitPoints(s.o.bins(), s.o.MinInBin)
		case s.o.Distinct:
			return nil, &TooManyValues{s.fields[i].Name, s.o.bins()}
		case s.o.Sketch > 0:
			c.SplitPoints = from.sketch.splitPoints(s.o.Sketch)
		default:
			c.SplitPoints = t.ofSample(from, &s.o)
		}
		c.Values = len(c.SplitPoints) + 1
	}
	return columns, nil
}

// Least returns the least number of each column, +Inf where there is none. It requires
// Options.Least.
func (s *Survey) Least() []float64 {
	least := make([]float64, len(s.columns))
	for i := range least {
		if least[i] = math.Inf(1); s.fields[i].Kind != data.Categorical {
			least[i] = s.columns[i].least
		}
	}
	return least
}

// ofSample returns the split points of the sampled values of a column.
func (t *fitter) ofSample(c *surveyed, o *Options) []float64 {
	t.keys, t.keyed = append(t.keys[:0], c.keys...), t.keyed[:0]
	for i, w := range c.weight {
		t.keyed = append(t.keyed, keyed{c.keys[i], w})
	}
	t.sort(c.weight != nil, leftOut{})
	return t.mass.splitPoints(o.bins(), o.MinInBin)
}

// Read makes one pass over rows of a table, ascending and distinct; nil = all. They are those from
// place at on of all rows that count, others of which may be in other tables. Weights are by row of
// this table.
func (s *Survey) Read(
	ctx context.Context, from data.RowSource, rows []int32, at int, weight []float64, workers int,
) error {
	var failed error
	err := eachPart(ctx, from, rows, func(p part) bool {
		var own []float64
		if weight != nil {
			own = weight[p.First:][:p.Rows()]
		}
		p.at += at
		failed = s.add(ctx, &p, own, parallel.Workers(workers))
		return failed == nil
	})
	return cmp.Or(failed, err)
}
