package forest

import (
	"context"
	"runtime"

	"github.com/coppice-ml/coppice/grow"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/tree"
)

// The purposes of a tree's random streams, whose paths are purpose and number of the tree. They are part of what a seed
// means and never change.
const (
	forRows    = 1 // which rows the tree is grown on
	forColumns = 2 // which columns its nodes look at, and where extratrees cuts them
)

// grow grows the trees, several at a time. Where there are fewer trees than workers, those left over help with the columns.
func (j *job) grow(ctx context.Context) ([]*tree.Tree, error) {
	n, workers := j.learner.Trees, j.Workers
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	each := max(1, workers/n)
	var trees []*tree.Tree
	err := learn.InOrder(ctx, n, workers,
		func(ctx context.Context, i int) (*tree.Tree, error) { return j.tree(ctx, i, each) },
		func(i int, t *tree.Tree) error {
			trees = append(trees, t)
			if j.Observe == nil {
				return nil
			}
			return j.Observe(learn.Round{Stage: "grow", N: i + 1, Of: n})
		})
	return trees, err
}

// tree grows tree number i.
func (j *job) tree(ctx context.Context, i, workers int) (*tree.Tree, error) {
	pop := j.draw(rng.New(j.Seed, forRows, uint64(i)))
	cfg := j.config
	cfg.Workers, cfg.Seed = workers, rng.Seed(j.Seed, forColumns, uint64(i))
	t, err := j.prepared.Grow(ctx, pop, cfg)
	if err != nil {
		return nil, err // the tree of a cancelled context is not one of the forest
	}
	return j.finish(t)
}

// draw returns the population of one tree.
func (j *job) draw(draws *rng.Stream) *grow.Population {
	if j.learner.Sample == none {
		return j.pop
	}
	n := len(j.pop.Rows)
	count := make([]uint32, n)
	for range n {
		count[draws.Intn(n)]++
	}
	p := &grow.Population{Classes: j.pop.Classes}
	for i, c := range count {
		if c == 0 {
			continue
		}
		w := float64(c)
		if j.pop.Weight != nil {
			w *= j.pop.Weight[i]
		}
		p.Rows, p.Count, p.Weight = append(p.Rows, j.pop.Rows[i]), append(p.Count, c), append(p.Weight, w)
		if j.pop.Class != nil {
			p.Class = append(p.Class, j.pop.Class[i])
		} else {
			p.Y = append(p.Y, j.pop.Y[i])
		}
	}
	return p
}
