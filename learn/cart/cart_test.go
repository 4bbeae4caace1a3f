package cart_test

import (
	"context"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/split"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/cart"
	"github.com/coppice-ml/coppice/learn/learntest"
	"github.com/coppice-ml/coppice/tree/prune"
)

// TestParamsRefused: each wrong parameter gets one line of error.
func TestParamsRefused(t *testing.T) {
	for set, want := range map[string]string{
		"prune=alpha=-1":         `"-1" is not a penalty`,
		"prune=alpha=x":          `"x" is not a penalty`,
		"prune=cvmin":            `"cvmin" is not a pruning method`,
		"class_weight=a":         `"a" is not NAME=WEIGHT`,
		"class_weight=a=0":       "not a positive number",
		"class_weight=a=1,a=2":   `class "a" has two weights`,
		"min_leaf=0":             "min_leaf",
		"missing=left":           "missing",
		"surrogates=-1":          "surrogates",
		"priors=a=2":             "add up to 2",
		"costs=no-such-file.csv": "no such file",
		"laplace=1":              "true or false",
		"min_split=1":            "min_split",
		"criterion=gain":         "criterion",
		"min_gain=-1":            "min_gain",
		"folds=1":                "folds",
		"growth=breadth-first":   "growth",
		"class_weight=a=1,b=inf": "not a positive number",
	} {
		if err := cart.New().Params().Set([]string{set}); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want one about %s", set, err, want)
		}
	}
}

// TestFitRefused: what depends on the label is an error of Fit.
func TestFitRefused(t *testing.T) {
	classes, numbers := iris(t, "species"), iris(t, "petal_width")
	for _, c := range []struct {
		ds   *data.Dataset
		set  string
		want string
	}{
		{classes, "criterion=squared_error",
			"criterion=squared_error does not fit a multiclass label"},
		{numbers, "criterion=gini", "criterion=gini does not fit a regression label"},
		{numbers, "criterion=hellinger", "criterion=hellinger does not fit a regression label"},
		{classes, "criterion=absolute_error",
			"criterion=absolute_error does not fit a multiclass label"},
		{classes, "criterion=poisson", "criterion=poisson does not fit a multiclass label"},
		{numbers, "chi2=0.05", "chi2 does not fit a regression label"},
		{numbers, "class_weight=balanced", "class_weight does not fit a regression label"},
		{numbers, "laplace=true", "laplace=true does not fit a regression label"},
		{numbers, "priors=a=1", "priors do not fit a regression label"},
		{classes, "priors=a=0.5", `priors: there is no class "a"`},
		{classes, `costs={"classes":["a"],"cost":[[0]]}`, `costs: there is no class "a"`},
		{numbers, `costs={"classes":["a"],"cost":[[0]]}`, "costs do not fit a regression label"},
		{classes, "class_weight=Iris-setos=2",
			`there is no class "Iris-setos": did you mean "Iris-setosa"?`},
		{classes, "prune=validation", "prune=validation needs a validation set"},
	} {
		l := learntest.Made(t, cart.New(), c.set)
		f, err := l.Prepare(context.Background(), c.ds.Frame, nil, nil, learn.Env{})
		if err != nil {
			t.Fatal(err)
		}
		if m, err := f.Fit(context.Background(), &c.ds.Target, learn.Job{}); err == nil ||
			m != nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %s", c.set, err, c.want)
		}
	}
	zero := iris(t, "species")
	zero.Target.Weight = make([]float64, zero.Rows())
	f, err := cart.New().Prepare(context.Background(), zero.Frame, nil, nil, learn.Env{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Fit(context.Background(), &zero.Target, learn.Job{}); err == nil ||
		!strings.Contains(err.Error(), "positive weight") {
		t.Errorf("error %v, want one about weights", err)
	}
}

// TestPoissonRefused: labels that are no counts or rates are refused by name of the row.
func TestPoissonRefused(t *testing.T) {
	frame, err := data.FromRows([][]float64{{1}, {2}, {3}, {4}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	l := cart.New()
	l.Criterion, l.Prune = learn.CriterionPoisson, "auto"
	f, err := l.Prepare(context.Background(), frame, nil, nil, learn.Env{})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		y     []float64
		valid []int32
		want  string
	}{
		{[]float64{1, 2, -0.5, 3}, nil,
			"row 3: criterion=poisson needs labels of 0 or more, this is -0.5"},
		{[]float64{1, 2, 3, -4}, []int32{3},
			"row 4: criterion=poisson needs labels of 0 or more, this is -4"},
		{[]float64{0, 0, 0, 4}, []int32{3}, "criterion=poisson needs a label above 0, all are 0"},
		{[]float64{1, 2, 0, 0}, []int32{2, 3}, ""},
	} {
		target := &data.Target{Name: "y", Task: data.Regression, Y: [][]float64{c.y}}
		var train []int32
		for r := range int32(4 - len(c.valid)) {
			train = append(train, r)
		}
		_, err := f.Fit(context.Background(), target, learn.Job{Rows: train, Valid: c.valid})
		if got := fmt.Sprint(err); c.want == "" && err != nil || c.want != "" && got != c.want {
			t.Errorf("%v: error %v, want %q", c.y, err, c.want)
		}
	}
}

// TestFoldWithoutCounts: a fold whose training rows are all 0 predicts 0, and its error is large
// but finite.
func TestFoldWithoutCounts(t *testing.T) {
	frame, err := data.FromRows([][]float64{{1}, {2}, {3}, {4}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	l := cart.New()
	l.Criterion, l.Prune = learn.CriterionPoisson, "cv"
	ds := &data.Dataset{Frame: frame, Target: data.Target{Name: "y", Task: data.Regression,
		Y: [][]float64{{0, 0, 1, 2}}}}
	m, _ := fit(t, ds, l, learn.Job{Plan: &split.Plan{K: 2, Assign: []int32{0, 0, 1, 1}}})
	for _, p := range summary(t, m).Path {
		if e := *p.Error; !(e > 100 && e < 1000) || math.IsNaN(*p.StdError) {
			t.Errorf("error %g +- %g", e, *p.StdError)
		}
	}
}

// TestChi2: the parameter reaches the engine, as a limit on pre-pruning.
func TestChi2(t *testing.T) {
	ds := iris(t, "species")
	l := cart.New()
	l.Prune = "none"
	_, full := fit(t, ds, l, learn.Job{})
	l.Chi2 = 0.001
	_, few := fit(t, ds, l, learn.Job{})
	if few.NumLeaves() >= full.NumLeaves() || few.NumLeaves() < 3 {
		t.Errorf("%d leaves with chi2=0.001, %d without", few.NumLeaves(), full.NumLeaves())
	}
}

// TestValidationPruning compares with pruning by hand, and checks that auto means it.
func TestValidationPruning(t *testing.T) {
	ds := iris(t, "petal_length")
	var train, valid []int32
	for i := range int32(ds.Rows()) {
		if i%3 == 0 {
			valid = append(valid, i)
		} else {
			train = append(train, i)
		}
	}
	l := cart.New()
	l.Prune = "none"
	_, grown := fit(t, ds, l, learn.Job{Rows: train})
	cost := make([]float64, grown.Len())
	parents := grown.Parents()
	for _, r := range valid {
		for n := grown.Over(ds.Columns).LeafOf(r); n >= 0; n = parents[n] {
			d := ds.Target.Y[0][r] - grown.Value(n)[0]
			cost[n] += d * d
		}
	}
	want, err := prune.ReducedError(grown, cost, nil)
	if err != nil {
		t.Fatal(err)
	}
	l.Prune = "auto"
	m, got := fit(t, ds, l, learn.Job{Rows: train, Valid: valid})
	if !reflect.DeepEqual(got, want) || got.Len() >= grown.Len() {
		t.Errorf("%d leaves of %d, by hand %d", got.NumLeaves(), grown.NumLeaves(),
			want.NumLeaves())
	}
	if s := summary(t, m); s.Prune != "validation" || s.Grown != grown.NumLeaves() ||
		s.Leaves != want.NumLeaves() {
		t.Errorf("summary %+v", s)
	}
}

// TestAlpha: a given penalty prunes to the subtree of the path, by error and by impurity.
func TestAlpha(t *testing.T) {
	ds := iris(t, "species")
	l := cart.New()
	for _, by := range []cart.PruneBy{cart.PruneByError, cart.PruneByImpurity} {
		l.Prune, l.PruneBy = "alpha=0.02", by
		m, got := fit(t, ds, l, learn.Job{})
		s := summary(t, m)
		if s.Alpha != 0.02 || s.Prune != "alpha" || s.PruneBy != by.String() {
			t.Errorf("summary %+v", s)
		}
		for k, p := range s.Path {
			last := k+1 == len(s.Path) || s.Path[k+1].Alpha > 0.02
			if here := p.Alpha <= 0.02 && last; here != p.Chosen || here &&
				p.Leaves != got.NumLeaves() {
				t.Errorf("%s: step %+v, the tree has %d leaves", by, p, got.NumLeaves())
			}
		}
	}
}

// TestObserve: the observer is called for every fold, in order, and its error ends the fit.
func TestObserve(t *testing.T) {
	ds := iris(t, "species")
	var rounds []learn.Round
	fit(t, ds, cart.New(), learn.Job{Observe: func(r learn.Round) error {
		rounds = append(rounds, r)
		return nil
	}})
	if len(rounds) != 10 {
		t.Fatalf("%d rounds, want 10", len(rounds))
	}
	for i, r := range rounds {
		if r.N != i+1 || r.Of != 10 || r.Stage == "" {
			t.Errorf("round %d is %+v", i, r)
		}
	}
}

// TestRegressionLeaf: a leaf's value is the mean of its rows, exactly where they are equal.
func TestRegressionLeaf(t *testing.T) {
	ds := iris(t, "petal_width")
	l := cart.New()
	l.Prune, l.MinLeaf = "none", 5
	_, grown := fit(t, ds, l, learn.Job{})
	sum, rows := map[int32]float64{}, map[int32]float64{}
	for r := range int32(ds.Rows()) {
		n := grown.Over(ds.Columns).LeafOf(r)
		sum[n] += ds.Target.Y[0][r]
		rows[n]++
	}
	for n := range sum {
		if got := grown.Value(n)[0]; math.Abs(got-sum[n]/rows[n]) > 1e-14 || rows[n] < 5 ||
			uint32(rows[n]) != grown.Stats.Rows[n] {
			t.Errorf("leaf %d: value %g of %d rows, want %g of %g", n, got, grown.Stats.Rows[n],
				sum[n]/rows[n], rows[n])
		}
	}
}
