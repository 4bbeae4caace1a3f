package exact_test

import (
	"context"
	"errors"
	"math"
	"reflect"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/criterion"
	"github.com/coppice-ml/coppice/internal/testing/tier"
	"github.com/coppice-ml/coppice/learn/internal/exact/internal/growtest"
	"github.com/coppice-ml/coppice/learn/internal/grow"
	"github.com/coppice-ml/coppice/tree"
)

// table makes a problem large enough that several workers work on a node.
func table(rows int, name string) *problem {
	p := growtest.Table(rows, name)
	return &problem{p.Frame, p.Pop, p.Criterion}
}

// TestWorkersDoNotMatter: the same tree to the last bit for any number of workers.
func TestWorkersDoNotMatter(t *testing.T) {
	for _, name := range criterion.Names() {
		p := table(6000, name)
		want := growAll(t, p, grow.Limits{}, 1)
		if want.NumLeaves() < 100 {
			t.Fatalf("%s: only %d leaves, the test shows nothing", name, want.NumLeaves())
		}
		for _, workers := range []int{2, 7}[tier.Count(1, 0, 0):] {
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
		prepared, err := growtest.Prepare(context.Background(), p.frame, nil, 1)
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
		alone, err := growtest.Prepare(context.Background(), p.frame, half.Rows, 1)
		if err != nil {
			t.Fatal(err)
		}
		cfg := growtest.Config{Criterion: p.row, Workers: 1}
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

// TestUnseen: a missing value and a category that a node never had go with its heavier child.
func TestUnseen(t *testing.T) {
	num := []float64{1, 2, 3, 4, 5}
	class := []uint32{0, 0, 0, 1, 1}
	code := []uint32{0, 0, 0, 1, 1}
	p := problem{pop: grow.Population{Rows: data.AllRows(5), Class: class, Classes: 2}}
	p.row, _ = criterion.ByName("gini")
	for _, c := range []data.Column{data.Numbers(num), data.Codes(code)} {
		field := data.Field{Name: "x"}
		if c.Codes() != nil {
			field.Kind, field.Levels = data.Categorical, []string{"a", "b", "never"}
		}
		frame, err := data.NewFrame(data.Schema{Fields: []data.Field{field}}, []data.Column{c})
		if err != nil {
			t.Fatal(err)
		}
		p.frame = frame
		stump := growAll(t, &p, grow.Limits{}, 1)
		heavy := stump.Over(frame.Columns).LeafOf(0)
		if got := stump.NextMissing(0); got != heavy {
			t.Errorf("missing goes to node %d, the heavier is %d", got, heavy)
		}
		if c.Codes() == nil {
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
	prepared, err := growtest.Prepare(context.Background(), p.frame, nil, 1)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	got, err := prepared.Grow(ctx, &p.pop, growtest.Config{Criterion: p.row})
	if !errors.Is(err, context.Canceled) || got == nil || got.Len() != 1 {
		t.Fatalf("tree %v, error %v", got, err)
	}
	if _, err := growtest.Prepare(ctx, p.frame, nil, 1); !errors.Is(err, context.Canceled) {
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
	if got := growAll(t, &p, grow.Limits{}, 1); got.Len() != 3 || got.SplitPoint(0) != 3.5 {
		t.Fatalf("%d nodes, split at %g", got.Len(), got.SplitPoint(0))
	}
}
