package forest

import (
	"cmp"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/tree"
)

// quantilesOf predicts quantiles for the first rows of a table.
func quantilesOf(t *testing.T, m model.Model, f *data.Frame, rows int, at ...float64) [][]float64 {
	t.Helper()
	p, err := m.Bind(&f.Schema, model.Options{Output: model.Quantiles, Quantiles: at})
	if err != nil {
		t.Fatal(err)
	}
	all := make([]float64, rows*p.Width())
	if err := p.Predict(all, f, data.AllRows(rows)); err != nil {
		t.Fatal(err)
	}
	return slices.Collect(slices.Chunk(all, p.Width()))
}

// weights are those of Meinshausen 2006, equation 4, by position: the mean over the trees of the
// part that a training row has in the leaf which row x reaches. fill are the rows that make the
// leaves of each tree.
func weights(j *setup, trees []*tree.Tree, fill [][]uint32, x int32) []float64 {
	w := make([]float64, len(j.pop.Rows))
	for b, t := range trees {
		leaf, parent := t.Over(j.frame.Columns).LeafOf(x), t.Parents()
		in := make([]float64, len(w))
		total := 0.0
		for up := leaf; total == 0; up = parent[up] { // an honest leaf may be empty
			for i, n := range fill[b] {
				t.Over(j.frame.Columns).Visit(j.pop.Rows[i], func(n2 int32, _ float64, _ bool) {
					if n2 == up {
						in[i] = float64(n) * j.weightAt(i)
						total += in[i]
					}
				})
			}
		}
		for i := range in {
			w[i] += in[i] / total / float64(len(trees))
		}
	}
	return w
}

// TestQuantilesByMeinshausen compares means and quantiles with a slow computation from his
// definition, over the same trees.
func TestQuantilesByMeinshausen(t *testing.T) {
	for _, c := range []struct {
		weighted bool
		settings []string
	}{
		{false, nil},
		{true, nil},
		{true, []string{"weighted_sampling=true", "sample=subsample"}},
		{true, []string{"honest=0.8", "node_size=1"}},
		{false, []string{"prune=oob"}},
		{false, []string{"sample=none", "mtry=1"}},
	} {
		j := begun(t, "adult/adult-train.csv.gz", "hours-per-week", data.Regression, 120,
			c.weighted, append(c.settings, "trees=6", "quantiles=true")...)
		m, err := j.Fit(t.Context(), learn.Job{Seed: 4})
		if err != nil {
			t.Fatal(err)
		}
		e := m.(*model.Ensemble)
		var fill [][]uint32
		for b := range e.Trees {
			rows, err := j.sampler.sample(b)
			if err != nil {
				t.Fatal(err)
			}
			count := rows.structure
			if rows.leaves != nil {
				count = rows.leaves
			}
			if count == nil {
				count = slices.Repeat([]uint32{1}, len(j.pop.Rows))
			}
			fill = append(fill, count)
		}
		at := []float64{0.05, 0.25, 0.5, 0.75, 0.95}
		got, means := quantilesOf(t, m, j.frame, 160, at...), predicted(t, m, j.frame)
		for x := range int32(160) {
			w := weights(j.setup, e.Trees, fill, x)
			mean := 0.0
			for i := range w {
				mean += w[i] * j.pop.Y[i]
			}
			if math.Abs(mean-means[x]) > 1e-9*math.Abs(mean) {
				t.Fatalf("%v, row %d: mean %v, want %v", c.settings, x, means[x], mean)
			}
			if want := byWeights(j.pop.Y, w, at); !slices.Equal(got[x], want) {
				t.Fatalf("%v, row %d: quantiles %v, want %v", c.settings, x, got[x], want)
			}
		}
	}
}

// byWeights returns, for each quantile, the least of y up to which the weights, which sum up to 1,
// reach it.
func byWeights(y, w, at []float64) []float64 {
	order := make([]int, len(y))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(y[a], y[b]) })
	var found []float64
	for _, q := range at {
		sum := 0.0
		for _, i := range order {
			if sum += w[i]; sum >= q-1e-11 {
				found = append(found, y[i])
				break
			}
		}
	}
	return found
}

// TestQuantilesChangeNothingElse: trees, means, errors and importances are those of the forest
// without quantiles.
func TestQuantilesChangeNothingElse(t *testing.T) {
	for _, set := range [][]string{nil, {"honest=0.5"}, {"criterion=absolute_error"}} {
		var models []*model.Ensemble
		for _, quantiles := range []string{"false", "true"} {
			j := begun(t, "adult/adult-train.csv.gz", "hours-per-week", data.Regression, 400, true,
				append(set, "trees=5", "quantiles="+quantiles)...)
			m, err := j.Fit(t.Context(), learn.Job{Seed: 4})
			if err != nil {
				t.Fatal(err)
			}
			models = append(models, m.(*model.Ensemble))
			if quantiles == "true" &&
				!reflect.DeepEqual(predicted(t, models[0], j.frame), predicted(t, m, j.frame)) {
				t.Errorf("%v: the means of a quantile forest are not those of the forest", set)
			}
		}
		if got, want := fingerprint(models[1]), fingerprint(models[0]); got != want {
			t.Errorf("%v: trees and summary %s, without quantiles %s", set, got, want)
		}
		samples := 0
		for _, tr := range models[1].Trees {
			samples += len(tr.Leaf.Samples.Rank)
		}
		// weighted: a bag's different rows
		if rows := 5 * 400; set == nil && !(samples > rows/2 && samples < rows) {
			t.Errorf("%d samples of %d rows", samples, rows)
		}
	}
}

// TestSampleOfABag: without weights the samples of a tree are the labels of its bag, as often as
// they are in it.
func TestSampleOfABag(t *testing.T) {
	j := begun(t, "adult/adult-train.csv.gz", "hours-per-week", data.Regression, 300, false,
		"trees=1", "quantiles=true")
	m, err := j.Fit(t.Context(), learn.Job{Seed: 4})
	if err != nil {
		t.Fatal(err)
	}
	e := m.(*model.Ensemble)
	var got, want []float64
	for _, r := range e.Trees[0].Leaf.Samples.Rank {
		got = append(got, e.Targets[r])
	}
	for i, n := range j.sampler.count(0) {
		want = append(want, slices.Repeat(j.pop.Y[i:i+1], int(n))...)
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) || e.Trees[0].Leaf.Samples.Weight != nil {
		t.Errorf("%d samples %v, want %d: %v", len(got), got, len(want), want)
	}
}

func TestQuantilesRefused(t *testing.T) {
	ds := read(t, "iris/iris.csv", "species", data.Multiclass)
	l := New()
	l.Quantiles = true
	f, err := l.Prepare(t.Context(), ds.Frame, nil, nil, learn.Env{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Fit(t.Context(), &ds.Target, learn.Job{}); err == nil ||
		!strings.Contains(err.Error(), "quantiles=true needs a label of numbers") {
		t.Errorf("error %v", err)
	}
}

// spread is a table of two columns, of which the first moves the label and its spread: y = 10 x +
// (1 + 4 x) e, with x from 0 to 1 and e from -1 to 1, both even.
func spread(t *testing.T, rows int, seed uint64) *data.Dataset {
	t.Helper()
	random := rng.New(seed)
	even := func() float64 { return float64(random.Uint64()>>11) / (1 << 53) }
	x, noise, y := make([]float64, rows), make([]float64, rows), make([]float64, rows)
	for i := range rows {
		x[i], noise[i] = even(), even()
		y[i] = float64(10*x[i]) + float64(float64(1+float64(4*x[i]))*(float64(2*even())-1))
	}
	f, err := data.NewFrame(data.Schema{Fields: []data.Field{{Name: "x"}, {Name: "noise"}}},
		[]data.Column{data.Numbers(x), data.Numbers(noise)})
	if err != nil {
		t.Fatal(err)
	}
	return &data.Dataset{Frame: f, Target: data.Target{Name: "y", Task: data.Regression,
		Y: [][]float64{y}}}
}

// TestCoverage: of rows that training has not seen, nine of ten are between the quantiles 0.05 and
// 0.95, one of twenty below and one above; and the distance of the two grows as the spread does.
// Leaves must be large, or not be made by the rows that chose the splits: else they hold labels
// that are too near to each other.
func TestCoverage(t *testing.T) {
	train, test := spread(t, 1500, 1), spread(t, 2000, 2)
	for _, settings := range [][]string{{"min_leaf=20"},
		{"honest=0.5", "node_size=20", "mtry=all"}} {
		l := New()
		if err := l.Params().Set(append(settings, "trees=60", "quantiles=true")); err != nil {
			t.Fatal(err)
		}
		f, err := l.Prepare(t.Context(), train.Frame, nil, nil, learn.Env{})
		if err != nil {
			t.Fatal(err)
		}
		m, err := f.Fit(t.Context(), &train.Target, learn.Job{Seed: 3})
		if err != nil {
			t.Fatal(err)
		}
		below, above := 0, 0
		var narrow, wide float64
		for i, q := range quantilesOf(t, m, test.Frame, test.Rows(), 0.05, 0.95) {
			switch y := test.Target.Y[0][i]; {
			case y < q[0]:
				below++
			case y > q[1]:
				above++
			}
			if x := test.Columns[0].Number(i); x < 0.2 {
				narrow = max(narrow, q[1]-q[0])
			} else if x > 0.8 {
				wide = max(wide, q[1]-q[0])
			}
		}
		if out := below + above; out < 160 || out > 240 || min(below, above) < 60 {
			t.Errorf("%v: %d rows are below the interval and %d above, of %d", settings, below,
				above, test.Rows())
		}
		if wide < 1.5*narrow {
			t.Errorf("%v: intervals up to %g wide where the spread is small, up to %g where it is "+
				"large", settings, narrow, wide)
		}
	}
}

// TestFrozenQuantiles holds quantiles to the bytes that they had when the hash was taken; see
// TestFrozenForests.
func TestFrozenQuantiles(t *testing.T) {
	j := begun(t, "adult/adult-train.csv.gz", "hours-per-week", data.Regression, 300, false,
		"trees=9", "quantiles=true")
	for i := range j.frame.Rows() {
		j.target.Weight = append(j.target.Weight, 1+float64(i%7)/10)
	}
	for _, workers := range []int{1, 3} {
		m, err := j.Fit(t.Context(), learn.Job{Seed: 7, Workers: workers})
		if err != nil {
			t.Fatal(err)
		}
		sum := 0.0
		for i, q := range quantilesOf(t, m, j.frame, 400, 0.05, 0.3, 0.5, 0.8, 0.975) {
			for k, y := range q {
				sum += float64(i%13+k) * y
			}
		}
		if got := fmt.Sprint(fingerprint(m), " ", sum); got != "7b8afb8bf72f1cde 683389" {
			t.Errorf("%d workers: %s", workers, got)
		}
	}
}
