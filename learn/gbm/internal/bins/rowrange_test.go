package bins

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/rng"
)

// anyCodes is a table in bins with codes of all kinds: narrow, wide, joined, bundled and listed.
func anyCodes(t *testing.T, n int, seed uint64) (*data.Frame, *Matrix) {
	t.Helper()
	f, s := variedFrame(t, n, seed), rng.New(seed+1)
	schema, columns := data.Schema{Fields: slices.Clone(f.Schema.Fields)}, slices.Clone(f.Columns)
	for j := range 9 {
		x := make([]float64, n)
		for i := range x {
			if s.Intn(150) == 0 {
				x[i] = float64(1 + s.Intn(3+j))
			}
		}
		schema.Fields, columns = append(schema.Fields, data.Field{Name: fmt.Sprint("s", j)}), append(columns, data.Numbers(x))
	}
	f, err := data.NewFrame(schema, columns)
	if err != nil {
		t.Fatal(err)
	}
	m, err := Make(t.Context(), f, nil, nil, Options{Bins: 300, Joint: 200, Bundle: true, List: true}, 1)
	if err != nil {
		t.Fatal(err)
	}
	return f, m
}

// inParts returns the matrix with its one block divided at some rows.
func inParts(m *Matrix, ends ...int) *Matrix {
	o, from := *m, 0
	o.Blocks = nil
	for _, to := range append(ends, m.Len()) {
		o.Blocks = append(o.Blocks, m.Blocks[0].part(m, from, to))
		from = to
	}
	return &o
}

// A part of a matrix has the codes of a run of its rows, whatever blocks and codes there are.
func TestPartsOfAMatrix(t *testing.T) {
	const n = 300
	_, whole := anyCodes(t, n, 5)
	all := &whole.Blocks[0]
	wide, listed := 0, 0
	for g := range whole.Groups {
		if whole.Groups[g].Wide() {
			wide++
		}
		if whole.Groups[g].Listed {
			listed++
		}
	}
	if wide == 0 || listed == 0 || len(whole.Joints) == 0 {
		t.Fatalf("%d wide and %d listed groups, %d joints", wide, listed, len(whole.Joints))
	}
	for _, m := range []*Matrix{whole, inParts(whole, 1, 100, 101, 250)} {
		for _, c := range [][2]int{{0, n}, {0, 1}, {99, 102}, {100, 101}, {101, 250}, {7, 260}, {299, 300}, {120, 120}} {
			p := m.Part(c[0], c[1])
			rows := 0
			for k := range p.Blocks {
				b := &p.Blocks[k]
				if len(p.Blocks) > 1 && b.Rows == 0 || int(b.First) != rows && b.Rows > 0 {
					t.Fatalf("rows %v: block %d has %d rows from %d", c, k, b.Rows, b.First)
				}
				for r := range b.Rows {
					at := c[0] + rows + r
					for g := range b.Codes {
						if got, want := b.Codes[g].At(int32(r)), all.Codes[g].At(int32(at)); got != want {
							t.Fatalf("rows %v: row %d has the code %d in group %d, want %d", c, at, got, g, want)
						}
					}
					if !bytes.Equal(b.Packed[r*m.Stride:(r+1)*m.Stride], all.Packed[at*m.Stride:(at+1)*m.Stride]) ||
						!slices.Equal(b.Lists.Places[b.Lists.Start[r]:b.Lists.Start[r+1]], all.Lists.Places[all.Lists.Start[at]:all.Lists.Start[at+1]]) {
						t.Fatalf("rows %v: row %d has other codes", c, at)
					}
				}
				rows += b.Rows
			}
			if rows != c[1]-c[0] || len(p.Blocks) == 0 || !p.Partial || p.Part(0, 1) != p || p.Len() != n || m.Partial {
				t.Errorf("rows %v: %d rows in %d blocks", c, rows, len(p.Blocks))
			}
		}
	}
}

// Rows of a stored matrix that are gathered have its codes in memory, with the memory of an earlier
// one or without, and not where these take more than there is.
func TestGatheredRows(t *testing.T) {
	const n = 700
	f := variedFrame(t, n, 8)
	made, err := storedSets(&inBlocks{f, 90, -1}, Rows{}, [][]int32{nil}, Options{Bins: 300, Joint: 200, BlockRows: 120}, 2, scratchFile(t))
	if err != nil {
		t.Fatal(err)
	}
	m := made[0]
	m.Store.Memory = 1 << 20
	var spare *Matrix
	for _, rows := range [][]int32{{3}, {0, 1, 2, 3}, {5, 119, 120, 121, 400, 699}, data.AllRows(n), {10, 12, 14, 350}} {
		got, err := m.Gather(t.Context(), rows, spare, 2)
		if err != nil || got == nil {
			t.Fatalf("%d rows: %v, %v", len(rows), got, err)
		}
		want, err := Encode(t.Context(), f, rows, m.Columns, Options{Joint: 200}, 1)
		if err != nil {
			t.Fatal(err)
		}
		if got.Len() != len(rows) || got.Store != nil || !slices.Equal(got.Rows, rows) {
			t.Errorf("%d rows of %d", got.Len(), len(rows))
		}
		for c := range m.Columns {
			for r := range int32(len(rows)) {
				a := m.Columns[c].Bin(got.Blocks[0].Codes[m.Columns[c].Group].At(r))
				if b := want.Columns[c].Bin(want.Blocks[0].Codes[want.Columns[c].Group].At(r)); a != b {
					t.Fatalf("row %d of %v has bin %d of column %d, want %d", r, len(rows), a, c, b)
				}
			}
		}
		spare = got
	}
	m.Store.Memory = 100
	if got, err := m.Gather(t.Context(), data.AllRows(n), nil, 1); got != nil || err != nil {
		t.Errorf("too little memory: %v, %v", got, err)
	}
	ended, end := context.WithCancel(t.Context())
	end()
	m.Store.Memory = 1 << 20
	if got, err := m.Gather(ended, data.AllRows(n), nil, 1); got != nil || !errors.Is(err, context.Canceled) {
		t.Errorf("a context that has ended: %v, %v", got, err)
	}
}

// Blocks of a file have about as many bytes, and rows within limits, of however wide a table.
func TestRowsOfStoredBlocks(t *testing.T) {
	for width, want := range map[int]int{0: 1 << 19, 1: 1 << 19, 16: 1 << 19, 17: 15 << 15, 100: 2 << 15, 255: 1 << 15, 1 << 20: 1 << 15} {
		if got := storedRows(width); got != want {
			t.Errorf("%d bytes: %d rows, want %d", width, got, want)
		}
	}
}

// A column in single precision has the bins of the same numbers in double precision, of all rows
// and of some, with weights and without, in blocks and as a whole.
func TestBinsOfSinglePrecision(t *testing.T) {
	const n = 5000
	single, double, weight := make([]float32, n), make([]float64, n), make([]float64, n)
	s := rng.New(12)
	for i := range single {
		if single[i] = float32(s.Float64()); s.Intn(9) == 0 {
			single[i] = float32(math.NaN())
		}
		double[i], weight[i] = float64(single[i]), float64(s.Intn(3))
	}
	frame := func(c data.Column) *data.Frame {
		f, err := data.NewFrame(data.Schema{Fields: []data.Field{{Name: "x"}}}, []data.Column{c})
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	narrow, wide := frame(data.Numbers32(single)), frame(data.Numbers(double))
	some := slices.DeleteFunc(data.AllRows(n), func(r int32) bool { return r%7 == 2 })
	for _, rows := range [][]int32{nil, some} {
		for _, w := range [][]float64{nil, weight} {
			for _, bins := range []int{40, 300} {
				want, err := Make(t.Context(), wide, rows, w, Options{Bins: bins}, 1)
				if err != nil {
					t.Fatal(err)
				}
				got, err := Make(t.Context(), narrow, rows, w, Options{Bins: bins}, 2)
				if err != nil || fmt.Sprint(got.Columns) != fmt.Sprint(want.Columns) {
					t.Fatalf("%d rows, weighted %v: %v, %v", len(rows), w != nil, got.Columns, err)
				}
				for r := range int32(want.Len()) {
					if a, b := got.Blocks[0].Codes[0].At(r), want.Blocks[0].Codes[0].At(r); a != b {
						t.Fatalf("%d rows, weighted %v: row %d has code %d, want %d", len(rows), w != nil, r, a, b)
					}
				}
				var from, whole fitter
				in := &inBlocks{narrow, 1700, -1}
				a, _, err := from.splitPoints(numbersOf(t.Context(), in, 0, w, false, &from.memory), rows, rows, &Options{Bins: bins})
				b, _, other := whole.splitPoints(numbersIn(double, w), rows, rows, &Options{Bins: bins})
				if err != nil || other != nil || !slices.Equal(a, b) || len(a) < 30 {
					t.Errorf("%d rows in blocks, weighted %v: %d split points, want %d; %v", len(rows), w != nil, len(a), len(b), err)
				}
			}
		}
	}
	for block := range 6 {
		var by fitter
		from := numbersOf(t.Context(), &failingBlocks{&inBlocks{narrow, 1700, -1}, block}, 0, nil, false, &by.memory)
		if points, _, err := by.splitPoints(from, nil, some, &Options{Bins: 40}); points != nil || !errors.Is(err, errRead) {
			if block < 4 { // until values are too many, and all of the sample
				t.Errorf("block %d cannot be read: %d split points, %v", block, len(points), err)
			}
		}
	}
}

// Rare values have bins of their own though no row of the sample has them, where values are few
// after surveys were merged.
func TestSurveysOfFewValuesMerge(t *testing.T) {
	const n = 3000
	x := make([]float64, n)
	for i := range x {
		if x[i] = float64(i % 3); i%500 == 7 {
			x[i] = float64(10 + i/500)
		}
	}
	f := frameOf(t, x)
	survey := func(from, to int) *Survey {
		s, err := NewSurvey(f.Schema.Fields, n, false, Options{Bins: 60, Sample: 20, Least: true})
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Read(t.Context(), f.Subset(data.AllRows(n)[from:to]), nil, from, nil, 1); err != nil {
			t.Fatal(err)
		}
		return s
	}
	a := survey(0, 1000)
	a.Merge(survey(1000, 1001))
	a.Merge(survey(1001, n))
	got, err := a.Columns()
	want := []float64{0.5, 1.5, 6, 10.5, 11.5, 12.5, 13.5, 14.5}
	if err != nil || !slices.Equal(got[0].SplitPoints, want) || got[0].Values != 9 || a.Least()[0] != 0 {
		t.Errorf("split points %v, least %v, %v; want %v", got[0].SplitPoints, a.Least(), err, want)
	}
}

// A walk over blocks in memory visits each of them that is not left out, in order, until an error.
func TestWalkInMemory(t *testing.T) {
	_, m := anyCodes(t, 300, 4)
	parts := inParts(m, 100, 170)
	stop := errors.New("enough")
	for _, c := range []struct {
		skip func(i int) bool
		end  int // where the function fails; -1: nowhere
		want []int
	}{{nil, -1, []int{0, 1, 2}}, {func(i int) bool { return i == 1 }, -1, []int{0, 2}}, {nil, 1, []int{0, 1}}, {nil, 2, []int{0, 1, 2}}} {
		var seen []int
		err := parts.Walk(t.Context(), Need{Packed: true, Skip: c.skip}, 1, func(i int, b *Block) error {
			if b != &parts.Blocks[i] {
				t.Errorf("another block than %d", i)
			}
			if seen = append(seen, i); i == c.end {
				return stop
			}
			return nil
		})
		if !slices.Equal(seen, c.want) || (err == stop) != (c.end >= 0) || err != nil && err != stop {
			t.Errorf("blocks %v are visited, want %v; %v", seen, c.want, err)
		}
	}
	ended, end := context.WithCancel(t.Context())
	end()
	if err := parts.Walk(ended, Need{}, 1, func(int, *Block) error { return nil }); err != context.Canceled {
		t.Errorf("a context that has ended: %v", err)
	}
}
