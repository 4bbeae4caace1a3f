package encode_test

import (
	"context"
	"slices"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/learn/gbm/internal/encode"
)

// Of a large table only what explains more than chance is derived, of a small one all that may be
// of use. The class is given by b and d together, as in interaction, and by how frequent the
// category of c is; all that is noisy.
func TestLargeTablesDeriveWhatExplains(t *testing.T) {
	const rows = 1 << 17
	f, target := interaction(rows)
	r := rng.New(8)
	levels := &f.Schema.Fields[2].Levels
	for *levels = nil; len(*levels) < 3000; {
		*levels = append(*levels, string(rune('A'+len(*levels))))
	}
	for i := range rows {
		code := r.Intn(300) // each the category of 440 rows, others of 10
		if r.Intn(5) == 0 {
			code = 300 + r.Intn(2700)
			target.Class[i] |= uint32(r.Intn(2))
		}
		f.Columns[2].Codes()[i] = uint32(code)
		if r.Intn(4) == 0 {
			target.Class[i] = uint32(r.Intn(2))
		}
	}
	derived := func(rows []int32) []string {
		e, err := fit(context.Background(), f, rows, target, defaults(func(o *encode.Options) { o.Combine = 2 }), 1, 2)
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for i := range e.Set.Columns {
			names = append(names, e.Set.Name(i, f.Schema.Fields, target.Classes))
		}
		return names
	}
	got := derived(nil)
	for _, name := range []string{"ts(a)", "ts(b)", "ts(c)", "ts(d)", "count(c)", "ts(b+d)"} {
		if !slices.Contains(got, name) {
			t.Errorf("%s is left out", name)
		}
	}
	for _, name := range []string{"count(a)", "count(b)", "count(d)", "count(b+d)", "ts(a+b)", "ts(a+d)"} {
		if slices.Contains(got, name) {
			t.Errorf("%s is derived", name)
		}
	}
	few := derived(data.AllRows(3000))
	if !slices.Contains(few, "count(a)") || len(few) <= len(got) {
		t.Errorf("of few rows %q", few)
	}
}
