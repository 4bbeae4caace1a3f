package forest

import (
	"context"
	"fmt"
	"math"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/internal/ensembles"
	"github.com/coppice-ml/coppice/learn/internal/exact/presorted"
	"github.com/coppice-ml/coppice/learn/internal/grow"
	"github.com/coppice-ml/coppice/learn/internal/trees"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/tree"
)

// Candidates implements learn.SplitLister. The rows of the tree are sampled again, by the seed of
// the training. Where the tree shows that these are others, because the table or the seed is, all
// rows are used and a note names it. Columns are not sampled, and all split points are listed.
func (l *Learner) Candidates(ctx context.Context, m *model.Ensemble, ds *data.Dataset,
	at learn.TreeNode) (*tree.Candidates, error) {
	if err := l.Params().Validate(); err != nil {
		return nil, err
	}
	table, err := l.prepare(ctx, ds.Frame, data.Distinct(at.Rows), 1)
	if err != nil {
		return nil, err
	}
	job := learn.Job{Rows: at.Rows, Seed: at.Seed, Workers: 1}
	s, err := newSetup(l, &prepared{ds.Frame, table}, &ds.Target, job)
	if err != nil {
		return nil, err
	}
	rows, err := s.bagOf(at.Tree)
	if err != nil {
		return nil, err
	}
	t := m.Trees[at.Tree]
	var notes []string
	if !s.grewOn(t, rows) {
		notes = append(notes, fmt.Sprintf("All rows are used: those that tree %d was grown on "+
			"are not the ones that seed %d samples of this table.", at.Tree, at.Seed))
		rows = ensembles.Repeat(s.pop.Rows, s.times(nil))
	}
	pop, err := s.reaching(t, at.Node, rows)
	if err != nil {
		return nil, err
	}
	cfg := presorted.Config{Options: s.config.Options}
	if s.config.majority {
		cfg.Missing = presorted.Majority
	}
	p, err := presorted.Prepare(ctx, ds.Frame, pop.Rows, 1)
	if err != nil {
		return nil, err
	}
	c, err := p.Candidates(ctx, pop, cfg)
	if err != nil {
		return nil, err
	}
	c.ByRatio = s.config.Criterion.Name == "gain_ratio"
	c.Notes = append(c.Notes, notes...)
	if s.config.Mtry > 0 && s.config.Mtry < len(ds.Columns) {
		c.Notes = append(c.Notes, trees.SampledColumns)
	}
	if l.RandomSplits > 0 {
		c.Notes = append(c.Notes, trees.RandomSplitPoints)
	}
	judge := trees.Judge{Frame: ds.Frame, Rows: pop, Criterion: s.config.Criterion,
		KnownOnly: s.config.majority}
	judge.Describe(c, t, at.Node)
	return c, nil
}

// bagOf returns the rows that choose the splits of a tree of the model, each as often as it counts.
func (s *setup) bagOf(tree int) ([]int32, error) {
	sampler, err := newSampler(s)
	if err != nil {
		return nil, err
	}
	first, _ := s.learner.numbers()
	b, err := sampler.sample(first + tree)
	if err != nil {
		return nil, err
	}
	return ensembles.Repeat(s.pop.Rows, s.times(b.structure)), nil
}

// times returns how often the rows of the population count by position; nil stands for the
// population's own.
func (s *setup) times(count []uint32) []uint32 {
	if count != nil {
		return count
	}
	count = make([]uint32, len(s.pop.Rows))
	for i := range count {
		count[i] = uint32(s.pop.Multiplicity(i))
	}
	return count
}

// reaching returns those of some rows that reach a node.
func (s *setup) reaching(t *tree.Tree, node int32, rows []int32) (*grow.Population, error) {
	own := *s.target
	own.Weight = nil
	if s.weight != nil {
		own.Weight = make([]float64, s.frame.Rows())
		for i, row := range s.pop.Rows {
			own.Weight[row] = s.weight[i]
		}
	}
	return trees.Reaching(t, &data.Dataset{Frame: s.frame, Target: own}, node, rows)
}

// grewOn reports whether a tree may have been grown on these rows. It stores their weight at each
// leaf, but an honest tree that of other rows.
func (s *setup) grewOn(t *tree.Tree, rows []int32) bool {
	covers := t.Covers()
	if covers == nil || s.learner.Honest > 0 {
		return true
	}
	weight, walk := make([]float64, t.Len()), t.Over(s.frame.Columns)
	for _, row := range rows {
		w := s.rowWeight(row)
		walk.Visit(row, func(n int32, fraction float64, _ bool) {
			weight[n] += float64(w * fraction)
		})
	}
	for n, w := range weight {
		if math.Abs(w-covers[n]) > 1e-9*max(w, covers[n]) {
			return false
		}
	}
	return true
}
