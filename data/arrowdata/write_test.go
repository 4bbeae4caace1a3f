package arrowdata

import (
	"bytes"
	"math"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/tabletest"
)

// TestWrite: what is written is read as the same table, and missing values as missing.
func TestWrite(t *testing.T) {
	schema := data.Schema{Fields: []data.Field{{Name: "size", Kind: data.Numeric},
		{Name: "plan", Kind: data.Categorical, Levels: []string{"basic", "plus"}},
		{Name: "day", Kind: data.Date}}}
	f, err := data.NewFrame(schema, []data.Column{data.Numbers([]float64{1.5, math.NaN(), math.Inf(1)}),
		data.Codes([]uint32{1, 0, data.MissingCode}), data.Numbers([]float64{86400e6, math.NaN(), -1})})
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := Write(&b, f); err != nil {
		t.Fatal(err)
	}
	again, err := readBytes(t.Context(), data.ReadOptions{}, "written.arrows", b.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	if got, want := tabletest.Render(again), tabletest.Render(f); got != want {
		t.Errorf("read\n%swant\n%s", got, want)
	}
	var none bytes.Buffer
	if err := Write(&none, f.Subset([]int32{})); err != nil {
		t.Fatal(err)
	}
	if f, err := readBytes(t.Context(), data.ReadOptions{}, "none.arrows", none.Bytes()); err == nil && f.Rows() != 0 {
		t.Errorf("no rows are read as %d", f.Rows())
	}
}
