package cart_test

import (
	"math"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/testing/tier"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/cart"
	"github.com/coppice-ml/coppice/learn/learntest"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/param"
	"github.com/coppice-ml/coppice/tree"
)

// TestMissingRules runs the suite of all learners under every rule but the default.
func TestMissingRules(t *testing.T) {
	tier.NotShort(t, "runs the suite of learners on each rule")
	for rule := cart.MissingMajority; rule <= cart.MissingFractional; rule++ {
		t.Run(rule.String(), func(t *testing.T) {
			learntest.Variant(t, int(rule), func() learn.Learner {
				l := cart.New()
				l.Missing = rule
				return l
			})
		})
	}
}

// TestMissingAnswers: what a row without a value is answered by a model of eight rows, of which x
// misses two; y repeats x but for one row.
func TestMissingAnswers(t *testing.T) {
	nan := math.NaN()
	frame, err := data.FromRows([][]float64{{1, 8}, {2, 7}, {3, 6}, {4, 2}, {5, 3}, {6, 9},
		{nan, 1}, {nan, nan}}, []string{"x", "y"})
	if err != nil {
		t.Fatal(err)
	}
	ds := &data.Dataset{Frame: frame,
		Target: data.Target{Task: data.Binary, Classes: []string{"a", "b"},
			Class: []uint32{0, 0, 0, 1, 1, 1, 0, 1}}}
	for _, c := range []struct {
		rule   cart.Missing
		repeat float64 // probability of class b where x is missing and y is 9
		none   float64 // and where both are
	}{
		{cart.MissingMajority, 0.2, 0.2}, {cart.MissingSurrogate, 0.25, 0.25},
		{cart.MissingSurrogateStop, 0, 0.5}, {cart.MissingStop, 0.5, 0.5},
		{cart.MissingFractional, 0.5, 0.5},
	} {
		l := cart.New()
		l.Depth, l.Prune, l.Missing = 1, "none", c.rule
		m, _ := fit(t, ds, l, learn.Job{})
		p, err := m.Bind(&frame.Schema, model.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, q := range []struct{ y, want float64 }{{9, c.repeat}, {nan, c.none}} {
			var got [2]float64
			if err := p.PredictRow(got[:], []float64{nan, q.y}); err != nil ||
				math.Abs(got[1]-q.want) > 1e-12 {
				t.Errorf("%s: y = %g gives %v, %v, want %g", c.rule, q.y, got, err, q.want)
			}
		}
	}
}

// debtors is a table of bad and good ones; its first column predicts little, its second much.
func debtors(t *testing.T) *data.Dataset {
	var rows [][]float64
	ds := &data.Dataset{Target: data.Target{Task: data.Binary, Classes: []string{"bad", "good"}}}
	for i := range 40 {
		x, class := float64(i%20), uint32(1)
		if i >= 30 || i < 4 { // two bad ones among four of x < 4, eight more from x >= 10
			class = 0
		}
		if i < 2 {
			class = 1
		}
		rows = append(rows, []float64{x, float64(i)})
		ds.Target.Class = append(ds.Target.Class, class)
	}
	var err error
	if ds.Frame, err = data.FromRows(rows, nil); err != nil {
		t.Fatal(err)
	}
	return ds
}

// TestPriors: the observed frequencies change nothing, and any others weigh classes as weights on
// the rows do.
func TestPriors(t *testing.T) {
	ds := debtors(t)
	bad := 0.0
	for _, c := range ds.Target.Class {
		if c == 0 {
			bad++
		}
	}
	grow := func(balanced bool, priors ...param.Named) *tree.Tree {
		l := cart.New()
		l.Prune, l.Priors, l.ClassWeight.Balanced, l.Depth = "none", priors, balanced, 2
		_, grown := fit(t, ds, l, learn.Job{})
		return grown
	}
	plain, observed := grow(false), grow(false, param.Named{Name: "bad", Value: bad / 40})
	for n := range int32(plain.Len()) {
		if plain.SplitPoint(n) != observed.SplitPoint(n) ||
			math.Abs(plain.Value(n)[0]-observed.Value(n)[0]) > 1e-9 {
			t.Errorf("node %d: with the observed priors %v, without %v", n, observed.Value(n),
				plain.Value(n))
		}
	}
	half := grow(false, param.Named{Name: "bad", Value: 0.5}, param.Named{Name: "good", Value: 0.5})
	balanced := grow(true)
	if half.Len() != balanced.Len() || math.Abs(half.Value(0)[0]-20) > 1e-9 {
		t.Errorf("equal priors give %d nodes and a root of %v, balanced %d", half.Len(),
			half.Value(0), balanced.Len())
	}
	for n := range int32(half.Len()) {
		if half.SplitPoint(n) != balanced.SplitPoint(n) ||
			math.Abs(half.Stats.Gain[n]-balanced.Stats.Gain[n]) > 1e-9 {
			t.Errorf("node %d: with equal priors %g, balanced %g", n, half.SplitPoint(n),
				balanced.SplitPoint(n))
		}
	}
}

// TestCosts: the label is the class of least expected cost, probabilities stay those of the rows,
// and splits are chosen as with altered priors.
func TestCosts(t *testing.T) {
	ds := debtors(t)
	l := cart.New()
	l.Prune, l.Depth = "none", 2
	l.Costs = data.NamedCosts{Classes: []string{"good", "bad"}, Cost: data.Costs{{0, 1}, {5, 0}}}
	m, grown := fit(t, ds, l, learn.Job{})
	counts := []float64{0, 0}
	for _, c := range ds.Target.Class {
		counts[c]++
	}
	if v := grown.Value(0); v[0] != counts[0] || v[1] != counts[1] {
		t.Errorf("the root has %v, the rows %v", v, counts)
	}
	l.Costs, l.ClassWeight.Of = data.NamedCosts{}, []param.Named{{Name: "bad", Value: 5}}
	_, weighed := fit(t, ds, l, learn.Job{})
	if grown.Len() != weighed.Len() || grown.SplitPoint(0) != weighed.SplitPoint(0) ||
		grown.Feature(0) != weighed.Feature(0) {
		t.Error("costs choose other splits than the weights that they stand for")
	}
	if got := m.Spec().Decision.Costs; got[0][1] != 5 || got[1][0] != 1 {
		t.Errorf("the model has the costs %v", got)
	}
	p, err := m.Bind(&ds.Schema, model.Options{Output: model.Label})
	if err != nil {
		t.Fatal(err)
	}
	got := make([]float64, ds.Rows())
	if err := p.Predict(got, ds.Frame, nil); err != nil {
		t.Fatal(err)
	}
	for i := range got {
		v := grown.Value(grown.Over(ds.Columns).LeafOf(int32(i)))
		if want := 5*v[0] >= v[1]; want != (got[i] == 0) {
			t.Errorf("row %d in a leaf of %v is labelled %g", i, v, got[i])
		}
	}
}

// TestLaplace: probabilities are (w + 1) / (W + K), whatever the pruning.
func TestLaplace(t *testing.T) {
	ds := debtors(t)
	l := cart.New()
	l.Prune, l.Depth = "none", 2
	_, plain := fit(t, ds, l, learn.Job{})
	l.Laplace = true
	m, _ := fit(t, ds, l, learn.Job{})
	p, err := m.Bind(&ds.Schema, model.Options{})
	if err != nil {
		t.Fatal(err)
	}
	got := make([]float64, 2*ds.Rows())
	if err := p.Predict(got, ds.Frame, nil); err != nil {
		t.Fatal(err)
	}
	for i := range ds.Rows() {
		v := plain.Value(plain.Over(ds.Columns).LeafOf(int32(i)))
		if want := (v[0] + 1) / (v[0] + v[1] + 2); math.Abs(got[2*i]-want) > 1e-15 {
			t.Errorf("row %d: probability %g, want %g", i, got[2*i], want)
		}
	}
}
