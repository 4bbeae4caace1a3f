package adaboost_test

import (
	"context"
	"errors"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/adaboost"
	"github.com/coppice-ml/coppice/learn/cart"
	"github.com/coppice-ml/coppice/learn/learntest"
	"github.com/coppice-ml/coppice/model"
)

// failing is cart, which fails from one of its trainings on; 0 = never.
type failing struct {
	*cart.Learner
	at int32
}

var errWorn = errors.New("the base learner is worn out")

func (l failing) Prepare(ctx context.Context, f data.Features, rows []int32, weight []float64,
	env learn.Env) (learn.Fitter, error) {
	inner, err := l.Learner.Prepare(ctx, f, rows, weight, env)
	return &failingFitter{Fitter: inner, at: l.at}, err
}

type failingFitter struct {
	learn.Fitter
	at   int32
	fits atomic.Int32
}

func (f *failingFitter) Fit(ctx context.Context, t *data.Target,
	job learn.Job) (model.Model, error) {
	if n := f.fits.Add(1); f.at > 0 && n >= f.at {
		return nil, errWorn
	}
	return f.Fitter.Fit(ctx, t, job)
}

// parity is a table of two columns where no single split gains much, so that rounds continue.
func parity(t *testing.T, rows int) *data.Dataset {
	t.Helper()
	x, class := make([][]float64, rows), make([]uint32, rows)
	for i := range x {
		a, b := i*7%31, i*11%29
		x[i] = []float64{float64(a), float64(b)}
		if (a < 13) != (b < 17) || i%9 == 0 {
			class[i] = 1
		}
	}
	f, err := data.FromRows(x, nil)
	if err != nil {
		t.Fatal(err)
	}
	target := data.Target{Name: "y", Task: data.Binary, Classes: []string{"a", "b"}, Class: class}
	return &data.Dataset{Frame: f, Target: target}
}

// TestSummaryHasOneEntryPerRound: a round that begins and adds nothing to the model leaves nothing
// in the summary, whether its base learner fails or not; the weights of rows are kept for all
// rounds of the model, or for none.
func TestSummaryHasOneEntryPerRound(t *testing.T) {
	for _, c := range []struct {
		name                 string
		rows, rounds, failAt int
		want, weights        int
	}{
		{"all rounds", 60, 6, 0, 6, 6},
		{"the fourth fails", 60, 6, 4, 3, 3},
		{"as many weights as are kept", 1024, 4, 0, 4, 4},
		{"the round behind those that are kept fails", 1024, 6, 5, 4, 4},
		{"more weights than are kept", 1024, 5, 0, 5, 0},
		{"fewer kept than the rounds of the model", 1024, 9, 7, 6, 0},
	} {
		base := cart.New()
		base.Depth, base.Prune = 1, "none"
		l := adaboost.New(nil)
		l.Variant, l.Rounds = adaboost.VariantDiscrete, c.rounds
		l.Base = learn.Choice{Name: "stump", Learner: failing{base, int32(c.failAt)}}
		m, err := learntest.Fit(t.Context(), learn.Env{}, l, parity(t, c.rows), learn.Job{})
		if (c.failAt > 0) != errors.Is(err, errWorn) || m == nil {
			t.Errorf("%s: model %v, error %v", c.name, m, err)
			continue
		}
		s := learntest.Summary[adaboost.Summary](t, m)
		got := []int{s.Rounds, len(s.Error), len(s.Weight), len(s.Effective), len(s.RowWeights)}
		if want := []int{c.want, c.want, c.want, c.want, c.weights}; !slices.Equal(got, want) {
			t.Errorf("%s: rounds, errors, votes, effective rows and weights of rows are %v, want "+
				"%v",
				c.name, got, want)
		}
	}
}
