package hist

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/kernel/kerneltest"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/internal/testing/tier"
	"github.com/coppice-ml/coppice/learn/gbm/internal/bins"
)

// fataler is what helpers need of tests by package testing and by rapid.
type fataler interface{ Fatal(...any) }

// withSparse adds columns to a frame of which few rows are away from 0, or from a missing value.
func withSparse(t fataler, f *data.Frame, columns int, s *rng.Stream) *data.Frame {
	schema, all := data.Schema{Fields: slices.Clone(f.Schema.Fields)}, slices.Clone(f.Columns)
	for j := range columns {
		x := make([]float64, f.Rows())
		usual, many := []float64{0, 0, math.NaN()}[s.Intn(3)], 2+s.Intn(40)
		away := []int{90, 30, 9}[j%3]
		for i := range x {
			switch x[i] = usual; {
			case s.Intn(4*away) == 0:
				x[i] = math.NaN()
			case s.Intn(away) == 0:
				x[i] = float64(s.Intn(many)-many/3) / 8
			}
		}
		schema.Fields = append(schema.Fields, data.Field{Name: fmt.Sprint("s", j), Kind: data.Numeric})
		all = append(all, data.Numbers(x))
	}
	made, err := data.NewFrame(schema, all)
	if err != nil {
		t.Fatal(err)
	}
	return made
}

// unlisted returns a matrix whose listed columns have a code for each row. It reports how many
// there were.
func unlisted(t fataler, m *bins.Matrix) (*bins.Matrix, int) {
	dense, listed := *m, 0
	dense.Columns, dense.Groups = slices.Clone(m.Columns), slices.Clone(m.Groups)
	dense.Blocks, dense.Places = slices.Clone(m.Blocks), 0
	block := &dense.Blocks[0]
	block.Codes, block.Lists = slices.Clone(block.Codes), bins.RowLists{}
	for i := range dense.Groups {
		g := &dense.Groups[i]
		if !g.Listed {
			continue
		}
		listed++
		g.Listed, g.Out = false, false
		c := &dense.Columns[g.Columns[0]]
		c.Listed, c.Default = false, -1
		narrow := make([]uint8, m.Len())
		for r := range narrow {
			narrow[r] = uint8(m.Blocks[0].Codes[i].At(int32(r)))
		}
		block.Codes[i] = bins.Codes{Narrow: narrow}
	}
	packed, err := dense.Only(context.Background(), data.AllRows(len(m.Columns)), nil, 1)
	if err != nil {
		t.Fatal(err)
	}
	return packed, listed
}

// TestListsDoNotChangeTrees: trees are the same, to the bit, whether columns of few values are
// listed or have a code in each row, with all that can be set.
func TestListsDoNotChangeTrees(t *testing.T) { kerneltest.EachPath(t, testListsDoNotChangeTrees) }

func testListsDoNotChangeTrees(t *testing.T) {
	all := 0
	defer func() {
		if all == 0 {
			t.Error("no column was listed")
		}
	}()
	rapid.Check(t, func(t *rapid.T) {
		s := rng.New(rapid.Uint64().Draw(t, "seed"))
		rows := rapid.IntRange(300, 700).Draw(t, "rows")
		f := mixed(t, rows, rapid.IntRange(0, 4).Draw(t, "columns"), s)
		f = withSparse(t, f, rapid.IntRange(1, 25).Draw(t, "sparse"), s)
		m, err := bins.Make(context.Background(), f, nil, nil, bins.Options{Bundle: true,
			Joint:    rapid.SampledFrom([]int{0, 200}).Draw(t, "joint"),
			MinInBin: rapid.IntRange(1, 3).Draw(t, "min in bin")}, 2)
		if err != nil {
			t.Fatal(err)
		}
		dense, listed := unlisted(t, m)
		all += listed
		var among []int32
		if rapid.Bool().Draw(t, "sampled rows") {
			among = slices.DeleteFunc(data.AllRows(rows), func(int32) bool { return s.Intn(3) == 0 })
		}
		other, err := bins.Encode(context.Background(), f, among, m.Columns, bins.Options{}, 1)
		if err != nil {
			t.Fatal(err)
		}
		c := drawConfig(t, len(m.Columns))
		g, h := derivatives(rows, false, s)
		for range 2 {
			want := treeAndScores(t, dense, other, c, g, h, among)
			c.Workers = rapid.IntRange(1, 3).Draw(t, "other workers")
			if got := treeAndScores(t, m, other, c, g, h, among); !bytes.Equal(got, want) {
				t.Fatalf("%+v\nlists %s\ncodes %s", c, got, want)
			}
		}
		if c.Monotone == nil {
			const outputs = 3
			g, h := derivatives(rows*outputs, false, s)
			c.Compatibility = Compatibility{}
			want := vectorTree(t, NewVectorGrower(dense, c, outputs), g, h, among)
			if got := vectorTree(t, NewVectorGrower(m, c, outputs), g, h, among); got != want {
				t.Fatalf("several outputs, %+v\nlists %s\ncodes %s", c, got, want)
			}
		}
	})
}

// drawConfig samples a Config without limits of size, which some columns need.
func drawConfig(t *rapid.T, columns int) Config {
	c := Config{
		Shape: Shape{Leaves: rapid.IntRange(2, 40).Draw(t, "leaves"),
			Policy: Policy(rapid.IntRange(0, 2).Draw(t, "policy")),
			Depth:  rapid.IntRange(0, 6).Draw(t, "depth")},
		Regularization: Regularization{L2: 1, MinChildWeight: 0.1,
			L1:         rapid.SampledFrom([]float64{0, 0, 0, 2}).Draw(t, "l1"),
			MinLeaf:    rapid.IntRange(0, 12).Draw(t, "min_leaf"),
			PathSmooth: rapid.SampledFrom([]float64{0, 0, 0, 3}).Draw(t, "path smooth")},
		Categories: Categories{OneHot: 3, MaxCategories: 8, CatSmooth: 1},
		Columns: Columns{ExtraRandom: rapid.IntRange(0, 3).Draw(t, "extra random") == 0,
			ColumnsByTree:  rapid.SampledFrom([]float64{0, 0.5}).Draw(t, "columns by tree"),
			ColumnsByLevel: rapid.SampledFrom([]float64{0, 0.7}).Draw(t, "columns by level"),
			ColumnsByNode:  rapid.SampledFrom([]float64{0, 0.5}).Draw(t, "columns by node")},
		Workers: rapid.IntRange(1, 3).Draw(t, "workers"),
		Unseen:  rapid.Bool().Draw(t, "unseen"),
	}
	c.Conventions = rapid.SampledFrom([]Conventions{Own, Own, XGBoost, LightGBM}).Draw(t, "conventions")
	if rapid.IntRange(0, 3).Draw(t, "monotone") == 0 {
		for j := range columns {
			c.Monotone = append(c.Monotone, int8(j%3-1))
		}
	}
	if rapid.IntRange(0, 3).Draw(t, "column weights") == 0 {
		for j := range columns {
			c.ColumnWeight = append(c.ColumnWeight, float64(1+j%3)/2)
		}
	}
	return c
}

func vectorTree(t *rapid.T, v *Grower, g, h []float64, rows []int32) string {
	made, err := v.Grow(context.Background(), g, h, rows, 3)
	if err != nil {
		t.Fatal(err)
	}
	grown, err := made.Tree(1)
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprint(grown.Nodes, grown.Sets, grown.Leaf.Value, grown.Stats, made.Leaves)
}

// TestListedPairs: sums of float64 of listed columns are the same for any number of workers and any
// blocks of the matrix.
func TestListedPairs(t *testing.T) {
	const rows = 2000
	s := rng.New(8)
	f := withSparse(t, mixed(t, rows, 3, s), 20, s)
	m, err := bins.Make(t.Context(), f, nil, nil, bins.Options{Bundle: true}, 1)
	if err != nil {
		t.Fatal(err)
	}
	g, h := derivatives(rows, true, s)
	c := Config{Shape: Shape{Leaves: 30}, Double: true}
	want := treeAndScores(t, m, m, c, g, h, nil)
	for _, workers := range []int{1, 3} {
		c.Workers = workers
		divided := inBlocks(m, 700, 1, 900)
		if got := treeAndScores(t, divided, divided, c, g, h, nil); !bytes.Equal(got, want) {
			t.Fatalf("%d workers:\ngot  %s\nwant %s", workers, got, want)
		}
	}
}

// TestManyListedColumns: trees of more columns than one worker looks at are the same for any number
// of workers, and small leaves take little memory.
func TestManyListedColumns(t *testing.T) {
	const rows = 3000
	columns := tier.Count(600, 1500, 1500)
	s := rng.New(9)
	f := withSparse(t, mixed(t, rows, 2, s), columns, s)
	m, err := bins.Make(t.Context(), f, nil, nil, bins.Options{Bundle: true}, 1)
	if err != nil {
		t.Fatal(err)
	}
	g, h := derivatives(rows, false, s)
	for _, c := range []Config{
		{Shape: Shape{Leaves: 40}, Regularization: Regularization{MinLeaf: 60}},
		{Shape: Shape{Leaves: 40}, Compatibility: Compatibility{Conventions: LightGBM}},
	} {
		var want []byte
		for _, workers := range []int{1, 2, 4} {
			c.Workers = workers
			r := NewGrower(m, c)
			r.hist.pool.lends = 0
			got := described(t, r, g, h, nil)
			if want == nil {
				want = got
			}
			if !bytes.Equal(got, want) {
				t.Fatalf("%d workers: %s\nwant %s", workers, got, want)
			}
			cells := 0
			for _, h := range append(r.hist.pool.free, r.hist.pool.few...) {
				cells += cap(h.packed)
			}
			if all := r.tables.lay.cells; cells > 12*all && c.MinLeaf > 1 {
				t.Errorf("%d workers: histograms of %d cells, one of all columns has %d", workers,
					cells, all)
			}
		}
	}
}

// TestPartitionListed compares the partition by a listed column with its definition.
func TestPartitionListed(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 200).Draw(t, "rows")
		s := rng.New(rapid.Uint64().Draw(t, "seed"))
		in, away := 1+s.Intn(4), 1+s.Intn(30)
		list := &bins.List{Usual: uint8(s.Intn(3))}
		bin, first := make([]uint8, n), [2][]int32{}
		side, counts := []uint8{0, 1, uint8(s.Intn(2))}, make([]int32, 3)
		var rows []int32
		for r := range int32(n) {
			if bin[r] = list.Usual; s.Intn(away) == 0 {
				bin[r] = (list.Usual + uint8(1+s.Intn(2))) % 3
				list.Rows, list.Bins = append(list.Rows, r), append(list.Bins, bin[r])
			}
			if s.Intn(in) == 0 {
				rows = append(rows, r)
				first[side[bin[r]]] = append(first[side[bin[r]]], r)
				counts[bin[r]]++
			}
		}
		got := make([]int32, 3)
		if countListed(got, list, rows); !slices.Equal(got, counts) {
			t.Fatalf("counts %v, want %v", got, counts)
		}
		k := partitionListed(rows, make([]int32, n), list, side)
		if want := slices.Concat(first[0], first[1]); k != len(first[0]) || !slices.Equal(rows, want) {
			t.Fatalf("%d first of %v, want %v", k, rows, want)
		}
	})
}
