package tune

import (
	"cmp"
	"slices"

	"github.com/coppice-ml/coppice/internal/kernel"
)

// rungs are the numbers of folds after which trials are compared, ascending. All trials begin with
// the first one. Of those that reached a rung the best go on to the next: asynchronous successive
// halving (Li et al. 2020, "A System for Massively Parallel Hyperparameter Tuning", algorithm 2),
// with folds for the resource.
//
//	eta 3, 10 folds    1 3 10
//	eta 3, 5 folds     1 5         3 would be more than half of 5
type rungs struct {
	folds []int
	eta   int
}

// newRungs returns the rungs of a sampler; eta 0 is one rung of all folds.
func newRungs(eta, folds int) rungs {
	r := rungs{eta: eta}
	for n := 1; eta > 0 && 2*n <= folds; n *= eta {
		r.folds = append(r.folds, n)
	}
	r.folds = append(r.folds, folds)
	return r
}

// promoted returns the first trial that goes on, with the number of folds that it goes on to; nil
// if there is none.
func (r *rungs) promoted(done []Trial, worse float64) (*Trial, int) {
	for k := len(r.folds) - 2; k >= 0; k-- {
		var reached []*Trial
		for i := range done {
			if done[i].Error == "" && len(done[i].Tests) >= r.folds[k] {
				reached = append(reached, &done[i])
			}
		}
		slices.SortStableFunc(reached, func(a, b *Trial) int {
			return cmp.Compare(worse*mean(a.Tests[:r.folds[k]]), worse*mean(b.Tests[:r.folds[k]]))
		})
		for _, t := range reached[:len(reached)/r.eta] {
			if next := r.folds[k+1]; len(t.Tests) < next {
				return t, next
			}
		}
	}
	return nil, 0
}

func mean(values []float64) float64 {
	return kernel.Sum(values) / float64(len(values))
}
