package forest

import (
	"context"

	"github.com/coppice-ml/coppice/grow"
	"github.com/coppice-ml/coppice/internal/importance"
	"github.com/coppice-ml/coppice/internal/parallel"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/tree"
)

// The purposes of a tree's random streams, whose paths are purpose and number of the tree. They are
// part of what a seed means and never change.
const (
	forRows    = 1 // which rows the tree is grown on
	forColumns = 2 // which columns its nodes look at, and where extratrees cuts them
	forHonesty = 3 // which of its rows choose splits
	// how the values of a column are permuted; the path goes on with the number of the column or
	// group
	forPermutation = 4
	// in which order shadows have their rows, without a tree's number; and which columns a tree
	// looks at that sees them
	forPermutedCopies = 5
)

// grow grows the trees, several at a time, and enters them in their order. Where there are fewer
// trees than workers, those left over help with the columns.
func (j *job) grow(ctx context.Context) error {
	first, n := j.learner.numbers()
	workers := parallel.Workers(j.Workers)
	each := max(1, workers/n)
	return parallel.InOrder(ctx, n, workers,
		func(ctx context.Context, i int) (*grown, error) { return j.member(ctx, first+i, each) },
		func(i int, g *grown) error {
			j.accumulators.add(g)
			if j.Observe != nil {
				if err := j.Observe(learn.Round{Stage: "grow", N: i + 1, Of: n}); err != nil {
					return err
				}
			}
			if i+1 < n && j.accumulators.settled() {
				return errSettled
			}
			return nil
		})
}

// grown is a tree with what it tells of itself.
type grown struct {
	tree    *tree.Tree
	report  Report
	scratch *scratch // what the report has its rows in; nil if there are none out of the bag
}

// member grows tree number i, and what else its report asks for.
func (j *job) member(ctx context.Context, i, workers int) (*grown, error) {
	g, err := j.tree(ctx, i, workers)
	if err == nil && j.learner.wants(corrected) {
		g.report.Corrected, err = j.correct(ctx, i, workers)
	}
	return g, err
}

// tree grows tree number i.
func (j *job) tree(ctx context.Context, i, workers int) (*grown, error) {
	count := j.bag(i)
	defer j.returnBag(count)
	structure, leaves := count, []uint32(nil)
	if j.learner.Honest > 0 {
		var err error
		if structure, leaves, err = j.part(count, j.stream(forHonesty, i)); err != nil {
			return nil, err
		}
	}
	series := j.takeSeries(workers)
	defer j.series.keep(series) // what is kept of the tree is a copy
	t, err := series.Grow(ctx, j.population(structure), rng.Seed(j.Seed, forColumns, uint64(i)))
	if err != nil {
		return nil, err // the tree of a cancelled context is not one of the forest
	}
	if leaves != nil {
		t = j.honest(t, leaves)
	}
	if j.learner.Prune == PruneOutOfBag {
		if t, err = j.prune(t, count); err != nil {
			return nil, err
		}
	}
	g := &grown{report: Report{Gain: importance.Gains(t, len(j.frame.Columns))}}
	if j.ranking != nil {
		t = j.sampled(t, structure, leaves)
	}
	g.tree = j.finish(t)
	j.outOf(g, count, i)
	return g, nil
}

// stream returns a random stream of tree number i.
func (j *job) stream(purpose, i int) *rng.Stream { return rng.New(j.Seed, uint64(purpose), uint64(i)) }

// bag draws how often each row is in the bag of tree number i; nil = as often as it stands among
// the rows to train on.
func (j *job) bag(i int) []uint32 {
	if j.learner.Draws.Method == none {
		return j.pop.Count
	}
	count, ok := j.counts.take()
	if !ok {
		count = make([]uint32, len(j.pop.Rows))
	}
	clear(count)
	j.bags.Sample(count, j.stream(forRows, i))
	return count
}

// returnBag tells that what bag returned is not needed any more.
func (j *job) returnBag(count []uint32) {
	if j.learner.Draws.Method != none {
		j.counts.keep(count)
	}
}

// takeSeries returns a series of trees for so many workers, of which j.series keeps those that
// nobody uses.
func (j *job) takeSeries(workers int) series {
	if s, ok := j.series.take(); ok {
		return s
	}
	cfg := j.config
	cfg.Workers = workers
	return j.prepared.series(&cfg)
}

// population returns what a tree is grown on: all rows, of which each counts as often as it is in
// the bag.
func (j *job) population(count []uint32) *grow.Population {
	p := *j.pop
	p.Count, p.Weight, p.Case = count, nil, nil
	if j.weight == nil {
		return &p
	}
	p.Weight = make([]float64, len(p.Rows))
	for i, w := range j.weight {
		p.Weight[i] = w * float64(p.Multiplicity(i))
	}
	return &p
}

// weightAt returns the weight of the row at a position that is once in the bag.
func (j *job) weightAt(i int) float64 {
	if j.weight == nil {
		return 1
	}
	return j.weight[i]
}
