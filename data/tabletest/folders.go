package tabletest

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/data"
)

// set writes copies of the file into folders of a new one, and returns its path.
func (r *Reader) set(t *testing.T, folders ...string) string {
	t.Helper()
	root := t.TempDir()
	for _, folder := range folders {
		Write(t, filepath.Join(root, folder, r.Name), r.File)
	}
	return root
}

// Write writes a file, and makes its folder.
func Write(t testing.TB, path string, b []byte) {
	t.Helper()
	err := os.MkdirAll(filepath.Dir(path), 0o700)
	if err == nil {
		err = os.WriteFile(path, b, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// column returns a column of a table as a line of Render, without the name.
func column(t *testing.T, f *data.Frame, name string) string {
	t.Helper()
	for line := range strings.Lines(Render(f)) {
		if rest, ok := strings.CutPrefix(line, name+" "); ok {
			return strings.TrimSpace(rest)
		}
	}
	t.Errorf("there is no column %q", name)
	return ""
}

// folders reads data sets: folders and patterns in place of files.
func (r *Reader) folders(t *testing.T) {
	rows := r.read(t, data.ReadOptions{}).Rows()
	for name, c := range map[string]struct {
		values  []string // of the files, in their order
		options data.ReadOptions
		want    string // of one row of each file
	}{
		"numbers":   {[]string{"10", "2.5"}, data.ReadOptions{}, "10 2.5"},
		"names":     {[]string{"01", "02"}, data.ReadOptions{}, "01 02 {01|02}"},
		"texts":     {[]string{"1.0", "M%C3%BC", "x"}, data.ReadOptions{}, "1.0 Mü x {1.0|Mü|x}"},
		"dates":     {[]string{"2026-01-31", "2026-02-01"}, data.ReadOptions{}, "2026-01-31 2026-02-01 date"},
		"german":    {[]string{"1.234,5", "2,5"}, data.ReadOptions{}, "1234.5 2.5"},
		"missing":   {[]string{"1", "__HIVE_DEFAULT_PARTITION__"}, data.ReadOptions{}, "1 -"},
		"empty":     {[]string{"", "x"}, data.ReadOptions{}, "- x {x}"},
		"forced":    {[]string{"1", "2"}, data.ReadOptions{Categorical: []string{"k"}}, "1 2 {1|2}"},
		"insisted":  {[]string{"01", "2"}, data.ReadOptions{Numeric: []string{"k"}}, "1 2"},
		"requested": {[]string{"7", "7"}, data.ReadOptions{Numeric: []string{"k"}}, "7 7"},
	} {
		t.Run(name, func(t *testing.T) {
			var folders []string
			for i, v := range c.values {
				folders = append(folders, filepath.Join("n"+string(rune('a'+i)), "k="+v))
			}
			root := r.set(t, folders...)
			for _, path := range []string{root, filepath.Join(root, "n*", "k=*", "*"+filepath.Ext(r.Name))} {
				got, err := r.Open(c.options, path).Read(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				if got.Frame.Rows() != rows*len(c.values) {
					t.Fatalf("%d rows, want %d times %d", got.Frame.Rows(), len(c.values), rows)
				}
				if last := got.Origin.Columns[len(got.Origin.Columns)-1]; last != "k" {
					t.Errorf("the last column is %q", last)
				}
				for _, row := range []int{0, rows - 1} { // of each file
					var at []int32
					for i := range c.values {
						at = append(at, int32(i*rows+row))
					}
					if line := column(t, got.Frame.Subset(at), "k"); line != c.want {
						t.Errorf("row %d: got %q, want %q", row, line, c.want)
					}
				}
			}
		})
	}
	r.foldersForModel(t)
}

// foldersForModel reads a folder for a model, which needs the key though all files have one value.
func (r *Reader) foldersForModel(t *testing.T) {
	train := r.set(t, "k=a", "k=b")
	f, err := r.Open(data.ReadOptions{}, train).Read(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	only := r.set(t, "k=b")
	got, err := r.Open(data.ReadOptions{Schema: &f.Frame.Schema}, only).Read(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	i := got.Frame.Schema.Index("k")
	if i < 0 || !slices.Equal(slices.Compact(got.Frame.Columns[i].Codes()), []uint32{1}) {
		t.Errorf("the model's column k is %s", Render(got.Frame))
	}
	got, err = r.Open(data.ReadOptions{}, only).Read(t.Context())
	if err != nil || got.Frame.Schema.Index("k") >= 0 {
		t.Errorf("a key of one value makes a column: %v", err)
	}
	_, err = r.Open(data.ReadOptions{Numeric: []string{"k"}}, train).Read(t.Context())
	if !errors.Is(err, data.ErrNumber) {
		t.Errorf("texts of a numeric column: %v", err)
	} else {
		CheckError(t, err)
	}
}
