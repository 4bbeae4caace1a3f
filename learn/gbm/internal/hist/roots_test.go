package hist

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/learn/gbm/internal/bins"
	"github.com/coppice-ml/coppice/ranks"
	"github.com/coppice-ml/coppice/ranks/rankstest"
)

// coded returns a matrix of so many rows, with three columns of 2, 5 and 9 bins.
func coded(n int) *bins.Matrix {
	codes := make([][]int, 3)
	for r := range n {
		codes[0], codes[1], codes[2] = append(codes[0], r%2), append(codes[1], r*7%5), append(codes[2], r*r%9)
	}
	return table([]int{2, 5, 9}, codes)
}

// Roots that are added up together are sums of words, row by row, with any number of workers. Cells
// of groups that are out are 0.
func TestRootsTogether(t *testing.T) {
	const outputs = 9
	m := coded(2*rootTask + 5)
	m.Blocks[0].Rows = m.Len()
	of := make([]sums, outputs)
	for k := range of {
		for r := range m.Len() {
			of[k].allWords = append(of[k].allWords, int64((r*(k+3))%101-40))
		}
	}
	out := *m
	out.Groups = slices.Clone(m.Groups)
	out.Groups[1].Out = true
	lay := &layout{at: []uint32{0, 8, 20}}
	for _, workers := range []int{1, 2, 5} {
		r := newRoots(m, &Config{}, outputs, workers)
		if r == nil {
			t.Fatal("roots are not added together")
		}
		for range 2 { // the second time in used memory
			r.add(of)
		}
		for _, by := range []*bins.Matrix{m, &out} {
			for k := range of {
				want := make([]int64, 40)
				for g := range m.Groups {
					for row, code := range m.Blocks[0].Codes[g].Narrow {
						if !by.Groups[g].Out {
							want[int(lay.at[g])+int(code)] += of[k].allWords[row]
						}
					}
				}
				h := &histogram{packed: slices.Repeat([]int64{7}, 40), stride: 40}
				if r.put(h, lay, by, k); !slices.Equal(h.packed, want) {
					t.Fatalf("%d workers, output %d: %v, want %v", workers, k, h.packed, want)
				}
			}
		}
	}
}

// Roots are added together where that is faster: of many rows and several outputs, whose trees look
// at enough of the columns, which are bytes in memory.
func TestWhichRootsAreTogether(t *testing.T) {
	many := coded(rootLeast)
	changed := func(change func(m *bins.Matrix)) *bins.Matrix {
		m := *many
		m.Groups = slices.Clone(many.Groups)
		change(&m)
		return &m
	}
	for what, c := range map[string]struct {
		m        *bins.Matrix
		c        Config
		outputs  int
		together bool
	}{
		"enough rows":      {many, Config{}, 3, true},
		"too few rows":     {coded(rootLeast - 1), Config{}, 3, false},
		"two outputs":      {many, Config{}, 2, false},
		"few columns":      {many, Config{Columns: Columns{ColumnsByTree: 0.24}}, 4, false},
		"enough columns":   {many, Config{Columns: Columns{ColumnsByTree: 0.25}}, 4, true},
		"columns of eight": {many, Config{Columns: Columns{ColumnsByTree: 0.24}}, 8, false},
		"pairs":            {many, Config{Double: true}, 3, false},
		"a file":           {changed(func(m *bins.Matrix) { m.Store = &bins.Store{} }), Config{}, 3, false},
		"a part":           {changed(func(m *bins.Matrix) { m.Partial = true }), Config{}, 3, false},
		"wide codes":       {changed(func(m *bins.Matrix) { m.Groups[2].Codes = 257 }), Config{}, 3, false},
		"narrow codes":     {changed(func(m *bins.Matrix) { m.Groups[2].Codes = 256 }), Config{}, 3, true},
		"a list":           {changed(func(m *bins.Matrix) { m.Groups[0].Listed = true }), Config{}, 3, false},
		"most cells":       {many, Config{}, 4 * (rootBytes / (3 * 8 * 1024)), true},
		"too many cells":   {many, Config{}, 4*(rootBytes/(3*8*1024)) + 1, false},
	} {
		if r := newRoots(c.m, &c.c, c.outputs, 1); (r != nil) != c.together {
			t.Errorf("%s: together %v", what, r != nil)
		}
	}
}

// The leaves of rows take one, two or four bytes in a message, by how many leaves there are.
func TestLeavesOfRanks(t *testing.T) {
	const n = 2*block + 10
	for _, leaves := range []int{1, 256, 257, 1 << 16, 1<<16 + 1} {
		errs := rankstest.Each(2, func(g ranks.Group) error {
			x := newExchange(g, n)
			leaf := make([]int32, n)
			for r := range leaf {
				leaf[r] = -1
			}
			from, to := RankRows(n, g.Rank(), g.Size())
			for r := from; r < to; r++ {
				leaf[r] = int32(r * 37 % leaves)
			}
			exchangeLeaves(x, leaf, leaves)
			for r := range leaf {
				if leaf[r] != int32(r*37%leaves) {
					return errors.New("a row has another leaf")
				}
			}
			return x.failed()
		})
		if err := errors.Join(errs...); err != nil {
			t.Errorf("%d leaves: %v", leaves, err)
		}
	}
}

// told answers each message of a group of two with another one.
type told struct {
	ranks.Group
	by func(own []byte) ([][]byte, error)
}

func (told) Rank() int { return 0 }
func (told) Size() int { return 2 }

func (g told) Gather(_ context.Context, own []byte) ([][]byte, error) { return g.by(own) }

func (g told) Broadcast(_ context.Context, from int, own []byte) ([]byte, error) {
	all, err := g.by(own)
	if err != nil {
		return nil, err
	}
	return all[from], nil
}

// Messages of a size that no rank sends are errors that name the rank, and nothing is sent behind
// an error.
func TestMessagesOfOtherSizes(t *testing.T) {
	const n = 2 * block
	lost := errors.New("lost")
	for what, c := range map[string]struct {
		other []byte
		err   error
		want  string
	}{
		"right":     {make([]byte, block), nil, ""},
		"too short": {make([]byte, block-1), nil, "rank 1 sent the leaves of 4095 bytes, want 4096"},
		"too long":  {make([]byte, block+1), nil, "rank 1 sent the leaves of 4097 bytes, want 4096"},
		"lost":      {nil, lost, "lost"},
	} {
		sent := 0
		x := newExchange(told{by: func(own []byte) ([][]byte, error) {
			sent++
			return [][]byte{own, c.other}, c.err
		}}, n)
		exchangeLeaves(x, make([]int32, n), 2)
		if err := x.failed(); (err != nil) != (c.want != "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", what, err, c.want)
		} else if err != nil {
			if x.gather(nil); sent != 1 {
				t.Errorf("%s: %d messages are sent behind an error", what, sent-1)
			}
			x.parts(nil, nil)()
		}
	}
	for size, want := range map[int]string{16: "", 8: "rank 1 sent 8 bytes for 2 sums", 24: "rank 1 sent 24 bytes for 2 sums"} {
		x := newExchange(told{by: func(own []byte) ([][]byte, error) { return [][]byte{own, make([]byte, size)}, nil }}, n)
		sums := []float64{0, 0}
		x.inOrder(sums, func() { sums[0], sums[1] = 3, 4 })
		if err := x.failed(); (err != nil) != (want != "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%d bytes: %v, want %q", size, err, want)
		} else if err == nil && (sums[0] != 0 || sums[1] != 0) {
			t.Errorf("sums %v, want those of the last rank", sums)
		}
	}
}

// Each leaf is under itself, but for those of a split in name, which have the rows of both.
func TestLeavesUnderOthers(t *testing.T) {
	p := many(600)
	for _, policy := range []Policy{LeafWise, Symmetric} {
		p.c.Shape = Shape{Leaves: 9, Policy: policy}
		if policy == Symmetric {
			p.c.Shape, p.c.MinLeaf = Shape{Depth: 6, Policy: policy}, 30
		}
		p.checkUnder(t)
	}
}

func (p *problem) checkUnder(t *testing.T) {
	t.Helper()
	grown, err := NewGrower(p.m, p.c).Grow(t.Context(), p.g, p.h, nil, 1)
	if err != nil || len(grown.Leaves) < 4 {
		t.Fatal(err, grown)
	}
	for i := range grown.Leaves {
		under := grown.Under(i)
		var rows []int32
		for _, k := range under {
			rows = append(rows, grown.Leaves[k].Rows...)
		}
		slices.Sort(rows)
		basis := slices.Clone(grown.Leaves[i].Basis)
		slices.Sort(basis)
		if !slices.Equal(rows, basis) || !slices.Contains(under, int32(i)) {
			t.Errorf("leaf %d: %d rows under it, %d that its value is made of", i, len(rows), len(basis))
		}
	}
}
