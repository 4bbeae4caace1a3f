package quality_test

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/quality"
)

// blocksOf yields a frame in blocks of some rows.
type blocksOf struct {
	*data.Frame
	rows int
}

func (b blocksOf) Blocks(context.Context) iter.Seq2[data.RowBlock, error] {
	return func(yield func(data.RowBlock, error) bool) {
		for from := 0; from < b.Rows(); from += b.rows {
			some := data.AllRows(b.Rows())[from:min(from+b.rows, b.Rows())]
			if !yield(data.RowBlock{Frame: b.Subset(some), First: from}, nil) {
				return
			}
		}
	}
}

// A table that is read in blocks gets the warnings of the table in memory, from the first pass that
// reads all of it, and from a part of its rows.
func TestBlocks(t *testing.T) {
	columns := append(plain(), label())
	isTrue := columns[3].Values.([]bool)
	columns = append(columns,
		data.NamedColumn{Name: "leak", Values: filled(func(i int) string { return fmt.Sprint(isTrue[i]) })},
		data.NamedColumn{Name: "id", Values: filled(func(i int) int { return 3 * i })},
		data.NamedColumn{Name: "one", Values: filled(func(int) int { return 1 })},
		data.NamedColumn{Name: "temp", Values: filled(func(i int) float64 {
			if i%100 == 8 {
				return -999
			}
			return float64(i * 7919 % 50)
		})},
		data.NamedColumn{Name: "amount", Values: filled(func(i int) string {
			if i%50 == 0 {
				return "unknown"
			}
			return fmt.Sprint(i * 7919 % 997)
		})})
	ds := with(t, "label", columns...)
	all := data.AllRows(rows)
	of := func(f *data.Frame, rows []int32) (*data.Dataset, error) {
		return &data.Dataset{Frame: f, Target: ds.Target.Subset(rows)}, nil
	}
	want := check(t, ds, all[:300], all[300:])
	if len(want) < 5 {
		t.Fatalf("%v", want)
	}
	for _, bytes := range []int64{1 << 30, 8 * 8 * 200} {
		s := quality.SampleOf(blocksOf{ds.Frame, 37}, nil, bytes)
		read := func(most int) {
			for b, err := range s.Blocks(t.Context()) {
				if most--; err != nil || b.Rows() == 0 || most == 0 {
					break
				}
			}
		}
		read(3)
		if got, err := s.Check(t.Context(), 1, all[:300], of); got != nil || err != nil {
			t.Errorf("before all was read: %v, %v", got, err)
		}
		read(-1)
		read(-1) // is no second sample
		got, err := s.Check(t.Context(), 1, all[:300], of)
		if err != nil {
			t.Fatal(err)
		}
		name := func(w quality.Warning) string { return fmt.Sprint(w.Check, w.Columns) }
		var names, wanted []string
		for _, w := range got {
			names = append(names, name(w))
			if w.Check == "constant" && !strings.Contains(w.Message, "all sampled rows") {
				t.Error(w)
			}
		}
		for _, w := range want {
			wanted = append(wanted, name(w))
		}
		if !slices.Equal(names, wanted) {
			t.Errorf("%d bytes: %q, want %q", bytes, names, wanted)
		}
	}
}
