package scratch

import (
	"bytes"
	"errors"
	"os"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/coppice-ml/coppice/internal/outside"
	"github.com/coppice-ml/coppice/internal/rng"
)

// pieces are bytes of many values and of few, and none.
func pieces() [][]byte {
	s := rng.New(1)
	noise := make([]byte, 100_000)
	for i := range noise {
		noise[i] = byte(s.Intn(256))
	}
	of := [][]byte{noise, {}, {1}, make([]byte, 333)}
	for _, most := range []byte{2, 4, 16} {
		few := bytes.Clone(noise[:9_990+int(most)])
		for i := range few {
			few[i] %= most
		}
		of = append(of, few)
	}
	return of
}

// What several goroutines write is read again, and bytes of few values take less of the disk.
func TestPieces(t *testing.T) {
	f, err := Create(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	want := pieces()
	got := make([]Piece, len(want))
	var wait sync.WaitGroup
	for i, b := range want {
		wait.Go(func() {
			p, err := f.Write(b)
			if err != nil {
				t.Error(err)
			}
			got[i] = p
		})
	}
	wait.Wait()
	for i, p := range got {
		b := make([]byte, p.Len())
		if err := f.Read(p, b); err != nil || !bytes.Equal(b, want[i]) {
			t.Errorf("piece %d of %d bytes: %v", i, len(want[i]), err)
		}
	}
	if want := int64(100_000 + 1 + 9_992/8 + 9_994/4 + 1 + 10_006/2); f.Size() != want {
		t.Errorf("the file has %d bytes", f.Size())
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}

// An open file has no name, so that nothing stays where the process is killed.
func TestFileHasNoName(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows removes no file that is open")
	}
	folder := t.TempDir()
	f, err := Create(folder)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if left, err := os.ReadDir(folder); err != nil || len(left) > 0 {
		t.Errorf("%v %v", left, err)
	}
}

// A file that is cut off or changed is found out.
func TestDamage(t *testing.T) {
	for name, damage := range map[string]func(f *File, p *Piece) error{
		"cut off": func(_ *File, p *Piece) error {
			p.at++
			return nil
		},
		"changed": func(f *File, _ *Piece) error {
			_, err := f.file.WriteAt([]byte("changed"), f.Size()-50)
			return err
		},
	} {
		f, err := Create(t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		p, err := f.Write(pieces()[0])
		if err != nil {
			t.Fatal(err)
		}
		if err := damage(f, &p); err != nil {
			t.Fatal(err)
		}
		if err := f.Read(p, make([]byte, p.Len())); !errors.Is(err, ErrDamaged) ||
			!strings.Contains(err.Error(), f.folder) {
			t.Errorf("%s: %v", name, err)
		}
		f.Close()
	}
}

func TestNoFolder(t *testing.T) {
	_, err := Create("/there/is/no/folder")
	if err == nil || !strings.Contains(err.Error(), "/there/is/no/folder: no such file") {
		t.Error(err)
	}
}

// A file that cannot be removed while it is open is removed when it is closed. A failure to close
// it harms nobody, and one to remove it is an error that names the folder.
func TestClose(t *testing.T) {
	folder := t.TempDir()
	removals := 0
	fails := map[int]bool{1: true}
	defer outside.Judge(func(c outside.Call) (f outside.Fault) {
		switch c.Kind {
		case outside.Close:
			f.Err = errors.New("closing fails")
		case outside.Remove:
			if removals++; fails[removals] {
				f.Err = errors.New("removing fails")
			}
		}
		return f
	})()
	f, err := Create(folder)
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Error(err)
	}
	if left, err := os.ReadDir(folder); err != nil || len(left) > 0 {
		t.Errorf("%v %v", left, err)
	}
	removals, fails = 0, map[int]bool{1: true, 2: true}
	if f, err = Create(folder); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err == nil || !strings.Contains(err.Error(), "stays in "+folder) {
		t.Error(err)
	}
}
