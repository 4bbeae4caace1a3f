package replace

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/coppice-ml/coppice/internal/outside"
)

// Of several that make a file together one succeeds, and the others find all of its content at
// once. An older file stays, and nothing else is left in the folder.
func TestNewIsWholeAtOnce(t *testing.T) {
	folder := t.TempDir()
	content := strings.Repeat("line\n", 1000)
	for round := range 50 {
		path := filepath.Join(folder, "study"+string(rune('0'+round)))
		made := make([]error, 8)
		var all sync.WaitGroup
		for i := range made {
			all.Go(func() {
				made[i] = New(path, []byte(content))
				if got, err := os.ReadFile(path); err != nil || string(got) != content {
					t.Errorf("%d bytes, %v", len(got), err)
				}
			})
		}
		all.Wait()
		succeeded := 0
		for _, err := range made {
			if err == nil {
				succeeded++
			} else if !errors.Is(err, fs.ErrExist) {
				t.Error(err)
			}
		}
		if succeeded != 1 {
			t.Fatalf("%d of %d made the file", succeeded, len(made))
		}
	}
	if entries, err := os.ReadDir(folder); err != nil || len(entries) != 50 {
		t.Errorf("%d files are left, of 50; %v", len(entries), err)
	}
}

// In a folder without hard links a file that cannot be written whole is not left there either.
func TestNewLeavesNothing(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "study")
	defer outside.Judge(func(c outside.Call) (f outside.Fault) {
		switch {
		case c.Kind == outside.Link:
			f.Err = errors.ErrUnsupported
		case c.Kind == outside.Write && c.Name == path:
			f.Err, f.Bytes = errors.New("the disk is full"), 2
		}
		return f
	})()
	if err := New(path, []byte("text")); err == nil || err.Error() != "the disk is full" {
		t.Error(err)
	}
	if left, err := os.ReadDir(folder); err != nil || len(left) > 0 {
		t.Errorf("left are %v, %v", left, err)
	}
}
