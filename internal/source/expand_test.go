package source

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/coppice-ml/coppice/data"
)

// tree makes empty files below a new folder, which becomes the working directory.
func tree(t *testing.T, names ...string) {
	t.Helper()
	t.Chdir(t.TempDir())
	for _, name := range names {
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

func TestExpand(t *testing.T) {
	tree(t, "b.csv", "a.csv", "[x].csv", ".hidden.csv", "notes.txt",
		"set/y=2/b.csv", "set/y=10/a.csv.gz", "set/y=2/a.CSV", "set/y=2/_SUCCESS",
		"set/y=2/.a.csv.crc", "set/_temporary/a.csv", "set/README", "set/_k=1/c.csv",
		"odd/part-1", "odd/part-0", "odd/_SUCCESS", "deep/1/2/x.csv", "deep/x.csv", "deep/.git/x.csv")
	if err := os.Symlink("..", "set/y=2/circle"); err != nil {
		t.Fatal(err)
	}
	for of, want := range map[string]string{
		"a.csv": "a.csv", "absent.csv": "absent.csv", "-": "-", "[x].csv": "[x].csv",
		"*.csv":        "[x].csv a.csv b.csv",
		"[ab].csv":     "a.csv b.csv",
		"?.csv a.csv":  "a.csv b.csv a.csv", // the caller decides on repetitions
		".*.csv":       ".hidden.csv",
		"set":          "set/_k=1/c.csv set/y=10/a.csv.gz set/y=2/a.CSV set/y=2/b.csv",
		"set/y=2":      "set/y=2/a.CSV set/y=2/b.csv",
		"set/y=*":      "set/y=10/a.csv.gz set/y=2/a.CSV set/y=2/b.csv",
		"set/*/b.csv":  "set/y=2/b.csv",
		"./set/*/b.*":  "./set/y=2/b.csv",
		"odd":          "odd/part-0 odd/part-1",
		"odd/*":        "odd/part-0 odd/part-1",
		"**/x.csv":     "deep/1/2/x.csv deep/x.csv",
		"deep/**":      "deep/1/2/x.csv deep/x.csv",
		"deep/*/**":    "deep/1/2/x.csv deep/x.csv",
		"d*/**/2/*csv": "deep/1/2/x.csv",
	} {
		got, err := Expand(t.Context(), nil, strings.Fields(of), []string{".csv"})
		if text := strings.Join(got, " "); err != nil || text != filepath.FromSlash(want) {
			t.Errorf("%s: got %q, %v, want %q", of, text, err, want)
		}
	}
}

func TestExpandErrors(t *testing.T) {
	tree(t, "a.csv", "empty/.hidden")
	for of, want := range map[string]struct {
		text   string
		reason error
	}{
		"*.parquet": {"*.parquet: no file matches the pattern", fs.ErrNotExist},
		"no/*.csv":  {"no/*.csv: no file matches the pattern", fs.ErrNotExist},
		"empty":     {"empty: the folder holds no tables", data.ErrEmpty},
		"a[.csv": {"a[.csv: there is no such file, and it is no pattern either: a [ is not closed",
			data.ErrOption},
	} {
		_, err := Expand(t.Context(), nil, []string{of}, nil)
		if err == nil || err.Error() != want.text || !errors.Is(err, want.reason) {
			t.Errorf("%s: got %v", of, err)
		}
	}
}

// A pattern matches what it matches when ** is replaced by every number of *.
func TestPatternsOfFolders(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		parts := rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "ab"}), 1, 5).Draw(t, "parts")
		p := pattern(rapid.SliceOfN(rapid.SampledFrom([]string{"a", "*", "?", "**"}), 1, 4).
			Draw(t, "pattern"))
		var expanded func(p pattern, n int) []pattern
		expanded = func(p pattern, n int) []pattern {
			at := slices.Index(p, "**")
			if at < 0 {
				return []pattern{p}
			}
			var all []pattern
			for k := range n + 1 {
				q := slices.Concat(p[:at], slices.Repeat(pattern{"*"}, k), p[at+1:])
				all = append(all, expanded(q, n)...)
			}
			return all
		}
		want, beginning := false, false
		for _, q := range expanded(p, len(parts)+1) {
			whole, begins := q.match(parts)
			want, beginning = want || whole, beginning || begins
		}
		if whole, begins := p.match(parts); whole != want || begins != beginning {
			t.Fatalf("%q and %q: %v %v, want %v %v", p, parts, whole, begins, want, beginning)
		}
	})
}

func TestKeysDiffer(t *testing.T) {
	tree(t, "s/y=1/a.csv", "s/b.csv", "s/y=1/m=2/c.csv")
	for of, want := range map[string]string{
		"s/y=1/a.csv s/b.csv":         "s/b.csv: no folder y=... above it makes a column \"y\", as one does for s/y=1/a.csv",
		"s/b.csv s/y=1/a.csv":         "s/b.csv: no folder y=... above it makes a column \"y\", as one does for s/y=1/a.csv",
		"s/y=1/a.csv s/y=1/m=2/c.csv": "s/y=1/a.csv: no folder m=... above it makes a column \"m\", as one does for s/y=1/m=2/c.csv",
	} {
		_, err := All(t.Context(), &data.ReadOptions{}, strings.Fields(of), nil, false)
		if err == nil || err.Error() != want || !errors.Is(err, data.ErrHeader) {
			t.Errorf("%s: got %v", of, err)
		}
	}
}
