package data_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/coppice-ml/coppice/data"
)

func TestFromCSR(t *testing.T) {
	m := data.CSR{Start: []int{0, 1, 3, 3, 3, 4}, Index: []int32{1, 0, 2, 2},
		Value: []float64{5, 2, 7, 0}, Columns: 3}
	f, err := data.FromCSR(m, []string{"a", "b", "c"})
	if err != nil {
		t.Fatal(err)
	}
	wantColumn(t, f.Columns[0], 0, 2, 0, 0, 0)
	wantColumn(t, f.Columns[1], 5, 0, 0, 0, 0)
	wantColumn(t, f.Columns[2], 0, 7, 0, 0, 0)
	if row, _, _, sparse := f.Columns[2].Stored(); !sparse || len(row) != 1 {
		t.Errorf("the zero is stored: rows %v", row)
	}
	m.Absent = math.NaN()
	if f, err = data.FromCSR(m, nil); err != nil {
		t.Fatal(err)
	}
	missing := math.NaN()
	wantColumn(t, f.Columns[2], missing, 7, missing, missing, 0)
	if f.Schema.Fields[2].Name != "f2" {
		t.Errorf("the third column is called %s", f.Schema.Fields[2].Name)
	}
}

func TestFromCSRRefuses(t *testing.T) {
	good := func() data.CSR {
		return data.CSR{Start: []int{0, 2, 3}, Index: []int32{0, 2, 1}, Value: []float64{1, 2, 3},
			Columns: 3}
	}
	for _, c := range []struct {
		spoil func(m *data.CSR)
		want  string
	}{
		{func(m *data.CSR) { m.Columns = -1 }, "-1 columns"},
		{func(m *data.CSR) { m.Absent = 1 }, "the value of places that are not stored is 1, want 0 or NaN"},
		{func(m *data.CSR) { m.Start = nil }, "no starts of rows: want one more than there are rows"},
		{func(m *data.CSR) { m.Value = m.Value[:2] }, "3 columns for 2 values"},
		{func(m *data.CSR) { m.Start[0] = 1 }, "the first row starts at 1, want 0"},
		{func(m *data.CSR) { m.Start[2] = 2 }, "the last row ends at 2, and there are 3 values"},
		{func(m *data.CSR) { m.Start[1] = 4 }, "row 0: it starts at 0 and ends at 4 of 3 values"},
		{func(m *data.CSR) { m.Start[1] = -1 }, "row 0: it starts at 0 and ends at -1 of 3 values"},
		{func(m *data.CSR) { m.Columns = 2 }, "row 0: there is no column 2, those of the table are 0 to 1"},
		{func(m *data.CSR) { m.Index[2] = -1 }, "row 1: there is no column -1"},
		{func(m *data.CSR) { m.Index[0] = 2 }, "row 0: the columns do not ascend: 2 follows 2"},
		{func(m *data.CSR) { m.Index[0], m.Index[1] = 1, 0 }, "row 0: the columns do not ascend: 0 follows 1"},
	} {
		m := good()
		c.spoil(&m)
		_, err := data.FromCSR(m, nil)
		wantError(t, err, c.want)
	}
	_, err := data.FromCSR(good(), []string{"a"})
	wantError(t, err, "1 names for 3 columns")
	_, err = data.FromCSR(good(), []string{"a", "b", "a"})
	wantError(t, err, `two columns are called "a"`)
}

// A table of compressed rows is that of the same matrix.
func TestFromCSREqualsFromMatrix(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rows, width := rapid.IntRange(0, 20).Draw(t, "rows"), rapid.IntRange(1, 6).Draw(t, "width")
		m := data.CSR{Start: []int{0}, Columns: width,
			Absent: rapid.SampledFrom([]float64{0, math.NaN()}).Draw(t, "absent")}
		cells := data.RowMajor[float64]{Columns: width}
		for range rows {
			for j := range width {
				v := m.Absent
				if rapid.IntRange(0, 4).Draw(t, "stored") == 0 {
					v = rapid.SampledFrom([]float64{0, 1, 2.5, math.NaN()}).Draw(t, "value")
					m.Index, m.Value = append(m.Index, int32(j)), append(m.Value, v)
				}
				cells.Values = append(cells.Values, v)
			}
			m.Start = append(m.Start, len(m.Value))
		}
		got, err := data.FromCSR(m, nil)
		if err != nil {
			t.Fatal(err)
		}
		want, err := data.FromMatrix(cells, nil)
		if err != nil {
			t.Fatal(err)
		}
		twins{got, want}.same(t, "table")
	})
}
