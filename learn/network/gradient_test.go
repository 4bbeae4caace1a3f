package network

import (
	"context"
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/coppice-ml/coppice/internal/models/dense"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/internal/testing/reference"
)

// TestGradients compares the slopes of the loss with differences of it.
func TestGradients(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := dense.Activation(rapid.IntRange(0, 2).Draw(t, "activation"))
		width, hidden, outputs := rapid.IntRange(0, 4).Draw(t, "width"),
			rapid.IntRange(1, 4).Draw(t, "hidden"), rapid.IntRange(1, 3).Draw(t, "outputs")
		number := rapid.Float64Range(-2, 2)
		e := &examples{width: width, x: rapid.SliceOfN(number, width, width).Draw(t, "x")}
		if rapid.Bool().Draw(t, "classes") {
			e.class = []int{rapid.IntRange(0, outputs-1).Draw(t, "class")}
		} else {
			outputs = 1
			e.y = []float64{number.Draw(t, "y")}
		}
		w := newWeights(width, hidden, outputs, a)
		for i := range w.all {
			w.all[i] = number.Draw(t, "weight")
		}
		p := newPass(w, width, hidden, outputs, 0)
		loss := p.add(e, 0, 1, nil)
		if got := e.evaluate(&w.layers); math.Abs(got-loss) > 1e-12*max(1, loss) {
			t.Fatalf("the loss is %g on the way and %g measured", loss, got)
		}
		if a == dense.ReLU { // which has no slope where it bends
			sums := make([]float64, hidden)
			for j := range sums {
				for k, x := range e.x {
					sums[j] += w.layers.In[j*width+k] * x
				}
				if sums[j] += w.layers.InBias[j]; math.Abs(sums[j]) < 1e-3 {
					t.Skip()
				}
			}
		}
		for i := range w.all {
			const by = 1e-5
			old := w.all[i]
			w.all[i] = old + by
			up := e.evaluate(&w.layers)
			w.all[i] = old - by
			down := e.evaluate(&w.layers)
			w.all[i] = old
			if want := (up - down) / (2 * by); math.Abs(p.grad.all[i]-want) > 1e-6*max(1,
				math.Abs(want)) {
				t.Fatalf("weight %d: slope %g, the difference is %g", i, p.grad.all[i], want)
			}
		}
	})
}

// TestDropout: units stay as often as they should, those that stay count more, and the ones that
// are gone have no gradient.
func TestDropout(t *testing.T) {
	e := &examples{width: 1, x: []float64{1}, y: []float64{0}}
	w := newWeights(1, 2, 1, dense.Tanh)
	for i := range w.all {
		w.all[i] = 1
	}
	p := newPass(w, 1, 2, 1, 0.25)
	stream, stayed := rng.New(1), 0
	for range 4000 {
		clear(p.grad.all)
		p.add(e, 0, 1, stream)
		for j, m := range p.mask {
			switch {
			case m == 0 && (p.grad.layers.In[j] != 0 || p.grad.layers.Out[j] != 0):
				t.Fatal("a unit that is gone has a gradient")
			case m != 0 && (m != 1/0.75 || p.grad.layers.In[j] == 0 || p.grad.layers.Out[j] == 0):
				t.Fatalf("a unit that stays counts %g and has no gradient", m)
			case m != 0:
				stayed++
			}
		}
	}
	if fraction := float64(stayed) / 8000; math.Abs(fraction-0.75) > 4*math.Sqrt(0.75*0.25/8000) {
		t.Errorf("%g of the units stay, want 0.75", fraction)
	}
}

// TestScikitLearn compares the weights after some steps over all rows with those of scikit-learn,
// from the same start.
func TestScikitLearn(t *testing.T) {
	type layers struct {
		In      []float64
		InBias  []float64 `json:"in_bias"`
		Out     []float64
		OutBias []float64 `json:"out_bias"`
	}
	f := reference.Read[struct {
		Steps, Hidden, Width int
		X, Y                 []float64
		Class                []int
		Start                layers
		Cases                []struct {
			Task               string
			Activation         dense.Activation
			Optimizer          Optimizer
			Rate, Momentum, L2 float64
			layers
		}
	}](t, "testdata/sklearn.json")
	for _, c := range f.Cases {
		l := &Learner{Optimizer: c.Optimizer, LearningRate: c.Rate, Momentum: c.Momentum, L2: c.L2,
			Epochs: f.Steps}
		rows, outputs := &examples{x: f.X, width: f.Width, y: f.Y}, 1
		if c.Task == "classes" {
			rows.y, rows.class, outputs = nil, f.Class, 3
		}
		w := newWeights(f.Width, f.Hidden, outputs, c.Activation)
		copy(w.layers.In, f.Start.In)
		copy(w.layers.InBias, f.Start.InBias)
		copy(w.layers.Out, f.Start.Out)
		copy(w.layers.OutBias, f.Start.OutBias)
		tr := &training{learner: l, rows: rows, stream: rng.New(0),
			pass: newPass(w, f.Width, f.Hidden, outputs, 0), rule: newRule(l, len(w.all))}
		if err := tr.run(context.Background(), nil); err != nil {
			t.Fatal(err)
		}
		worst := 0.0
		for _, part := range []struct{ got, want []float64 }{{w.layers.In, c.In},
			{w.layers.InBias, c.InBias}, {w.layers.Out, c.Out}, {w.layers.OutBias, c.OutBias}} {
			if len(part.got) != len(part.want) {
				t.Fatalf("%d weights, want %d", len(part.got), len(part.want))
			}
			for i, want := range part.want {
				worst = max(worst, math.Abs(part.got[i]-want))
			}
		}
		if !(worst < 1e-10) {
			t.Errorf("%s by %s, %s: weights differ by %.2g", c.Task, c.Optimizer, c.Activation,
				worst)
		}
	}
}
