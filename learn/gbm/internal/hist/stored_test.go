package hist

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/internal/scratch"
	"github.com/coppice-ml/coppice/internal/testing/tier"
	"github.com/coppice-ml/coppice/learn/gbm/internal/bins"
)

// store returns the rows of a frame in bins, with the codes in a file, and other rows in the same
// bins.
func store(t testing.TB, f *data.Frame, others []int32, o bins.Options, memory int64) (m, other *bins.Matrix) {
	file, err := scratch.Create(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { file.Close() })
	made := stored(t, f, [][]int32{nil, others}, o, file)
	made[0].Store.Memory, made[1].Store.Memory = memory, memory
	return made[0], made[1]
}

// stored returns sets of the rows of a frame in bins, with the codes in a file.
func stored(t testing.TB, f *data.Frame, sets [][]int32, o bins.Options, file *scratch.File) []*bins.Matrix {
	fitted, err := bins.FitStored(t.Context(), f, bins.Rows{}, o, 2, nil)
	if err != nil {
		t.Fatal(err)
	}
	w, err := fitted.Writer(sets, nil, 0, nil, file)
	if err != nil {
		t.Fatal(err)
	}
	made, err := w.Matrices(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return made
}

// A stored matrix grows the trees of one in memory, to the last bit, however its blocks are cut and
// whether or not they stay in memory.
func TestStoredMatrixGrowsTheSameTrees(t *testing.T) {
	rows := tier.Count(600, 3000, 3000)
	s := rng.New(31)
	f := mixed(t, rows, 9, s)
	several := slices.DeleteFunc(data.AllRows(rows), func(r int32) bool { return r%3 == 1 || int(r) > rows*3/10 && int(r) < rows*4/10 })
	for _, c := range []struct {
		name    string
		options bins.Options
		config  Config
		tails   bool
	}{
		{"by leaf", bins.Options{Joint: 200}, Config{Shape: Shape{Leaves: 40}}, false},
		{"two leaves", bins.Options{Joint: 200}, Config{Shape: Shape{Leaves: 2}}, false},
		{"few rows counted", bins.Options{}, Config{Shape: Shape{Leaves: 60, Policy: DepthWise}, Regularization: Regularization{MinLeaf: 20}}, false},
		{"without a limit", bins.Options{}, Config{Shape: Shape{Depth: 7, Policy: DepthWise}}, false},
		{"by level", bins.Options{}, Config{Shape: Shape{Depth: 5, Policy: Symmetric}}, false},
		{"by level, counted", bins.Options{}, Config{Shape: Shape{Depth: 5, Policy: Symmetric}, Regularization: Regularization{MinLeaf: 9}}, false},
		{"pairs", bins.Options{Joint: 200}, Config{Shape: Shape{Leaves: 30}, Double: true}, true},
		{"sampled columns", bins.Options{Joint: 200}, Config{Shape: Shape{Leaves: 30}, Columns: Columns{ColumnsByTree: 0.5}}, false},
		{"LightGBM", bins.Options{}, Config{Shape: Shape{Leaves: 30}, Compatibility: Compatibility{Conventions: LightGBM}, Regularization: Regularization{MinLeaf: 7}}, false},
		{"pruned", bins.Options{}, Config{Shape: Shape{Leaves: 30}, Regularization: Regularization{Gamma: 2, GammaBottom: true}}, false},
		{"wide codes", bins.Options{Bins: 1000}, Config{Shape: Shape{Leaves: 30}}, false},
		{"wide pairs", bins.Options{Bins: 1000}, Config{Shape: Shape{Leaves: 30}, Double: true}, true},
	} {
		m, err := bins.Make(t.Context(), f, nil, nil, c.options, 1)
		if err != nil {
			t.Fatal(err)
		}
		other, err := bins.Encode(t.Context(), f, several, m.Columns, bins.Options{}, 1)
		if err != nil {
			t.Fatal(err)
		}
		g, h := derivatives(rows, c.tails, s)
		if c.config.Unseen = true; c.options.Joint > 0 {
			c.config.Weight = h
		}
		for _, among := range [][]int32{nil, several} {
			want := treeAndScores(t, m, other, c.config, g, h, among)
			for _, by := range []struct {
				rows, workers int
				memory        int64
			}{{370, 1, 1 << 14}, {999, 3, 0}, {rows, 2, 1 << 30}} {
				c.config.Workers, c.options.BlockRows = by.workers, by.rows
				stored, others := store(t, f, several, c.options, by.memory)
				got := treeAndScores(t, stored, others, c.config, g, h, among)
				if !bytes.Equal(got, want) {
					t.Fatalf("%s, %+v:\ngot  %s\nwant %s", c.name, by, got, want)
				}
			}
		}
	}
}

// A tree of some rows reads the codes of its columns once if there is memory for those of its rows,
// and for each of its levels if there is none. Blocks without one of them are not read.
func TestDrawnRowsAreReadOnce(t *testing.T) {
	const rows, blockRows = 4000, 500
	s := rng.New(6)
	f := mixed(t, rows, 6, s)
	g, h := derivatives(rows, false, s)
	file, err := scratch.Create(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	m := stored(t, f, [][]int32{nil}, bins.Options{BlockRows: blockRows}, file)[0]
	drawn := slices.DeleteFunc(data.AllRows(rows), func(r int32) bool { return r%7 != 0 || r/blockRows == 2 })
	all := file.Size() * (rows - blockRows) / rows // about: the blocks have nearly the same bytes
	for _, c := range []struct {
		memory      int64
		least, most float64
	}{{0, 3, 40}, {1 << 20, 0.98, 1.02}} {
		m.Store.Memory = c.memory
		r := NewGrower(m, Config{Shape: Shape{Leaves: 20}, Unseen: true})
		for range 2 {
			before := file.BytesRead()
			if _, err := r.Grow(t.Context(), g, h, drawn, 1); err != nil {
				t.Fatal(err)
			}
			if times := float64(file.BytesRead()-before) / float64(all); times < c.least || times > c.most {
				t.Errorf("memory %d: the blocks were read %.2f times", c.memory, times)
			}
		}
	}
}

// A leaf of a stored matrix that keeps pairs gives its histogram to the child of more rows, from
// which that of the other child is subtracted.
func TestStoredMatrixSubtractsPairs(t *testing.T) {
	const rows = 300
	s := rng.New(41)
	f := mixed(t, rows, 5, s)
	m, err := bins.Make(t.Context(), f, nil, nil, bins.Options{}, 1)
	if err != nil {
		t.Fatal(err)
	}
	stored, others := store(t, f, data.AllRows(rows), bins.Options{BlockRows: 90}, 0)
	g, h := derivatives(rows, true, s)
	for _, policy := range []Policy{LeafWise, DepthWise} {
		c := Config{Shape: Shape{Leaves: 12, Policy: policy}, Double: true}
		want := treeAndScores(t, m, m, c, g, h, nil)
		if got := treeAndScores(t, stored, others, c, g, h, nil); !bytes.Equal(got, want) {
			t.Fatalf("policy %d:\ngot  %s\nwant %s", policy, got, want)
		}
	}
}

// Trees of several outputs are the same, too.
func TestStoredMatrixGrowsTheSameTreesOfSeveralOutputs(t *testing.T) {
	const rows, outputs = 900, 3
	s := rng.New(4)
	f := mixed(t, rows, 6, s)
	m, err := bins.Make(t.Context(), f, nil, nil, bins.Options{}, 1)
	if err != nil {
		t.Fatal(err)
	}
	stored, _ := store(t, f, nil, bins.Options{BlockRows: 200}, 0)
	g, h := derivatives(rows*outputs, false, s)
	for _, policy := range []Policy{LeafWise, Symmetric} {
		for _, least := range []int{0, 12} {
			c := Config{Shape: Shape{Leaves: 20, Depth: 5, Policy: policy}, Categories: Categories{OneHot: 4},
				Regularization: Regularization{MinLeaf: least}, Unseen: true}
			want := printedOf(t, NewVectorGrower(m, c, outputs), g, h, 1)
			if got := printedOf(t, NewVectorGrower(stored, c, outputs), g, h, 1); got != want {
				t.Fatalf("policy %d:\ngot  %s\nwant %s", policy, got, want)
			}
		}
	}
}

// A file that is cut off is an error of the tree, or of Err where rows are looked up.
func TestCutOffStore(t *testing.T) {
	const rows = 500
	s := rng.New(5)
	f := mixed(t, rows, 4, s)
	g, h := derivatives(rows, false, s)
	file, err := scratch.Create(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	made := stored(t, f, [][]int32{nil}, bins.Options{BlockRows: 100}, file)
	some := data.AllRows(rows)[:rows/2]
	for _, policy := range []Policy{LeafWise, Symmetric} {
		r := NewGrower(made[0], Config{Shape: Shape{Leaves: 9, Depth: 3, Policy: policy}})
		grown, err := r.Grow(t.Context(), g, h, some, 1)
		if err != nil {
			t.Fatal(err)
		}
		if policy == LeafWise {
			continue
		}
		file.Close()
		grown.Add(make([]float64, rows), nil, 1)
		if err := r.Err(); err == nil || !strings.Contains(err.Error(), "scratch file") {
			t.Error(err)
		}
		if _, err := r.Grow(context.Background(), g, h, some, 1); err == nil {
			t.Error("a tree was grown without codes")
		}
	}
}

// lookedAt is a context that ends at one look, counted from 0.
type lookedAt struct {
	context.Context
	at, looks int
}

func (c *lookedAt) Err() error {
	if c.looks++; c.looks > c.at {
		return context.Canceled
	}
	return nil
}

// Wherever a context ends the growth of a tree, its error is returned and no tree.
func TestContextsEndTrees(t *testing.T) {
	const rows = 500
	s := rng.New(32)
	f := mixed(t, rows, 6, s)
	some := slices.DeleteFunc(data.AllRows(rows), func(r int32) bool { return r%3 == 1 })
	inMemory, err := bins.Make(t.Context(), f, nil, nil, bins.Options{}, 1)
	if err != nil {
		t.Fatal(err)
	}
	inFile, _ := store(t, f, nil, bins.Options{BlockRows: 110}, 0)
	g, h := derivatives(rows, false, s)
	for name, m := range map[string]*bins.Matrix{"memory": inMemory, "file": inFile} {
		for _, c := range []Config{
			{Shape: Shape{Leaves: 9}, Unseen: true},
			{Shape: Shape{Leaves: 9}, Regularization: Regularization{MinLeaf: 15}, Columns: Columns{ColumnsByTree: 0.6}, Unseen: true},
			{Shape: Shape{Policy: DepthWise, Depth: 3}, Double: true},
			{Shape: Shape{Policy: Symmetric, Depth: 3}, Regularization: Regularization{MinLeaf: 15}},
		} {
			c.Workers = 1
			for _, among := range [][]int32{nil, some} {
				for at, done := 0, false; !done; at++ {
					ctx, r := &lookedAt{Context: t.Context(), at: at}, NewGrower(m, c)
					grown, err := r.Grow(ctx, g, h, among, 1)
					if done = ctx.looks <= at; done != (err == nil) || done != (grown != nil) ||
						!done && !errors.Is(err, context.Canceled) {
						t.Fatalf("%s, %+v: look %d of %d ends: %v", name, c, at, ctx.looks, err)
					}
					if grown, err = r.Grow(t.Context(), g, h, among, 1); err != nil || grown == nil {
						t.Fatalf("%s, %+v: the next tree: %v", name, c, err)
					}
				}
			}
		}
	}
}

// A file that cannot be read any more ends the growth of a tree, or leaves an error behind.
func TestFilesThatCannotBeRead(t *testing.T) {
	s := rng.New(33)
	f := mixed(t, 400, 6, s)
	g, h := derivatives(400, false, s)
	for _, policy := range []Policy{LeafWise, DepthWise, Symmetric} {
		file, err := scratch.Create(t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		m := stored(t, f, [][]int32{nil}, bins.Options{BlockRows: 90}, file)[0]
		r := NewGrower(m, Config{Shape: Shape{Policy: policy, Leaves: 9}, Workers: 1})
		grown, err := r.Grow(t.Context(), g, h, nil, 1)
		if err != nil {
			t.Fatal(err)
		}
		if err := file.Close(); err != nil {
			t.Fatal(err)
		}
		grown.AddTo(m, make([]float64, 400), 1)
		if r.Err() == nil {
			t.Errorf("policy %d: scores of a file that is closed", policy)
		}
		again := NewGrower(m, Config{Shape: Shape{Policy: policy, Leaves: 9}, Workers: 1})
		if grown, err := again.Grow(t.Context(), g, h, nil, 1); grown != nil || err == nil {
			t.Errorf("policy %d: a tree of a file that is closed: %v", policy, err)
		}
	}
}
