package outside_test

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"testing"
	"time"

	"github.com/coppice-ml/coppice/internal/outside"
)

// judged judges the calls of one kind during a test, and returns the names of all that came.
func judged(t *testing.T, k outside.Kind, fault outside.Fault) *[]outside.Kind {
	t.Helper()
	var all []outside.Kind
	t.Cleanup(outside.Judge(func(c outside.Call) outside.Fault {
		if all = append(all, c.Kind); c.Kind == k {
			return fault
		}
		return outside.Fault{}
	}))
	return &all
}

// everything makes a call of each kind of a file, and returns the error of each.
func everything(t *testing.T, dir string) map[outside.Kind]error {
	t.Helper()
	failed := map[outside.Kind]error{}
	note := func(k outside.Kind, err error) {
		if failed[k] == nil {
			failed[k] = err
		}
	}
	folder, path := filepath.Join(dir, "folder"), filepath.Join(dir, "a")
	note(outside.Folder, outside.MakeFolder(folder))
	f, err := outside.OpenForWriting(path, os.O_RDWR|os.O_CREATE, 0o600)
	note(outside.Create, err)
	if err == nil {
		_, err = f.Write([]byte("text"))
		note(outside.Write, err)
		_, err = f.WriteAt([]byte("T"), 0)
		note(outside.Write, err)
		note(outside.Sync, f.Sync())
		note(outside.Chmod, f.Chmod(0o600))
		_, err = f.Stat()
		note(outside.Stat, err)
		_, err = f.ReadAt(make([]byte, 1), 0)
		note(outside.Read, err)
		note(outside.Close, f.Close())
	}
	f, err = outside.OpenFile(path)
	note(outside.Open, err)
	if err == nil {
		_, err = f.Read(make([]byte, 1))
		note(outside.Read, err)
		f.Close()
	}
	_, err = outside.FileInfo(dir)
	note(outside.Stat, err)
	_, err = outside.LinkInfo(dir)
	note(outside.Stat, err)
	_, err = outside.RealPath(dir)
	note(outside.Stat, err)
	_, err = outside.ListFolder(dir)
	note(outside.List, err)
	note(outside.Link, outside.LinkFile(path, path+"2"))
	note(outside.Rename, outside.RenameFile(path, path+"3"))
	note(outside.Remove, outside.RemoveFile(path+"3"))
	return failed
}

// Each kind of call fails as it is judged, with its own error and no other kind's.
func TestKindsFail(t *testing.T) {
	for k, err := range everything(t, t.TempDir()) {
		if err != nil {
			t.Fatalf("%s, not judged: %v", k, err)
		}
	}
	for k := range everything(t, t.TempDir()) {
		t.Run(k.String(), func(t *testing.T) {
			dir := t.TempDir()
			if err := os.WriteFile(filepath.Join(dir, "a"), []byte("text"), 0o600); err != nil {
				t.Fatal(err)
			}
			all := judged(t, k, outside.Fault{Err: syscall.EIO})
			got := everything(t, dir)
			if !errors.Is(got[k], syscall.EIO) || !slices.Contains(*all, k) {
				t.Errorf("%v", got[k])
			}
			p, l := (*fs.PathError)(nil), (*os.LinkError)(nil)
			if !errors.As(got[k], &p) && !errors.As(got[k], &l) {
				t.Errorf("%T is no error of package os", got[k])
			}
			for other, err := range got {
				if other != k && err != nil && !errors.Is(err, fs.ErrNotExist) {
					t.Errorf("%s: %v", other, err)
				}
			}
		})
	}
}

// A write is torn where it is judged so, and one that is done returns its error afterwards.
func TestWritesAreTorn(t *testing.T) {
	for _, c := range []struct {
		fault outside.Fault
		want  string
	}{
		{outside.Fault{Err: syscall.ENOSPC, Bytes: 3}, "abc"},
		{outside.Fault{Err: syscall.ENOSPC}, ""},
		{outside.Fault{Err: syscall.ENOSPC, Done: true}, "abcdef"},
	} {
		path := filepath.Join(t.TempDir(), "a")
		end := outside.Judge(func(call outside.Call) outside.Fault {
			if call.Kind == outside.Write {
				return c.fault
			}
			return outside.Fault{}
		})
		f, err := outside.OpenForWriting(path, os.O_WRONLY|os.O_CREATE, 0o600)
		if err != nil {
			t.Fatal(err)
		}
		n, err := f.Write([]byte("abcdef"))
		f.Close()
		end()
		if got, _ := os.ReadFile(path); n != len(c.want) || !errors.Is(err, syscall.ENOSPC) ||
			string(got) != c.want {
			t.Errorf("%+v: %d bytes, %v, the file has %q", c.fault, n, err, got)
		}
	}
}

// Readings that are shortened give all bytes to readers that go on, as those at a place do.
func TestReadsAreShort(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a")
	if err := os.WriteFile(path, []byte("abcdef"), 0o600); err != nil {
		t.Fatal(err)
	}
	judged(t, outside.Read, outside.Fault{Bytes: 2})
	f, err := outside.OpenFile(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	b := make([]byte, 6)
	if n, err := f.Read(b); n != 2 || err != nil {
		t.Errorf("%d bytes, %v", n, err)
	}
	if n, err := f.ReadAt(b, 0); n != 6 || err != nil || string(b) != "abcdef" {
		t.Errorf("%d bytes, %v", n, err)
	}
	if n, err := f.ReadAt(b, 1); n != 5 || err != io.EOF {
		t.Errorf("%d bytes, %v", n, err)
	}
}

// The folder is an fs.FS like that of package os.
func TestFS(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"a", "b"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(name), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	files := outside.FS(dir)
	for _, name := range []string{"a", "b"} {
		b, err := fs.ReadFile(files, name)
		info, wrong := fs.Stat(files, name)
		if string(b) != name || err != nil || wrong != nil || info.Size() != 1 {
			t.Errorf("%s: %q, %v, %v", name, b, err, wrong)
		}
	}
	if entries, err := fs.ReadDir(files, "."); len(entries) != 2 || err != nil {
		t.Errorf("%v, %v", entries, err)
	}
	p := (*fs.PathError)(nil)
	if _, err := files.Open("none"); !errors.As(err, &p) || p.Path != "none" {
		t.Error(err)
	}
	if _, err := files.Open("../a"); !errors.Is(err, fs.ErrInvalid) {
		t.Error(err)
	}
}

// The clock shows what it is judged to show, and waits become as long as they are judged.
func TestClock(t *testing.T) {
	day := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	defer outside.Judge(func(c outside.Call) outside.Fault {
		return outside.Fault{Time: day, Shift: -c.Wait}
	})()
	if !outside.Now().Equal(day) || outside.Since(day.Add(-time.Hour)) != time.Hour {
		t.Errorf("it is %v", outside.Now())
	}
	<-outside.After(time.Hour)
	rang := make(chan bool)
	timer := outside.AfterFunc(time.Hour, func() { rang <- true })
	<-rang
	timer.Reset(time.Hour)
	<-rang
	timer.Stop()
	wanted := errors.New("over")
	ctx, cancel := outside.WithTimeout(t.Context(), time.Hour, wanted)
	defer cancel()
	<-ctx.Done()
	if context.Cause(ctx) != wanted {
		t.Error(context.Cause(ctx))
	}
}
