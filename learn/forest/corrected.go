package forest

import (
	"context"

	"github.com/coppice-ml/coppice/internal/importance"
	"github.com/coppice-ml/coppice/internal/rng"
)

// correct grows a tree for the importances alone: on the bag of tree number i, where nodes draw
// from the columns and their shadows alike. It returns the decrease of impurity by each column less
// that by its shadow, which has as many values and as much luck (Nembrini, Koenig & Wright 2018).
// R's ranger predicts with such trees; here those that predict see no shadows.
func (j *job) correct(ctx context.Context, i, workers int) ([]float64, error) {
	cfg := j.config
	cfg.Workers = workers
	count := j.bag(i)
	defer j.returnBag(count)
	t, err := j.permutedCopies.series(&cfg).Grow(ctx, j.population(count), rng.Seed(j.Seed, forPermutedCopies, uint64(i)))
	if err != nil {
		return nil, err
	}
	p := len(j.frame.Columns)
	gain := importance.Gains(t, 2*p)
	for c := range p {
		gain[c] -= gain[p+c]
	}
	return gain[:p], nil
}
