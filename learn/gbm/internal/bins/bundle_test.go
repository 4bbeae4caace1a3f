package bins

import (
	"context"
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/rng"
)

// oneHot returns a column per level, 1 where the row has it.
func oneHot(level []int, levels int) [][]float64 {
	columns := make([][]float64, levels)
	for k := range columns {
		columns[k] = make([]float64, len(level))
		for i, l := range level {
			if l == k {
				columns[k][i] = 1
			}
		}
	}
	return columns
}

// The columns of one categorical one make one group, whose codes are the categories; a dense column
// stays alone, and so does a sparse one that meets them all.
func TestBundleOneHot(t *testing.T) {
	const n, levels = 5000, 100
	s := rng.New(3)
	level, dense, meets := make([]int, n), make([]float64, n), make([]float64, n)
	for i := range level {
		level[i], dense[i] = s.Intn(levels), s.Float64()
		if i%10 == 0 {
			meets[i] = float64(i % 7)
		}
	}
	columns := append([][]float64{dense}, oneHot(level, levels)...)
	f := frameOf(t, append(columns, meets)...)
	for _, workers := range []int{1, 2, 5} {
		m, err := Make(context.Background(), f, nil, nil, Options{Bundle: true}, workers)
		if err != nil {
			t.Fatal(err)
		}
		check(t, f, m)
		if len(m.Groups) != 3 || len(m.Groups[1].Columns) != levels || m.Groups[1].Codes != 1+2*levels {
			t.Errorf("%d groups, the second of %d columns and %d codes", len(m.Groups), len(m.Groups[1].Columns), m.Groups[1].Codes)
		}
		if m.Columns[0].Default != -1 || m.Columns[levels+1].Default != -1 || m.Columns[1].First != 1 || m.Columns[2].First != 3 {
			t.Errorf("columns %+v", m.Columns[:3])
		}
	}
}

// Columns of categories stay by themselves, however rare all but one category are: sets of
// categories need a code for each.
func TestCategoriesAreNotBundled(t *testing.T) {
	const n = 400
	var schema data.Schema
	var columns []data.Column
	for j := range 4 {
		code := make([]uint32, n)
		for i := 8*j + 1; i < n; i += 64 {
			code[i] = uint32(1 + i%3)
		}
		schema.Fields = append(schema.Fields, data.Field{Name: string(rune('a' + j)), Kind: data.Categorical, Levels: []string{"usual", "p", "q", "r"}})
		columns = append(columns, data.Codes(code))
	}
	f, err := data.NewFrame(schema, columns)
	if err != nil {
		t.Fatal(err)
	}
	m, err := Make(context.Background(), f, nil, nil, Options{Bundle: true}, 2)
	if err != nil {
		t.Fatal(err)
	}
	check(t, f, m)
	if len(m.Groups) != 4 {
		t.Errorf("%d groups of 4 columns", len(m.Groups))
	}
}

// Bundles of any sparse columns hold what the columns hold, and no row is away from two usual bins
// of a bundle.
func TestBundlesLoseNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, width := rapid.IntRange(1, 80).Draw(t, "rows"), rapid.IntRange(1, 12).Draw(t, "columns")
		columns := make([][]float64, width)
		for j := range columns {
			columns[j] = make([]float64, n)
			usual := rapid.SampledFrom([]float64{0, 1, math.NaN()}).Draw(t, "usual")
			for i := range columns[j] {
				columns[j][i] = usual
				if rapid.IntRange(0, width).Draw(t, "away") == 0 {
					columns[j][i] = number().Draw(t, "x")
				}
			}
		}
		f := frameOf(t, columns...)
		m, err := Make(context.Background(), f, nil, nil, Options{Bundle: true, Joint: rapid.SampledFrom([]int{0, 256}).Draw(t, "joint")}, 2)
		if err != nil {
			t.Fatal(err)
		}
		check(t, f, m)
		for i := range m.Groups {
			g := &m.Groups[i]
			if len(g.Columns) > 1 && g.Codes > 256 {
				t.Fatalf("a bundle of %d codes", g.Codes)
			}
			next := int32(1)
			for _, k := range g.Columns {
				c := &m.Columns[k]
				if int(c.Group) != i || len(g.Columns) > 1 && c.First != next {
					t.Fatalf("column %d of group %d: %+v", k, i, c)
				}
				next += int32(c.Values)
			}
		}
		alone, err := Encode(context.Background(), f, nil, m.Columns, Options{}, 1)
		if err != nil {
			t.Fatal(err)
		}
		check(t, f, alone)
		if len(alone.Groups) != width {
			t.Fatalf("%d groups of %d columns", len(alone.Groups), width)
		}
	})
}

// Many columns: bundles are closed and opened.
func TestManyBundles(t *testing.T) {
	const n, levels = 2000, 150
	s := rng.New(4)
	var columns [][]float64
	for range 12 {
		level := make([]int, n)
		for i := range level {
			level[i] = s.Intn(levels)
		}
		columns = append(columns, oneHot(level, levels)...)
	}
	f := frameOf(t, columns...)
	m, err := Make(context.Background(), f, nil, nil, Options{Bundle: true}, 2)
	if err != nil {
		t.Fatal(err)
	}
	check(t, f, m)
	if len(m.Groups) > 200 {
		t.Errorf("%d groups of %d columns", len(m.Groups), len(columns))
	}
}

// A bundle has one code for its rows that are away from no column's most frequent bin, and takes
// columns as long as all codes fit into a byte and none of its rows is taken.
func TestCodesOfBundles(t *testing.T) {
	of := func(column int32, rows ...int32) *sparse { return &sparse{column: column, rows: rows} }
	for last, bundles := range map[int]int{narrowCodes - 101: 1, narrowCodes - 100: 2} {
		p := &placer{}
		p.place(of(0, 1), 60, 100)
		p.place(of(1, 2), 40, 100)
		if p.bundles[0].codes != 101 {
			t.Errorf("%d codes of 60 and 40 bins", p.bundles[0].codes)
		}
		if p.place(of(2, 3), last, 100); len(p.bundles) != bundles {
			t.Errorf("%d bundles with %d codes more, want %d", len(p.bundles), last, bundles)
		}
	}
	p := &placer{}
	p.place(of(0, 1, 64), 5, 100)
	p.place(of(1, 2, 64), 5, 100)
	p.place(of(2, 3), 5, 100)
	if len(p.bundles) != 2 || len(p.bundles[0].columns) != 2 || p.bundles[0].away != 3 {
		t.Errorf("columns that meet are in %d bundles, the first of %d rows", len(p.bundles), p.bundles[0].away)
	}
}

// TestColumnsThatMeetAllStayAlone: columns of two values that share rows with all others stay
// alone, whichever value is the more frequent. Two that share none are a bundle beside them.
func TestColumnsThatMeetAllStayAlone(t *testing.T) {
	const n = 5000
	s := rng.New(4)
	columns := make([][]float64, 6)
	for j := range columns {
		columns[j] = make([]float64, n)
		for i := range n {
			columns[j][i] = float64(s.Intn(20) / (6 + 2*j)) // 1 in 70 % down to 20 % of the rows
			columns[j][i] = min(columns[j][i], 1)
		}
	}
	halves := make([][]float64, 2)
	for k := range halves {
		halves[k] = make([]float64, n)
		for i := k; i < n; i += 2 {
			halves[k][i] = columns[5][i]
		}
	}
	for want, all := range [][][]float64{columns, append(columns, halves...)} {
		f := frameOf(t, all...)
		m, err := Make(context.Background(), f, nil, nil, Options{Bundle: true}, 2)
		if err != nil {
			t.Fatal(err)
		}
		check(t, f, m)
		if got := len(all) - len(m.Groups); got != want {
			t.Errorf("%d columns share a group, want %d", got, want)
		}
	}
	p, q := &peek{}, &peek{}
	p.away[0][3], p.away[1][3], q.away[0][3] = 1, 3, 1
	if p.meetsAll([]*peek{p, nil, q}) {
		t.Error("columns meet, but for the other value that may be the usual one")
	}
	if q.away[1][3] = 2; p.meetsAll([]*peek{q}) {
		t.Error("the most frequent values of one and the less frequent of another do not meet")
	}
	if q.away[1][3] = 3; !p.meetsAll([]*peek{p, q}) {
		t.Error("all meet")
	}
}
