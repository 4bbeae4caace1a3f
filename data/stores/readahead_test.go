package stores

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/csvdata"
	"github.com/coppice-ml/coppice/data/parquetdata"
	"github.com/coppice-ml/coppice/data/tabletest"
)

// packed returns rows of a table as CSV in gzip.
func packed(t *testing.T, from, rows int) []byte {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	fmt.Fprintln(w, "x,name")
	for i := from; i < from+rows; i++ {
		fmt.Fprintf(w, "%d.5,t%d\n", i, i%(from/1000+5))
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// Files are asked for and fetched before their turn: each answer here waits for the question for
// another file.
func TestFilesAreReadAhead(t *testing.T) {
	s := newServer(t)
	names := []string{"a.csv.gz", "b.csv.gz", "c.csv.gz"}
	dir := t.TempDir()
	for i, name := range names {
		b := packed(t, 1000*i, 3000)
		s.files["bkt/day/"+name] = b
		tabletest.Write(t, filepath.Join(dir, name), b)
	}
	want, err := csvdata.Open(csvdata.Options{}, dir).Frame(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	asked := map[string]chan struct{}{}
	second := map[string]chan struct{}{} // by method, of the second file
	for _, method := range []string{http.MethodHead, http.MethodGet} {
		second[method] = make(chan struct{})
		asked[method+names[1]] = second[method]
	}
	var mu sync.Mutex
	s.instead = func(_ http.ResponseWriter, r *http.Request, key string) bool {
		name := strings.TrimPrefix(key, "bkt/day/")
		mu.Lock()
		if own := asked[r.Method+name]; own != nil {
			close(own)
			delete(asked, r.Method+name)
		}
		mu.Unlock()
		if name == names[0] {
			select {
			case <-second[r.Method]:
			case <-r.Context().Done():
			}
		}
		return false
	}
	o := csvdata.Options{ReadOptions: data.ReadOptions{Stores: New(), Threads: 1}}
	got, err := csvdata.Open(o, "s3://bkt/day").Frame(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	tabletest.Same(t, got, want, 0)
}

// Tables of several files, and the errors of damaged ones, do not depend on the number of threads.
func TestReadAheadChangesNothing(t *testing.T) {
	s := newServer(t)
	dir := t.TempDir()
	put := func(name string, b []byte) {
		s.files["bkt/"+name] = b
		tabletest.Write(t, filepath.Join(dir, filepath.FromSlash(name)), b)
	}
	for i := range 7 {
		put(fmt.Sprintf("csv/%d.csv.gz", i), packed(t, 1000*i, 2000))
		put(fmt.Sprintf("bad/%d.csv.gz", i), packed(t, 1000*i, 2000))
		put(fmt.Sprintf("parquet/%d.parquet", i), parquetFile(t, 1000*i, 300))
	}
	damaged := packed(t, 1, 2000)
	put("bad/3.csv.gz", damaged[:len(damaged)/2])
	put("bad/5.csv.gz", []byte("PK\x03\x04"))
	read := func(threads int, name string) (*data.Frame, error) {
		o := data.ReadOptions{Stores: New(), Threads: threads}
		if strings.HasSuffix(name, "parquet") {
			return parquetdata.Open(o, name).Frame(t.Context())
		}
		return csvdata.Open(csvdata.Options{ReadOptions: o}, name).Frame(t.Context())
	}
	for _, name := range []string{"csv", "parquet"} {
		want, err := read(1, filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		for _, threads := range []int{1, 2, 5} {
			for _, from := range []string{filepath.Join(dir, name), "s3://bkt/" + name} {
				got, err := read(threads, from)
				if err != nil {
					t.Fatal(err)
				}
				tabletest.Same(t, got, want, 0)
			}
		}
	}
	for _, threads := range []int{1, 2, 5} {
		for _, from := range []string{filepath.Join(dir, "bad"), "s3://bkt/bad"} {
			_, err := read(threads, from)
			if err == nil || !strings.HasSuffix(filepath.ToSlash(err.Error()),
				"bad/3.csv.gz: the gzip data ends too early: the file is truncated") {
				t.Errorf("%d threads, %s: %v", threads, from, err)
			}
		}
	}
}

// A Parquet file that is cut off is one line, which names it and what is wrong, wherever it is cut.
func TestTruncatedParquet(t *testing.T) {
	s := newServer(t)
	whole := parquetFile(t, 0, 3000)
	const noEnd = "the Parquet file has no end: it is truncated"
	for _, c := range []struct {
		left int
		want string
	}{
		{0, "this is not a Parquet file"},
		{3, "this is not a Parquet file"},
		{11, noEnd},
		{len(whole) / 2, noEnd},
		{len(whole) - 1, noEnd},
	} {
		s.files["bkt/p/a.parquet"], s.files["bkt/p/b.parquet"] = whole, whole[:c.left]
		for _, paths := range [][]string{{"s3://bkt/p/b.parquet"}, {"s3://bkt/p/a.parquet", "s3://bkt/p/b.parquet"}} {
			_, err := parquetdata.Open(data.ReadOptions{Stores: New()}, paths...).Frame(t.Context())
			if err == nil || err.Error() != "s3://bkt/p/b.parquet: "+c.want {
				t.Errorf("%d bytes of %d: %v", c.left, len(whole), err)
			}
		}
	}
}
