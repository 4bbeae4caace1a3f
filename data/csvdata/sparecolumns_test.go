package csvdata

import (
	"math"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/data"
)

// Columns that a file may lack are there in the table, in its blocks and in its parts: missing, or
// of any value where a model refuses missing ones.
func TestSpareColumns(t *testing.T) {
	schema := &data.Schema{Fields: []data.Field{{Name: "a"}, {Name: "x"}, {Name: "b"}, {Name: "c", Kind: data.Categorical, Levels: []string{"u"}},
		{Name: "d", Missing: data.Refuse}, {Name: "e", Kind: data.Categorical, Levels: []string{"v"}, Missing: data.Refuse}}}
	o := Options{ReadOptions: data.ReadOptions{Schema: schema, Spare: []string{"a", "b", "c", "d", "e"}, BlockBytes: 1}}
	path := write(t, "t.csv", "b,x\n"+strings.Repeat("1,2\n", 40_000))[0]
	check := func(f *data.Frame) {
		t.Helper()
		if len(f.Columns) != len(schema.Fields) {
			t.Fatalf("columns %v", f.Schema.Names())
		}
		last := f.Rows() - 1
		for i, want := range []float64{math.NaN(), 2, 1, math.NaN(), 0, 0} {
			got := math.NaN()
			if !f.IsMissing(last, i) && f.Columns[i].Codes() != nil {
				got = float64(f.Columns[i].Code(last))
			} else if !f.IsMissing(last, i) {
				got = f.Columns[i].Number(last)
			}
			if f.Schema.Fields[i].Name != schema.Fields[i].Name || got != want && (got == got || want == want) {
				t.Errorf("column %s is %v, want %v", f.Schema.Fields[i].Name, got, want)
			}
		}
	}
	whole, err := Open(o, path).Frame(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	check(whole)
	for part, err := range Open(o, path).Stream(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		check(part.Frame)
	}
	blocks, err := Open(o, path).Blocks(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for block, err := range blocks.Blocks(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		check(block.Frame)
	}
	for block, err := range data.BlocksOf(t.Context(), blocks, data.Region{From: 0, To: 10, Columns: []int{1, 2}}) {
		if err != nil {
			t.Fatal(err)
		}
		if names := strings.Join(block.Frame.Schema.Names(), " "); names != "x b" {
			t.Errorf("a block of two columns has %s", names)
		}
	}
}
