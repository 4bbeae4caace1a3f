package forest

import (
	"errors"
	"math"
	"reflect"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/internal/ensembles"
	"github.com/coppice-ml/coppice/model"
)

// dearIncome are costs of adult that make labels other than the most probable class.
const dearIncome = `costs={"classes":["<=50K",">50K"],"cost":[[0,1],[4,0]]}`

// TestOutOfBag compares error, cost and predictions out of the bag with those that follow from the
// bags and the trees.
func TestOutOfBag(t *testing.T) {
	for _, c := range []struct {
		file, label string
		task        data.Task
		weighted    bool
		settings    []string
	}{
		{"iris/iris.csv", "species", data.Multiclass, false, []string{"trees=3"}},
		{"letter/letter.csv.gz", "lettr", data.Multiclass, true,
			[]string{"trees=9", "vote=probability"}},
		{"spambase/spambase.csv", "spam", data.Binary, true,
			[]string{"trees=12", "sample=subsample", "strata=balanced", "fraction=0.4"}},
		{"adult/adult-train.csv.gz", "hours-per-week", data.Regression, true,
			[]string{"trees=9", "missing=majority"}},
		{"adult/adult-train.csv.gz", "income", data.Binary, true, []string{"trees=9", dearIncome}},
		{"adult/adult-train.csv.gz", "income", data.Binary, false,
			[]string{"trees=9", "vote=probability", dearIncome}},
	} {
		rows := 150
		j := begun(t, c.file, c.label, c.task, rows, c.weighted, c.settings...)
		var reported *learn.HoldOut
		m, err := j.Fit(t.Context(), learn.Job{Seed: 4, OutOfBag: func(o *learn.HoldOut) error {
			reported = o
			return nil
		}})
		if err != nil {
			t.Fatal(err)
		}
		trees := m.(*model.Ensemble).Trees
		k := trees[0].Leaf.Width
		var bags [][]uint32
		for i := range trees {
			bags = append(bags, j.sampler.count(i))
		}
		loss, cost, weight, never := 0.0, 0.0, 0.0, 0
		decision := m.Spec().Decision
		for i := range rows {
			mean, out := make([]float64, k), 0.0
			for number, bag := range bags {
				if bag[i] > 0 {
					continue
				}
				out++
				leaf := trees[number].Over(j.frame.Columns).LeafOf(int32(i))
				for class, v := range trees[number].Value(leaf) {
					mean[class] += v
				}
			}
			prediction := reported.Values[i*k : (i+1)*k]
			if out == 0 {
				never++
				if !math.IsNaN(prediction[0]) {
					t.Errorf("%s, row %d is in all bags and predicted %v", c.label, i, prediction)
				}
				continue
			}
			for class := range mean {
				if mean[class] /= out; math.Abs(mean[class]-prediction[class]) > 1e-8*(1+mean[class]) {
					t.Fatalf("%s, row %d: %v, want %v", c.label, i, prediction, mean)
				}
			}
			w := j.target.WeightAt(int32(i))
			weight += w
			switch {
			case c.task == data.Regression:
				loss += w * (mean[0] - j.target.Y[0][i]) * (mean[0] - j.target.Y[0][i])
			case decision.Label(mean) != int(j.target.Class[i]):
				loss += w
				cost += w * decision.Costs.Of(int(j.target.Class[i]), decision.Label(mean))
			}
		}
		found := summaryOf(t, m).OutOfBag
		got := found.Error
		if c.task == data.Regression {
			got = found.MSE
		}
		if math.Abs(*got-loss/weight) > 1e-8*loss/weight || found.Never != never ||
			found.Rows != rows-never || found.Members != len(trees) {
			t.Errorf("%s: %+v with error %g, want %g, %d rows never out of the bag", c.label, found,
				*got, loss/weight, never)
		}
		if (found.Cost != nil) != (decision.Costs != nil) || found.Cost != nil &&
			math.Abs(*found.Cost-cost/weight) > 1e-8 {
			t.Errorf("%s: %+v, want cost %g", c.label, found, cost/weight)
		}
		last := len(found.Curve.Members) - 1
		if found.Curve.Members[last] != len(trees) ||
			math.Abs(found.Curve.Error[last]-*got) > 1e-5**got {
			t.Errorf("%s: the curve ends with %d trees at %g", c.label, found.Curve.Members[last],
				found.Curve.Error[last])
		}
		if reported.Width != k || !reflect.DeepEqual(reported.Rows, data.AllRows(rows)) {
			t.Errorf("%s: predictions of width %d, rows %v", c.label, reported.Width, reported.Rows)
		}
	}
}

// TestEarlyStopping: a forest that stops when its error has settled is the first trees of the one
// that does not stop, for any number of workers.
func TestEarlyStopping(t *testing.T) {
	j := begun(t, "iris/iris.csv", "species", data.Multiclass, 150, false, "trees=200")
	m, err := j.Fit(t.Context(), learn.Job{Seed: 4})
	if err != nil {
		t.Fatal(err)
	}
	full := m.(*model.Ensemble)
	j.learner.Settle.Members, j.learner.Settle.Tolerance = 30, 0.05
	for _, workers := range []int{1, 2, 7} {
		m, err := j.Fit(t.Context(), learn.Job{Seed: 4, Workers: workers})
		if err != nil {
			t.Fatal(err)
		}
		trees := m.(*model.Ensemble).Trees
		found := summaryOf(t, m)
		if n := len(trees); n < 50 || n == 200 || !found.OutOfBag.Settled || found.Trees != n ||
			!reflect.DeepEqual(trees, full.Trees[:n]) {
			t.Errorf("%d workers: %d trees, settled %v", workers, n, found.OutOfBag.Settled)
		}
	}
	if summaryOf(t, full).OutOfBag.Settled {
		t.Error("a forest that may not stop has settled")
	}
}

// TestNothingOutOfBag: what needs rows out of the bag is an error, and the rest does without.
func TestNothingOutOfBag(t *testing.T) {
	for _, set := range []string{"prune=oob", "early_stopping=10", "importance=permutation", ""} {
		j := begun(t, "iris/iris.csv", "species", data.Multiclass, 150, false, "sample=none",
			"trees=2")
		if m, err := j.Fit(t.Context(), learn.Job{}); err != nil ||
			summaryOf(t, m).OutOfBag != nil {
			t.Errorf("without sampling: error %v, or a summary of what is out of the bag", err)
		}
		job := learn.Job{}
		if set == "" {
			job.OutOfBag = func(*learn.HoldOut) error { return errors.New("never called") }
		} else if err := j.learner.Params().Set([]string{set}); err != nil {
			t.Fatal(err)
		}
		if _, err := j.Fit(t.Context(), job); err == nil || !errors.Is(err, ensembles.ErrNoneOut) ||
			!errors.Is(j.learner.Capabilities().NoneOut, ensembles.ErrNoneOut) {
			t.Errorf("%s: error %v", set, err)
		}
	}
	j := begun(t, "iris/iris.csv", "species", data.Multiclass, 150, false, "trees=2")
	stop := errors.New("enough")
	m, err := j.Fit(t.Context(), learn.Job{OutOfBag: func(*learn.HoldOut) error { return stop }})
	if !errors.Is(err, stop) || m == nil || j.learner.Capabilities().NoneOut != nil {
		t.Errorf("error %v, want that of the function called", err)
	}
}

// TestPermutation: the petals distinguish irises, and noise does not.
func TestPermutation(t *testing.T) {
	j := begun(t, "iris/iris.csv", "species", data.Multiclass, 150, false, "trees=60", "mtry=2",
		"importance=impurity, permutation")
	j.learner.ImportanceGroups = [][]string{{"petal_length", "petal_width"}, {"noise", "sepal_width"}}
	_, err := j.Fit(t.Context(), learn.Job{Seed: 4})
	if err == nil || err.Error() != `importance_groups: there is no column "noise"` {
		t.Fatalf("error %v", err)
	}
	noise := make([]float64, 150)
	for i := range noise {
		noise[i] = float64(i * 37 % 150)
	}
	frame, err := data.NewFrame(data.Schema{Fields: append(j.frame.Schema.Fields[:4:4],
		data.Field{Name: "noise"})}, append(j.frame.Columns[:4:4], data.Numbers(noise)))
	if err != nil {
		t.Fatal(err)
	}
	var want *Summary
	for _, workers := range []int{1, 7} {
		f, err := j.learner.Prepare(t.Context(), frame, nil, nil, learn.Env{})
		if err != nil {
			t.Fatal(err)
		}
		m, err := f.Fit(t.Context(), j.target, learn.Job{Seed: 4, Workers: workers})
		if err != nil {
			t.Fatal(err)
		}
		found := summaryOf(t, m)
		if want == nil {
			want = &found
		}
		if !reflect.DeepEqual(found, *want) {
			t.Error("other importances with more workers")
		}
	}
	if len(want.Importances) != 2 || want.Importances[1].Kind != "permutation" ||
		len(want.Importances[1].Columns) != 7 {
		t.Fatalf("importances %+v", want.Importances)
	}
	all := want.Importances[1].Columns
	petal, nothing, petals := all[3], all[4], all[5]
	if petal.Column != "petal_width" || !(petal.Value > 0.1 && petal.Value > 5*petal.StdError) {
		t.Errorf("%+v", petal)
	}
	if nothing.Column != "noise" || math.Abs(nothing.Value) > 3*nothing.StdError+0.01 {
		t.Errorf("%+v", nothing)
	}
	if !reflect.DeepEqual(petals.Group, []string{"petal_length", "petal_width"}) ||
		petals.Value < max(petal.Value, all[2].Value) {
		t.Errorf("%+v", petals)
	}
}
