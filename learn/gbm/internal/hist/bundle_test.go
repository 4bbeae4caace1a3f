package hist

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/kernel/kerneltest"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/learn/gbm/internal/bins"
	"github.com/coppice-ml/coppice/tree"
)

// TestBundledColumnsAreSplitAsAloneOnes grows trees on columns of which one alone is not 0 in each
// row, in one group and in groups of their own.
func TestBundledColumnsAreSplitAsAloneOnes(t *testing.T) {
	for name, shape := range map[string]Shape{"by leaf": {Leaves: 40},
		"symmetric": {Policy: Symmetric, Depth: 5}} {
		t.Run(name, func(t *testing.T) { checkBundledColumns(t, shape) })
	}
}

func checkBundledColumns(t *testing.T, shape Shape) {
	const rows, sparse = 3000, 30
	s := rng.New(4)
	var schema data.Schema
	var columns []data.Column
	column := func(name string) []float64 {
		schema.Fields = append(schema.Fields, data.Field{Name: name, Kind: data.Numeric})
		columns = append(columns, data.Numbers(make([]float64, rows)))
		return columns[len(columns)-1].Numbers()
	}
	dense := column("dense")
	var some [][]float64
	for j := range sparse {
		some = append(some, column("sparse"+string(rune('A'+j))))
	}
	g, h := make([]float64, rows), make([]float64, rows)
	for i := range rows {
		j, v := s.Intn(sparse), float64(s.Intn(7))-3
		some[j][i], dense[i] = v, s.Float64()
		g[i], h[i] = dense[i]+v*float64(j%3)+s.Float64(), 0.5+s.Float64()
	}
	f, err := data.NewFrame(schema, columns)
	if err != nil {
		t.Fatal(err)
	}
	var trees []*tree.Tree
	var groups []int
	for _, bundle := range []bool{false, true} {
		m, err := bins.Make(t.Context(), f, nil, nil, bins.Options{Bundle: bundle}, 2)
		if err != nil {
			t.Fatal(err)
		}
		for _, workers := range []int{1, 3} {
			grown, err := NewGrower(m, Config{Shape: shape, Regularization: Regularization{L2: 1, MinChildWeight: 1, MinLeaf: 5}, Workers: workers}).Grow(t.Context(), g, h, nil, 1)
			if err != nil {
				t.Fatal(err)
			}
			made, err := grown.Tree(1)
			if err != nil {
				t.Fatal(err)
			}
			trees = append(trees, made)
		}
		groups = append(groups, len(m.Groups))
	}
	if groups[0] != 1+sparse || groups[1] > 3 {
		t.Fatalf("%d groups of columns alone, %d of bundled ones", groups[0], groups[1])
	}
	for i, other := range trees[1:] {
		if d := cmp.Diff(trees[0], other, cmpopts.EquateComparable(tree.Node{})); d != "" {
			t.Fatalf("tree %d of 4 is another one: %s", i+2, d)
		}
	}
}

// TestBundlesByWords: split points of bundled columns have the bits of those of columns alone, so
// that ties are broken alike.
func TestBundlesByWords(t *testing.T) {
	kerneltest.EachPath(t, func(t *testing.T) { rapid.Check(t, checkBundlesByWords) })
}

func checkBundlesByWords(t *rapid.T) {
	rows, sparse := rapid.IntRange(30, 300).Draw(t, "rows"), rapid.IntRange(2, 12).Draw(t, "columns")
	s := rng.New(rapid.Uint64().Draw(t, "seed"))
	fields, columns := make([]data.Field, sparse), make([]data.Column, sparse)
	for j := range columns {
		fields[j] = data.Field{Name: string(rune('A' + j)), Kind: data.Numeric}
		columns[j] = data.Numbers(make([]float64, rows))
	}
	g, h := make([]float64, rows), make([]float64, rows)
	for i := range rows {
		j, v := s.Intn(sparse), float64(s.Intn(7)-3)
		if v == 3 {
			v = math.NaN()
		}
		columns[j].Numbers()[i] = v
		g[i], h[i] = float64(j%3)-1+s.Float64(), 0.01+s.Float64()*s.Float64()
	}
	f, err := data.NewFrame(data.Schema{Fields: fields}, columns)
	if err != nil {
		t.Fatal(err)
	}
	c := Config{Shape: Shape{Leaves: 12}, Workers: 1, Regularization: Regularization{L2: 1,
		MinLeaf: rapid.IntRange(1, 5).Draw(t, "rows of a leaf")}}
	var grown [2]*Grown
	for i, bundle := range []bool{true, false} {
		m, err := bins.Make(t.Context(), f, nil, nil, bins.Options{Bundle: bundle}, 1)
		if err != nil {
			t.Fatal(err)
		}
		if grown[i], err = NewGrower(m, c).Grow(t.Context(), g, h, nil, 1); err != nil {
			t.Fatal(err)
		}
	}
	got, want := grown[0].grown.split, grown[1].grown.split
	if len(got) != len(want) {
		t.Fatalf("%d splits, want %d", len(got), len(want))
	}
	for i := range want {
		a, b := &got[i].split, &want[i].split
		if a.column != b.column || a.bin != b.bin || a.missing != b.missing || a.first != b.first ||
			math.Float64bits(a.gain) != math.Float64bits(b.gain) {
			t.Fatalf("split %d: %+v, want %+v", i, *a, *b)
		}
	}
}
