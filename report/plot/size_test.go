package plot_test

import (
	"math"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn/c45"
	"github.com/coppice-ml/coppice/learn/cart"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/report/plot"
	"github.com/coppice-ml/coppice/tree"
	"github.com/coppice-ml/coppice/tree/prune"
)

// TestSizes compares with the predictions of every subtree: of trees that put missing values on one
// side, and of trees that send fractions of a row to several children.
func TestSizes(t *testing.T) {
	classes, numbers := read(t, "iris/iris.csv", "species"),
		read(t, "iris/iris.csv", "petal_length")
	for _, ds := range []*data.Dataset{classes, numbers} {
		ds.Target.Weight = make([]float64, ds.Rows())
		for r := range ds.Rows() {
			ds.Target.Weight[r] = float64(1 + r%3)
			for c := range ds.Columns {
				if num := ds.Columns[c].Numbers(); num != nil && (3*r+5*c)%11 == 0 {
					num[r] = math.NaN()
				}
			}
		}
	}
	for name, s := range map[string]*plot.Subject{
		"classes":   train(t, classes, cart.New(), "prune=none"),
		"numbers":   train(t, numbers, cart.New(), "prune=none", "min_leaf=4"),
		"fractions": train(t, classes, c45.New(), "prune=none"),
	} {
		for _, byImpurity := range []bool{false, true} {
			got, err := s.Sizes(byImpurity)
			if err != nil {
				t.Fatal(err)
			}
			cost, err := prune.TrainingError(s.Tree)
			if byImpurity {
				cost, err = prune.Impurity(s.Tree)
			}
			if err != nil {
				t.Fatal(err)
			}
			path := prune.NewPath(s.Tree, cost, nil)
			if len(got) != len(path.Steps) || len(got) < 3 {
				t.Fatalf("%s: %d sizes of %d steps", name, len(got), len(path.Steps))
			}
			for k, step := range path.Steps {
				pruned, err := path.Prune(step.Alpha)
				if err != nil {
					t.Fatal(err)
				}
				want := errorOf(t, s, pruned)
				if got[k].Leaves != pruned.NumLeaves() ||
					math.Abs(got[k].Table-want) > 1e-12*(1+want) {
					t.Errorf("%s, step %d: %+v, the subtree of %d leaves has error %g", name, k,
						got[k], pruned.NumLeaves(), want)
				}
				if name != "fractions" && math.Abs(got[k].Training-want) > 1e-9*(1+want) {
					t.Errorf("%s, step %d: training error %g, on the same rows it is %g", name, k,
						got[k].Training, want)
				}
			}
		}
	}
}

// errorOf predicts the subject's rows with a tree.
func errorOf(t *testing.T, s *plot.Subject, pruned *tree.Tree) float64 {
	m := &model.Ensemble{Meta: *s.Spec, Trees: []*tree.Tree{pruned}, Combine: model.Mean}
	p, err := m.Bind(&s.Data.Schema, model.Options{Output: model.Label})
	if err != nil {
		t.Fatal(err)
	}
	labels := make([]float64, s.Data.Rows())
	if err := p.Predict(labels, s.Data.Frame, nil); err != nil {
		t.Fatal(err)
	}
	sum, total := 0.0, 0.0
	for r, label := range labels {
		w, loss := s.Data.Target.Weight[r], 0.0
		if s.Spec.Task.Classes() {
			if int(label) != int(s.Data.Target.Class[r]) {
				loss = 1
			}
		} else {
			loss = (label - s.Data.Target.Y[0][r]) * (label - s.Data.Target.Y[0][r])
		}
		sum += w * loss
		total += w
	}
	return sum / total
}
