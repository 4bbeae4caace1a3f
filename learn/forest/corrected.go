package forest

import (
	"context"

	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/tree"
)

// correction computes corrected impurity importances (Nembrini, Koenig & Wright 2018). For each
// tree of the forest it grows another one on the same bag, whose nodes sample from the columns and
// their permuted copies alike. The gain of a column less that of its copy, which has as many
// values, is unbiased. R's ranger predicts with such trees; here the trees that predict use no
// copies.
type correction struct {
	*setup
	copies table // the columns and, behind them, their permuted copies
}

func newCorrection(s *setup) *correction {
	return &correction{s, s.prepared.withPermutedCopies(rng.Seed(s.job.Seed, forPermutedCopies))}
}

// report implements reporter.
func (c *correction) report(ctx context.Context, g *grown, b *bag, i, workers int) error {
	cfg := c.config
	cfg.Workers = workers
	seed := rng.Seed(c.job.Seed, forPermutedCopies, uint64(i))
	t, err := c.copies.series(&cfg).Grow(ctx, c.population(b.count), seed)
	if err != nil {
		return err
	}
	p := len(c.frame.Columns)
	gain := tree.Gains(t, 2*p)
	for k := range p {
		gain[k] -= gain[p+k]
	}
	g.report.Corrected = gain[:p]
	return nil
}
