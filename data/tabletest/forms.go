package tabletest

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"os"
	"path/filepath"
	"testing"

	"github.com/coppice-ml/coppice/data"
)

// Packed returns a text as gzip and zip have it, by the suffixes of such files.
func Packed(t testing.TB, text []byte) map[string][]byte {
	t.Helper()
	var gz, archive bytes.Buffer
	z := gzip.NewWriter(&gz)
	_, err := z.Write(text)
	if err == nil {
		err = z.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	a := zip.NewWriter(&archive)
	for _, name := range []string{"folder/", "folder/table", "__MACOSX/._table"} {
		w, err := a.Create(name)
		if err == nil && name == "folder/table" {
			_, err = w.Write(text)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	return map[string][]byte{".gz": gz.Bytes(), ".zip": archive.Bytes()}
}

// forms reads the file compressed and not, of a path, of standard input and of memory: as a frame,
// in blocks and as a stream.
func (r *Reader) forms(t *testing.T) {
	files := map[string][]byte{"": r.File}
	if !r.Binary {
		for suffix, b := range Packed(t, r.File) {
			files[suffix] = b
		}
	}
	schema := &r.read(t, data.ReadOptions{}).Schema
	for suffix, b := range files {
		path := filepath.Join(t.TempDir(), r.Name+suffix)
		if err := os.WriteFile(path, b, 0o600); err != nil {
			t.Fatal(err)
		}
		for _, from := range []string{path, "-", "memory"} {
			open := func(o data.ReadOptions) data.Table {
				o.BlockBytes, o.Stdin = 1, bytes.NewReader(b)
				o.Bytes = map[string][]byte{"memory": b}
				return r.Open(o, from)
			}
			f, err := open(data.ReadOptions{}).Frame(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			features, err := open(data.ReadOptions{}).Blocks(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			blocks, _ := put(t, func(yield func(*data.RowBlock, error) bool) {
				for part, err := range features.Blocks(t.Context()) {
					if !yield(&part, err) {
						return
					}
				}
			})
			stream, _ := put(t, open(data.ReadOptions{Schema: schema}).Stream(t.Context()))
			for name, got := range map[string]*data.Frame{"frame": f, "blocks": blocks, "stream": stream} {
				if Render(got) != r.Want {
					t.Errorf("%s of %s%s: got\n%swant\n%s", name, from, suffix, Render(got), r.Want)
				}
			}
			r.estimated(t, open(data.ReadOptions{}), f)
		}
	}
}

// estimated compares the estimate of a small table with its size. A text is read as a whole for it,
// and its header may count as a row. A binary file may be taken for rows from end to end.
func (r *Reader) estimated(t *testing.T, table data.Table, f *data.Frame) {
	t.Helper()
	rows, columns, err := table.Estimate(t.Context())
	more, most := rows-int64(f.Rows()), int64(1)
	if r.Binary {
		most = int64(len(r.File) / len(f.Columns))
	}
	if err != nil || more < 0 || more > most || columns < 1 || columns > int64(len(f.Columns)) {
		t.Errorf("about %d rows of %d columns, %v; there are %d of %d", rows, columns, err, f.Rows(),
			len(f.Columns))
	}
}
