package adaboost

import (
	"context"
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/model"
)

// watched notes after each round what the members' errors are on the new weights.
type watched struct {
	booster
	j     *job
	after []float64
	sums  []float64
}

func (w *watched) round(ctx context.Context, n int) (round, error) {
	r, err := w.booster.round(ctx, n)
	sum, wrong := 0.0, 0.0
	for i, v := range w.j.weight {
		sum += v
		if d, ok := w.booster.(*discrete); ok && d.wrong[i] {
			wrong += v
		}
	}
	if len(r.members) > 0 {
		w.after, w.sums = append(w.after, wrong), append(w.sums, sum)
	}
	return r, err
}

// tables generates tables of 2 or 3 classes with noise, weights, and now and then missing values.
func tables(t *rapid.T) *data.Dataset {
	n, k := rapid.IntRange(4, 40).Draw(t, "rows"), rapid.IntRange(2, 3).Draw(t, "classes")
	x := make([][]float64, n)
	target := data.Target{Name: "y", Task: data.Binary, Classes: []string{"a", "b", "c"}[:k],
		Class: make([]uint32, n)}
	if k > 2 {
		target.Task = data.Multiclass
	}
	for i := range x {
		x[i] = []float64{float64(rapid.IntRange(0, 9).Draw(t, "x")),
			float64(rapid.IntRange(0, 9).Draw(t, "z"))}
		if rapid.IntRange(0, 19).Draw(t, "missing") == 0 {
			x[i][0] = math.NaN()
		}
		target.Class[i] = uint32(rapid.IntRange(0, k-1).Draw(t, "y"))
		if rapid.Bool().Draw(t, "plain") {
			target.Class[i] = uint32(int(x[i][1]) * k / 10)
		}
	}
	if rapid.Bool().Draw(t, "weighted") {
		for range x {
			target.Weight = append(target.Weight, rapid.Float64Range(0.1, 9).Draw(t, "weight"))
		}
	}
	frame, err := data.FromRows(x, nil)
	if err != nil {
		t.Fatal(err)
	}
	return &data.Dataset{Frame: frame, Target: target}
}

// TestTheory: the training error is never above the bound, nor this above exp(-2 sum gamma^2);
// weights add up to one; after each round the member that was trained last has the weighted error
// 1/2, of SAMME 1 - 1/K. The training errors of the summary are those of the model's predictions,
// round by round.
func TestTheory(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ds := tables(t)
		l := stumps(rapid.SampledFrom([]string{"discrete", "samme", "real", "gentle"}).Draw(t,
			"variant"), rapid.IntRange(1, 12).Draw(t, "rounds"))
		l.LearningRate = rapid.SampledFrom([]float64{1, 1, 0.3}).Draw(t, "rate")
		prepared, err := l.Prepare(t.Context(), ds.Frame, nil, nil, learn.Env{Workers: 1})
		if err != nil {
			t.Fatal(err)
		}
		j, v, err := prepared.(*fitter).begin(&ds.Target, learn.Job{Workers: 1})
		if err != nil {
			t.Fatal(err)
		}
		if _, one := j.oneClass(); one {
			return
		}
		var seen *watched
		v.begin = func(begin func(*job) booster) func(*job) booster {
			return func(j *job) booster { seen = &watched{booster: begin(j), j: j}; return seen }
		}(v.begin)
		m, err := j.boost(t.Context(), v)
		if err != nil {
			t.Fatal(err)
		}
		s := &j.found
		for i, sum := range seen.sums {
			if math.Abs(sum-1) > 1e-12 {
				t.Fatalf("weights after round %d add up to %v", i+1, sum)
			}
		}
		if l.Variant == VariantDiscrete || l.Variant == VariantSAMME {
			limit := seen.booster.(*discrete).limit
			for i, e := range seen.after {
				whole := l.LearningRate == 1 && s.Error[i] > 0 && s.Error[i] < limit
				if whole && math.Abs(e-limit) > 1e-9 {
					t.Fatalf("member %d has error %v under the new weights, want %v", i, e, limit)
				}
			}
		}
		if wants := l.Variant == VariantDiscrete || len(ds.Target.Classes) == 2; wants &&
			len(s.Bound) == 0 && s.Stopped != stopChance {
			t.Fatalf("no bound: %+v", s)
		}
		for i, b := range s.Bound {
			if s.Training[i] > b+1e-12 {
				t.Fatalf("training error %v above the bound %v after %d rounds", s.Training[i], b,
					i+1)
			}
			if s.EdgeBound != nil && b > s.EdgeBound[i]+1e-12 {
				t.Fatalf("bound %v above that by edges %v", b, s.EdgeBound[i])
			}
		}
		reported(t, m, ds, j)
	})
}

// reported checks the training errors and margins of the summary against the model's predictions.
func reported(t *rapid.T, m model.Model, ds *data.Dataset, j *job) {
	s := &j.found
	for n := 1; n <= s.Rounds; n++ {
		p, err := m.Bind(&ds.Schema, model.Options{Output: model.Label, Rounds: n, Workers: 1})
		if err != nil {
			t.Fatal(err)
		}
		labels := make([]float64, ds.Rows())
		if err := p.Predict(labels, ds.Frame, nil); err != nil {
			t.Fatal(err)
		}
		e := 0.0
		for i, r := range j.pop.Rows {
			if uint32(labels[r]) != ds.Target.Class[r] {
				e += j.first[i]
			}
		}
		if math.Abs(e-s.Training[n-1]) > 1e-9 {
			t.Fatalf("training error %v after %d rounds, by the model %v", s.Training[n-1], n, e)
		}
	}
	last := s.Margins[len(s.Margins)-1]
	p, err := m.Bind(&ds.Schema, model.Options{Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	k := p.Width()
	probabilities := make([]float64, ds.Rows()*k)
	if err := p.Predict(probabilities, ds.Frame, nil); err != nil {
		t.Fatal(err)
	}
	mean, least := 0.0, 1.0
	for i, r := range j.pop.Rows {
		own := margin(probabilities[int(r)*k:(int(r)+1)*k], ds.Target.Class[r])
		mean, least = mean+j.first[i]*own, min(least, own)
	}
	if math.Abs(mean-last.Mean) > 1e-9 || math.Abs(least-last.Least) > 1e-9 ||
		last.Rounds != s.Rounds {
		t.Fatalf("margins from %v, mean %v, by the model %v and %v", last.Least, last.Mean, least,
			mean)
	}
}
