package boost

import (
	"math"
	"testing"

	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/tree"
)

// A tree of five nodes costs histograms of the root and of the smaller children, the search in all
// nodes, and the rows that its splits move.
func TestWorkOfTrees(t *testing.T) {
	b := tree.NewBuilder(tree.Scalar, 1, true)
	b.SetStats(0, 10, 10, 0)
	first := b.Split(0, tree.Split{Kind: tree.Numeric})
	second := b.Split(first+1, tree.Split{Kind: tree.Numeric})
	for n, rows := range map[int32]int{first: 4, first + 1: 6, second: 5, second + 1: 1} {
		b.SetStats(n, rows, float64(rows), 0)
	}
	for _, n := range []int32{first, second, second + 1} {
		b.SetValue(n, []float64{1})
	}
	grown, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	w := &meter{rows: 10, columns: 2, search: 7, perRound: 100, sum: 1}
	want := treeWork + cellWork*(10+4+1)*2 + moveWork*(10+6) + 5*(nodeWork+7)
	if got := w.tree(grown); math.Abs(got-want) > 1e-6 {
		t.Errorf("work %v, want %v", got, want)
	}
	if w.round([]*tree.Tree{grown, grown}); math.Abs(w.sum-(1+100+2*want)) > 1e-6 {
		t.Errorf("work of a round %v, want %v", w.sum-1, 100+2*want)
	}
}

// The work of a round is that of the rows and outputs of both sets, and the search of a node that
// of the bins of the columns which a tree may use.
func TestWorkOfRounds(t *testing.T) {
	classes, numbers := classesTable(t, 200), orderedTable(t, 200)
	for _, c := range []struct {
		fraction, valid float64
		dart            bool
	}{{0.5, 0, false}, {0.5, 0.25, false}, {0, 0.25, true}} {
		b := begun(t, classes, learn.Job{Seed: 1, Workers: 1}, func(o *Config) {
			o.Trees, o.Engine.ColumnsByTree, o.ValidFraction = 1, c.fraction, c.valid
			if c.dart {
				o.Dropout = &Dropout{Drop: 0.5}
			}
		})
		w, fraction := newMeter(b), c.fraction
		if fraction == 0 {
			fraction = b.setup.Config.FractionOfColumns(6)
		}
		if fraction == 0 {
			fraction = 1
		}
		train, valid := float64(len(b.scores.train.Rows)), 0.
		if b.scores.valid != nil {
			valid = float64(len(b.scores.valid.Rows))
		}
		if train+valid != 200 || math.Abs(valid-200*c.valid) > 2 {
			t.Fatalf("%v and %v rows", train, valid)
		}
		outputs := float64(b.scores.train.Objective.Outputs())
		want := meter{rows: train, columns: 6 * fraction,
			perRound: outputs * (rowWork*train + validWork*valid)}
		if c.dart {
			want.perRound += outputs * followWork * valid
		}
		for i := range b.table.Matrices[0].Columns {
			want.search += fraction * binWork * float64(b.table.Matrices[0].Columns[i].Bins())
		}
		if w.rows != want.rows || math.Abs(w.columns-want.columns) > 1e-9 || w.sum != 0 ||
			math.Abs(w.perRound-want.perRound) > 1e-6 || math.Abs(w.search-want.search) > 1e-6 {
			t.Errorf("%+v: %+v, want %+v", c, *w, want)
		}
	}
	few := begun(t, numbers, learn.Job{}, func(c *Config) { c.Trees = 1 })
	want := meter{rows: 200, columns: 2, perRound: rowWork * 200} // of two columns a tree uses both
	for i := range few.table.Matrices[0].Columns {
		want.search += binWork * float64(few.table.Matrices[0].Columns[i].Bins())
	}
	if w := newMeter(few); w.columns != 2 || w.perRound != want.perRound || math.Abs(w.search-want.search) > 1e-6 {
		t.Errorf("numbers: %+v, want %+v", *w, want)
	}
}
