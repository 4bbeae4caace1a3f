package parquetdata

import (
	"bytes"
	"fmt"
	"math"
	"testing"

	"github.com/parquet-go/parquet-go"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/tabletest"
)

// Pages of numbers that are appended at once hold what single values do. A token for missing values
// that is a number makes the reader look at each.
func TestPlainPages(t *testing.T) {
	type numbers struct {
		X float64
		I int64
		O *float64 `parquet:",optional"`
		N *int64   `parquet:",optional"`
		D float64  `parquet:",dict"`
	}
	odd := math.Float64frombits(0x7ff8_0000_0000_0123) // a NaN of other bits
	var b bytes.Buffer
	w := parquet.NewGenericWriter[numbers](&b, parquet.MaxRowsPerRowGroup(40))
	for i := range 100 {
		v, n := float64(i)/3, int64(i)
		row := numbers{X: v, I: 1<<53 - 50 + n, O: &v, N: &n, D: float64(i % 3)}
		switch {
		case i%17 == 0:
			row.X = odd
		case i > 60:
			row.O, row.I = nil, -1<<53+60-n
		}
		if _, err := w.Write([]numbers{row}); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	var plain, single string
	log := func(to *string) func(string, ...any) {
		return func(format string, args ...any) { *to += fmt.Sprintf(format+"\n", args...) }
	}
	got, err := readBytes(t.Context(), data.ReadOptions{Log: log(&plain)}, "a", b.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	want, err := readBytes(t.Context(), data.ReadOptions{Log: log(&single), Missing: []string{"-12345"}}, "a", b.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	tabletest.Same(t, got, want, 0)
	if plain != single || plain == "" {
		t.Errorf("notes\n%s\nwant\n%s", plain, single)
	}
	if x := got.Columns[0].Number(0); math.Float64bits(x) != math.Float64bits(math.NaN()) {
		t.Errorf("a missing value has the bits %x", math.Float64bits(x))
	}
}
