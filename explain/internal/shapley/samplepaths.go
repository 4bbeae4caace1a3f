package shapley

import (
	"context"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/parallel"
)

const (
	// mixedRows is the number of mixed rows that are predicted at a time.
	mixedRows = 2048
	// mixedValues limits the values of these rows where there are many columns.
	mixedValues = 1 << 20
	// taskEstimates is the number of estimates, of a row or a part of its pairs, that are in memory
	// at a time.
	taskEstimates = 256
)

// estimate calls keep with the estimates for each row, by its place among the rows. The division
// of a row's pairs into tasks does not depend on the number of workers, and tasks are merged in
// order.
func (s *sampler) estimate(ctx context.Context, keep func(at int, e *moments)) error {
	pairs := min(max(1, mixedRows/(2*max(1, s.steps()))), s.options.Samples)
	tasks := (s.options.Samples + pairs - 1) / pairs
	together := max(1, taskEstimates/tasks)
	paths := make([]*paths, parallel.Workers(s.options.Workers))
	for from := 0; from < len(s.rows); from += together {
		rows := min(together, len(s.rows)-from)
		parts := make([]*moments, rows*tasks)
		err := parallel.Try(ctx, parallel.Workers(s.options.Workers), len(parts), func(worker, i int) (err error) {
			if paths[worker] == nil {
				if paths[worker], err = s.newPaths(pairs); err != nil {
					return err
				}
			}
			first := i % tasks * pairs
			last := min(first+pairs, s.options.Samples)
			parts[i], err = paths[worker].sample(from+i/tasks, first, last)
			return err
		})
		if err != nil {
			return err
		}
		for i := range rows {
			e := parts[i*tasks]
			for _, other := range parts[i*tasks+1 : (i+1)*tasks] {
				e.merge(other)
			}
			keep(from+i, e)
		}
	}
	return nil
}

// steps returns the number of mixed rows between a background row and a row.
func (s *sampler) steps() int { return max(0, len(s.players)-1) }

// paths are the ways from background rows to a row, by some pairs of orders. It is the memory of
// one worker. Path 2i is the order of pair i, and path 2i+1 is the reverse one. Path p has the
// mixed rows from p*steps on.
type paths struct {
	*sampler
	frame   *data.Frame // some of the mixed rows
	values  []float64   // predictions for all
	orders  [][]int32   // by pair
	drawn   []int32     // by pair: its row of the background
	changes []float64   // contributions of a pair, by output and player
}

// newPaths makes the memory for some pairs.
func (s *sampler) newPaths(pairs int) (*paths, error) {
	n := 2 * pairs * s.steps()
	rows := min(n, max(1, min(mixedRows, mixedValues/max(1, len(s.own)))))
	columns := make([]data.Column, len(s.own))
	for i := range columns {
		// columns that nothing depends on have the values of any row
		alike := make([]int32, rows)
		if s.own[i].Codes() != nil {
			columns[i] = data.Codes(data.Pick(s.other[i].Codes(), alike))
		} else {
			columns[i] = data.Numbers(data.Pick(s.other[i].Numbers(), alike))
		}
	}
	f, err := data.NewFrame(s.schema, columns)
	return &paths{sampler: s, frame: f, values: make([]float64, n*s.outputs),
		changes: make([]float64, len(s.players)*s.outputs)}, err
}

// sample estimates contributions to the predictions of a row by the pairs from first to last - 1.
func (p *paths) sample(at, first, last int) (*moments, error) {
	d := &draws{seed: p.options.Seed, row: uint64(p.options.First + int(p.rows[at])), pass: -1,
		background: p.options.Background.Rows()}
	p.orders, p.drawn = p.orders[:0], p.drawn[:0]
	for pair := first; pair < last; pair++ {
		order, drawn := d.of(pair, len(p.players))
		p.orders, p.drawn = append(p.orders, order), append(p.drawn, drawn)
	}
	for from, n := 0, 2*len(p.orders)*p.steps(); from < n; from += p.frame.Rows() {
		until := min(n, from+p.frame.Rows())
		p.fill(int(p.rows[at]), from, until)
		values := p.values[from*p.outputs : until*p.outputs]
		if err := p.mixed.Predict(values, p.frame, data.AllRows(until-from)); err != nil {
			return nil, err
		}
		if err := finite(values); err != nil {
			return nil, err
		}
	}
	e := newMoments(len(p.changes))
	for i := range p.orders {
		clear(p.changes)
		p.add(at, 2*i)
		p.add(at, 2*i+1)
		e.add(p.changes)
	}
	return e, nil
}

// fill writes the mixed rows from a number on, until another.
func (p *paths) fill(row, from, until int) {
	steps := p.steps()
	for path := from / steps; path*steps < until; path++ {
		start := path * steps
		low, high := max(from, start), min(until, start+steps)
		drawn := int(p.drawn[path/2])
		for place, player := range p.orders[path/2] {
			if path%2 == 1 {
				place = steps - place
			}
			// from this row on the player's values are the row's own
			turn := min(max(start+place, low), high)
			for _, c := range p.players[player].columns {
				own, other := &p.own[c], &p.other[c]
				if codes := p.frame.Columns[c].Codes(); codes != nil {
					set(codes[low-from:turn-from], other.Code(drawn))
					set(codes[turn-from:high-from], own.Code(row))
					continue
				}
				numbers := p.frame.Columns[c].Numbers()
				set(numbers[low-from:turn-from], other.Number(drawn))
				set(numbers[turn-from:high-from], own.Number(row))
			}
		}
	}
}

// set writes a value into all elements.
func set[T any](dst []T, value T) {
	for i := range dst {
		dst[i] = value
	}
}

// add adds half of the changes of predictions along a path.
func (p *paths) add(at, path int) {
	steps, order := p.steps(), p.orders[path/2]
	drawn := int(p.drawn[path/2])
	for k := range p.outputs {
		before := p.baseline[drawn*p.outputs+k]
		for step := range order {
			player, after := order[step], p.predicted[at*p.outputs+k]
			if path%2 == 1 {
				player = order[len(order)-1-step]
			}
			if step < steps {
				after = p.values[(path*steps+step)*p.outputs+k]
			}
			p.changes[k*len(order)+int(player)] += float64((after - before) / 2)
			before = after
		}
	}
}
