package cart_test

import (
	"math"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/csvdata"
	"github.com/coppice-ml/coppice/data/datatest"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/cart"
	"github.com/coppice-ml/coppice/learn/learntest"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/tree"
)

// textbook reads one of the worked examples.
func textbook(t *testing.T, file, label string, o csvdata.Options) *data.Dataset {
	t.Helper()
	return datatest.ReadWith(t, "lectures/"+file, data.Roles{Label: label}, o)
}

// fit trains on a data set and returns the model with its one tree.
func fit(t *testing.T, ds *data.Dataset, l *cart.Learner,
	job learn.Job) (*model.Ensemble, *tree.Tree) {
	t.Helper()
	e := learntest.MustFit(t, learn.Env{}, l, ds, job).(*model.Ensemble)
	return e, e.Trees[0]
}

// stump grows one split on one column of a data set.
func stump(t *testing.T, ds *data.Dataset, column string, criterion learn.Criterion) *tree.Tree {
	t.Helper()
	one := &data.Dataset{Frame: ds.Select([]int{ds.Schema.Index(column)}), Target: ds.Target}
	l := cart.New()
	l.Criterion, l.Depth, l.Prune = criterion, 1, "none"
	_, grown := fit(t, one, l, learn.Job{})
	return grown
}

// errorsOf counts the rows that the leaves of a tree misclassify.
func errorsOf(t *tree.Tree) float64 {
	sum := 0.0
	for n := range int32(t.Len()) {
		k := t.Kind(n)
		if k == tree.Leaf {
			v := t.Value(n)
			sum += v[0] + v[1] - max(v[0], v[1])
		}
	}
	return sum
}

// TestBuyPDA: the root of the classification tree of eight customers, with the class counts of both
// candidates.
func TestBuyPDA(t *testing.T) {
	ds := textbook(t, "buy_pda.csv", "buy_pda", csvdata.Options{})
	for _, c := range []struct {
		column string
		level  string // a level of the column, with its counts of No and Yes
		counts [2]float64
		other  [2]float64
		errors float64
	}{
		{"student", "No", [2]float64{3, 2}, [2]float64{1, 2}, 3},
		{"credit_rating", "Excellent", [2]float64{3, 1}, [2]float64{1, 3}, 2},
	} {
		s := stump(t, ds, c.column, learn.CriterionGini)
		levels := ds.Schema.Fields[ds.Schema.Index(c.column)].Levels
		for code, text := range levels {
			want := c.other
			if text == c.level {
				want = c.counts
			}
			if got := s.Value(s.NextCode(0, uint32(code))); [2]float64(got) != want {
				t.Errorf("%s = %s: counts %v, want %v", c.column, text, got, want)
			}
		}
		if got := errorsOf(s); got != c.errors {
			t.Errorf("%s: %g errors, want %g", c.column, got, c.errors)
		}
	}
	l := cart.New()
	l.Depth, l.Prune = 1, "none"
	_, root := fit(t, ds, l, learn.Job{})
	if got := ds.Schema.Fields[root.Feature(0)].Name; got != "credit_rating" {
		t.Errorf("the root tests %s", got)
	}
}

// TestThreeBinaryFeatures: information gains in bits.
func TestThreeBinaryFeatures(t *testing.T) {
	var forced csvdata.Options
	forced.Categorical = []string{"x1", "x2", "x3"}
	for _, kind := range []csvdata.Options{{}, forced} {
		ds := textbook(t, "three_binary_features.csv", "y", kind)
		for column, want := range map[string]float64{"x1": 0, "x2": 0.060023, "x3": 0.102410} {
			s := stump(t, ds, column, learn.CriterionEntropy)
			if math.Abs(s.Stats.Impurity[0]-0.970951) > 1e-6 {
				t.Errorf("H(y) = %.6f bit", s.Stats.Impurity[0])
			}
			if got := s.Stats.Gain[0] / 20; math.Abs(got-want) > 1e-6 {
				t.Errorf("%s gains %.6f bit, want %.6f", column, got, want)
			}
		}
		l := cart.New()
		l.Criterion, l.Depth, l.Prune = learn.CriterionEntropy, 1, "none"
		if _, root := fit(t, ds, l, learn.Job{}); ds.Schema.Fields[root.Feature(0)].Name != "x3" {
			t.Errorf("the root tests %s", ds.Schema.Fields[root.Feature(0)].Name)
		}
	}
}
