package bins

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/internal/scratch"
)

// variedFrame is columns of few and of many values, of missing ones, of categories, and of so many
// bins that codes are wide.
func variedFrame(t testing.TB, n int, seed uint64) *data.Frame {
	s := rng.New(seed)
	few, many, holes := make([]float64, n), make([]float64, n), make([]float64, n)
	category := make([]uint32, n)
	for i := range n {
		few[i], many[i] = float64(s.Intn(3)), s.Float64()
		if holes[i] = s.Float64(); s.Intn(4) == 0 {
			holes[i] = math.NaN()
		}
		if category[i] = uint32(s.Intn(5)); s.Intn(9) == 0 {
			category[i] = data.MissingCode
		}
	}
	f, err := data.NewFrame(data.Schema{Fields: []data.Field{{Name: "few"}, {Name: "many"}, {Name: "holes"},
		{Name: "category", Kind: data.Categorical, Levels: []string{"a", "b", "c", "d", "e"}}}},
		[]data.Column{data.Numbers(few), data.Numbers(many), data.Numbers(holes), data.Codes(category)})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func scratchFile(t testing.TB) *scratch.File {
	f, err := scratch.Create(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

// storedSets returns the matrices of some sets of rows, with their codes in a file.
func storedSets(from data.RowSource, fitted Rows, sets [][]int32, o Options, workers int, file *scratch.File) ([]*Matrix, error) {
	f, err := FitStored(context.Background(), from, fitted, o, workers, nil)
	if err != nil {
		return nil, err
	}
	w, err := f.Writer(sets, nil, 0, nil, file)
	if err != nil {
		return nil, err
	}
	return w.Matrices(context.Background())
}

// A stored matrix has the columns, groups and codes of one in memory, whatever the blocks of the
// table and of the file, with and without memory for blocks that stay.
func TestStoredIsAsInMemory(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		n := rapid.IntRange(1, 1000).Draw(r, "rows")
		f := variedFrame(t, n, rapid.Uint64().Draw(r, "seed"))
		o := Options{Bins: rapid.SampledFrom([]int{5, 40, 600}).Draw(r, "bins"), Joint: 200,
			Sample: rapid.SampledFrom([]int{0, 100}).Draw(r, "sample")}
		var rows []int32
		if rapid.Bool().Draw(r, "some") {
			rows = slices.DeleteFunc(data.AllRows(n), func(r int32) bool { return r%5 == 3 })
		}
		var weight []float64
		if rapid.Bool().Draw(r, "weights") {
			for i := range n {
				weight = append(weight, float64(i%3))
			}
		}
		want, err := Make(context.Background(), f, rows, weight, o, 1)
		if err != nil {
			r.Fatal(err)
		}
		o.BlockRows = rapid.IntRange(1+n/9, n+9).Draw(r, "block")
		from := &inBlocks{f, rapid.IntRange(1+n/9, n).Draw(r, "part"), -1}
		made, err := storedSets(from, Rows{rows, weight}, [][]int32{rows}, o, 1+n%3, scratchFile(t))
		if err != nil {
			r.Fatal(err)
		}
		got := made[0]
		if g, w := fmt.Sprint(got.Columns, got.Groups, got.Joints, got.Stride), fmt.Sprint(want.Columns, want.Groups, want.Joints, want.Stride); g != w {
			r.Fatalf("got  %s\nwant %s", g, w)
		}
		got.Store.Memory = rapid.Int64Range(0, 20_000).Draw(r, "memory")
		for range 2 {
			sameCodes(r, got, want)
		}
		some := []int32{1, 3}
		wantSome, err := want.Only(context.Background(), some, nil, 1)
		if err != nil {
			r.Fatal(err)
		}
		gotSome, _ := got.Only(context.Background(), some, nil, 1)
		for range 2 {
			sameCodes(r, gotSome, wantSome)
		}
		sameCodes(r, got, want)
		sameCodes(r, got.Unbundled(), want.Unbundled())
	})
}

// Derived columns are in the bins of those that are in memory, behind columns that are chosen.
func TestStoredDerivedColumns(t *testing.T) {
	const n = 700
	f := variedFrame(t, n, 3)
	derived := [][]float64{f.Columns[1].Numbers(), f.Columns[0].Numbers()}
	rows := slices.DeleteFunc(data.AllRows(n), func(r int32) bool { return r%4 == 1 })
	others := slices.DeleteFunc(data.AllRows(n), func(r int32) bool { return r%4 != 1 })
	for _, o := range []Options{{Bins: 30, Sample: 90, Joint: 100, Least: true}, {Bins: 500}} {
		maker, err := NewMaker(f, rows, nil, o, 1)
		if err != nil {
			t.Fatal(err)
		}
		var made []Made
		for _, num := range derived {
			made = append(made, maker.Column(num))
		}
		want, err := MakeWith(t.Context(), f.Select([]int{2, 3}), made, rows, nil, o, 1)
		if err != nil {
			t.Fatal(err)
		}
		o.BlockRows = 100
		fitted, err := FitStored(t.Context(), &inBlocks{f, 130, -1}, Rows{Rows: rows}, o, 2, nil)
		if err != nil {
			t.Fatal(err)
		}
		w, err := fitted.Writer([][]int32{rows, others}, []int{2, 3}, len(derived), nil, scratchFile(t))
		if err != nil {
			t.Fatal(err)
		}
		for i := range derived {
			if err := w.Column(len(derived)-1-i, derived[len(derived)-1-i]); err != nil {
				t.Fatal(err)
			}
		}
		got, err := w.Matrices(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if f := []int32{2, 3, 4, 5}; !slices.EqualFunc(got[0].Columns, f, func(c Column, f int32) bool { return c.Feature == f }) {
			t.Errorf("the columns are %v", got[0].Columns)
		}
		sameCodes(t, got[0], want)
		if o.Least && (got[0].Least[2] != slices.Min(data.Pick(derived[0], rows)) || got[0].Least[3] != 0) {
			t.Errorf("the least numbers are %v", got[0].Least)
		}
		whole := codesOf(&got[0].Columns[2], derived[0], others)
		err = got[1].Walk(t.Context(), Need{Columns: []int32{2}}, 1, func(_ int, b *Block) error {
			for r := range int32(b.Rows) {
				if b.Codes[2].At(r) != whole.At(b.First+r) {
					t.Fatalf("row %d of the others", b.First+r)
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// sameCodes compares all codes of matrices, of which want is one block.
func sameCodes(t rapid.TB, got, want *Matrix) {
	rows, used := 0, want.Narrow
	for i := range want.Groups {
		if g := &want.Groups[i]; g.Wide() && !g.Out {
			used = max(used, g.At+2)
		}
	}
	whole := &want.Blocks[0]
	err := got.Walk(context.Background(), Need{Packed: true}, 2, func(i int, b *Block) error {
		if int(b.First) != rows || got.Blocks[i].First != b.First {
			t.Fatalf("block %d begins at %d", i, b.First)
		}
		for r := range b.Rows {
			if !bytes.Equal(b.Packed[r*want.Stride:][:used], whole.Packed[(rows+r)*want.Stride:][:used]) {
				t.Fatalf("block %d has other codes of row %d", i, r)
			}
		}
		rows += b.Rows
		return nil
	})
	if err != nil || rows != want.Len() {
		t.Fatalf("%d rows: %v", rows, err)
	}
	for c := range want.Columns {
		g := want.Columns[c].Group
		err := got.Walk(context.Background(), Need{Columns: []int32{int32(c)}}, 1, func(_ int, b *Block) error {
			for r := range int32(b.Rows) {
				if b.Codes[g].At(r) != whole.Codes[g].At(r+b.First) {
					t.Fatalf("column %d, row %d", c, r)
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// Blocks that are skipped are not read. The error of f ends the walk, and so does a context.
func TestWalkEnds(t *testing.T) {
	f := variedFrame(t, 100, 1)
	made, err := storedSets(f, Rows{}, [][]int32{nil}, Options{BlockRows: 10}, 1, scratchFile(t))
	if err != nil {
		t.Fatal(err)
	}
	m, walked, fault := made[0], []int{}, errors.New("enough")
	need := Need{Packed: true, Skip: func(i int) bool { return i%2 == 0 }}
	err = m.Walk(t.Context(), need, 1, func(i int, _ *Block) error {
		if walked = append(walked, i); i == 5 {
			return fault
		}
		return nil
	})
	if err != fault || !slices.Equal(walked, []int{1, 3, 5}) {
		t.Errorf("%v %v", walked, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	err = m.Walk(ctx, Need{Packed: true}, 1, func(int, *Block) error {
		cancel()
		return nil
	})
	if !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// Surveys of parts of the rows, merged in any groups, give the bins of one survey of all.
func TestSurveysMerge(t *testing.T) {
	const n = 5000
	f := variedFrame(t, n, 4)
	survey := func(from, to int) *Survey {
		s, err := NewSurvey(f.Schema.Fields, n, false, Options{Bins: 60, Sample: 900})
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Read(t.Context(), f.Subset(data.AllRows(n)[from:to]), nil, from, nil, 2); err != nil {
			t.Fatal(err)
		}
		return s
	}
	want, err := survey(0, n).Columns()
	if err != nil {
		t.Fatal(err)
	}
	a, b, c := survey(0, 17), survey(17, 4000), survey(4000, n)
	a.Merge(b)
	a.Merge(c)
	if got, err := a.Columns(); err != nil || fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("got  %v %v\nwant %v", got, err, want)
	}
	if len(want[1].SplitPoints) < 50 {
		t.Errorf("%d split points", len(want[1].SplitPoints))
	}
}

// Rows beside those that bins are fitted to have their bins, and a code for unknown categories.
func TestStoredSetsOfRows(t *testing.T) {
	f, err := data.NewFrame(data.Schema{Fields: []data.Field{
		{Name: "c", Kind: data.Categorical, Levels: []string{"a", "b", "c"}}}},
		[]data.Column{data.Codes([]uint32{0, 2, 1, data.MissingCode, 0, 2})})
	if err != nil {
		t.Fatal(err)
	}
	made, err := storedSets(&inBlocks{f, 2, -1}, Rows{Rows: []int32{0, 1, 4}},
		[][]int32{{0, 1, 4}, {2, 3, 5}}, Options{}, 1, scratchFile(t))
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range [][]int{{0, 1, 0}, {3, 2, 1}} {
		var got []int
		err := made[i].Walk(t.Context(), Need{Columns: []int32{0}}, 1, func(_ int, b *Block) error {
			for r := range int32(b.Rows) {
				got = append(got, b.Codes[0].At(r))
			}
			return nil
		})
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("set %d: %v %v, want %v", i, got, err, want)
		}
	}
}

// Buffers of codes that a walk no longer needs serve the next ones, up to a number of them.
func TestSpareBuffers(t *testing.T) {
	s := &Store{stored: &stored{}}
	for range spareBuffers + 5 {
		s.giveNarrow(make([]uint8, 3))
		s.giveWide(make([]uint16, 3))
	}
	s.giveNarrow(nil)
	s.giveWide(nil)
	if len(s.narrow) != spareBuffers || len(s.wide) != spareBuffers {
		t.Errorf("%d and %d buffers are kept", len(s.narrow), len(s.wide))
	}
	if b := s.takeWide(2); len(b) != 2 || cap(b) != 3 || len(s.wide) != spareBuffers-1 {
		t.Errorf("%d of %d numbers, %d buffers", len(b), cap(b), len(s.wide))
	}
	if b := s.takeWide(4); len(b) != 4 || len(s.wide) != spareBuffers-1 {
		t.Errorf("%d numbers, %d buffers", len(b), len(s.wide))
	}
	if b := s.takeNarrow(2); len(b) != 2 || cap(b) != 3 || len(s.narrow) != spareBuffers-1 {
		t.Errorf("%d of %d bytes, %d buffers", len(b), cap(b), len(s.narrow))
	}
	large := make([]uint8, 1000)
	s.giveNarrow(large)
	if b := s.takeNarrow(700); len(b) != 700 || &b[0] == &large[0] || len(s.narrow) != spareBuffers {
		t.Error("a buffer that is far too large is taken")
	}
	if b := s.takeNarrow(800); len(b) != 800 || &b[0] != &large[0] || len(s.narrow) != spareBuffers-1 {
		t.Error("a buffer that is large enough is not taken")
	}
}

// Blocks stay in memory from the first one on, as long as there is memory, and all of them go at
// once.
func TestBlocksThatStay(t *testing.T) {
	block := func(n int) *Block { return &Block{Packed: make([]byte, n), Codes: []Codes{{Wide: make([]uint16, 10)}}} }
	m := &Matrix{Store: &Store{stored: &stored{}, Memory: 300}}
	for _, c := range []struct {
		i, bytes, kept int
		held           int64
	}{{1, 10, 0, 0}, {0, 281, 0, 0}, {0, 80, 1, 100}, {0, 80, 1, 100}, {2, 80, 1, 100}, {1, 180, 2, 300}, {2, 1, 2, 300}} {
		if m.keep(c.i, block(c.bytes)); len(m.Store.kept) != c.kept || m.Store.held != c.held {
			t.Errorf("%+v: %d blocks of %d bytes", c, len(m.Store.kept), m.Store.held)
		}
	}
	if m.forget(); len(m.Store.kept) != 0 || m.Store.held != 0 || len(m.Store.wide) != 2 {
		t.Errorf("%d blocks of %d bytes, %d buffers", len(m.Store.kept), m.Store.held, len(m.Store.wide))
	}
}
