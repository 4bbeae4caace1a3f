package gbm_test

import (
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/kernel"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/tree"
)

// spread returns rows whose labels have noise that grows with a column.
func spread(t testing.TB, n int) *data.Dataset {
	s := rng.New(3)
	rows, y := make([][]float64, n), make([]float64, n)
	for i := range rows {
		a, b, c := s.Float64(), s.Float64(), s.Float64()
		rows[i] = []float64{a, b, c, s.Float64()}
		y[i] = 5*math.Abs(a-0.5) + 3*b*c + (0.2+b)*kernel.NormalQuantile(max(s.Float64(), 0x1p-54))
	}
	f, err := data.FromRows(rows, nil)
	if err != nil {
		t.Fatal(err)
	}
	return &data.Dataset{Frame: f, Target: data.Target{Name: "y", Task: data.Regression,
		Y: [][]float64{y}}}
}

// TestQuantilesCover: of new rows as many lie between two quantiles as their levels say. Without
// the shifts of the folds they are fewer.
func TestQuantilesCover(t *testing.T) {
	ds := spread(t, 3000)
	train, test := data.AllRows(3000)[:1000], data.AllRows(3000)[1000:]
	covered := func(m *model.Ensemble) float64 {
		p := predict(t, m, ds.Frame, test, model.Response)
		n := 0.0
		for i, row := range test {
			if y := ds.Target.Y[0][row]; p[2*i] <= y && y <= p[2*i+1] {
				n++
			}
		}
		return n / float64(len(test))
	}
	settings := []string{"loss=quantile", "loss.quantiles=0.05,0.95", "learning_rate=0.1",
		"rehearse=false"}
	m := fit(t, ds, learn.Job{Rows: train}, settings...)
	shifts := summary(t, m).Chosen.Shifts
	if c := covered(m); len(shifts) != 2 || c < 0.87 || c > 0.93 {
		t.Errorf("%.3f are covered, with the shifts %v", c, shifts)
	}
	for k := range m.Bias {
		m.Bias[k] -= shifts[k]
	}
	if c := covered(m); c > 0.86 {
		t.Errorf("without shifts %.3f are covered", c)
	}
}

// TestResumeQuantiles: from a checkpoint of the choice of rounds, before and after its best round,
// training ends in the same bytes. The checkpoint has the shifts of the best round so far.
func TestResumeQuantiles(t *testing.T) {
	ds := spread(t, 200)
	settings := []string{"loss=quantile", "loss.quantiles=0.1,0.9", "leaves=6", "early_stopping=8",
		"learning_rate=0.3", "rehearse=false"}
	best := summary(t, fit(t, ds, learn.Job{}, settings...)).Chosen.Best
	for _, round := range []int{1, best, best + 1} {
		c, want := chosen(t, ds, learn.Job{}, round, settings...)
		got := fit(t, ds, learn.Job{Start: c, Workers: 2}, settings...)
		if !reflect.DeepEqual(got, want) {
			t.Errorf("resumed after round %d, the best being %d, training ends elsewhere", round, best)
		}
	}
}

// TestLeavesOfQuantiles: a leaf has a row beyond each quantile, unless the user or another
// program's defaults say otherwise.
func TestLeavesOfQuantiles(t *testing.T) {
	ds := spread(t, 1000)
	for settings, want := range map[string]float64{"": 20, "min_leaf=3": 3, "compat=lightgbm": 1} {
		m := fit(t, ds, learn.Job{}, append([]string{"loss=quantile", "loss.quantiles=0.05,0.5",
			"trees=20"}, strings.Fields(settings)...)...)
		least := math.Inf(1)
		for _, one := range m.Trees {
			covers := one.Covers()
			for node := range int32(one.Len()) {
				if one.Kind(node) == tree.Leaf {
					least = min(least, covers[node])
				}
			}
		}
		if least < want || want < 20 && least >= 20 {
			t.Errorf("%q: a leaf has %v rows, want %v or more", settings, least, want)
		}
	}
}
