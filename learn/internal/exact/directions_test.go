package exact_test

import (
	"math"
	"reflect"
	"testing"

	"pgregory.net/rapid"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/criterion"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/learn/internal/exact"
	"github.com/coppice-ml/coppice/learn/internal/exact/internal/growtest"
	"github.com/coppice-ml/coppice/learn/internal/grow"
	"github.com/coppice-ml/coppice/tree"
)

// plane makes points of a square in two classes by a rule.
func plane(t *testing.T, n int, second func(x, y float64) bool) *problem {
	t.Helper()
	r := rng.New(3)
	rows := make([][]float64, n)
	p := &problem{pop: grow.Population{Classes: 2}}
	for i := range rows {
		rows[i] = []float64{r.Float64(), 100 * r.Float64(), r.Float64()}
		class := uint32(0)
		if second(rows[i][0], rows[i][1]/100) {
			class = 1
		}
		p.pop.Rows, p.pop.Class = append(p.pop.Rows, int32(i)), append(p.pop.Class, class)
	}
	var err error
	if p.frame, err = data.FromRows(rows, nil); err != nil {
		t.Fatal(err)
	}
	p.row, _ = criterion.ByName("gini")
	return p
}

// TestGreedyLine: where a slanted line separates the classes the greedy search finds it, and one
// split is enough.
func TestGreedyLine(t *testing.T) {
	p := plane(t, 400, func(x, y float64) bool { return x+y > 1.1 })
	axis := growWith(t, p, growtest.Config{Workers: 1})
	got := growWith(t, p,
		growtest.Config{Workers: 1, Directions: exact.Directions{Linear: true}, Seed: 1})
	if got.Kind(0) != tree.Oblique || got.Stats.Impurity[1] > 0.01 || got.Stats.Impurity[2] > 0.01 {
		t.Fatalf("root of kind %d, impurities %.3f and %.3f", got.Kind(0), got.Stats.Impurity[1],
			got.Stats.Impurity[2])
	}
	if got.NumLeaves()*4 > axis.NumLeaves() {
		t.Errorf("%d leaves, %d with splits on single columns", got.NumLeaves(), axis.NumLeaves())
	}
	// Both coefficients are those of the line, up to a common factor: x + y / 100.
	d := got.SplitOf(0).Direction
	if d[0].Feature != 0 || d[1].Feature != 1 || math.Abs(d[1].Coef/d[0].Coef-0.01) > 0.001 {
		t.Errorf("direction %v", d)
	}
}

// TestSpheresAndProjections: random distances and projections make smaller trees where the classes'
// border is round or slanted.
func TestSpheresAndProjections(t *testing.T) {
	for name, c := range map[string]struct {
		rule       func(x, y float64) bool
		directions exact.Directions
		kind       tree.Kind
	}{
		"slanted": {func(x, y float64) bool { return x > y }, exact.Directions{Random: 30}, tree.Oblique},
	} {
		p := plane(t, 400, c.rule)
		axis := growWith(t, p, growtest.Config{Workers: 1})
		got := growWith(t, p, growtest.Config{Workers: 1, Directions: c.directions, Seed: 5})
		if got.Kind(0) != c.kind || 2*got.NumLeaves() > axis.NumLeaves() {
			t.Errorf("%s: root of kind %d, %d leaves, %d with splits on single columns", name,
				got.Kind(0), got.NumLeaves(), axis.NumLeaves())
		}
	}
	// Columns in one unit: a disc in the middle.
	r := rng.New(8)
	var rows [][]float64
	p := &problem{pop: grow.Population{Classes: 2}}
	for i := range 500 {
		x, y := r.Float64(), r.Float64()
		rows = append(rows, []float64{x, y})
		class := uint32(0)
		if (x-0.5)*(x-0.5)+(y-0.5)*(y-0.5) < 0.1 {
			class = 1
		}
		p.pop.Rows, p.pop.Class = append(p.pop.Rows, int32(i)), append(p.pop.Class, class)
	}
	var err error
	if p.frame, err = data.FromRows(rows, nil); err != nil {
		t.Fatal(err)
	}
	p.row, _ = criterion.ByName("gini")
	axis := growWith(t, p, growtest.Config{Workers: 1})
	got := growWith(t, p,
		growtest.Config{Workers: 1, Directions: exact.Directions{Sphere: 60}, Seed: 5})
	if got.Kind(0) != tree.Sphere || got.NumLeaves() >= axis.NumLeaves() {
		t.Errorf("disc: root of kind %d, %d leaves, %d with splits on single columns", got.Kind(0),
			got.NumLeaves(), axis.NumLeaves())
	}
}

// TestDirectionsReachTheirLeaves: with directions of all kinds, missing and infinite values, the
// finished tree sends the training rows where growing did; the number of workers does not matter.
func TestDirectionsReachTheirLeaves(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := randomProblem(t, 40, 3)
		cfg := growtest.Config{Criterion: p.row, Workers: 1,
			Missing:    growtest.Missing(rapid.IntRange(0, 1).Draw(t, "missing")),
			Directions: exact.Directions{Random: 3, Linear: true, Sphere: 3}}
		grown := func(workers int) *tree.Tree {
			cfg.Workers, cfg.Seed = workers, 2
			prepared, err := growtest.Prepare(t.Context(), p.frame, nil, 1)
			if err != nil {
				t.Fatal(err)
			}
			g, err := prepared.Grow(t.Context(), &p.pop, cfg)
			if err != nil {
				t.Fatal(err)
			}
			return g
		}
		want := grown(1)
		if !reflect.DeepEqual(grown(3), want) {
			t.Fatal("workers matter")
		}
		rows := make([]uint32, want.Len())
		for i := range p.pop.Rows {
			want.Over(p.frame.Columns).Visit(int32(i),
				func(n int32, fraction float64, _ bool) { rows[n]++ })
		}
		if !reflect.DeepEqual(rows, want.Stats.Rows) {
			t.Fatalf("the tree sends %v rows to its nodes, growing sent %v", rows, want.Stats.Rows)
		}
	})
}
