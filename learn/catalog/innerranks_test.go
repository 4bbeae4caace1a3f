package catalog_test

import (
	"context"
	"sync/atomic"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/adaboost"
	"github.com/coppice-ml/coppice/learn/anyboost"
	"github.com/coppice-ml/coppice/learn/bag"
	"github.com/coppice-ml/coppice/learn/calibrate"
	"github.com/coppice-ml/coppice/learn/cart"
	"github.com/coppice-ml/coppice/learn/learntest"
	"github.com/coppice-ml/coppice/learn/portfolio"
	"github.com/coppice-ml/coppice/learn/stack"
	"github.com/coppice-ml/coppice/learn/vote"
	"github.com/coppice-ml/coppice/ranks"
)

// ranked is a learner that counts its preparations, and those with a group of ranks.
type ranked struct {
	learn.Learner
	all, grouped *atomic.Int32
}

func (r ranked) Prepare(ctx context.Context, f data.Features, rows []int32, weight []float64,
	env learn.Env) (learn.Fitter, error) {
	r.all.Add(1)
	if env.Ranks != nil {
		r.grouped.Add(1)
	}
	return r.Learner.Prepare(ctx, f, rows, weight, env)
}

// TestInnerLearnersHaveNoRanks: learners inside of others, of which several train at the same time,
// exchange nothing with other ranks.
func TestInnerLearnersHaveNoRanks(t *testing.T) {
	for _, c := range []struct {
		name     string
		new      func(learn.Resolve) learn.Learner
		settings []string
	}{
		{"bag", func(r learn.Resolve) learn.Learner { return bag.New(r) }, []string{"base=cart", "members=3"}},
		{"bag with some columns", func(r learn.Resolve) learn.Learner { return bag.New(r) },
			[]string{"base=cart", "members=3", "columns=0.5"}},
		{"adaboost", func(r learn.Resolve) learn.Learner { return adaboost.New(r) }, []string{"base=cart"}},
		{"anyboost", func(r learn.Resolve) learn.Learner { return anyboost.New(r) }, []string{"base=cart"}},
		{"calibrate", func(r learn.Resolve) learn.Learner { return calibrate.New(r) }, []string{"base=cart"}},
		{"stack", func(r learn.Resolve) learn.Learner { return stack.New(r) },
			[]string{"members=cart", "meta_learner=cart"}},
		{"vote by ranks", func(r learn.Resolve) learn.Learner { return vote.New(r) },
			[]string{"members=cart", "vote=ranks"}},
		{"vote on subsets", func(r learn.Resolve) learn.Learner { return vote.New(r) }, []string{"members=cart"}},
		{"portfolio", func(r learn.Resolve) learn.Learner { return portfolio.New(r) },
			[]string{"members=cart", "budget=2"}},
	} {
		var all, grouped atomic.Int32
		l := c.new(func(string) (string, learn.Learner, error) {
			return "cart", ranked{cart.New(), &all, &grouped}, nil
		})
		if err := l.Params().Set(c.settings); err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		_, err := learntest.Fit(t.Context(), learn.Env{Ranks: ranks.Of(nil)}, l,
			rolesTable(false, false), learn.Job{})
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		if all.Load() == 0 || grouped.Load() > 0 {
			t.Errorf("%s: %d of %d preparations have ranks", c.name, grouped.Load(), all.Load())
		}
	}
}
