package hist

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/learn/gbm/internal/bins"
)

// inBlocks returns a matrix whose rows are in blocks of some numbers of rows, and the rest in the
// last.
func inBlocks(m *bins.Matrix, rows ...int) *bins.Matrix {
	whole, divided := m.Blocks[0], *m
	divided.Blocks = nil
	from := 0
	for _, n := range append(rows, m.Len()) {
		to := min(from+n, m.Len())
		b := bins.Block{First: int32(from), Rows: to - from}
		for _, c := range whole.Codes {
			switch {
			case c.Narrow != nil:
				c.Narrow = slices.Clone(c.Narrow[from:to])
			case c.List != nil:
				c.List = listIn(c.List, from, to)
			default:
				c.Wide = slices.Clone(c.Wide[from:to])
			}
			b.Codes = append(b.Codes, c)
		}
		if whole.Packed != nil {
			b.Packed = slices.Clone(whole.Packed[from*m.Stride : to*m.Stride])
		}
		if start := whole.Lists.Start; start != nil {
			b.Lists.Places = slices.Clone(whole.Lists.Places[start[from]:start[to]])
			for _, at := range start[from : to+1] {
				b.Lists.Start = append(b.Lists.Start, at-start[from])
			}
		}
		divided.Blocks = append(divided.Blocks, b)
		from = to
	}
	return &divided
}

// listIn returns the rows from ... to-1 of a list, numbered from 0.
func listIn(l *bins.List, from, to int) *bins.List {
	part := &bins.List{Usual: l.Usual}
	for i, r := range l.Rows {
		if from <= int(r) && int(r) < to {
			part.Rows, part.Bins = append(part.Rows, r-int32(from)), append(part.Bins, l.Bins[i])
		}
	}
	return part
}

// Trees do not depend on the blocks that a matrix is in, to the last bit: neither their splits, nor
// the scores of rows of this matrix or of another one.
func TestBlocksMakeTheSameTrees(t *testing.T) {
	const rows = 3000
	s := rng.New(12)
	f := mixed(t, rows, 9, s)
	many := make([]float64, rows)
	for i := range many {
		many[i] = s.Float64()
	}
	f, err := data.NewFrame(data.Schema{Fields: append(f.Schema.Fields, data.Field{Name: "many"})},
		append(f.Columns, data.Numbers(many)))
	if err != nil {
		t.Fatal(err)
	}
	several := slices.DeleteFunc(data.AllRows(rows), func(r int32) bool { return r%3 == 1 || r > 900 && r < 1200 })
	for _, c := range []struct {
		name    string
		options bins.Options
		config  Config
		tails   bool
	}{
		{"by leaf", bins.Options{Bundle: true, Joint: 200}, Config{Shape: Shape{Leaves: 40}}, false},
		{"few rows counted", bins.Options{}, Config{Shape: Shape{Leaves: 60, Policy: DepthWise},
			Regularization: Regularization{MinLeaf: 20}}, false},
		{"by level", bins.Options{Bundle: true}, Config{Shape: Shape{Depth: 5, Policy: Symmetric}}, false},
		{"pairs", bins.Options{Joint: 200}, Config{Shape: Shape{Leaves: 30}, Double: true}, true},
		{"sampled columns", bins.Options{Joint: 200, Unpacked: true},
			Config{Shape: Shape{Leaves: 30}, Columns: Columns{ColumnsByTree: 0.5}}, false},
		{"wide codes", bins.Options{Bins: 1000}, Config{Shape: Shape{Leaves: 30}}, false},
		{"wide pairs", bins.Options{Bins: 1000}, Config{Shape: Shape{Leaves: 30}, Double: true}, true},
	} {
		m, err := bins.Make(t.Context(), f, nil, nil, c.options, 1)
		if err != nil {
			t.Fatal(err)
		}
		if wide := slices.ContainsFunc(m.Groups, func(g bins.Group) bool { return g.Wide() }); wide !=
			(c.options.Bins > 256) {
			t.Fatalf("%s: wide codes: %v", c.name, wide)
		}
		other, err := bins.Encode(t.Context(), f, several, m.Columns, bins.Options{}, 1)
		if err != nil {
			t.Fatal(err)
		}
		g, h := derivatives(rows, c.tails, s)
		c.config.Unseen = true
		for _, sizes := range [][]int{{1}, {1024, 70, 1}, {rows - 1}, {500, 500, 500, 500, 500}} {
			for _, among := range [][]int32{nil, several} {
				for _, workers := range []int{1, 3} {
					if testing.Short() && (workers == 1) != (among == nil) {
						continue
					}
					c.config.Workers = workers
					want := treeAndScores(t, m, other, c.config, g, h, among)
					got := treeAndScores(t, inBlocks(m, sizes...), inBlocks(other, sizes...), c.config, g, h, among)
					if !bytes.Equal(got, want) {
						t.Fatalf("%s, blocks of %v rows, %d workers:\ngot  %s\nwant %s", c.name, sizes, workers, got, want)
					}
				}
			}
		}
	}
}

// treeAndScores is all that is known of two trees, and the scores that they give.
func treeAndScores(t fataler, m, other *bins.Matrix, c Config, g, h []float64, rows []int32) []byte {
	r := NewGrower(m, c)
	first := described(t, r, g, h, rows)
	all := append(first, described(t, r, g, h, rows)...)
	grown, err := r.Grow(context.Background(), g, h, rows, 7)
	if err != nil {
		t.Fatal(err)
	}
	raw, others := make([]float64, m.Len()), make([]float64, other.Len())
	grown.Add(raw, nil, 0.5)
	grown.AddTo(other, others, 0.5)
	return fmt.Appendf(all, "%v %v", raw, others)
}

// Trees of several outputs do not depend on the blocks either.
func TestBlocksMakeTheSameTreesOfSeveralOutputs(t *testing.T) {
	const rows, outputs = 900, 3
	s := rng.New(4)
	m, err := bins.Make(t.Context(), mixed(t, rows, 6, s), nil, nil, bins.Options{Bundle: true}, 1)
	if err != nil {
		t.Fatal(err)
	}
	g, h := derivatives(rows*outputs, false, s)
	for _, policy := range []Policy{LeafWise, Symmetric} {
		c := Config{Shape: Shape{Leaves: 20, Depth: 5, Policy: policy}, Categories: Categories{OneHot: 4}}
		want := printedOf(t, NewVectorGrower(m, c, outputs), g, h, 1)
		if got := printedOf(t, NewVectorGrower(inBlocks(m, 333, 1), c, outputs), g, h, 1); got != want {
			t.Fatalf("policy %d:\ngot  %s\nwant %s", policy, got, want)
		}
	}
}
