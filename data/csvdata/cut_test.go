package csvdata

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/table"
	"github.com/coppice-ml/coppice/memory"
)

// Rows end at the last newline that is not inside quotes, or at the last one if all are.
func TestRowsEnd(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(rapid.SampledFrom([]string{"\n", "\"", "a", "\n\"", "b\n"}), 0, 12).Draw(t, "text"), "")
		want := strings.LastIndexByte(text, '\n') + 1
		for end := want; end > 0; end = strings.LastIndexByte(text[:end-1], '\n') + 1 {
			if strings.Count(text[:end], `"`)%2 == 0 {
				want = end
				break
			}
		}
		if got := rowsEnd([]byte(text)); got != want {
			t.Fatalf("%q: %d, want %d", text, got, want)
		}
	})
}

// The first of comma, tab and semicolon that stands outside quotes in the first line separates
// fields, and the line ends at a newline outside quotes.
func TestSniff(t *testing.T) {
	for text, want := range map[string]struct {
		by       byte
		complete bool
	}{
		"a,b\tc;d\n": {',', true}, "a\tb;c\n": {'\t', true}, "a;b\n,\n": {';', true}, "a\nb,c": {',', true},
		"\"a,b\";c\n": {';', true}, "\"a\n,\";c\n": {';', true}, "a;b": {';', false}, "\"a;b\n": {',', false},
		"": {',', false}, "a\n": {',', true}, "\"\"\"x,\"\ty\n": {'\t', true},
	} {
		if by, complete := sniff([]byte(text)); by != want.by || complete != want.complete {
			t.Errorf("%q: %q, complete %v, want %q, %v", text, by, complete, want.by, want.complete)
		}
	}
}

// No more goroutines read than were allowed, than an eighth of the memory has room for, and than
// four for each block there is.
func TestReaders(t *testing.T) {
	const block = 1000
	for _, c := range []struct {
		threads int
		memory  memory.Limit
		size    int64
		want    int
	}{
		{3, 1 << 40, 0, 3}, {100, 1 << 40, 0, 4}, {100, 1 << 40, 999, 4}, {100, 1 << 40, 1000, 8}, {100, 1 << 40, 2500, 12},
		{100, 8 * 16 * block * 5, 1 << 40, 5}, {100, 8*16*block*5 - 1, 1 << 40, 4}, {2, 8 * 16 * block * 5, 1 << 40, 2},
	} {
		r := &reading{store: store{options: &Options{ReadOptions: data.ReadOptions{Threads: c.threads,
			Memory: c.memory}}}, size: c.size}
		if got := r.workers(block); got != c.want {
			t.Errorf("%+v: %d goroutines", c, got)
		}
	}
}

// Memory for rows is that of a first block of them, then that of the whole input if its rows stay
// as long, and never more than what is allowed.
func TestGrowth(t *testing.T) {
	grown := func(limit memory.Limit, change func(r *reading)) int {
		o := &Options{ReadOptions: data.ReadOptions{Memory: limit}}
		r := &reading{store: store{options: o}, tokens: table.Tokens(&o.ReadOptions, data.DefaultMissing)}
		if err := r.newColumns("t.csv", []string{"a", "b"}); err != nil {
			t.Fatal(err)
		}
		change(r)
		if err := r.grow(); err != nil {
			t.Fatal(err)
		}
		for j := range r.columns {
			if len(r.columns[j].Num) != r.capacity {
				t.Errorf("%d rows of a column, capacity %d", len(r.columns[j].Num), r.capacity)
			}
		}
		return r.capacity
	}
	for what, c := range map[string]struct {
		want   int
		change func(r *reading)
	}{
		"a short block": {(130-30)/2 + 1, func(r *reading) { r.splitter.pos, r.splitter.limit = 30, 130 }},
		"a long block":  {1<<16 + 1, func(r *reading) { r.splitter.limit = 1 << 20 }},
		"as many bytes": {408 + 16, func(r *reading) { r.rows, r.size, r.splitter.stored = 100, 4000, 1000 }},
		"a part of them": {510 + 16, func(r *reading) {
			r.rows, r.size, r.splitter.stored, r.splitter.pos, r.splitter.limit = 100, 4000, 1000, 50, 250
		}},
		"packed": {408 + 16, func(r *reading) {
			r.rows, r.size, r.splitter.stored, r.splitter.packed, r.splitter.limit = 100, 4000, 1000, true, 250
		}},
		"nothing consumed": {204_000 + 16, func(r *reading) { r.rows, r.size = 100, 2000 }},
		"at the end":       {125 + 16, func(r *reading) { r.rows, r.size, r.splitter.stored = 100, 1000, 1000 }},
		"hinted":           {900, func(r *reading) { r.rows, r.hint = 100, 900 }},
		"hinted too few":   {200, func(r *reading) { r.rows, r.hint = 100, 150 }},
	} {
		if got := grown(1<<40, c.change); got != c.want {
			t.Errorf("%s: %d rows, want %d", what, got, c.want)
		}
	}
	most := grown(1<<20, func(r *reading) { r.rows, r.size, r.splitter.stored = 100, 1<<40, 1000 })
	if most < 1<<14 || most > 1<<16 {
		t.Errorf("%d rows of 16 bytes in a megabyte", most)
	}
	full := &reading{store: store{options: &Options{}, before: table.MaxRows - 5, rows: 5}}
	if err := full.grow(); err == nil || !strings.Contains(err.Error(), fmt.Sprintf("more than %d rows", table.MaxRows)) {
		t.Errorf("one row more than there may be: %v", err)
	}
}
