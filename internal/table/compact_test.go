package table_test

import (
	"math"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/table"
)

// Columns of many rows are stored in the least memory, those of few rows in double precision.
func TestTablesOfManyRowsAreCompact(t *testing.T) {
	columns := []struct {
		name   string
		value  func(row int) float64
		stored string
	}{
		{"count", func(row int) float64 { return float64(row) }, "single"},
		{"price", func(row int) float64 { return float64(row) / 10 }, "double"},
		{"is_red", func(row int) float64 { return float64(row % 4 / 3) }, "sparse"},
		{"rare", func(row int) float64 {
			if row%5 == 0 {
				return 0.1
			}
			return math.NaN()
		}, "sparse"},
	}
	for _, rows := range []int{1000, 1 << 16} {
		var read []*table.Column
		for _, c := range columns {
			values := make([]float64, rows)
			for row := range values {
				values[row] = c.value(row)
			}
			read = append(read, &table.Column{Field: data.Field{Name: c.name},
				Storage: table.Numbers, Position: -1, Num: values})
		}
		made, err := table.Assemble(&data.ReadOptions{Threads: 2}, read, rows,
			data.Origin{Files: []string{"t"}, First: []int32{0}})
		if err != nil {
			t.Fatal(err)
		}
		for i, c := range columns {
			column, want := &made.Frame.Columns[i], c.stored
			if rows < 1<<16 {
				want = "double"
			}
			got := "single"
			if column.IsSparse() {
				got = "sparse"
			} else if column.InPlace() {
				got = "double"
			}
			if got != want {
				t.Errorf("%d rows of %s are stored as %s, want %s", rows, c.name, got, want)
			}
			for row := range rows {
				if x, y := column.Number(row), c.value(row); x != y && (x == x || y == y) {
					t.Fatalf("%s, row %d: %g, want %g", c.name, row, x, y)
				}
			}
		}
	}
}
