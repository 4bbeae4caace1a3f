package presorted_test

import (
	"context"
	"math"
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/criterion"
	_ "github.com/coppice-ml/coppice/internal/testing/tier" // collects garbage more rarely
	"github.com/coppice-ml/coppice/learn/internal/exact"
	"github.com/coppice-ml/coppice/learn/internal/exact/internal/growtest"
	"github.com/coppice-ml/coppice/learn/internal/exact/presorted"
	"github.com/coppice-ml/coppice/learn/internal/grow"
)

// TestScanEqualsBatches: where a criterion scans columns itself, the tree is that of its plain
// twin. A tie between two ways to send missing values may be broken by rounding in neither.
func TestScanEqualsBatches(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := growtest.Random(t, 30, 3)
		p.Pop.Weight = nil
		prepared, err := presorted.Prepare(context.Background(), p.Frame, nil, 1)
		if err != nil {
			t.Fatal(err)
		}
		cfg := growtest.Config{Criterion: p.Criterion, Workers: 1,
			Limits: grow.Limits{MinLeaf: rapid.IntRange(1, 4).Draw(t, "min_leaf")}}
		a, errA := prepared.Grow(context.Background(), &p.Pop, cfg.Presorted())
		b, errB := prepared.Grow(context.Background(), &p.Pop, cfg.Presorted().Plain())
		if errA != nil || errB != nil {
			t.Fatal(errA, errB)
		}
		if !reflect.DeepEqual(a, b) {
			t.Fatalf("%s: the trees differ: nodes %v and %v, gains %v and %v, values %v",
				p.Criterion.Name, a.Nodes, b.Nodes, a.Stats.Gain, b.Stats.Gain, a.Leaf.Value)
		}
	})
	for _, name := range criterion.Names() {
		p := growtest.Table(5000, name)
		prepared, err := presorted.Prepare(context.Background(), p.Frame, nil, 1)
		if err != nil {
			t.Fatal(err)
		}
		cfg := growtest.Config{Criterion: p.Criterion, Workers: 1}
		a, errA := prepared.Grow(context.Background(), &p.Pop, cfg.Presorted())
		b, errB := prepared.Grow(context.Background(), &p.Pop, cfg.Presorted().Plain())
		if errA != nil || errB != nil {
			t.Fatal(errA, errB)
		}
		if !slices.Equal(a.Nodes, b.Nodes) {
			t.Errorf("%s: the trees differ", name)
		}
	}
}

// TestConstantColumns: where columns follow from each other, many have one value below a node and
// are left alone there; strategies and the plain twin agree all the same.
func TestConstantColumns(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(4, 60).Draw(t, "rows")
		rows := make([][]float64, n)
		p := growtest.Problem{Pop: grow.Population{Rows: data.AllRows(n), Classes: 3}}
		p.Criterion, _ = criterion.ByName("gini")
		for i := range rows {
			a := float64(rapid.IntRange(0, 3).Draw(t, "a"))
			rows[i] = []float64{a, math.Floor(a / 2), min(a, 1),
				float64(rapid.IntRange(0, 2).Draw(t, "b")), math.NaN()}
			p.Pop.Class = append(p.Pop.Class, uint32(rapid.IntRange(0, 2).Draw(t, "class")))
		}
		var err error
		if p.Frame, err = data.FromRows(rows, nil); err != nil {
			t.Fatal(err)
		}
		got := growtest.GrowPresorted(t, &p, growtest.Config{Workers: 1})
		if !growtest.SameTree(got, growtest.GrowRanked(t, &p, growtest.Config{Workers: 1})) {
			t.Fatal("ranks grow another tree")
		}
		prepared, err := presorted.Prepare(context.Background(), p.Frame, nil, 1)
		if err != nil {
			t.Fatal(err)
		}
		plain, err := prepared.Grow(context.Background(), &p.Pop,
			presorted.Config{Options: exact.Options{Criterion: p.Criterion}}.Plain())
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(got, plain) {
			t.Fatal("the plain twin grows another tree")
		}
	})
}
