package exact

import (
	"context"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/grow/exact/internal/sorting"
	"github.com/coppice-ml/coppice/internal/parallel"
)

// PrepareFramed makes rows ready for trees whose nodes look at few columns: it sorts the numeric
// columns and keeps the place of each row. Trees share what it makes, whatever rows they are grown
// on. It is not for the rules Fractional, Surrogate, SurrogateStop and Stop, for directions, and
// for the chi-squared limit, which Grow refuses.
func PrepareFramed(ctx context.Context, f *data.Frame, rows []int32, workers int) (*Prepared, error) {
	p, err := newPrepared(f, rows, workers)
	if err != nil {
		return nil, err
	}
	memory := make([]sorting.Sorter, p.workers)
	ranked := make([]bool, len(p.columns))
	err = parallel.EachUntil(ctx, p.workers, len(p.columns), func(worker, i int) {
		c := &p.columns[i]
		switch {
		case c.kind == data.Categorical:
			c.tidy = tidy(c.code, c.levels)
			c.compact(p.rows)
			c.setCodeBytes()
		case sorting.HasFew(c.num, p.rows):
			c.setFew(memory[worker].Column(c.num, p.rows), p.rows)
		default:
			ranked[i] = true
		}
	})
	if err != nil {
		return nil, err
	}
	return p, p.rank(ctx, ranked, memory)
}

// wave is the number of columns, if there are no more workers, whose ranks are made before they
// move to where they lie row by row: those of all, twice, would be the most memory that preparation
// and growing ever need.
const wave = 4

// rank makes the ranks of some columns, in memory of each worker's.
func (p *Prepared) rank(ctx context.Context, ranked []bool, memory []sorting.Sorter) error {
	var columns []int32
	for i, is := range ranked {
		if is {
			columns = append(columns, int32(i))
		}
	}
	f := &rankStore{columns: make([]ranks, len(p.columns))}
	p.all = f
	f.layOut(columns, len(p.rows))
	made := make([]ranks, max(wave, p.workers))
	for at := 0; at < len(columns); at += len(made) {
		some := columns[at:min(at+len(made), len(columns))]
		err := parallel.EachUntil(ctx, p.workers, len(some), func(worker, i int) {
			made[i].fill(memory[worker].Column(p.columns[some[i]].num, p.rows))
		})
		if err != nil {
			return err
		}
		f.layDown(made[:len(some)], at)
	}
	return nil
}

// setFew sets the ranks by row, and the values, of a column of few values.
func (c *column) setFew(sorted []entry, rows []int32) {
	distinct := 0
	if known := sorting.Known(sorted); known > 0 {
		distinct = int(sorted[known-1].Key) + 1
	}
	c.values, c.few = make([]float64, distinct), make([]uint8, len(rows))
	for _, e := range sorted {
		if e.Key == sorting.MissingRank {
			c.few[e.Pos] = uint8(distinct)
			continue
		}
		c.few[e.Pos], c.values[e.Key] = uint8(e.Key), c.num[rows[e.Pos]]+0 // -0 becomes 0
	}
}

// setCodeBytes sets the codes as bytes, if the categories are few.
func (c *column) setCodeBytes() {
	if c.levels > sorting.FewValues {
		return
	}
	c.few = make([]uint8, len(c.code))
	for i, code := range c.code {
		c.few[i] = uint8(min(code, uint32(c.levels)))
	}
}
