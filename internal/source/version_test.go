package source

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/outside"
)

// readTwice reads a source twice, with a change between the readings and one at the end of the
// second.
func readTwice(t *testing.T, path string, between, end func()) error {
	t.Helper()
	sources, err := All(t.Context(), &data.ReadOptions{}, []string{path}, nil, false)
	if err != nil {
		t.Fatal(err)
	}
	for pass := range 2 {
		text, err := sources[0].OpenText(t.Context(), "CSV")
		if err != nil {
			return err
		}
		defer text.Close()
		for n := 1; n > 0; {
			if n, err = text.Fill(make([]byte, 4)); err != nil {
				return err
			}
			if pass == 1 && n > 0 {
				end()
			}
		}
		if pass == 0 {
			between()
		}
	}
	return nil
}

// A file that is read twice is one version: it is written to, or replaced, before the second
// reading or before its end. One that is read once may grow.
func TestVersions(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.csv")
	write := func() {
		if err := os.WriteFile(path, []byte("a,b\n1,2\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		old := time.Now().Add(-time.Hour)
		if err := os.Chtimes(path, old, old); err != nil {
			t.Fatal(err)
		}
	}
	rewrite := func() {
		if err := os.WriteFile(path, []byte("a,b\n3,4\n"), 0o600); err != nil {
			t.Error(err)
		}
	}
	another := func() {
		if err := os.Rename(path, path+".old"); err != nil {
			t.Error(err)
		}
		write()
	}
	none := func() {}
	for name, c := range map[string]struct{ between, end func() }{
		"nothing": {none, none}, "written between": {rewrite, none}, "replaced between": {another, none},
		"written at the end": {none, rewrite},
	} {
		write()
		err := readTwice(t, path, c.between, c.end)
		if changed := name != "nothing"; changed != errors.Is(err, errChanged) || !changed && err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// What the system cannot find out about is an error: it is neither absent nor a pattern.
func TestUnclearIsNotAbsent(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"a", "a.query", "b[1]", "b1"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(name), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	sources, err := All(t.Context(), &data.ReadOptions{}, []string{filepath.Join(dir, "a")}, nil, false)
	if err != nil {
		t.Fatal(err)
	}
	defer outside.Judge(func(c outside.Call) (f outside.Fault) {
		if c.Kind == outside.Stat {
			f.Err = syscall.EIO
		}
		return f
	})()
	if s, err := sources[0].Beside(".query"); s != nil || !errors.Is(err, syscall.EIO) {
		t.Errorf("%v, %v", s, err)
	}
	if b, err := Head(t.Context(), nil, filepath.Join(dir, "a")); b != nil || !errors.Is(err, syscall.EIO) {
		t.Errorf("%q, %v", b, err)
	}
	name := filepath.Join(dir, "b[1]")
	if files, err := Expand(t.Context(), nil, []string{name}, nil); !errors.Is(err, syscall.EIO) {
		t.Errorf("%q, %v", files, err)
	}
}
