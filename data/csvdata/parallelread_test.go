package csvdata

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/source"
	"github.com/coppice-ml/coppice/memory"
)

// outcome is all that a caller sees of a reading.
type outcome struct {
	table *data.RowBlock
	notes []string
	err   string
}

// readText reads with that many goroutines, in blocks of that many bytes.
func readText(
	ctx context.Context, o Options, sources []source.Source, block, threads int,
) (got outcome) {
	o.Threads = threads
	o.Log = func(format string, args ...any) {
		got.notes = append(got.notes, fmt.Sprintf(format, args...))
	}
	var err error
	if got.table, err = o.read(ctx, sources, block); err != nil {
		got.err = err.Error()
	}
	return got
}

// differs returns how two outcomes differ.
func (a outcome) differs(b outcome) string {
	diff := cmp.Diff(a.err, b.err) + cmp.Diff(a.notes, b.notes)
	if diff != "" || a.table == nil {
		return diff
	}
	frames := func(t *data.RowBlock) []*data.Frame {
		if t.Verbatim == nil {
			return []*data.Frame{t.Frame}
		}
		return []*data.Frame{t.Frame, t.Verbatim}
	}
	x, y := frames(a.table), frames(b.table)
	if len(x) != len(y) {
		return fmt.Sprintf("%d and %d frames", len(x), len(y))
	}
	for i := range x {
		diff += sameFrame(x[i], y[i])
	}
	return diff
}

// pieces are what the fields of generated tables consist of: numbers, texts, quotes, and faults.
var pieces = []string{"1", "2.5", "-3e2", "", "NA", "?", "x", "yy", `"a,b"`, "\"a\nb\"", `"q""q"`,
	"\"\n\n\"", `5" pipe`, " 7 ", "2024-02-03", "03.02.2024", "1,5", "007", "\"", "\xff"}

// generated returns a text of up to that many rows, most of which have three fields.
func generated(t *rapid.T, rows int) string {
	n := rapid.IntRange(0, rows).Draw(t, "rows")
	// each column mostly holds numbers until, somewhere, others of its pieces follow
	rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
	usual := len(pieces) - 2*rng.IntN(2)
	var b strings.Builder
	b.WriteString("a,b,c\n")
	for range n {
		fields := 3
		if usual == len(pieces) && rng.IntN(40) == 0 {
			fields = 1 + rng.IntN(4)
		}
		for j := range fields {
			if j > 0 {
				b.WriteByte(',')
			}
			if rng.IntN(1+8*j) != 0 {
				fmt.Fprintf(&b, "%d", rng.IntN(100))
			} else {
				b.WriteString(pieces[rng.IntN(usual)])
			}
		}
		b.WriteString([]string{"\n", "\n", "\r\n", "\n\n"}[rng.IntN(4)])
	}
	return b.String()
}

// TestAnyNumberOfThreads: tables, notes and errors are the same for any number of goroutines,
// whatever the blocks, the kinds of columns and the limit of memory are.
func TestAnyNumberOfThreads(t *testing.T) {
	ctx := context.Background()
	rapid.Check(t, func(t *rapid.T) {
		text := generated(t, 60)
		o := Options{Comma: ','}
		switch rapid.IntRange(0, 5).Draw(t, "options") {
		case 1:
			o.AllCategorical = true
		case 2:
			o.Numeric, o.Verbatim = []string{"a"}, []string{"b", "c"}
		case 3:
			o.Dates = map[string]data.DateFormat{"c": data.DayFirst}
		case 4:
			o.Memory = memory.Limit(rapid.IntRange(600, 20_000).Draw(t, "memory"))
		case 5:
			o.Schema = &data.Schema{Fields: []data.Field{
				{Name: "b", Kind: data.Categorical, Levels: []string{"1", "x", "yy"}},
				{Name: "a"}}}
			o.Also = []string{"c"}
		}
		first := []byte(text)
		if rapid.Bool().Draw(t, "packed") {
			first = gzipped(t, text)
		}
		second := []byte("a,b,c\n" + text[len(text)/2:])
		sources := func() []source.Source {
			return []source.Source{source.Bytes("a.csv", first), source.Bytes("b.csv", second)}
		}
		block := rapid.IntRange(1, 80).Draw(t, "block")
		want := readText(ctx, o, sources(), block, 1)
		for _, threads := range []int{2, 5} {
			if diff := want.differs(readText(ctx, o, sources(), block, threads)); diff != "" {
				t.Fatalf("one goroutine, and %d: %s\n%q", threads, diff, text)
			}
		}
	})
}

// TestBuffersOfAnySize: how much memory a block counts does not depend on whose buffer it is in.
func TestBuffersOfAnySize(t *testing.T) {
	text := "a,b,c\n 7 ,48,10\nNA,26,5\r\n\",84,20\r\n-3e2,49,26\r\n,92,73\r\nx,31,39\n\n1,1,5,40" +
		"\n\n\",31,71\n1,NA,56\n\n"
	sources := func() []source.Source {
		return []source.Source{source.Bytes("a.csv", []byte(text)),
			source.Bytes("b.csv", []byte("a,b,c\n"+text[len(text)/2:]))}
	}
	o := Options{Comma: ',', ReadOptions: data.ReadOptions{Memory: 3072}}
	want := readText(t.Context(), o, sources(), 1, 1)
	if !strings.Contains(want.err, "of memory") {
		t.Fatalf("the error %q is not of memory", want.err)
	}
	for range 20 {
		if diff := want.differs(readText(t.Context(), o, sources(), 1, 2)); diff != "" {
			t.Fatal(diff)
		}
	}
}

// TestManyTextsTogether: a part begins new dictionaries where a column has many texts.
func TestManyTextsTogether(t *testing.T) {
	var b strings.Builder
	b.WriteString("a,b\n")
	for i := range 3 * manyTexts {
		fmt.Fprintf(&b, "x%d,y%d\n", i*7919%(2*manyTexts+100), i/2)
	}
	o := Options{ReadOptions: data.ReadOptions{Verbatim: []string{"b"}}}
	sources := func() []source.Source {
		return []source.Source{source.Bytes("t.csv", []byte(b.String()))}
	}
	want := readText(t.Context(), o, sources(), 1<<14, 1)
	if diff := want.differs(readText(t.Context(), o, sources(), 1<<14, 2)); diff != "" {
		t.Error(diff)
	}
}

// A part has the rows of its block up to one with something wrong, and none of a block with an
// error. It begins new dictionaries of columns with many texts alone.
func TestParts(t *testing.T) {
	o := &Options{ReadOptions: data.ReadOptions{Threads: 1, Verbatim: []string{"b"}}}
	r := o.segments(nil, 1<<20, 1).t
	if err := r.newColumns("t.csv", []string{"a", "b"}); err != nil {
		t.Fatal(err)
	}
	piece := func(text string) *block {
		return &block{buf: append([]byte(text), make([]byte, padding)...), limit: len(text), separator: ','}
	}
	p := newPart(r)
	for _, c := range []struct {
		b     *block
		rows  int
		whole bool
	}{
		{piece("1,x\n2,y\n"), 2, true}, {piece("1,x\n\n2,y\n3,z\n"), 3, true}, {piece("1,x\n2\n3,z\n"), 1, false},
		{piece("1,\"x\n"), 0, false}, {func() *block { b := piece("1,x\n"); b.err = errBroken; return b }(), 0, false}, {piece("1,x\n"), 1, true},
	} {
		if p.read(c.b); p.rows != c.rows || p.whole != c.whole || len(p.lines) < c.rows {
			t.Errorf("%q: %d rows, whole %v, want %d, %v", c.b.buf[:c.b.limit], p.rows, p.whole, c.rows, c.whole)
		}
	}
	dict := func() int { return len(p.columns[1].Kept.Dict.Levels()) }
	if p.forget(); dict() != 3 {
		t.Errorf("%d texts are kept of 3", dict())
	}
	for _, more := range []int{manyTexts - 3, 1} { // as many as there may be, and one more
		var text strings.Builder
		for i := range more {
			fmt.Fprintf(&text, "1,%d-%d\n", more, i)
		}
		p.read(piece(text.String()))
	}
	if dict() != manyTexts+1 {
		t.Fatalf("%d texts", dict())
	}
	if p.forget(); dict() != 0 || p.moves[1].kept != nil {
		t.Errorf("%d of too many texts are kept", dict())
	}
}

// What a table in memory is refused for when it is complete, one in blocks is refused for too.
func TestBlocksRefuseWhatFramesDo(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		o    data.ReadOptions
	}{
		"nearly numbers":    {"a\n" + strings.Repeat("1\n2\n3.5\n", 100) + "x\n", data.ReadOptions{}},
		"no numbers":        {"a,b\n\"1,5\",2\n\"2,7\",3\nx,4\n", data.ReadOptions{Numeric: []string{"a"}}},
		"no rows":           {"a,b\n", data.ReadOptions{}},
		"a column that not": {"a,b\n1,2\n", data.ReadOptions{Ignore: []string{"c"}}},
	} {
		sources := func() []source.Source { return []source.Source{source.Bytes("t.csv", []byte(c.text))} }
		o := &Options{ReadOptions: c.o}
		_, err := o.read(t.Context(), sources(), 1<<10)
		_, other := o.blocks(t.Context(), sources(), 1<<10, 2)
		if fmt.Sprint(err) != fmt.Sprint(other) {
			t.Errorf("%s: %v, and in blocks %v", name, err, other)
		}
		if (err == nil) != (name == "nearly numbers") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
