package hist

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/coppice-ml/coppice/internal/kernel/kerneltest"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/learn/gbm/internal/bins"
)

// weightsOf weighs the columns that were sampled for the last tree 1 and all others 0, so that they
// gain nothing.
func weightsOf(r *engine) []float64 {
	w := make([]float64, len(r.tables.whole.Columns))
	for _, c := range r.find.columns.ofTree {
		w[c] = 1
	}
	return w
}

// Trees that sample their columns, one after the other on one grower, are those of growers that
// look at all columns, of which those that were not sampled gain nothing: of words and of pairs, of
// all rows, many and few.
func TestSampledColumns(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rng.New(rapid.Uint64().Draw(t, "seed"))
		rows := rapid.IntRange(1, 400).Draw(t, "rows")
		f := mixed(t, rows, rapid.IntRange(1, 12).Draw(t, "columns"), s)
		c := Config{Shape: Shape{Leaves: rapid.IntRange(2, 40).Draw(t, "leaves"), Policy: Policy(rapid.IntRange(0, 2).Draw(t, "policy"))}, Regularization: Regularization{L2: 1, MinChildWeight: 0.1, MinLeaf: rapid.IntRange(1, 9).Draw(t, "min_leaf")}, Categories: Categories{OneHot: 3, MaxCategories: 8, CatSmooth: 1}, Columns: Columns{ExtraRandom: rapid.Bool().Draw(t, "extra random")}, Compatibility: Compatibility{Conventions: rapid.SampledFrom([]Conventions{Own, XGBoost, LightGBM}).Draw(t, "conventions")}, Workers: rapid.IntRange(1, 3).Draw(t, "workers")}
		o := bins.Options{Bins: 280, Bundle: true, Joint: rapid.IntRange(0, 256).Draw(t, "joint"), Unpacked: true}
		unpacked, err := bins.Make(context.Background(), f, nil, nil, o, 1)
		if err != nil {
			t.Fatal(err)
		}
		o.Unpacked = false
		m, err := bins.Make(context.Background(), f, nil, nil, o, 1)
		if err != nil {
			t.Fatal(err)
		}
		some := c
		some.ColumnsByTree = rapid.Float64Range(0.01, 1).Draw(t, "fraction")
		sampling := NewGrower(rapid.SampledFrom([]*bins.Matrix{m, unpacked}).Draw(t, "matrix"), some)
		for i, tails := range []bool{false, false, true, true, false} {
			g, h := derivatives(rows, tails, s)
			var in []int32
			if i%2 == 1 {
				step := rapid.IntRange(2, 9).Draw(t, "step")
				for row := 0; row < rows; row += step {
					in = append(in, int32(row))
				}
			}
			got := described(t, sampling, g, h, in)
			c.ColumnWeight = weightsOf(sampling.engine)
			if want := described(t, NewGrower(m, c), g, h, in); !bytes.Equal(got, want) {
				t.Fatalf("tree %d, tails %v, columns %v:\ngot  %s\nwant %s", i, tails, sampling.find.columns.ofTree, got, want)
			}
		}
	})
}

// A tree that samples columns keeps histograms of no others, whatever the number of workers.
func TestHistogramsOfSampledColumns(t *testing.T) {
	kerneltest.EachPath(t, testHistogramsOfSampledColumns)
}

func testHistogramsOfSampledColumns(t *testing.T) {
	const rows = 60_000
	s := rng.New(3)
	m, err := bins.Make(t.Context(), mixed(t, rows, 50, s), nil, nil, bins.Options{Bundle: true, Joint: JointCodes(rows)}, 2)
	if err != nil {
		t.Fatal(err)
	}
	g, h := derivatives(rows, false, s)
	var want []byte
	for _, workers := range []int{1, 3} {
		c := Config{Shape: Shape{Leaves: 30}, Regularization: Regularization{L2: 1}, Categories: Categories{CatSmooth: 1}, Columns: Columns{ColumnsByTree: 0.3}, Workers: workers}
		r := NewGrower(m, c)
		r.hist.pool.lends = 0
		got := described(t, r, g, h, nil)
		if r.tables.lay.cells >= r.tables.cells || r.tables.m.Stride >= m.Stride || len(r.hist.pool.free[0].packed) != r.tables.lay.cells {
			t.Errorf("%d cells of %d, rows of %d bytes of %d", r.tables.lay.cells, r.tables.cells, r.tables.m.Stride, m.Stride)
		}
		if want == nil {
			want = got
		} else if !bytes.Equal(got, want) {
			t.Errorf("%d workers: another tree", workers)
		}
		if described(t, r, g, h, []int32{5, 6, 7, 8}); r.tables.m != r.tables.whole {
			t.Error("columns were taken out of all rows for a tree of four")
		}
	}
}

// Trees of several outputs that sample their columns are those of all columns, of which those that
// were not sampled gain nothing.
func TestSampledColumnsOfSeveralOutputs(t *testing.T) {
	const rows, outputs = 700, 3
	s := rng.New(8)
	m, err := bins.Make(t.Context(), mixed(t, rows, 12, s), nil, nil, bins.Options{Bundle: true, Joint: 200}, 1)
	if err != nil {
		t.Fatal(err)
	}
	for _, policy := range []Policy{LeafWise, Symmetric} {
		c := Config{Shape: Shape{Leaves: 20, Depth: 5, Policy: policy}, Regularization: Regularization{L2: 1}, Categories: Categories{OneHot: 4}, Columns: Columns{ColumnsByTree: 0.4}, Workers: 2}
		sampling := NewVectorGrower(m, c, outputs)
		var sampled [][]int32
		for i, tails := range []bool{false, false, true, false} {
			g, h := derivatives(rows*outputs, tails, s)
			got := printedOf(t, sampling, g, h, uint64(i))
			sampled = append(sampled, sampling.find.columns.ofTree)
			c := c
			c.ColumnsByTree, c.ColumnWeight = 0, weightsOf(sampling.engine)
			if want := printedOf(t, NewVectorGrower(m, c, outputs), g, h, uint64(i)); got != want {
				t.Fatalf("tree %d, columns %v:\ngot  %s\nwant %s", i, sampling.find.columns.ofTree, got, want)
			}
		}
		if slices.Equal(sampled[0], sampled[1]) {
			t.Errorf("columns %v twice", sampled[0])
		}
	}
}

// printedOf is a description of a tree of several outputs.
func printedOf(t *testing.T, v *Grower, g, h []float64, seed uint64) string {
	made, err := v.Grow(t.Context(), g, h, nil, seed)
	if err != nil {
		t.Fatal(err)
	}
	grown, err := made.Tree(1)
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprint(grown.Nodes, grown.Sets, grown.Leaf.Value, grown.Stats, made.Leaves)
}
