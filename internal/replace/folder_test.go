package replace

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/coppice-ml/coppice/internal/outside"
)

// Of a folder that was made nothing is left, unless something is in it. What was there stays.
func TestFolder(t *testing.T) {
	root := t.TempDir()
	old := filepath.Join(root, "old")
	if err := os.Mkdir(old, 0o700); err != nil {
		t.Fatal(err)
	}
	exists := func(path string, want bool) {
		t.Helper()
		if _, err := os.Stat(path); (err == nil) != want {
			t.Errorf("%s: %v, want it there: %v", path, err, want)
		}
	}
	deep := filepath.Join(old, "a", "b")
	for _, path := range []string{deep, deep + "/", old} {
		discard, err := Folder(path)
		if err != nil {
			t.Fatal(err)
		}
		exists(path, true)
		discard()
		exists(filepath.Join(old, "a"), false)
		exists(old, true)
	}
	discard, err := Folder(deep)
	if err != nil {
		t.Fatal(err)
	}
	kept := filepath.Join(old, "a", "file")
	if err := os.WriteFile(kept, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	discard()
	exists(deep, false)
	exists(kept, true)
	if _, err := Folder(filepath.Join(kept, "c")); err == nil {
		t.Error("a folder is made below a file")
	}
	exists(kept, true)
}

// A folder that cannot be made whole leaves nothing behind.
func TestFolderFails(t *testing.T) {
	root := t.TempDir()
	end := outside.Judge(func(c outside.Call) (f outside.Fault) {
		if c.Kind == outside.Folder {
			f.Err, f.Done = errors.New("the disk is full"), true
		}
		return f
	})
	_, err := Folder(filepath.Join(root, "a", "b"))
	end()
	if err == nil {
		t.Error("no error")
	}
	if left, err := os.ReadDir(root); err != nil || len(left) > 0 {
		t.Errorf("left are %v, %v", left, err)
	}
}
