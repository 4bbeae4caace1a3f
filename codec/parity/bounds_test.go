package parity_test

import (
	"context"
	"errors"
	"testing"

	"github.com/coppice-ml/coppice/codec/parity"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/tree"
)

// deepChain is a model of one tree, each of whose inner nodes has a leaf.
func deepChain(t *testing.T, depth, classes int) *model.Ensemble {
	t.Helper()
	b := tree.NewLeafBuilder(tree.Scalar, 1)
	node := int32(0)
	for i := range depth {
		first := b.Split(node, tree.Split{Kind: tree.Numeric, SplitPoint: float64(depth - i)})
		b.SetValue(first+1, []float64{float64(i)})
		node = first
	}
	b.SetValue(node, []float64{-1})
	grown, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	m := &model.Ensemble{Trees: []*tree.Tree{grown}, Output: []int32{0}, Bias: make([]float64, classes),
		Meta: model.Spec{Task: data.Regression, Schema: data.Schema{Fields: []data.Field{{Name: "x"}}}}}
	if classes == 1 {
		m.Output, m.Bias = nil, nil
	}
	return m
}

// walked is a reference that counts the rows that it is asked for, and cancels after some.
type walked struct {
	m      *model.Ensemble
	rows   int
	cancel func()
}

func (w *walked) Trees() int   { return len(w.m.Trees) }
func (w *walked) Scores() int  { return w.m.Scores() }
func (w *walked) Outputs() int { return w.m.Outputs() }
func (w *walked) Leaves(leaves []int32, row []float64) {
	if w.rows++; w.rows == 3 {
		w.cancel()
	}
	t, n := w.m.Trees[0], int32(0)
	for t.Kind(n) != tree.Leaf {
		next := t.Child(n) + 1
		if row[0] <= t.SplitPoint(n) || row[0] != row[0] && t.NextMissing(n) == t.Child(n) {
			next = t.Child(n)
		}
		n = next
	}
	leaves[0] = n
}
func (w *walked) Raw(scores, row []float64) {
	leaves := make([]int32, 1)
	w.Leaves(leaves, row)
	scores[0] = w.m.Trees[0].Value(leaves[0])[0]
}
func (w *walked) Response(response, row []float64) { w.Raw(response, row) }

// A comparison of a tree of 100,000 levels takes fewer rows, and ends a few rows after its context.
func TestComparisonEnds(t *testing.T) {
	m := deepChain(t, 100_000, 1)
	p := parity.Make(m, 100)
	ctx, cancel := context.WithCancel(t.Context())
	ref := &walked{m: m, cancel: cancel}
	if _, err := parity.Compare(ctx, m, ref, false, p); !errors.Is(err, context.Canceled) || ref.rows > 4 {
		t.Errorf("%v after %d of %d rows", err, ref.rows, p.Rows())
	}
	if _, err := parity.Written(ctx, m, ref, false, p); !errors.Is(err, context.Canceled) || ref.rows > 4 {
		t.Errorf("written: %v after %d rows", err, ref.rows)
	}
	if _, err := parity.Expect(ctx, m, p, model.Response, make([]float64, p.Rows()), 1e9); !errors.Is(err, context.Canceled) {
		t.Errorf("expected values: %v", err)
	}
}

// Rows are as many as time and memory allow: by the nodes that a row passes, and by its outputs.
func TestRowsOfLargeModels(t *testing.T) {
	for _, c := range []struct{ depth, outputs, most int }{{10, 1, 50_000}, {100_000, 1, 11_000}, {10, 1 << 18, 128}, {20, 1 << 22, 10}} {
		m := deepChain(t, c.depth, c.outputs)
		if rows := parity.Make(m, parity.DefaultRows).Rows(); rows == 0 || rows > c.most {
			t.Errorf("depth %d, %d outputs: %d rows, want up to %d", c.depth, c.outputs, rows, c.most)
		}
	}
}
