package bins

import (
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/rng"
)

// TestWhichColumnsAreListed: columns are listed that are away from their most frequent bin in up to
// an eighth of the rows, a sixteenth if they have few values, but no categories and no columns of
// wide codes.
func TestWhichColumnsAreListed(t *testing.T) {
	const rows = 4000
	s := rng.New(7)
	var columns [][]float64
	var want []bool
	for _, c := range []struct {
		values, away int // one row of so many
		listed       bool
	}{
		{200, 10, true}, {200, 7, false}, {3, 18, true}, {3, 14, false}, {900, 3, false},
	} {
		x := make([]float64, rows)
		x[0] = 1 // so that all meet in a row, and none are bundled
		for i := 1; i < rows; i++ {
			if s.Intn(c.away) == 0 {
				x[i] = float64(1 + s.Intn(c.values))
			}
		}
		columns, want = append(columns, x), append(want, c.listed)
	}
	f := frameOf(t, columns...)
	code := make([]uint32, rows)
	code[9] = 1
	f.Schema.Fields = append(f.Schema.Fields, data.Field{Name: "code", Kind: data.Categorical,
		Levels: []string{"a", "b"}})
	f, err := data.NewFrame(f.Schema, append(f.Columns, data.Codes(code)))
	if err != nil {
		t.Fatal(err)
	}
	m, err := Make(t.Context(), f, nil, nil, Options{Bundle: true, Bins: 500}, 2)
	if err != nil {
		t.Fatal(err)
	}
	check(t, f, m)
	alone, err := Make(t.Context(), f, nil, nil, Options{List: true, Bins: 500}, 1)
	if err != nil {
		t.Fatal(err)
	}
	check(t, f, alone)
	for i, is := range append(want, false) {
		if m.Columns[i].Listed != is || alone.Columns[i].Listed != is {
			t.Errorf("column %d is listed: %v, without bundles %v, want %v", i,
				m.Columns[i].Listed, alone.Columns[i].Listed, is)
		}
	}
}

// TestListsTakeMemoryForWhatTheyList: a table of many columns that are sparse independently of each
// other has no codes by row, and no more places than values that are not zero.
func TestListsTakeMemoryForWhatTheyList(t *testing.T) {
	const rows, width, values = 2000, 3000, 10 // values of a row
	s := rng.New(8)
	columns := make([][]int32, width)
	for i := range int32(rows) {
		for range values {
			j := s.Intn(width)
			if n := len(columns[j]); n == 0 || columns[j][n-1] != i {
				columns[j] = append(columns[j], i)
			}
		}
	}
	var schema data.Schema
	var all []data.Column
	stored := 0
	for j, row := range columns {
		schema.Fields = append(schema.Fields, data.Field{Name: string(rune(0x4e00 + j))})
		value := make([]float64, len(row))
		for k := range value {
			value[k] = float64(1 + k)
		}
		all = append(all, data.Sparse(rows, 0, row, value))
		stored += len(row)
	}
	f, err := data.NewFrame(schema, all)
	if err != nil {
		t.Fatal(err)
	}
	m, err := Make(t.Context(), f, nil, nil, Options{Bundle: true}, 2)
	if err != nil {
		t.Fatal(err)
	}
	if n := len(m.Blocks[0].Lists.Places); m.Stride != 0 || n != stored {
		t.Errorf("rows of %d bytes, %d places for %d values", m.Stride, n, stored)
	}
	for i := range m.Groups {
		if c := &m.Blocks[0].Codes[i]; c.List == nil || cap(c.List.Rows) > 2*len(c.List.Rows)+8 {
			t.Fatalf("group %d: %+v", i, c)
		}
	}
	other, err := Encode(t.Context(), f, data.AllRows(rows)[:100], m.Columns, Options{}, 1)
	if err != nil || other.Stride != 0 {
		t.Errorf("other rows have %d bytes, %v", other.Stride, err)
	}
}
