package parquetdata_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/parquet-go/parquet-go"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/parquetdata"
)

// shelf is a store of files that notes what is read of them.
type shelf struct {
	files map[string][]byte

	mu     sync.Mutex
	ranges map[string][][2]int64 // from where to where
	wait   func(ctx context.Context, url string, at int64) error
}

func (s *shelf) List(_ context.Context, prefix string) (found []data.StoredFile, err error) {
	for _, url := range slices.Sorted(maps.Keys(s.files)) {
		if strings.HasPrefix(url, prefix) {
			found = append(found, s.stat(url))
		}
	}
	return found, nil
}

func (s *shelf) stat(url string) data.StoredFile {
	return data.StoredFile{URL: url, Size: int64(len(s.files[url]))}
}

func (s *shelf) Stat(_ context.Context, url string) (data.StoredFile, error) {
	return s.stat(url), nil
}

func (s *shelf) Open(
	ctx context.Context, f data.StoredFile, at, size int64,
) (io.ReadCloser, error) {
	s.mu.Lock()
	s.ranges[f.URL] = append(s.ranges[f.URL], [2]int64{at, at + size})
	s.mu.Unlock()
	if s.wait != nil {
		if err := s.wait(ctx, f.URL, at); err != nil {
			return nil, err
		}
	}
	return io.NopCloser(bytes.NewReader(s.files[f.URL][at : at+size])), nil
}

// newShelf returns a store of two files in folders that make a column, of three columns of numbers
// and two row groups each, and where the chunks of each column are: the same in both.
func newShelf(t *testing.T) (s *shelf, chunks map[string][][2]int64) {
	t.Helper()
	type row struct{ X, Y, Z float64 }
	var b bytes.Buffer
	w := parquet.NewGenericWriter[row](&b, parquet.MaxRowsPerRowGroup(10_000))
	for i := range 20_000 {
		v := float64(i)
		if _, err := w.Write([]row{{v, v / 3, v / 7}}); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	f, err := parquet.OpenFile(bytes.NewReader(b.Bytes()), int64(b.Len()))
	if err != nil {
		t.Fatal(err)
	}
	chunks = map[string][][2]int64{}
	for _, g := range f.Metadata().RowGroups {
		for _, c := range g.Columns {
			m := &c.MetaData
			name := m.PathInSchema[0]
			chunks[name] = append(chunks[name],
				[2]int64{m.DataPageOffset, m.DataPageOffset + m.TotalCompressedSize})
		}
	}
	return &shelf{ranges: map[string][][2]int64{}, files: map[string][]byte{
		"mem://t/year=2025/a.parquet": b.Bytes(), "mem://t/year=2026/a.parquet": b.Bytes()}}, chunks
}

// TestNeededColumns: of a data set the ends of the files are read and the chunks of the columns
// that are needed, each once in a pass, and of none else a byte.
func TestNeededColumns(t *testing.T) {
	model := &data.Schema{Fields: []data.Field{{Name: "year"}, {Name: "X"}}}
	tables := func(s *shelf, o data.ReadOptions) (rows, passes int, err error) {
		for part, err := range parquetdata.Open(o, "mem://t/").Stream(t.Context()) {
			if err != nil {
				return 0, 0, err
			}
			rows += part.Frame.Rows()
		}
		return rows, 1, nil
	}
	whole := func(s *shelf, o data.ReadOptions) (int, int, error) {
		f, err := parquetdata.Open(o, "mem://t/").Frame(t.Context())
		if err != nil {
			return 0, 0, err
		}
		return f.Rows(), 1, nil
	}
	blocks := func(s *shelf, o data.ReadOptions) (rows, passes int, err error) {
		b, err := parquetdata.Open(o, "mem://t/").Blocks(t.Context())
		if err != nil {
			return 0, 0, err
		}
		for part, err := range b.Blocks(t.Context()) {
			if err != nil {
				return 0, 0, err
			}
			rows += part.Rows()
		}
		return rows, 1, nil // opening needs no number
	}
	for name, c := range map[string]struct {
		options data.ReadOptions
		read    func(*shelf, data.ReadOptions) (rows, passes int, err error)
		want    string // the columns
	}{
		"ignored":           {data.ReadOptions{Ignore: []string{"Y", "Z"}}, whole, "X"},
		"model":             {data.ReadOptions{Schema: model}, whole, "X"},
		"model in blocks":   {data.ReadOptions{Schema: model}, tables, "X"},
		"ignored in blocks": {data.ReadOptions{Ignore: []string{"Y", "year"}}, blocks, "XZ"},
		"the folder alone":  {data.ReadOptions{Ignore: []string{"X", "Y", "Z"}}, whole, ""},
		"all":               {data.ReadOptions{}, whole, "XYZ"},
	} {
		for _, threads := range []int{1, 2, 3} {
			s, chunks := newShelf(t)
			c.options.Threads = threads
			c.options.Stores = map[string]data.Store{"mem": s}
			rows, passes, err := c.read(s, c.options)
			if err != nil || rows != 40_000 {
				t.Fatalf("%s: %d rows, %v", name, rows, err)
			}
			for url, ranges := range s.ranges {
				tail := int64(len(s.files[url])) - 64<<10
				for column, at := range chunks {
					for _, chunk := range at {
						n := 0
						for _, r := range ranges {
							if r == chunk {
								n++
							} else if r[0] < min(chunk[1], tail) && r[1] > chunk[0] {
								t.Errorf("%s: %s: %d to %d is read beside the chunk of %s",
									name, url, r[0], r[1], column)
							}
						}
						want := 0
						if strings.Contains(c.want, column) {
							want = passes
						}
						if n != want {
							t.Errorf("%s, %d threads: %s: a chunk of %s is read %d times, want %d",
								name, threads, url, column, n, want)
						}
					}
				}
			}
		}
	}
}

// TestRegionsAreReadAlone: of a region of a data set the chunks of its row groups and columns are
// read, and of no others.
func TestRegionsAreReadAlone(t *testing.T) {
	s, chunks := newShelf(t)
	o := data.ReadOptions{Threads: 2, Stores: map[string]data.Store{"mem": s}}
	b, err := parquetdata.Open(o, "mem://t/").Blocks(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	clear(s.ranges)
	rows := 0
	for part, err := range data.BlocksOf(t.Context(), b,
		data.Region{From: 15_000, To: 30_000, Columns: []int{1, 3}}) { // Y and year
		if err != nil {
			t.Fatal(err)
		}
		for i := range part.Rows() {
			row := part.First + i
			if y, year := part.Columns[0].Numbers()[i], 2025+row/20_000; y != float64(row%20_000)/3 ||
				part.Schema.Fields[1].Name != "year" || part.Columns[1].Numbers()[i] != float64(year) {
				t.Fatalf("row %d is %v, %v", row, y, part.Columns[1].Numbers()[i])
			}
		}
		rows += part.Rows()
	}
	if rows != 20_000 {
		t.Errorf("%d rows, want the two groups that have some of the region", rows)
	}
	for url, group := range map[string]int{"mem://t/year=2025/a.parquet": 1,
		"mem://t/year=2026/a.parquet": 0} {
		for column, at := range chunks {
			for i, chunk := range at {
				if got, want := slices.Contains(s.ranges[url], chunk), column == "Y" && i == group; got != want {
					t.Errorf("%s: group %d of %s is read: %v, want %v", url, i, column, got, want)
				}
			}
		}
	}
}

// TestChunksAreReadTogether: every request for a chunk is answered when there is a second one.
func TestChunksAreReadTogether(t *testing.T) {
	s, chunks := newShelf(t)
	first := map[int64]bool{chunks["X"][0][0]: true, chunks["Y"][0][0]: true}
	both, met := make(chan bool), 0
	s.wait = func(ctx context.Context, url string, at int64) error {
		if !first[at] || !strings.Contains(url, "2025") {
			return nil
		}
		s.mu.Lock()
		if met++; met == 2 {
			close(both)
		}
		s.mu.Unlock()
		select {
		case <-both:
			return nil
		case <-ctx.Done():
			return errors.New("no other goroutine reads")
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	o := data.ReadOptions{Threads: 2, Stores: map[string]data.Store{"mem": s}}
	f, err := parquetdata.Open(o, "mem://t/").Frame(ctx)
	if err != nil {
		t.Fatal(err)
	}
	last := f.Rows() - 1
	got := fmt.Sprint(f.Columns[0].Number(last), f.Columns[2].Number(0), f.Columns[3].Number(last))
	if want := fmt.Sprint(19_999.0, 0.0, 2026.0); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
