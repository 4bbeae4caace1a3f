package gbm_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/datatest"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/gbm"
	"github.com/coppice-ml/coppice/loss"
	"github.com/coppice-ml/coppice/loss/losstest"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/tree"
)

// lecture is a round of boosting that lectures on XGBoost do by hand, on four rows at x = 10, 20,
// 25, 35, without penalties: trees of two levels, learning rate 0.3. Similarity is (sum of
// residuals)^2 / (sum of hessians + lambda), gain that of the children less the parent's.
type lecture struct {
	file       string
	settings   []string
	loss       loss.Loss
	task       data.Task
	start      float64    // score
	residuals  []float64  // at the start
	similarity float64    // of the root
	gains      [3]float64 // of the root's splits at 15, 22.5 and 30
	// of the right child's splits at 22.5 and 30, once the root is split at 15
	below     [2]float64
	leaves    [3]float64 // of x < 15, of those between, of x >= 30; before the learning rate
	responses []float64  // after one round
	digits    float64    // to which the lectures print
}

func lectures() []lecture {
	return []lecture{
		{"xgboost_regression.csv", []string{"loss=squared"}, losstest.New("squared"), data.Regression, 0.5,
			[]float64{-11.5, 6.5, 7.5, -8.5}, 9,
			[3]float64{133.33, 4, 65.33}, [2]float64{32.67, 160.17}, [3]float64{-11.5, 7, -8.5},
			[]float64{-2.95, 2.6, 2.6, -2.05}, 0.005},
		{"xgboost_classification.csv", []string{"loss=logistic"}, losstest.New("logistic"), data.Binary, 0,
			[]float64{-0.5, 0.5, 0.5, -0.5}, 0,
			[3]float64{1.33, 0, 1.33}, [2]float64{0.67, 2.67}, [3]float64{-2, 2, -2},
			[]float64{0.354, 0.646, 0.646, 0.354}, 0.005},
	}
}

func TestLectures(t *testing.T) {
	for _, e := range lectures() {
		t.Run(e.file, func(t *testing.T) {
			f := datatest.Read(t, "lectures/"+e.file, data.Roles{}).Frame
			x, target := values(t, f, "x"), e.target(values(t, f, "y"))
			e.atTheStart(t, target)
			all := data.AllRows(len(x))
			for i, splitPoint := range []float64{15, 22.5, 30} {
				e.near(t, fmt.Sprint("gain of the root at ", splitPoint),
					e.gain(t, x, splitPoint, target, all),
					e.gains[i])
			}
			for i, splitPoint := range []float64{22.5, 30} {
				e.near(t, fmt.Sprint("gain of the right child at ", splitPoint),
					e.gain(t, x, splitPoint, target, all[1:]), e.below[i])
			}
			m := e.fit(t, x, target, all, 2)
			e.finished(t, m, x)
		})
	}
}

func (e *lecture) near(t *testing.T, what string, got, want float64) {
	t.Helper()
	if !(math.Abs(got-want) <= e.digits) {
		t.Errorf("%s is %v, want %v", what, got, want)
	}
}

func (e *lecture) target(y []float64) *data.Target {
	target := &data.Target{Name: "y", Task: e.task, Offset: make([]float64, len(y))}
	for i, v := range y {
		target.Offset[i] = e.start
		if e.task == data.Binary {
			target.Classes, target.Class = []string{"0", "1"}, append(target.Class, uint32(v))
		}
	}
	if e.task == data.Regression {
		target.Y = [][]float64{y}
	}
	return target
}

// atTheStart checks residuals and the root's similarity.
func (e *lecture) atTheStart(t *testing.T, target *data.Target) {
	o, err := e.loss.Bind(target, data.AllRows(4))
	if err != nil {
		t.Fatal(err)
	}
	g, h := make([]float64, 4), make([]float64, 4)
	o.Gradients(g, h, target.Offset, 1)
	sum, weight := 0.0, 0.0
	for i := range g {
		e.near(t, fmt.Sprint("residual ", i), -g[i], e.residuals[i])
		sum, weight = sum+g[i], weight+h[i]
	}
	e.near(t, "similarity", sum*sum/weight, e.similarity)
}

// gain returns the gain of one split on some rows: that of a stump on a column of two values, its
// sides.
func (e *lecture) gain(t *testing.T, x []float64, splitPoint float64, target *data.Target,
	rows []int32) float64 {
	side := make([]float64, len(x))
	for i, v := range x {
		if v > splitPoint {
			side[i] = 1
		}
	}
	root := e.fit(t, side, target, rows, 1).Trees[0]
	return root.Stats.Gain[0]
}

func (e *lecture) fit(t *testing.T, x []float64, target *data.Target, rows []int32,
	depth int) *model.Ensemble {
	t.Helper()
	frame, err := data.FromColumns(data.NamedColumn{Name: "x", Values: x})
	if err != nil {
		t.Fatal(err)
	}
	l := gbm.New()
	set := []string{"trees=1", "growth=depth", fmt.Sprint("depth=", depth), "leaves=0",
		"min_leaf=1", "min_child_weight=0", "l2=0", "learning_rate=0.3"}
	if err := l.Params().Set(append(set, e.settings...)); err != nil {
		t.Fatal(err)
	}
	f, err := l.Prepare(t.Context(), frame, rows, nil, learn.Env{})
	if err != nil {
		t.Fatal(err)
	}
	m, err := f.Fit(t.Context(), target, learn.Job{})
	if err != nil {
		t.Fatal(err)
	}
	return m.(*model.Ensemble)
}

// finished checks the tree of two levels, split at 15 and at 30, and its predictions.
func (e *lecture) finished(t *testing.T, m *model.Ensemble, x []float64) {
	d := m.Trees[0]
	if d.NumLeaves() != 3 || d.Kind(0) != tree.Numeric || d.SplitPoint(0) != 15 {
		t.Fatalf("%d leaves, split at %v, want 3 leaves and the split 15", d.NumLeaves(),
			d.SplitPoint(0))
	}
	right := d.Child(0) + 1
	if d.SplitPoint(right) != 30 {
		t.Fatalf("the right child is split at %v, want 30", d.SplitPoint(right))
	}
	for i, n := range []int32{d.Child(0), d.Child(right), d.Child(right) + 1} {
		e.near(t, fmt.Sprint("leaf ", i), d.Value(n)[0]/0.3, e.leaves[i])
	}
	for i, v := range x {
		n := int32(0)
		for d.Kind(n) != tree.Leaf {
			n = d.NextNumeric(n, v)
		}
		raw := e.start + d.Value(n)[0]
		if e.task == data.Binary {
			raw = 1 / (1 + math.Exp(-raw))
		}
		e.near(t, fmt.Sprint("prediction ", i), raw, e.responses[i])
	}
}
