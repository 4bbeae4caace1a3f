package cart_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/datatest"
	"github.com/coppice-ml/coppice/data/split"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/internal/testing/tier"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/cart"
	"github.com/coppice-ml/coppice/learn/learntest"
	"github.com/coppice-ml/coppice/model"
)

func iris(t *testing.T, label string) *data.Dataset {
	t.Helper()
	return datatest.Read(t, "iris/iris.csv", data.Roles{Label: label})
}

func summary(t *testing.T, m model.Model) cart.Summary {
	t.Helper()
	return learntest.Summary[cart.Summary](t, m)
}

// TestPathByHand cross-validates every step of the path the slow way, by one fit with a fixed
// penalty per fold and step, and applies the one-standard-error rule to what comes out. Rows have
// weights, some are repeated, and values are missing.
func TestPathByHand(t *testing.T) {
	tier.NotShort(t, "grows each tree of a path")
	costs := `costs={"classes":["Iris-setosa","Iris-versicolor","Iris-virginica"],"cost":[[0,1,2],[1,0,4],[3,1,0]]}`
	for _, c := range []struct {
		label   string
		missing float64 // fraction of the values
		set     []string
	}{
		{"species", 0, nil},
		{"petal_width", 0, nil},
		{"species", 0, []string{"criterion=hellinger"}},
		{"petal_width", 0.2, []string{"criterion=absolute_error", "missing=surrogate"}},
		{"petal_width", 0.2, []string{"criterion=poisson", "missing=fractional"}},
		{"species", 0.2, nil},
		{"species", 0.2, []string{"missing=majority"}},
		{"species", 0.2, []string{"missing=surrogate", "surrogates=2"}},
		{"species", 0.2, []string{"missing=surrogate-stop", "prune_by=impurity"}},
		{"species", 0.2, []string{"missing=stop", costs}},
		{"species", 0.2, []string{"missing=fractional", costs}},
		{"petal_width", 0.2, []string{"missing=stop"}},
		{"petal_width", 0.2, []string{"missing=fractional"}},
		{"petal_width", 0, []string{"criterion=absolute_error"}},
		{"petal_width", 0, []string{"criterion=poisson"}},
		{"species", 0, []string{costs}},
	}[:tier.Count(6, 10, 16)] {
		t.Run(strings.Join(append(c.set, c.label), " "), func(t *testing.T) {
			ds := iris(t, c.label)
			r := rng.New(4)
			var rows []int32
			ds.Target.Weight = make([]float64, ds.Rows())
			for i := range int32(ds.Rows()) {
				ds.Target.Weight[i] = float64(1+r.Intn(4)) / 2
				for range 1 + r.Intn(2) {
					rows = append(rows, i)
				}
				if c := ds.Target.Class; c != nil && r.Intn(8) == 0 {
					c[i] = uint32(r.Intn(3)) // noise, so that there is something to prune
				}
			}
			for _, column := range ds.Columns {
				for i := range column.Numbers() {
					if r.Float64() < c.missing {
						column.Numbers()[i] = math.NaN()
					}
				}
			}
			plan := &split.Plan{K: 5, Seed: 9}
			folds, err := plan.Folds(&ds.Target, data.AllRows(ds.Rows()))
			if err != nil {
				t.Fatal(err)
			}
			l := cart.New()
			l.MinLeaf = 2
			if err := l.Params().Set(c.set); err != nil {
				t.Fatal(err)
			}
			for _, method := range []string{"cv", "cv-min"} {
				l.Prune = method
				m, grown := fit(t, ds, l, learn.Job{Rows: rows, Plan: plan})
				s := summary(t, m)
				if len(s.Path) < 4 {
					t.Fatalf("a path of %d steps shows nothing", len(s.Path))
				}
				best, chosen := 0, 0
				for k, p := range s.Path {
					typical := 1e18
					if k+1 < len(s.Path) {
						typical = math.Sqrt(p.Alpha * s.Path[k+1].Alpha)
					}
					mean, se := byHand(t, ds, l, rows, folds, typical)
					if math.Abs(*p.Error-mean) > 1e-12 || math.Abs(*p.StdError-se) > 1e-12 {
						t.Errorf("step %d: error %g +- %g, by hand %g +- %g", k, *p.Error,
							*p.StdError, mean, se)
					}
					if *p.Error <= *s.Path[best].Error {
						best = k
					}
				}
				for k, p := range s.Path {
					limit := *s.Path[best].Error
					if method == "cv" {
						limit += *s.Path[best].StdError
					}
					if *p.Error <= limit {
						chosen = k
					}
				}
				if !s.Path[chosen].Chosen || s.Alpha != s.Path[chosen].Alpha ||
					grown.NumLeaves() != s.Path[chosen].Leaves {
					t.Errorf("%s chose alpha %g with %d leaves, the rule gives step %+v", method,
						s.Alpha, grown.NumLeaves(), s.Path[chosen])
				}
			}
		})
	}
}

// byHand returns mean and standard error of the loss of trees pruned with one penalty, over the
// rows left out.
func byHand(t *testing.T, ds *data.Dataset, base *cart.Learner, rows []int32, folds []split.Fold,
	alpha float64) (mean, se float64) {
	l := *base
	l.Prune = fmt.Sprintf("alpha=%v", alpha)
	var losses, weights []float64
	total := 0.0
	for _, fold := range folds {
		left := map[int32]bool{}
		for _, r := range fold.Test {
			left[r] = true
		}
		var train, test []int32
		for _, r := range rows {
			if left[r] {
				test = append(test, r)
			} else {
				train = append(train, r)
			}
		}
		m, _ := fit(t, ds, &l, learn.Job{Rows: train})
		p, err := m.Bind(&ds.Schema, model.Options{Output: model.Label})
		if err != nil {
			t.Fatal(err)
		}
		got := make([]float64, len(test))
		if err := p.Predict(got, ds.Frame, test); err != nil {
			t.Fatal(err)
		}
		times := map[int32]float64{}
		for _, r := range test {
			times[r]++
		}
		for i, r := range test {
			if times[r] == 0 {
				continue // a repeated row counts once, with its multiplicity as weight
			}
			loss := 0.0
			if ds.Target.Class == nil {
				loss = lossByHand(base.Criterion.String(), ds.Target.Y[0][r], got[i])
			} else {
				loss = l.Costs.Cost.Of(int(ds.Target.Class[r]), int(got[i]))
			}
			w := ds.Target.WeightAt(r) * times[r]
			losses, weights = append(losses, loss), append(weights, w)
			total += w
			mean += w * loss
			times[r] = 0
		}
	}
	mean /= total
	spread := 0.0
	for i := range losses {
		spread += weights[i] * weights[i] * (losses[i] - mean) * (losses[i] - mean)
	}
	return mean, math.Sqrt(spread) / total
}

// lossByHand is what the prediction p costs where the truth is y.
func lossByHand(criterion string, y, p float64) float64 {
	switch criterion {
	case "absolute_error":
		return math.Abs(y - p)
	case "poisson":
		return y*math.Log(y/p) - y + p
	}
	return (y - p) * (y - p)
}

// TestFewFolds: the summary reports where there are rows or groups for fewer folds than requested
// for, and where for none the tree is as it was grown.
func TestFewFolds(t *testing.T) {
	ds := iris(t, "species")
	for row := range int64(ds.Frame.Rows()) {
		ds.Target.Group = append(ds.Target.Group, row%7)
	}
	for _, c := range []struct {
		settings         []string
		job              learn.Job
		folds, requested int
		pruned           bool
	}{
		{[]string{"folds=7"}, learn.Job{}, 0, 0, true},
		{[]string{"folds=30"}, learn.Job{}, 7, 30, true},
		{nil, learn.Job{}, 7, 10, true},
		{nil, learn.Job{Plan: &split.Plan{Kind: split.Random}}, 7, 10, true}, // groups stay whole
		{[]string{"folds=3"}, learn.Job{Plan: &split.Plan{Kind: split.Grouped, K: 8}}, 7, 8,
			true},
		{[]string{"prune=alpha=0.01", "folds=30"}, learn.Job{}, 0, 0, true},
		{[]string{"folds=3"}, learn.Job{Rows: oneGroup(ds)}, 0, 3, false},
	} {
		l := learntest.Made(t, cart.New(), c.settings...)
		f, err := l.Prepare(t.Context(), ds.Frame, nil, nil, learn.Env{})
		if err != nil {
			t.Fatal(err)
		}
		m, err := f.Fit(t.Context(), &ds.Target, c.job)
		if err != nil {
			t.Fatal(err)
		}
		if s := summary(t, m); s.Folds != c.folds || s.Requested != c.requested ||
			(s.Leaves < s.Grown) != c.pruned {
			t.Errorf("%v: %d folds of %d, %d leaves of %d, want %d of %d", c.settings, s.Folds,
				s.Requested, s.Leaves, s.Grown, c.folds, c.requested)
		}
	}
}

// oneGroup returns the rows of the first group.
func oneGroup(ds *data.Dataset) []int32 {
	var rows []int32
	for row, g := range ds.Target.Group {
		if g == ds.Target.Group[0] {
			rows = append(rows, int32(row))
		}
	}
	return rows
}
