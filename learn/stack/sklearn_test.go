package stack_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/split"
	"github.com/coppice-ml/coppice/internal/models/committee"
	"github.com/coppice-ml/coppice/internal/testing/reference"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/internal/fitting"
	"github.com/coppice-ml/coppice/learn/learntest"
	"github.com/coppice-ml/coppice/learn/stack"
	"github.com/coppice-ml/coppice/model"
)

// frozen is what testdata/freeze.py wrote.
type frozen struct {
	X       [][]float64
	Y       []float64
	Class   []uint32
	Fold    []int32
	Train   int
	Numbers struct {
		OutOfFold [][]float64 `json:"out_of_fold"`
		Weights   []float64
		Constant  float64
		Predicted []float64
	}
	Classes struct {
		OutOfFold      [][][]float64 `json:"out_of_fold"`
		Weights        []float64
		CombinedByTree [][]float64 `json:"combined_by_tree"`
		WithColumns    [][]float64 `json:"with_columns"`
		ByLogistic     [][]float64 `json:"combined_by_logistic"`
		TwoByLogistic  [][]float64 `json:"two_by_logistic"` // of the first class and the others
		Tempered       []struct {
			L2, Floor, Whole      float64
			Powers, Weights, Bias []float64
			Predicted             [][]float64
		}
		Pool []struct {
			L2, Floor float64
			Weights   []float64
		}
	}
	NNLS []struct {
		A     [][]float64
		B, X  []float64
		Alpha float64
	}
}

func readFrozen(t *testing.T) *frozen {
	return reference.Read[frozen](t,
		"testdata/sklearn.json.gz")
}

// dataset is the frozen table, of numbers or of classes, with the plan that the reference was given
// and the rows to train on.
func (z *frozen) dataset(t *testing.T, task data.Task) (*data.Dataset, learn.Job) {
	t.Helper()
	columns := make([]data.Column, 4)
	s := data.Schema{}
	for k := range columns {
		s.Fields = append(s.Fields, data.Field{Name: string(rune('a' + k))})
		for _, row := range z.X {
			columns[k] = data.Numbers(append(columns[k].Numbers(), row[k]))
		}
	}
	f, err := data.NewFrame(s, columns)
	if err != nil {
		t.Fatal(err)
	}
	ds := &data.Dataset{Frame: f, Target: data.Target{Name: "y", Task: task, Y: [][]float64{z.Y}}}
	if task.Classes() {
		ds.Target = data.Target{Name: "y", Task: task, Class: z.Class,
			Classes: []string{"p", "q", "r"}}
	}
	plan := &split.Plan{Assign: slices.Repeat([]int32{-1}, len(z.X))}
	copy(plan.Assign, z.Fold)
	return ds, learn.Job{Rows: data.AllRows(z.Train), Plan: plan}
}

// treesOf are the settings of the three trees that are stacked.
var treesOf = []string{"members=small:cart,middle:cart,large:cart", "members.small.depth=1",
	"members.middle.depth=2", "members.large.min_leaf=15", "members.large.depth=3",
	"members.small.prune=none", "members.middle.prune=none", "members.large.prune=none"}

// reported trains a stack and returns the out-of-fold predictions of its members.
func reported(t *testing.T, l learn.Learner, ds *data.Dataset,
	job learn.Job) (model.Model, []*learn.HoldOut, stack.Summary) {
	t.Helper()
	var predicted []*learn.HoldOut
	job.HoldOut = func(_ string, h *learn.HoldOut) error {
		predicted = append(predicted, h)
		return nil
	}
	m := mustFit(t, l, ds, job)
	return m, predicted, learntest.Summary[stack.Summary](t, m)
}

func near(t *testing.T, what string, got, want []float64, slack float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: %d values, want %d", what, len(got), len(want))
	}
	for i := range got {
		if math.Abs(got[i]-want[i]) > slack*max(1, math.Abs(want[i])) {
			t.Fatalf("%s: value %d is %.17g, want %.17g", what, i, got[i], want[i])
		}
	}
}

func weightsOf(s stack.Summary) (w []float64) {
	for _, m := range s.Members {
		w = append(w, *m.Weight)
	}
	return w
}

func flat(rows [][]float64) (all []float64) {
	for _, r := range rows {
		all = append(all, r...)
	}
	return all
}

// after returns the predictions of a model for the rows behind those trained on.
func after(t *testing.T, m model.Model, ds *data.Dataset, from int) []float64 {
	t.Helper()
	_, values, err := fitting.PredictRows(m, ds.Frame, data.AllRows(ds.Rows())[from:],
		model.Response, 2)
	if err != nil {
		t.Fatal(err)
	}
	return values
}

func TestStackOfNumbersByScikitLearn(t *testing.T) {
	z := readFrozen(t)
	ds, job := z.dataset(t, data.Regression)
	m, predicted, found := reported(t, made(t, treesOf...), ds, job)
	for i := range predicted {
		column := make([]float64, z.Train)
		for row := range column {
			column[row] = z.Numbers.OutOfFold[row][i]
		}
		near(t, "out of fold", predicted[i].Values, column, 1e-12)
	}
	near(t, "weights", weightsOf(found), z.Numbers.Weights, 1e-9)
	// scikit-learn's own ridge is found by L-BFGS-B, to about 1e-6
	near(t, "predictions", after(t, m, ds, z.Train), z.Numbers.Predicted, 1e-5)
}

func TestStackOfClassesByScikitLearn(t *testing.T) {
	z := readFrozen(t)
	ds, job := z.dataset(t, data.Multiclass)
	_, predicted, found := reported(t,
		made(t, append(slices.Clone(treesOf), "meta_learner.pool=linear")...), ds, job)
	for i := range predicted {
		near(t, "out of fold", predicted[i].Values, flat(z.Classes.OutOfFold[i]), 1e-12)
	}
	near(t, "weights", weightsOf(found), z.Classes.Weights, 1e-9)
	tree := append(slices.Clone(treesOf), "meta_learner=cart", "meta_learner.depth=2",
		"meta_learner.min_leaf=10", "meta_learner.prune=none")
	near(t, "combined by a tree", after(t, mustFit(t, made(t, tree...), ds, job), ds, z.Train),
		flat(z.Classes.CombinedByTree), 1e-12)
	near(t, "with columns", after(t, mustFit(t, made(t, append(tree, "passthrough=true")...), ds,
		job), ds, z.Train), flat(z.Classes.WithColumns), 1e-12)
}

// The weights of a logarithmic pool are those that L-BFGS-B and Newton's method find there.
func TestPoolByScipy(t *testing.T) {
	z := readFrozen(t)
	ds, job := z.dataset(t, data.Multiclass)
	for _, c := range z.Classes.Pool {
		settings := append(slices.Clone(treesOf), "meta_learner.pool=log",
			fmt.Sprint("meta_learner.l2=", c.L2), fmt.Sprint("meta_learner.floor=", c.Floor))
		m, _, found := reported(t, made(t, settings...), ds, job)
		near(t, "weights", weightsOf(found), c.Weights, 1e-10)
		if p, ok := m.(*committee.Committee); ok &&
			(p.Combine != committee.Product || p.Floor != c.Floor) {
			t.Errorf("the committee takes the %s, with a floor of %g", p.Combine, p.Floor)
		}
	}
}

// Powers, weights and biases of a tempered pool are those that scipy's methods find, and
// probabilities come out as numpy's do.
func TestTemperedByScipy(t *testing.T) {
	z := readFrozen(t)
	ds, job := z.dataset(t, data.Multiclass)
	if len(z.Classes.Tempered) == 0 {
		t.Fatal("no tempered pool is frozen")
	}
	for _, c := range z.Classes.Tempered {
		settings := append(slices.Clone(treesOf), "meta_learner.pool=tempered",
			fmt.Sprint("meta_learner.l2=", c.L2), fmt.Sprint("meta_learner.floor=", c.Floor))
		m, _, found := reported(t, made(t, settings...), ds, job)
		var powers []float64
		for _, member := range found.Members {
			powers = append(powers, *member.Power)
		}
		near(t, "powers", powers, c.Powers, 1e-9)
		near(t, "weights", weightsOf(found), c.Weights, 1e-9)
		near(t, "power of the whole", []float64{*found.Power}, []float64{c.Whole}, 1e-8)
		near(t, "biases", found.Bias, c.Bias, 1e-8)
		near(t, "predictions", after(t, m, ds, z.Train), flat(c.Predicted), 1e-8)
	}
}

// A logistic meta-learner is fitted to standardised probabilities, as scikit-learn's does behind a
// StandardScaler. The tolerances are those of its solvers: newton-cg of three classes ends where
// its line search fails, newton-cholesky of two at the precision of the numbers.
func TestLogisticMetaLearnerByScikitLearn(t *testing.T) {
	z := readFrozen(t)
	logistic := append(slices.Clone(treesOf), "meta_learner=logistic")
	ds, job := z.dataset(t, data.Multiclass)
	near(t, "three classes", after(t, mustFit(t, made(t, logistic...), ds, job), ds, z.Train),
		flat(z.Classes.ByLogistic), 1e-8)
	two := data.Target{Name: "y", Task: data.Binary, Classes: []string{"p", "other"}}
	for _, class := range z.Class {
		two.Class = append(two.Class, min(class, 1))
	}
	ds.Target = two
	near(t, "two classes", after(t, mustFit(t, made(t, logistic...), ds, job), ds, z.Train),
		flat(z.Classes.TwoByLogistic), 1e-11)
}
