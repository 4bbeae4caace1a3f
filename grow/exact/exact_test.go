package exact_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/grow"
	"github.com/coppice-ml/coppice/grow/criterion"
	"github.com/coppice-ml/coppice/grow/exact"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/tree"
)

// table makes a problem large enough that several workers share a node.
func table(rows int, name string) *problem {
	r := rng.New(7)
	var schema data.Schema
	var columns []data.Column
	for c := range 6 {
		num := make([]float64, rows)
		for i := range num {
			if num[i] = float64(r.Intn(200)); r.Intn(20) == 0 {
				num[i] = math.NaN()
			}
		}
		schema.Fields, columns = append(schema.Fields, data.Field{Name: fmt.Sprint("n", c)}), append(columns, data.Column{Num: num})
	}
	field := data.Field{Name: "c", Kind: data.Categorical}
	for l := range 30 {
		field.Levels = append(field.Levels, fmt.Sprint(l))
	}
	code := make([]uint32, rows)
	for i := range code {
		code[i] = uint32(r.Intn(30))
	}
	schema.Fields, columns = append(schema.Fields, field), append(columns, data.Column{Code: code})
	frame, err := data.NewFrame(schema, columns)
	if err != nil {
		panic(err)
	}
	p := &problem{frame: frame, pop: grow.Population{Classes: 3}}
	p.row, _ = criterion.ByName(name)
	for i := range rows {
		p.pop.Rows = append(p.pop.Rows, int32(i))
		y := columns[0].Num[i] + float64(10*(code[i]%5)) + float64(r.Intn(60))
		if math.IsNaN(y) {
			y = 0
		}
		if p.row.Family == criterion.Classes {
			p.pop.Class = append(p.pop.Class, min(2, uint32(y/100)))
		} else {
			p.pop.Y = append(p.pop.Y, y)
		}
	}
	return p
}

// TestWorkersDoNotMatter: the same tree to the last bit for any number of workers.
func TestWorkersDoNotMatter(t *testing.T) {
	for _, name := range criterion.Names() {
		p := table(6000, name)
		want := growAll(t, p, grow.Limits{}, 1)
		if want.NumLeaves() < 100 {
			t.Fatalf("%s: only %d leaves, the test shows nothing", name, want.NumLeaves())
		}
		for _, workers := range []int{2, 7} {
			if got := growAll(t, p, grow.Limits{}, workers); !reflect.DeepEqual(got, want) {
				t.Errorf("%s: another tree with %d workers", name, workers)
			}
		}
	}
}

// TestLimits checks each limit on the finished tree.
func TestLimits(t *testing.T) {
	for _, name := range criterion.Names() {
		p := table(1500, name)
		l := grow.Limits{Depth: 6, MinSplit: 40, MinLeaf: 9, MinGain: 1e-4}
		got := growAll(t, p, l, 1)
		// of which few splits gain anything
		if d := got.Depth(); d > 6 || d < 6 && name != "misclassification" {
			t.Errorf("%s: depth %d, want the limit 6", name, d)
		}
		for n := range int32(got.Len()) {
			k := got.Kind(n)
			rows := int(got.Stats.Rows[n])
			if rows < l.MinLeaf || k != tree.Leaf && rows < l.MinSplit {
				t.Errorf("%s: node %d has %d rows", name, n, rows)
			}
			if k != tree.Leaf && got.Stats.Gain[n]/1500 < l.MinGain-1e-12 {
				t.Errorf("%s: node %d gains %g", name, n, got.Stats.Gain[n]/1500)
			}
		}
	}
}

// TestBestFirst: without a limit on leaves, best-first and depth-first find the same leaves; with
// one, the node that gains most is split next.
func TestBestFirst(t *testing.T) {
	for _, name := range criterion.Names() {
		p := table(1500, name)
		full := growAll(t, p, grow.Limits{}, 1)
		same := growAll(t, p, grow.Limits{Leaves: math.MaxInt}, 1)
		if full.NumLeaves() != same.NumLeaves() || full.Depth() != same.Depth() {
			t.Errorf("%s: %d leaves depth first, %d best first", name, full.NumLeaves(), same.NumLeaves())
		}
		before := growAll(t, p, grow.Limits{Leaves: 1}, 1)
		for leaves := 2; leaves <= 13; leaves++ {
			after := growAll(t, p, grow.Limits{Leaves: leaves}, 1)
			if after.NumLeaves() != leaves {
				t.Fatalf("%s: %d leaves, want %d", name, after.NumLeaves(), leaves)
			}
			taken, best := math.NaN(), math.Inf(-1)
			for n := range int32(before.Len()) {
				if before.Stats.Rows[n] != same.Stats.Rows[n] {
					t.Fatalf("%s: node %d of %d leaves is another one of all", name, n, leaves-1)
				}
				if before.Kind(n) != tree.Leaf {
					continue
				}
				best = max(best, same.Stats.Gain[n])
				if after.Kind(n) != tree.Leaf {
					taken = after.Stats.Gain[n]
				}
			}
			if taken != best {
				t.Errorf("%s: split %d gains %g, one could gain %g", name, leaves-1, taken, best)
			}
			before = after
		}
	}
}

// TestSubset: growing on some of the prepared rows equals preparing those rows alone.
func TestSubset(t *testing.T) {
	for _, name := range criterion.Names() {
		p := table(900, name)
		prepared, err := exact.Prepare(context.Background(), p.frame, nil, 1)
		if err != nil {
			t.Fatal(err)
		}
		half := grow.Population{Classes: 3}
		for i := 0; i < 900; i += 2 {
			half.Rows = append(half.Rows, int32(i))
			if p.pop.Class != nil {
				half.Class = append(half.Class, p.pop.Class[i])
			} else {
				half.Y = append(half.Y, p.pop.Y[i])
			}
		}
		alone, err := exact.Prepare(context.Background(), p.frame, half.Rows, 1)
		if err != nil {
			t.Fatal(err)
		}
		cfg := exact.Config{Criterion: p.row, Workers: 1}
		a, errA := prepared.Grow(context.Background(), &half, cfg)
		b, errB := alone.Grow(context.Background(), &half, cfg)
		if errA != nil || errB != nil {
			t.Fatal(errA, errB)
		}
		if !reflect.DeepEqual(a, b) {
			t.Errorf("%s: the trees differ", name)
		}
	}
}

// TestUnseen: a missing value and a category that a node never saw go with its heavier child.
func TestUnseen(t *testing.T) {
	num := []float64{1, 2, 3, 4, 5}
	class := []uint32{0, 0, 0, 1, 1}
	code := []uint32{0, 0, 0, 1, 1}
	p := problem{pop: grow.Population{Rows: data.AllRows(5), Class: class, Classes: 2}}
	p.row, _ = criterion.ByName("gini")
	for _, c := range []data.Column{{Num: num}, {Code: code}} {
		field := data.Field{Name: "x"}
		if c.Code != nil {
			field.Kind, field.Levels = data.Categorical, []string{"a", "b", "never"}
		}
		frame, err := data.NewFrame(data.Schema{Fields: []data.Field{field}}, []data.Column{c})
		if err != nil {
			t.Fatal(err)
		}
		p.frame = frame
		stump := growAll(t, &p, grow.Limits{}, 1)
		heavy := stump.LeafOf(frame.Columns, 0)
		if got := stump.NextMissing(0); got != heavy {
			t.Errorf("missing goes to node %d, the heavier is %d", got, heavy)
		}
		if c.Code == nil {
			continue
		}
		for _, unseen := range []uint32{2, 77, data.UnseenCode} {
			if got := stump.NextCode(0, unseen); got != heavy {
				t.Errorf("code %d goes to node %d, the heavier is %d", unseen, got, heavy)
			}
		}
	}
}

// TestCancel: a cancelled context gives the tree so far and the context's error.
func TestCancel(t *testing.T) {
	p := table(300, "gini")
	prepared, err := exact.Prepare(context.Background(), p.frame, nil, 1)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	got, err := prepared.Grow(ctx, &p.pop, exact.Config{Criterion: p.row})
	if !errors.Is(err, context.Canceled) || got == nil || got.Len() != 1 {
		t.Fatalf("tree %v, error %v", got, err)
	}
	if _, err := exact.Prepare(ctx, p.frame, nil, 1); !errors.Is(err, context.Canceled) {
		t.Fatalf("Prepare: %v", err)
	}
}

// TestNarrowSpread: values far from zero that differ little are split where they should be.
func TestNarrowSpread(t *testing.T) {
	frame, err := data.FromRows([][]float64{{1}, {2}, {3}, {4}, {5}, {6}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	p := problem{frame: frame, pop: grow.Population{Rows: data.AllRows(6)}}
	p.row, _ = criterion.ByName("squared_error")
	for _, d := range []float64{0, 0, 0, 1, 1, 1} {
		p.pop.Y = append(p.pop.Y, 1e9+d*1e-6)
	}
	if got := growAll(t, &p, grow.Limits{}, 1); got.Len() != 3 || got.Cut(0) != 3.5 {
		t.Fatalf("%d nodes, cut at %g", got.Len(), got.Cut(0))
	}
}

// TestScanEqualsBatches: where a criterion scans columns itself, the tree is that of its plain
// twin. A tie between two ways to send missing values may be broken by rounding in neither.
func TestScanEqualsBatches(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawProblem(t, 30, 3)
		p.pop.Weight = nil
		prepared, err := exact.Prepare(context.Background(), p.frame, nil, 1)
		if err != nil {
			t.Fatal(err)
		}
		cfg := exact.Config{Criterion: p.row, Workers: 1, Limits: grow.Limits{MinLeaf: rapid.IntRange(1, 4).Draw(t, "min_leaf")}}
		a, errA := prepared.Grow(context.Background(), &p.pop, cfg)
		b, errB := prepared.Grow(context.Background(), &p.pop, cfg.Plain())
		if errA != nil || errB != nil {
			t.Fatal(errA, errB)
		}
		if !reflect.DeepEqual(a, b) {
			t.Fatalf("%s: the trees differ: nodes %v and %v, gains %v and %v, values %v", p.row.Name, a.Nodes, b.Nodes, a.Stats.Gain, b.Stats.Gain, a.Leaf.Value)
		}
	})
	for _, name := range criterion.Names() {
		p := table(5000, name)
		prepared, err := exact.Prepare(context.Background(), p.frame, nil, 1)
		if err != nil {
			t.Fatal(err)
		}
		cfg := exact.Config{Criterion: p.row, Workers: 1}
		a, errA := prepared.Grow(context.Background(), &p.pop, cfg)
		b, errB := prepared.Grow(context.Background(), &p.pop, cfg.Plain())
		if errA != nil || errB != nil {
			t.Fatal(errA, errB)
		}
		if !slices.Equal(a.Nodes, b.Nodes) {
			t.Errorf("%s: the trees differ", name)
		}
	}
}

// TestConstantColumns: where columns follow from each other, many have one value below a node and
// are left alone there; stores and the plain twin agree all the same.
func TestConstantColumns(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(4, 60).Draw(t, "rows")
		rows := make([][]float64, n)
		p := problem{pop: grow.Population{Rows: data.AllRows(n), Classes: 3}}
		p.row, _ = criterion.ByName("gini")
		for i := range rows {
			a := float64(rapid.IntRange(0, 3).Draw(t, "a"))
			rows[i] = []float64{a, math.Floor(a / 2), min(a, 1), float64(rapid.IntRange(0, 2).Draw(t, "b")), math.NaN()}
			p.pop.Class = append(p.pop.Class, uint32(rapid.IntRange(0, 2).Draw(t, "class")))
		}
		var err error
		if p.frame, err = data.FromRows(rows, nil); err != nil {
			t.Fatal(err)
		}
		presorted := growWith(t, &p, exact.Config{Workers: 1})
		if !sameTree(presorted, growFramed(t, &p, exact.Config{Workers: 1})) {
			t.Fatal("frames grow another tree")
		}
		prepared, err := exact.Prepare(context.Background(), p.frame, nil, 1)
		if err != nil {
			t.Fatal(err)
		}
		plain, err := prepared.Grow(context.Background(), &p.pop, exact.Config{Criterion: p.row}.Plain())
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(presorted, plain) {
			t.Fatal("the plain twin grows another tree")
		}
	})
}
