package encode

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/input"
	"github.com/coppice-ml/coppice/internal/parallel"
	"github.com/coppice-ml/coppice/internal/rng"
)

const (
	searchRows    = 1 << 16 // rows times outputs that the search uses
	searchColumns = 24      // single columns whose pairs are candidates
	searchWidth   = 12      // combinations of a size that those of the next size are made of
	searchOutputs = 4       // outputs that the search explains, the first ones
	searchSteps   = 60
	searchRate    = 0.3
	searchBins    = 32
	ownStream     = 1 << 32 // the search's order of rows, no permutation's number
)

// candidate is a tuple in the search: for every output the bin of each row's ordered statistic, by
// quantiles.
type candidate struct {
	tuple
	bin       [][]uint8
	weight    [][searchBins]float64 // of the rows in each bin
	gain      float64               // by the steps that it was chosen for
	excess    float64               // what of that is above what chance would gain
	deviation float64               // the greatest of what chance would gain by a step
}

// search finds the combinations that explain what neither single columns nor other combinations do.
// It is boosting by one column at a time. A step takes the candidate whose ordered statistic, in
// quantile bins, lowers the squared error most, and subtracts a fraction of the bins' mean errors.
// Candidates are all single columns and pairs; then the chosen pairs are joined with every further
// column, and so on. Combinations are ranked by what their steps gained in the last round.
//
// A combination that only repeats a better one gains nothing, so the ranking needs no rule against
// likeness. On Amazon's access data, boosted trees with 12 combinations by this search have an AUC
// of 0.883. With the 12 whose own statistic has the least log loss it is 0.871.
func (s *searching) search(ctx context.Context) ([]tuple, error) {
	p := s.p
	singles := make([]tuple, len(p.columns))
	for i, c := range p.columns {
		singles[i] = tuple{c}
	}
	if err := s.add(ctx, singles); err != nil {
		return nil, err
	}
	last := singles
	if len(singles) > searchColumns {
		if err := s.boost(ctx); err != nil {
			return nil, err
		}
		last = s.best(1, searchColumns)
		s.all = slices.DeleteFunc(s.all, func(c *candidate) bool {
			return !slices.ContainsFunc(last,
				func(t tuple) bool { return slices.Equal(t, c.tuple) })
		})
	}
	columns := slices.Concat(last...)
	for size := 2; size <= p.Combine; size++ {
		var next []tuple
		for _, t := range last {
			for _, c := range columns {
				if wider := t.with(c); wider != nil && p.countable(wider) &&
					wider.within(p.Together) {
					next = append(next, wider)
				}
			}
		}
		slices.SortFunc(next, slices.Compare[tuple])
		next = slices.CompactFunc(next, slices.Equal[tuple])
		if err := s.run(ctx, next); err != nil {
			return nil, err
		}
		last = s.best(size, searchWidth)
	}
	chosen := s.chosen()
	if p.selects() {
		chosen = slices.DeleteFunc(chosen,
			func(c *candidate) bool { return c.excess <= sureDeviations*c.deviation })
	}
	return tuplesOf(chosen, p.Combinations), nil
}

// with returns t with another column, nil if it has it.
func (t tuple) with(column int32) tuple {
	at, ok := slices.BinarySearch(t, column)
	if ok {
		return nil
	}
	return slices.Insert(slices.Clone(t), at, column)
}

// within reports whether all columns of a tuple lie in one of some sets; nil = any do.
func (t tuple) within(sets [][]int32) bool {
	return sets == nil || slices.ContainsFunc(sets, func(set []int32) bool {
		return !slices.ContainsFunc(t, func(c int32) bool { return !slices.Contains(set, c) })
	})
}

// searching is the state of a search, on a sample of the rows in their random order.
type searching struct {
	p    *problem
	from *inMemory // the categories of the rows, in the order
	rows []int32   // of these: 0, 1, ...
	// targets are in units of their deviation from a mean of 0
	line   *line
	groups *groups     // nil: none
	rest   [][]float64 // by output: weighted errors that the steps have left
	all    []*candidate
}

// newSearch takes a sample of the rows, fewer for several outputs, so that a search takes as long.
// They stand in random order, or by time with ties at random: the statistics of a row come from the
// rows before it, so the order of the table must not decide.
func (p *problem) newSearch(ctx context.Context) (*searching, error) {
	outputs := min(len(p.target), searchOutputs)
	order := rng.New(p.seed, ownStream).Perm(len(p.rows))
	order = slices.Clone(order[:min(len(order), searchRows/max(1, outputs))])
	byTime(order, p.time)
	own := measured{weight: make([]float64, len(order))}
	for i, at := range order {
		own.weight[i] = p.weightAt(int(at))
	}
	for k := range outputs {
		y := make([]float64, len(order))
		for i, at := range order {
			y[i] = p.target[k].at(int(at))
		}
		own.target = append(own.target, target{number: standard(y, own.weight)})
	}
	places := data.AllRows(len(order))
	s := &searching{p: p, rows: places, line: newLine(places, places, &own),
		groups: p.groups.pick(order, &own)}
	s.reset()
	var err error
	s.from, err = gather(ctx, p.from, p.columns, pick(p.rows, order))
	return s, err
}

// gather returns some columns of rows in any order.
func gather(
	ctx context.Context, from Source, columns, rows []int32,
) (*inMemory, error) {
	own := &inMemory{from.Fields(), len(rows), make([][]uint32, len(from.Fields()))}
	for _, c := range columns {
		own.codes[c] = make([]uint32, len(rows))
	}
	if len(columns) == 0 {
		return own, nil
	}
	return own, from.Codes(ctx, columns, func(first int, codes [][]uint32) {
		for i, row := range rows {
			if at := int(row) - first; at >= 0 && at < len(codes[0]) {
				for k, c := range columns {
					own.codes[c][i] = codes[k][at]
				}
			}
		}
	})
}

// reset undoes the steps.
func (s *searching) reset() {
	s.rest = make([][]float64, len(s.line.moment))
	for k, moment := range s.line.moment {
		s.rest[k] = slices.Clone(moment)
	}
}

// run adds candidates, and boosts by all.
func (s *searching) run(ctx context.Context, more []tuple) error {
	if err := s.add(ctx, more); err != nil {
		return err
	}
	return s.boost(ctx)
}

// add adds candidates. Combinations that gained nothing before are dropped.
func (s *searching) add(ctx context.Context, more []tuple) error {
	s.all = slices.DeleteFunc(s.all, func(c *candidate) bool {
		return len(c.tuple) > 1 && c.gain == 0
	})
	added := make([]*candidate, len(more))
	pads := make([]scratchpad, s.p.workers)
	err := parallel.Try(ctx, s.p.workers, len(more), func(worker, i int) (err error) {
		added[i], err = s.candidate(ctx, more[i], &pads[worker])
		return err
	})
	if err != nil {
		return err
	}
	s.all = append(s.all, added...)
	return nil
}

// candidate bins the ordered statistics of a tuple.
func (s *searching) candidate(ctx context.Context, t tuple, r *scratchpad) (*candidate, error) {
	outputs := len(s.line.moment)
	c := newCandidate(t, outputs)
	id, keys, err := groupAnyhow(ctx, s.from, t, s.rows, r)
	if err != nil {
		return nil, err
	}
	r.values = fit(r.values, len(s.rows))
	values := r.values
	pairs := s.groups.pairs(id, len(keys))
	for k := range outputs {
		column := s.column(k)
		if pairs != nil {
			pairs.ordered(values, column, s.line)
		} else {
			s.line.ordered(values, column, id, len(keys), r)
		}
		c.setBins(k, quantileBins(values), s.line.weight)
	}
	return c, nil
}

func newCandidate(t tuple, outputs int) *candidate {
	return &candidate{tuple: t, bin: make([][]uint8, outputs),
		weight: make([][searchBins]float64, outputs)}
}

// setBins gives each row its bin of an output.
func (c *candidate) setBins(output int, bin []uint8, weight []float64) {
	c.bin[output] = bin
	for i, b := range bin {
		c.weight[output][b] += weight[i]
	}
}

// column returns the statistic of an output.
func (s *searching) column(output int) *input.Column {
	return &input.Column{Output: int32(output), Weight: s.p.PriorWeight} // the targets have mean 0
}

// boost takes the steps, and sets the gains.
func (s *searching) boost(ctx context.Context) error {
	for _, c := range s.all {
		c.gain, c.excess, c.deviation = 0, 0, 0
	}
	s.reset()
	gains := make([]float64, len(s.all))
	for range searchSteps {
		if err := s.evaluate(ctx, gains); err != nil {
			return err
		}
		best := -1
		for i, gain := range gains {
			if gain > 0 && (best < 0 || gain > gains[best]) {
				best = i
			}
		}
		if best < 0 {
			return nil
		}
		s.all[best].choose(gains[best], s.rest, s.line.weight)
	}
	return nil
}

// choose takes a step by a candidate that gains so much.
func (c *candidate) choose(gain float64, rest [][]float64, weight []float64) {
	expected, deviation := c.byChance(rest)
	c.gain += gain
	c.excess += gain - expected
	c.deviation = max(c.deviation, deviation)
	c.step(rest, weight)
}

// evaluate writes by how much the squared error would fall with each candidate, on all workers.
func (s *searching) evaluate(ctx context.Context, gains []float64) error {
	return parallel.EachUntil(ctx, s.p.workers, (len(s.all)+together-1)/together, func(_, i int) {
		at := i * together
		explain(s.all[at:min(at+together, len(s.all))], s.rest, gains[at:])
	})
}

// together is how many candidates are evaluated in one loop. An addition to one's sums waits for
// the one before it, those to others' do not.
const together = 4

// explain writes by how much the bins' means would lower the squared error, for each of up to so
// many candidates.
func explain(some []*candidate, rest [][]float64, gains []float64) {
	last := len(some) - 1
	clear(gains[:len(some)])
	for k, values := range rest {
		n := len(values)
		a, b, c, d := some[0].bin[k][:n], some[min(1, last)].bin[k][:n],
			some[min(2, last)].bin[k][:n], some[last].bin[k][:n]
		var sum [together][searchBins]float64
		for i, v := range values {
			sum[0][a[i]%searchBins] += v
			sum[1][b[i]%searchBins] += v
			sum[2][c[i]%searchBins] += v
			sum[3][d[i]%searchBins] += v
		}
		for j, of := range some {
			at := j
			if j == last {
				at = together - 1
			}
			for bin, w := range of.weight[k] {
				if w > 0 {
					gains[j] += float64(sum[at][bin]*sum[at][bin]) / w
				}
			}
		}
	}
}

// sums adds up the weighted errors of an output by bin.
func (c *candidate) sums(k int, rest [][]float64) [searchBins]float64 {
	var sum [searchBins]float64
	for i, b := range c.bin[k] {
		sum[b%searchBins] += rest[k][i]
	}
	return sum
}

// step subtracts a fraction of what the candidate explains.
func (c *candidate) step(rest [][]float64, weight []float64) {
	for k := range rest {
		mean := c.sums(k, rest)
		for b, w := range c.weight[k] {
			if w > 0 {
				mean[b] = float64(searchRate*mean[b]) / w
			}
		}
		for i, b := range c.bin[k] {
			rest[k][i] -= float64(weight[i] * mean[b%searchBins])
		}
	}
}

// best returns the candidates of a size that gained most, up to n, single columns whether or not
// they gained.
func (s *searching) best(size, n int) []tuple {
	var found []*candidate
	for _, c := range s.all {
		if len(c.tuple) == size && (size == 1 || c.gain > 0) {
			found = append(found, c)
		}
	}
	return tuplesOf(found, n)
}

// chosen returns the combinations that gained, the best first.
func (s *searching) chosen() []*candidate {
	var found []*candidate
	for _, c := range s.all {
		if len(c.tuple) > 1 && c.gain > 0 {
			found = append(found, c)
		}
	}
	sortByGain(found)
	return found
}

// tuplesOf returns the tuples of the candidates of largest gain, of equal ones the first.
func tuplesOf(found []*candidate, n int) []tuple {
	sortByGain(found)
	var tuples []tuple
	for _, c := range found[:min(n, len(found))] {
		tuples = append(tuples, c.tuple)
	}
	return tuples
}

// sortByGain puts candidates in the order of their gains, the largest first, equal ones as they
// were.
func sortByGain(found []*candidate) {
	slices.SortStableFunc(found, func(a, b *candidate) int { return cmp.Compare(b.gain, a.gain) })
}

// standard subtracts the weighted mean of y and divides by the deviation from it, so that all
// outputs have equal weight.
func standard(y, weight []float64) []float64 {
	mean, total, square := 0.0, 0.0, 0.0
	for i, w := range weight {
		mean += float64(w * y[i])
		total += w
	}
	mean /= max(total, math.SmallestNonzeroFloat64)
	for i, w := range weight {
		y[i] -= mean
		square += float64(w * float64(y[i]*y[i]))
	}
	deviation := math.Sqrt(square / max(total, math.SmallestNonzeroFloat64))
	for i := range y {
		if deviation > 0 {
			y[i] /= deviation
		}
	}
	return y
}
