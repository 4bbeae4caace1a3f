package exact

import (
	"context"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/parallel"
)

// PrepareFramed makes rows ready for trees whose nodes look at few columns: it sorts the
// numeric columns and keeps the place of each row. Trees share what it makes, whatever rows they are grown on. It is not for
// the rules Fractional, Surrogate, SurrogateStop and Stop, for directions, and for the chi-squared limit, which Grow
// refuses.
func PrepareFramed(ctx context.Context, f *data.Frame, rows []int32, workers int) (*Prepared, error) {
	p, err := newPrepared(f, rows, workers)
	if err != nil {
		return nil, err
	}
	memory := make([]sorting, p.workers)
	ranked := make([]bool, len(p.columns))
	err = parallel.EachUntil(ctx, p.workers, len(p.columns), func(worker, i int) {
		c := &p.columns[i]
		switch {
		case c.kind == data.Categorical:
			c.tidy = tidy(c.code, c.levels)
			c.compact(p.rows)
			c.setCodeBytes()
		case fewDistinct(c.num, p.rows):
			c.sorted = memory[worker].sortColumn(c.num, p.rows)
			c.setFew(p.rows)
			c.sorted = nil
		default:
			ranked[i] = true
		}
	})
	if err != nil {
		return nil, err
	}
	return p, p.rank(ctx, ranked, memory)
}

// wave is the number of columns, if there are no more workers, whose ranks are made before they move to where they lie row by row: those
// of all, twice, would be the most memory that preparation and growing ever need.
const wave = 4

// rank makes the ranks of some columns, in memory of each worker's.
func (p *Prepared) rank(ctx context.Context, ranked []bool, memory []sorting) error {
	var columns []int32
	for i, is := range ranked {
		if is {
			columns = append(columns, int32(i))
		}
	}
	f := &frame{columns: make([]frameColumn, len(p.columns))}
	p.all = f
	f.layOut(columns, len(p.rows))
	made := make([]ranks, max(wave, p.workers))
	for at := 0; at < len(columns); at += len(made) {
		some := columns[at:min(at+len(made), len(columns))]
		err := parallel.EachUntil(ctx, p.workers, len(some), func(worker, i int) {
			made[i].fill(memory[worker].sortColumn(p.columns[some[i]].num, p.rows))
		})
		if err != nil {
			return err
		}
		f.layDown(made[:len(some)], at)
	}
	return nil
}

// fewDistinct reports whether a column has at most fewValues different values, the missing one not counted.
func fewDistinct(num []float64, rows []int32) bool {
	const bits = 10
	var table [1 << bits]uint64 // of values as keys, of which none is 0: -Inf is above NaNs of that sign
	distinct := 0
	for _, r := range rows {
		key := orderedBits(num[r])
		if key == missingBits {
			continue
		}
		at := key * 0x9e3779b97f4a7c15 >> (64 - bits)
		for table[at] != 0 && table[at] != key {
			at = (at + 1) & (1<<bits - 1)
		}
		if table[at] == 0 {
			if distinct++; distinct > fewValues {
				return false
			}
			table[at] = key
		}
	}
	return true
}
