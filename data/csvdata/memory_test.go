package csvdata_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/csvdata"
	"github.com/coppice-ml/coppice/memory"
)

// packed compresses a text that is a head and then a text many times.
func packed(t *testing.T, head, part string, times int) []byte {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	block := strings.Repeat(part, 1000)
	if _, err := io.WriteString(z, head); err != nil {
		t.Fatal(err)
	}
	for range times / 1000 {
		if _, err := io.WriteString(z, block); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// What unpacks to more than memory is refused where the limit is reached, whether it has rows, one
// endless row, or one endless field in quotes.
func TestSmallFilesThatUnpackToLargeTables(t *testing.T) {
	for name, c := range map[string]struct {
		b    []byte
		line int // from which on the error may be
		what string
	}{
		"rows":          {packed(t, "a,b\n", "1,2\n", 4_000_000), 100_000, "the table needs "},
		"no newline":    {packed(t, "a,b\n", "1", 18_000_000), 2, "a row without an end needs "},
		"an open quote": {packed(t, "a,b\n1,2\n\"", "1,2\n", 4_500_000), 3, "a row without an end needs "},
		"a long header": {packed(t, "a", "b", 18_000_000), 1, "a row without an end needs "},
	} {
		o := csvdata.Options{ReadOptions: data.ReadOptions{Memory: 16 << 20,
			Bytes: map[string][]byte{"t.csv.gz": c.b}}}
		_, err := csvdata.Open(o, "t.csv.gz").Frame(t.Context())
		var e *data.ReadError
		if !errors.As(err, &e) || !errors.Is(err, memory.ErrLimit) ||
			!errors.Is(err, data.ErrLimit) || e.Line < c.line ||
			!strings.Contains(e.Msg, c.what) ||
			!strings.HasSuffix(e.Msg, "the limit is 16.8 MB (data.ReadOptions.Memory sets it)") {
			t.Errorf("%s: %d bytes: %v", name, len(c.b), err)
		}
		if name != "rows" || testing.Short() {
			continue
		}
		o.Memory = 256 << 20
		if f, err := csvdata.Open(o, "t.csv.gz").Frame(t.Context()); err != nil ||
			f.Rows() != 4_000_000 {
			t.Errorf("%s, with memory enough: %v", name, err)
		}
	}
}

// Distinct texts count beside the rows.
func TestManyDistinctTexts(t *testing.T) {
	var b strings.Builder
	b.WriteString("name\n")
	for i := range 100_000 {
		fmt.Fprintf(&b, "x%0100d\n", i)
	}
	for limit, fits := range map[memory.Limit]bool{16 << 20: false, 64 << 20: true} {
		_, err := csvdata.Open(csvdata.Options{ReadOptions: data.ReadOptions{Bytes: map[string][]byte{"t.csv": []byte(b.String())}, Memory: limit}}, "t.csv").Frame(t.Context())
		if fits != (err == nil) || err != nil && !errors.Is(err, memory.ErrLimit) {
			t.Errorf("limit %d: %v", limit, err)
		}
	}
}
