package replace_test

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/coppice-ml/coppice/internal/replace"
)

// mustHold fails unless a folder holds exactly one file, with the given name and text.
func mustHold(t *testing.T, folder, name, text string) {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	if len(entries) != 1 || entries[0].Name() != name {
		t.Fatalf("the folder holds %v, want %s alone", entries, name)
	}
	if got, err := os.ReadFile(filepath.Join(folder, name)); err != nil || string(got) != text {
		t.Errorf("%s holds %q, %v, want %q", name, got, err, text)
	}
}

func writes(text string) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := io.WriteString(w, text)
		return err
	}
}

func TestFile(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "a.txt")
	for _, text := range []string{"first", "second, longer", ""} {
		if err := replace.Check(path); err != nil {
			t.Fatal(err)
		}
		if err := replace.File(path, writes(text)); err != nil {
			t.Fatal(err)
		}
		mustHold(t, folder, "a.txt", text)
	}
}

// A failure half way leaves the old file, and nothing beside it.
func TestFileFails(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "a.txt")
	if err := replace.File(path, writes("old")); err != nil {
		t.Fatal(err)
	}
	wrong := errors.New("row 7 is wrong")
	err := replace.File(path, func(w io.Writer) error {
		if err := writes("half")(w); err != nil {
			return err
		}
		return wrong
	})
	if !errors.Is(err, wrong) {
		t.Errorf("error %v, want %v", err, wrong)
	}
	mustHold(t, folder, "a.txt", "old")
}

// Check makes no file, harms none, and finds what File would find.
func TestCheck(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "a.txt")
	if err := replace.File(path, writes("old")); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		path string
		is   error
	}{
		{path, nil},
		{filepath.Join(folder, "b.txt"), nil},
		{os.DevNull, nil},
		{filepath.Join(folder, "missing", "b.txt"), fs.ErrNotExist},
		{filepath.Join(path, "b.txt"), errAny},
		{folder, errAny},
		{folder + string(os.PathSeparator), errAny},
		{"", errAny},
	} {
		err := replace.Check(c.path)
		if c.is == errAny && err == nil || c.is != errAny && !errors.Is(err, c.is) {
			t.Errorf("%q: %v, want %v", c.path, err, c.is)
		}
		mustHold(t, folder, "a.txt", "old")
		if c.is == nil {
			continue
		}
		if err := replace.File(c.path, writes("new")); err == nil {
			t.Errorf("%q: File succeeds where Check fails", c.path)
		}
		mustHold(t, folder, "a.txt", "old")
	}
}

// errAny stands for an error without a type of its own.
var errAny = errors.New("any error")
