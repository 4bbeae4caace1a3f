package encode_test

import (
	"context"
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/input"
	"github.com/coppice-ml/coppice/learn/gbm/internal/encode"
)

// Whatever the labels of a group are, its rows count the same of the others: only the prior, which
// is the same for all rows, moves.
func TestLabelsOfAGroupDoNotReachIt(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f, target := problem(t)
		n := f.Rows()
		if target.Group == nil {
			target.Group = rapid.SliceOfN(rapid.Int64Range(0, 4), n, n).Draw(t, "groups of all")
		}
		group := rapid.SampledFrom(target.Group).Draw(t, "changed")
		other := *target
		other.Class, other.Y = append([]uint32(nil), target.Class...), nil
		for _, y := range target.Y {
			other.Y = append(other.Y, append([]float64(nil), y...))
		}
		for r, g := range target.Group {
			switch {
			case g != group:
			case target.Class != nil:
				other.Class[r] = rapid.Uint32Range(0, uint32(len(target.Classes)-1)).Draw(t, "class of another")
			default:
				other.Y[0][r] = rapid.Float64Range(-9, 9).Draw(t, "label of another")
			}
		}
		o := defaults(func(o *encode.Options) { o.Levels, o.Combinations = 1, 0 })
		var e [2]*encode.Encoded
		for i, target := range []*data.Target{target, &other} {
			var err error
			if e[i], err = fit(context.Background(), f, nil, target, o, 3, 1); err != nil {
				t.Fatal(err)
			}
		}
		for c := range e[0].Set.Columns {
			for r, g := range target.Group {
				if g != group || target.WeightAt(int32(r)) == 0 {
					continue
				}
				a, b := e[0].Columns[0][c][r], e[1].Columns[0][c][r]
				if e[0].Set.Columns[c].Kind == input.Count {
					if a != b {
						t.Fatalf("row %d counts %v, then %v", r, a, b)
					}
					continue
				}
				// Both are (sum + prior) / (count + 1) with a count from 0 to 120.
				moved := e[0].Set.Columns[c].Prior - e[1].Set.Columns[c].Prior
				if worth := (a - b) * moved; math.Abs(a-b) > math.Abs(moved)+1e-12 || worth < -1e-12 || math.Abs(moved) < 1e-12 && math.Abs(a-b) > 1e-12 {
					t.Fatalf("row %d has %v, then %v, as the prior moves by %v", r, a, b, moved)
				}
			}
		}
	})
}

// Labels of a row's own group leave no trace in the last bits either, however large they are.
func TestGroupsLeaveNoTrace(t *testing.T) {
	const x = 1 + 1.0/(1<<14)
	f, err := data.NewFrame(data.Schema{Fields: []data.Field{{Name: "a", Kind: data.Categorical, Levels: []string{"1", "2"}}}},
		[]data.Column{data.Codes([]uint32{0, 0, 0, 0, 1})})
	if err != nil {
		t.Fatal(err)
	}
	target := &data.Target{Task: data.Regression, Y: [][]float64{{x, 1 << 40, 1 << 39, 3, 0}}, Time: []int64{1, 2, 3, 4, 0}, Group: []int64{8, 7, 7, 7, 5}}
	e, err := fit(context.Background(), f, nil, target, defaults(func(o *encode.Options) { o.Levels = 1 }), 1, 1)
	if err != nil {
		t.Fatal(err)
	}
	p := e.Set.Columns[0].Prior
	for r, want := range []float64{p, (x + p) / 2, (x + p) / 2, (x + p) / 2, p} {
		if got := e.Columns[0][0][r]; got != want {
			t.Errorf("row %d has %v, want %v", r, got, want)
		}
	}
	for r, want := range []float64{3, 1, 1, 1, 0} {
		if got := e.Columns[0][1][r]; got != want {
			t.Errorf("row %d counts %v, want %v", r, got, want)
		}
	}
}

// The predictions of statistics of single columns are their mean: class probabilities, or numbers.
func TestAnswers(t *testing.T) {
	f, target := interaction(30)
	rows := []int32{3, 7, 29}
	numbers := &data.Target{Y: [][]float64{make([]float64, 30)}}
	for r := range numbers.Y[0] {
		numbers.Y[0][r] = float64(r * r % 7)
	}
	for _, c := range []struct {
		target         *data.Target
		classes, width int
	}{{target, 2, 2}, {&data.Target{Task: data.Multiclass, Class: target.Class, Classes: []string{"x", "y", "z"}}, 3, 3}, {numbers, 0, 1}} {
		e, err := fit(context.Background(), f, nil, c.target, defaults(func(o *encode.Options) { o.Combinations = 2 }), 1, 1)
		if err != nil {
			t.Fatal(err)
		}
		each := len(e.Set.Columns) / len(e.Set.Tables)
		width, got := e.Predictions(rows, c.classes)
		if width != c.width || len(got) != 3*width {
			t.Fatalf("%d values of width %d, want 3 of %d", len(got), width, c.width)
		}
		for i, r := range rows {
			sum := 0.0
			for o := range width {
				from := o
				if c.classes == 2 {
					from = 0
				}
				want := 0.0
				for table := range 4 {
					want += e.Columns[0][table*each+from][r] / 4
				}
				if c.classes == 2 && o == 0 {
					want = 1 - want
				}
				if d := got[i*width+o] - want; math.Abs(d) > 1e-12 {
					t.Errorf("%d classes, row %d, output %d: %v, want %v", c.classes, r, o, got[i*width+o], want)
				}
				sum += got[i*width+o]
			}
			if c.classes > 0 && math.Abs(sum-1) > 1e-12 {
				t.Errorf("probabilities of row %d add up to %v", r, sum)
			}
		}
	}
	if _, got := (&encode.Encoded{}).Predictions(rows, 2); got != nil {
		t.Errorf("no statistic predicts %v", got)
	}
}
