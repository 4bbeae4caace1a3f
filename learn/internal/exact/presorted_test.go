package exact_test

import (
	"context"
	"math"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/criterion"
	"github.com/coppice-ml/coppice/learn/internal/exact/internal/growtest"
	"github.com/coppice-ml/coppice/learn/internal/grow"
	"github.com/coppice-ml/coppice/tree"
)

func (p *problem) shared() *growtest.Problem {
	return &growtest.Problem{Frame: p.frame, Pop: p.pop, Criterion: p.row}
}

func growWith(t growtest.Fataler, p *problem, cfg growtest.Config) *tree.Tree {
	return growtest.GrowPresorted(t, p.shared(), cfg)
}

func growRanked(t growtest.Fataler, p *problem, cfg growtest.Config) *tree.Tree {
	return growtest.GrowRanked(t, p.shared(), cfg)
}

func growRandom(t growtest.Fataler, p *problem, cfg growtest.Config) *tree.Tree {
	return growtest.GrowRandom(t, p.shared(), cfg)
}

// TestMajority: splits are judged on the known rows of a column, the others follow the heavier
// child.
func TestMajority(t *testing.T) {
	nan := math.NaN()
	frame, err := data.FromRows([][]float64{{1}, {2}, {3}, {nan}, {4}, {nan}, {5}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	p := &problem{frame: frame, pop: grow.Population{Rows: data.AllRows(7),
		Class: []uint32{0, 0, 0, 1, 1, 1, 1}, Classes: 2}}
	p.row, _ = criterion.ByName("gini")
	for _, grown := range []func(growtest.Fataler, *problem, growtest.Config) *tree.Tree{growWith,
		growRanked} {
		got := grown(t, p, growtest.Config{Limits: grow.Limits{Depth: 1},
			Missing: growtest.Majority, Workers: 1})
		// Five known rows, 3 and 2 of the classes, separated without error: gain 5 x 2 x 3/5 x 2/5
		// = 2.4.
		if got.SplitPoint(0) != 3.5 || math.Abs(got.Stats.Gain[0]-2.4) > 1e-12 ||
			got.Missing(0) != tree.MissingMajority {
			t.Errorf("split point %g, gain %g, rule %d", got.SplitPoint(0), got.Stats.Gain[0],
				got.Missing(0))
		}
		if got.Fraction[1] != 0.6 || got.Fraction[2] != 0.4 {
			t.Errorf("fractions %v", got.Fraction)
		}
		if v := got.Value(1); v[0] != 3 || v[1] != 2 {
			t.Errorf("the heavier child holds %v, want the three known rows and both missing ones",
				v)
		}
	}
}

// TestTies: of columns with equally good splits the first that a node samples is taken, so that no
// place in the table is preferred.
func TestTies(t *testing.T) {
	frame, err := data.FromRows([][]float64{{0, 0, 1}, {0, 0, 1}, {1, 1, 1}, {1, 1, 1}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	pop := &grow.Population{Rows: data.AllRows(4), Class: []uint32{0, 0, 1, 1}, Classes: 2}
	gini, _ := criterion.ByName("gini")
	const random = 900
	for _, prepare := range []func(context.Context, *data.Frame, []int32, int) (*growtest.Prepared,
		error){growtest.Prepare, growtest.PrepareRanked} {
		prepared, err := prepare(context.Background(), frame, nil, 1)
		if err != nil {
			t.Fatal(err)
		}
		var roots [3]int
		for seed := range uint64(random) {
			stump, err := prepared.Grow(context.Background(), pop,
				growtest.Config{Criterion: gini, Mtry: 2, Seed: seed, Workers: 1})
			if err != nil {
				t.Fatal(err)
			}
			roots[stump.Feature(0)]++
		}
		// 450 expected; the standard deviation is 15, five of them are allowed.
		if roots[0] < 375 || roots[0] > 525 || roots[2] != 0 {
			t.Errorf("the columns are the root's %d times, want each of the first two half as "+
				"often as there are trees", roots)
		}
	}
}

// TestMtry: with one column a node, every column is the root's equally often; and a node whose
// sampled columns are constant looks further.
func TestMtry(t *testing.T) {
	p := table(400, "gini")
	prepared, err := growtest.Prepare(context.Background(), p.frame, nil, 1)
	if err != nil {
		t.Fatal(err)
	}
	const random = 700
	roots := make([]int, 7)
	for seed := range uint64(random) {
		stump, err := prepared.Grow(context.Background(), &p.pop,
			growtest.Config{Criterion: p.row, Limits: grow.Limits{Depth: 1}, Mtry: 1, Seed: seed,
				Workers: 1})
		if err != nil {
			t.Fatal(err)
		}
		roots[stump.Feature(0)]++
	}
	// 100 expected; the standard deviation is sqrt(700 x 1/7 x 6/7) = 9.3, five of them are
	// allowed.
	for c, n := range roots {
		if n < 54 || n > 146 {
			t.Errorf("column %d is the root's %d times of %d", c, n, random)
		}
	}
	rows := [][]float64{{1, 1, 1, 1, 0}, {1, 1, 1, 1, 1}}
	frame, err := data.FromRows(rows, nil)
	if err != nil {
		t.Fatal(err)
	}
	q := &problem{frame: frame, pop: grow.Population{Rows: data.AllRows(2), Class: []uint32{0, 1},
		Classes: 2}, row: p.row}
	if got := growWith(t, q, growtest.Config{Mtry: 1, Workers: 1}); got.Len() != 3 ||
		got.Feature(0) != 4 {
		t.Errorf("%d nodes, though the last column splits the rows", got.Len())
	}
}
