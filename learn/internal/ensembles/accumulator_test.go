package ensembles_test

import (
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn/internal/ensembles"
)

// TestVotes follows the votes of four members for five rows of three classes; row 4 is never out of
// the bag.
func TestVotes(t *testing.T) {
	accumulator := ensembles.NewAccumulator(ensembles.Truth{Task: data.Multiclass, Classes: 3,
		Class: []uint32{0, 1, 2, 1, 0}, Weight: []float64{1, 2, 1, 4, 7}})
	if got := accumulator.Estimate(); got.Members != 0 || got.Rows != 0 || got.Never != 5 ||
		got.Error != nil {
		t.Errorf("before the first member: %+v", got)
	}
	a, b, c := []float64{1, 0, 0}, []float64{0, 1, 0}, []float64{0, 0, 1}
	// no row out of the bag
	accumulator.Add(nil, nil)
	accumulator.Add([]int32{0, 1, 3}, slices.Concat(a, a, b)) // row 1 is wrong
	// a tie of a and b for the rows 1 and 3: a is predicted
	accumulator.Add([]int32{1, 2, 3}, slices.Concat(b, c, a))
	// rows 1 and 3 are right, row 0 has a tie, which a wins
	accumulator.Add([]int32{3, 1, 0}, slices.Concat(b, b, []float64{0, 1, 0}))
	want := []float64{math.NaN(), 2. / 7, 6. / 8, 0}
	if diff := cmp.Diff(want, accumulator.Errors(), equalNaN); diff != "" {
		t.Errorf("errors (-want +got):\n%s", diff)
	}
	nan := math.NaN()
	probabilities := []float64{0.5, 0.5, 0, 1. / 3, 2. / 3, 0, 0, 0, 1, 1. / 3, 2. / 3, 0,
		nan, nan, nan}
	if diff := cmp.Diff(probabilities, accumulator.Predictions(), equalNaN); diff != "" {
		t.Errorf("predictions (-want +got):\n%s", diff)
	}
	got := accumulator.Estimate()
	if got.Members != 4 || got.Rows != 4 || got.Never != 1 || *got.Error != 0 || got.MSE != nil ||
		got.R2 != nil {
		t.Errorf("%+v", got)
	}
	// weights 1, 2, 1, 4 times 0.5, 2/9, 0, 2/9, and times -log of 1/2, 2/3, 1, 2/3
	near(t, "Brier score", *got.Brier, (0.5+6*2./9)/8)
	near(t, "log loss", *got.LogLoss, (math.Ln2+6*math.Log(1.5))/8)
}

// TestNumbers follows two members for four rows, of which the last is never out of the bag.
func TestNumbers(t *testing.T) {
	accumulator := ensembles.NewAccumulator(ensembles.Truth{Task: data.Regression, Y: []float64{1, 2, 4, 100},
		Weight: []float64{1, 1, 2, 5}})
	accumulator.Add([]int32{0, 1}, []float64{2, 2})
	accumulator.Add([]int32{2, 0, 1}, []float64{1, 1, math.NaN()}) // no prediction for row 1
	errors := accumulator.Errors()
	near(t, "first error", errors[0], 0.5)
	near(t, "second error", errors[1], (0.25+2*9)/4)
	want := []float64{1.5, 2, 1, math.NaN()}
	got := accumulator.Predictions()
	for i := range want {
		near(t, "prediction", got[i], want[i])
	}
	e := accumulator.Estimate()
	near(t, "MSE", *e.MSE, 18.25/4)
	// the mean is 11/4, the squared deviations from it are 49/16, 9/16 and twice 25/16
	near(t, "R2", *e.R2, 1-18.25/(108./16))
	if e.Never != 1 || e.Rows != 3 || e.Error != nil || e.Brier != nil || e.LogLoss != nil {
		t.Errorf("%+v", e)
	}
}

func near(t testing.TB, what string, got, want float64) {
	t.Helper()
	if math.IsNaN(want) != math.IsNaN(got) || math.Abs(got-want) > 1e-9*max(1, math.Abs(want)) {
		t.Errorf("%s %v, want %v", what, got, want)
	}
}

var equalNaN = cmp.Comparer(func(a, b float64) bool {
	return a == b || math.IsNaN(a) &&
		math.IsNaN(b)
})

// TestScales: the fixed point follows the labels, so that their unit and their origin do not
// matter.
func TestScales(t *testing.T) {
	for _, c := range []struct{ factor, origin float64 }{{1, 0}, {1e-290, 0}, {1e290, 0}, {1, 1e6},
		{0x1p-40, 1}} {
		y := make([]float64, 50)
		for i := range y {
			y[i] = c.origin + c.factor*float64(i%7)
		}
		accumulator := ensembles.NewAccumulator(ensembles.Truth{Task: data.Regression, Y: y})
		all := make([]int32, len(y))
		off := make([]float64, len(y))
		for i := range all {
			all[i] = int32(i)
			off[i] = y[i] + c.factor*(1+float64(i%2)) // off by 1 and 2
		}
		accumulator.Add(all, off)
		accumulator.Add(all, off)
		e := accumulator.Estimate()
		if c.factor > 1e-100 && c.factor < 1e100 { // else the square is 0 or infinite
			near(t, "MSE", *e.MSE/c.factor/c.factor, 2.5)
			// over the variance of seven times 0 ... 6 and a 0
			near(t, "R2", *e.R2, 1-2.5/(637./50-2.94*2.94))
		} else if c.factor > 1 && e.MSE != nil {
			t.Errorf("MSE %v of numbers whose squares are infinite", *e.MSE)
		}
		for i, p := range accumulator.Predictions() {
			if math.Abs(p-off[i]) > 1e-10*(c.factor+1e-5*c.origin) {
				t.Errorf("factor %g, origin %g: prediction %v, want %v", c.factor,
					c.origin, p, off[i])
			}
		}
	}
	constant := ensembles.NewAccumulator(ensembles.Truth{Task: data.Regression, Y: []float64{3, 3}})
	constant.Add([]int32{0, 1}, []float64{3, math.Inf(1)})
	got := constant.Predictions()
	if got[0] != 3 || got[1] != 3+64*4 {
		t.Errorf("constant labels: predictions %v, want 3 and the limit, 64 times the scale 4", got)
	}
}

// truths generates a truth and the predictions of some members: rows and values.
func truths(t *rapid.T) (ensembles.Truth, [][]int32, [][]float64) {
	n := rapid.IntRange(1, 12).Draw(t, "rows")
	truth := ensembles.Truth{Task: data.Regression}
	if rapid.Bool().Draw(t, "classes") {
		truth.Task, truth.Classes = data.Multiclass, rapid.IntRange(1, 4).Draw(t, "K")
		truth.Class = rapid.SliceOfN(rapid.Uint32Range(0, uint32(truth.Classes-1)), n,
			n).Draw(t, "class")
	} else {
		truth.Y = rapid.SliceOfN(rapid.Float64Range(-9, 9), n, n).Draw(t, "y")
	}
	if rapid.Bool().Draw(t, "weighted") {
		truth.Weight = rapid.SliceOfN(rapid.Float64Range(0.1, 3), n, n).Draw(t, "weight")
	}
	var rows [][]int32
	var values [][]float64
	for range rapid.IntRange(1, 8).Draw(t, "members") {
		var out []int32
		for i := range int32(n) {
			if rapid.Bool().Draw(t, "out") {
				out = append(out, i)
			}
		}
		size := len(out) * truth.Width()
		v := rapid.SliceOfN(rapid.Float64Range(0, 1), size, size).Draw(t, "values")
		rows, values = append(rows, out), append(values, v)
	}
	return truth, rows, values
}

// TestAnyOrder: the order of members, and of the rows of each, changes nothing, to the last bit.
func TestAnyOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		truth, rows, values := truths(t)
		w := truth.Width()
		a, b := ensembles.NewAccumulator(truth), ensembles.NewAccumulator(truth)
		for i := range rows {
			a.Add(rows[i], values[i])
		}
		order := rapid.Permutation(indexes(len(rows))).Draw(t, "order")
		for _, m := range order {
			var out []int32
			var v []float64
			for _, i := range rapid.Permutation(indexes(len(rows[m]))).Draw(t, "rows") {
				out = append(out, rows[m][i])
				v = append(v, values[m][i*w:(i+1)*w]...)
			}
			b.Add(out, v)
		}
		if diff := cmp.Diff(a.Predictions(), b.Predictions(), equalNaN); diff != "" {
			t.Errorf("predictions:\n%s", diff)
		}
		if diff := cmp.Diff(a.Estimate(), b.Estimate(), equalNaN); diff != "" {
			t.Errorf("estimates:\n%s", diff)
		}
		last := len(rows) - 1
		if diff := cmp.Diff(a.Errors()[last], b.Errors()[last], equalNaN); diff != "" {
			t.Errorf("errors:\n%s", diff)
		}
	})
}

func indexes(n int) []int {
	x := make([]int, n)
	for i := range x {
		x[i] = i
	}
	return x
}

// TestRunningError: the error that is kept up to date is that of the predictions, after every
// member.
func TestRunningError(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		truth, rows, values := truths(t)
		accumulator := ensembles.NewAccumulator(truth)
		for i := range rows {
			accumulator.Add(rows[i], values[i])
			loss, weight := 0.0, 0.0
			w := truth.Width()
			predictions := accumulator.Predictions()
			for r := range truth.Rows() {
				p := predictions[r*w : (r+1)*w]
				if math.IsNaN(p[0]) {
					continue
				}
				x := 1.0
				if truth.Weight != nil {
					x = truth.Weight[r]
				}
				weight += x
				switch {
				case truth.Class == nil:
					loss += x * (p[0] - truth.Y[r]) * (p[0] - truth.Y[r])
				case slices.Index(p, slices.Max(p)) != int(truth.Class[r]):
					loss += x
				}
			}
			if got := accumulator.Errors()[i]; weight == 0 && !math.IsNaN(got) ||
				math.Abs(got-loss/weight) > 1e-8*max(1, loss/weight) {
				t.Fatalf("after member %d: error %v, want %v", i+1, got, loss/weight)
			}
		}
	})
}
