package ensembles_test

import (
	"encoding/json"
	"math"
	"slices"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn/internal/ensembles"
	"github.com/coppice-ml/coppice/learn/internal/grow"
)

func TestCurve(t *testing.T) {
	accumulator := ensembles.NewAccumulator(ensembles.Truth{Task: data.Binary, Classes: 2,
		Class: []uint32{1, 1, 1}})
	accumulator.Add(nil, nil)
	accumulator.Add([]int32{0}, []float64{1, 0})
	accumulator.Add([]int32{0, 1}, []float64{0, 1, 0, 1})
	accumulator.Add([]int32{2, 0}, []float64{0, 1, 0, 1})
	accumulator.Add([]int32{1}, []float64{1, 0})
	text, err := json.Marshal(accumulator.Curve())
	if err != nil {
		t.Fatal(err)
	}
	// ties go to the first class, which is wrong for rows 0 and 1
	want := `{"members":[2,3,4,5],"error":[1,0.5,0,0.333333],"rows":[1,2,3,3]}`
	if string(text) != want {
		t.Errorf("%s, want %s", text, want)
	}
}

func TestCurveIsThinned(t *testing.T) {
	accumulator := ensembles.NewAccumulator(ensembles.Truth{Task: data.Regression, Y: []float64{1}})
	points := map[int]int{50: 50, 64: 64, 65: 65, 68: 65, 128: 80, 500: 112, 501: 112, 8192: 176}
	for m := 1; m <= 8192; m++ {
		accumulator.Add([]int32{0}, []float64{0})
		want, ok := points[m]
		if !ok {
			continue
		}
		c := accumulator.Curve()
		if len(c.Members) != want || c.Members[want-1] != m || c.Members[49] != 50 ||
			!slices.IsSorted(c.Members) {
			t.Errorf("after %d members %d points, want %d: %v", m, len(c.Members), want, c.Members)
		}
	}
}

func TestNeverSettled(t *testing.T) {
	never := ensembles.NewAccumulator(ensembles.Truth{Task: data.Regression, Y: []float64{1}})
	for range 100 {
		never.Add(nil, nil)
	}
	if never.Settled(grow.Settle{Members: 10}) {
		t.Error("settled without any prediction")
	}
}

// TestSettleRule chooses the mean of the predictions of one number after each member, and so the
// error.
func TestSettleRule(t *testing.T) {
	// 19 members of error 0, which do not count, come first
	run := func(errors []float64, s grow.Settle) int {
		accumulator := ensembles.NewAccumulator(ensembles.Truth{Task: data.Regression, Y: []float64{0, 4}})
		sum := 0.0
		for m, e := range append(make([]float64, 19), errors...) {
			next := math.Sqrt(e)*float64(m+1) - sum
			sum += next
			accumulator.Add([]int32{0}, []float64{next})
			if accumulator.Settled(s) {
				return m + 1
			}
		}
		return 0
	}
	for _, c := range []struct {
		name   string
		errors []float64
		settle grow.Settle
		want   int
	}{
		{"off", slices.Repeat([]float64{5}, 100), grow.Settle{Tolerance: 0.5}, 0},
		{"flat", slices.Repeat([]float64{5}, 100), grow.Settle{Members: 10}, 30},
		{"no error at all", make([]float64, 100), grow.Settle{Members: 10}, 30},
		{"falls by a tenth", []float64{1, 0.9, 0.81, 0.729, 0.656, 0.59, 0.53}, grow.Settle{Tolerance: 0.05, Members: 3}, 0},
		{"falls too little", []float64{1, 0.99, 0.98, 0.97, 0.96}, grow.Settle{Tolerance: 0.05, Members: 3}, 23},
		{"falls little, more members", []float64{1, 0.99, 0.98, 0.97, 0.96, 0.95, 0.94, 0.93, 0.92, 0.91}, grow.Settle{Tolerance: 0.05, Members: 7}, 0},
		{"up and down", []float64{1, 2, 0.5, 2, 2, 2, 0.1}, grow.Settle{Tolerance: 0.05, Members: 3}, 25},
		{"the last moment", []float64{1, 2, 0.5, 2, 2, 0.4, 0.1}, grow.Settle{Tolerance: 0.05, Members: 3}, 0},
	} {
		if got := run(c.errors, c.settle); got != c.want {
			t.Errorf("%s: settled after %d members, want %d", c.name, got, c.want)
		}
	}
}
