package parquetdata_test

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"
	"pgregory.net/rapid"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/parquetdata"
	"github.com/coppice-ml/coppice/data/tabletest"
	"github.com/coppice-ml/coppice/memory"
)

// mixed is a row of generated files.
type mixed struct {
	A float64
	B *float64 `parquet:",optional"`
	C int64
	D string  `parquet:",dict"`
	E *string `parquet:",optional"`
}

// mixedFile returns a file of several row groups and pages, of numbers that are rounded and texts
// of which most are numbers.
func mixedFile(t *rapid.T, rows, group int, rng *rand.Rand) []byte {

	var b bytes.Buffer
	w := parquet.NewGenericWriter[mixed](&b, parquet.MaxRowsPerRowGroup(int64(group)),
		parquet.PageBufferSize(64+rng.IntN(400)), parquet.Compression(&parquet.Snappy))
	for range rows {
		r := mixed{A: float64(rng.IntN(5)), C: int64(rng.IntN(1000)),
			D: fmt.Sprint(rng.IntN(30))}
		if rng.IntN(3) > 0 {
			v, text := rng.Float64(), fmt.Sprintf("%d.5", rng.IntN(1000))
			r.B, r.E = &v, &text
		}
		switch rng.IntN(60) {
		case 0:
			r.C = 1<<60 + rng.Int64N(1<<40)
		case 1:
			r.D = "x"
		case 2:
			text := []string{"y", "\xff", "", "1,5"}[rng.IntN(4)]
			r.E = &text
		}
		if _, err := w.Write([]mixed{r}); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// outcome is all that a caller sees of a reading, also in blocks.
func outcome(o data.ReadOptions, folder string, threads int) string {

	var got strings.Builder
	o.Threads = threads
	o.Log = func(format string, args ...any) { fmt.Fprintf(&got, format+"\n", args...) }
	ctx := context.Background()
	read, err := parquetdata.Open(o, folder).Read(ctx)
	fmt.Fprintln(&got, err)
	if err == nil {
		for row := range read.Frame.Rows() {
			fmt.Fprint(&got, read.Frame.Locate(row), " ")
		}
		fmt.Fprintln(&got, tabletest.Render(read.Frame), read.Columns)
		if read.Verbatim != nil {
			fmt.Fprintln(&got, tabletest.Render(read.Verbatim))
		}
	}
	blocks, err := parquetdata.Open(o, folder).Blocks(ctx)
	fmt.Fprintln(&got, err)
	if err != nil {
		return got.String()
	}
	for part, err := range blocks.Blocks(ctx) {
		fmt.Fprintln(&got, err)
		if err == nil {
			fmt.Fprintln(&got, part.First, tabletest.Render(part.Frame))
		}
	}
	return got.String()
}

// TestAnyNumberOfThreads: tables, blocks, notes and errors are the same for any number of
// goroutines, whatever the row groups, the kinds of columns and the limit of memory are, also where
// files are damaged.
func TestAnyNumberOfThreads(t *testing.T) {
	root := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		var o data.ReadOptions
		switch rapid.IntRange(0, 7).Draw(t, "options") {
		case 1:
			o.AllCategorical = true
		case 2:
			o.Numeric, o.Verbatim = []string{"D", "E"}, []string{"B", "E"}
		case 3:
			o.Dates = map[string]data.DateFormat{"C": data.SinceSeconds, "E": data.DayFirst}
		case 4:
			o.Memory = memory.Limit(rapid.IntRange(3000, 60_000).Draw(t, "memory"))
		case 5:
			o.Missing, o.Categorical = []string{"3", "x"}, []string{"A", "C"}
		case 6:
			o.Ignore = []string{"A", "B", "C", "D", "E"}[:rapid.IntRange(1, 5).Draw(t, "ignored")]
		case 7:
			o.Numeric, o.Memory = []string{"D"}, memory.Limit(rapid.IntRange(10_000, 200_000).Draw(t, "memory"))
		}
		o.BlockBytes = int64(rapid.IntRange(1, 8000).Draw(t, "block"))
		for i := range 2 {
			b := mixedFile(t, 1+rng.IntN(300), 1+rng.IntN(120), rng)
			if rng.IntN(3) == 0 {
				for range 1 + rng.IntN(3) {
					b[rng.IntN(len(b)*4/5)] ^= 1 << rng.IntN(8)
				}
			}
			if err := os.MkdirAll(filepath.Join(root, fmt.Sprint("k=", i)), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(root, fmt.Sprint("k=", i), "a.parquet"), b, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		want := outcome(o, root, 1)
		for _, threads := range []int{2, 5} {
			if got := outcome(o, root, threads); got != want {
				t.Fatalf("%d goroutines\n%s\none\n%s", threads, got, want)
			}
		}
	})
}
