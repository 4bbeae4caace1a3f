package coppice_test

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/coppice-ml/coppice"
	"github.com/coppice-ml/coppice/codec"
	"github.com/coppice-ml/coppice/codec/codectest"
	"github.com/coppice-ml/coppice/internal/testing/tier"
	"github.com/coppice-ml/coppice/model"
)

// modelBytes is the file of m.
func modelBytes(t testing.TB, m model.Model) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := coppice.Write(&b, m); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func mustSave(t testing.TB, path string, m model.Model) {
	t.Helper()
	if err := coppice.Save(path, m); err != nil {
		t.Fatal(err)
	}
}

// mustHold checks that a file opens as m, and that its folder has exactly the given number of
// entries.
func mustHold(t testing.TB, path string, m model.Model, entries int) {
	t.Helper()
	got, err := coppice.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	if d := codectest.Diff(m, got); d != "" {
		t.Fatalf("another model:\n%s", d)
	}
	if list, err := os.ReadDir(filepath.Dir(path)); err != nil || len(list) != entries {
		t.Fatalf("%d files in the folder, want %d: %v %v", len(list), entries, list, err)
	}
}

func mode(t *testing.T, path string) fs.FileMode {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	return info.Mode()
}

func TestSaveAndOpen(t *testing.T) {
	path := filepath.Join(t.TempDir(), "m.coppice")
	for _, m := range codectest.Models() {
		mustSave(t, path, m)
		mustHold(t, path, m, 1)
	}
}

func TestReadAndWrite(t *testing.T) {
	b := modelBytes(t, codectest.Full())
	m, err := coppice.Read(bytes.NewReader(b), int64(len(b)))
	if err != nil || codectest.Diff(codectest.Full(), m) != "" {
		t.Errorf("%v\n%s", err, codectest.Diff(codectest.Full(), m))
	}
	for _, other := range []string{"", "a,b\n1,2\n"} {
		if _, err := coppice.Read(strings.NewReader(other), int64(len(other))); !errors.Is(err, coppice.ErrNotModel) {
			t.Errorf("%q: %v", other, err)
		}
	}
}

func TestSaveKeepsPermissions(t *testing.T) {
	folder := t.TempDir()
	path, like := filepath.Join(folder, "m.coppice"), filepath.Join(folder, "like")
	if err := os.WriteFile(like, nil, 0o644); err != nil { // less the umask
		t.Fatal(err)
	}
	mustSave(t, path, codectest.Tiny())
	if got, want := mode(t, path), mode(t, like); got != want {
		t.Errorf("a new file has mode %v, want %v", got, want)
	}
	for _, want := range []fs.FileMode{0o600, 0o664} {
		if err := os.Chmod(path, want); err != nil {
			t.Fatal(err)
		}
		want = mode(t, path) // as the system changes it
		mustSave(t, path, codectest.Full())
		if got := mode(t, path); got != want {
			t.Errorf("a file of mode %v became %v", want, got)
		}
	}
}

func TestSaveThroughLink(t *testing.T) {
	folder, other := t.TempDir(), t.TempDir()
	target, path := filepath.Join(other, "m.coppice"), filepath.Join(folder, "link")
	mustSave(t, target, codectest.Tiny())
	if err := os.Symlink(target, path); err != nil {
		t.Skip("no symbolic links here:", err)
	}
	mustSave(t, path, codectest.Full())
	mustHold(t, path, codectest.Full(), 1)
	mustHold(t, target, codectest.Full(), 1)
	if info, err := os.Lstat(path); err != nil || info.Mode()&fs.ModeSymlink == 0 {
		t.Errorf("the link is gone: %v %v", info, err)
	}
}

func TestSaveIntoDevice(t *testing.T) {
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip("this system has no /dev/full")
	}
	if err := coppice.Save(os.DevNull, codectest.Tiny()); err != nil {
		t.Error(err)
	}
	if err := coppice.Save("/dev/full", codectest.Tiny()); err == nil || err.Error() != "cannot save model /dev/full: no space left on device" {
		t.Error(err)
	}
	if mode(t, "/dev/full").IsRegular() {
		t.Error("the device was replaced by a file")
	}
}

func TestSaveRemovesStaleFiles(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "m.coppice")
	names := []string{".coppice-saving-old", ".coppice-saving-new", "coppice-saving-mine"}
	for i, name := range names {
		name = filepath.Join(folder, name)
		if err := os.WriteFile(name, []byte("half a model"), 0o644); err != nil {
			t.Fatal(err)
		}
		if i == 1 {
			continue
		}
		if old := time.Now().Add(-24 * time.Hour); os.Chtimes(name, old, old) != nil {
			t.Skip("times of files cannot be set here")
		}
	}
	mustSave(t, path, codectest.Tiny())
	mustHold(t, path, codectest.Tiny(), 3)
	if _, err := os.Stat(filepath.Join(folder, names[0])); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the stale file is still there: %v", err)
	}
}

func TestConcurrentSaves(t *testing.T) {
	path := filepath.Join(t.TempDir(), "m.coppice")
	models := codectest.Models()
	mustSave(t, path, models[0])
	var wg sync.WaitGroup
	for _, m := range models {
		wg.Go(func() {
			for range tier.Count(2, 5, 5) {
				if err := coppice.Save(path, m); err != nil {
					t.Error(err)
				}
				if _, err := coppice.Open(path); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	got, err := coppice.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range models {
		if codectest.Diff(m, got) == "" {
			mustHold(t, path, m, 1)
			return
		}
	}
	t.Error("the file holds none of the models")
}

func TestOpenErrors(t *testing.T) {
	folder := t.TempDir()
	sound := modelBytes(t, codectest.Full())
	flipped := bytes.Clone(sound)
	flipped[len(flipped)/2] ^= 1
	newer, err := os.ReadFile("codec/native/testdata/newer.coppice")
	if err != nil {
		t.Fatal(err)
	}
	files := map[string][]byte{
		"empty": {}, "table.csv": []byte("a,b\n1,2\n"), "truncated": sound[:len(sound)-1], "head": sound[:20],
		"long": append(bytes.Clone(sound), 0), "flipped": flipped, "newer": newer,
	}
	for name, b := range files {
		if err := os.WriteFile(filepath.Join(folder, name), b, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	corrupt := func(err error) bool { e := (*codec.CorruptError)(nil); return errors.As(err, &e) }
	unsupported := func(err error) bool { e := (*codec.UnsupportedError)(nil); return errors.As(err, &e) }
	not := func(target error) func(error) bool {
		return func(err error) bool { return errors.Is(err, target) }
	}
	some := func(err error) bool { return err != nil }
	for _, c := range []struct {
		name string
		is   func(error) bool
		want string
	}{
		{"absent", not(fs.ErrNotExist), "no such file"},
		{"empty/below", some, "not a directory"},
		{"", some, "directory"},
		{"empty", not(coppice.ErrNotModel), "it is empty"},
		{"table.csv", not(coppice.ErrNotModel), "not a Coppice model file"},
		{"truncated", corrupt, fmt.Sprintf("truncated: the file has %d of %d bytes", len(sound)-1, len(sound))},
		{"head", corrupt, "truncated"},
		{"long", corrupt, "1 bytes after the end"},
		{"flipped", corrupt, "checksum"},
		{"newer", unsupported, "version 2.0"},
	} {
		path := filepath.Join(folder, c.name)
		m, err := coppice.Open(path)
		if m != nil || !c.is(err) || !strings.Contains(err.Error(), c.want) || strings.Count(err.Error(), path) != 1 || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: %v", c.name, err)
		}
	}
	if _, err := os.Stat(os.DevNull); err == nil {
		if _, err := coppice.Open(os.DevNull); err == nil || !strings.Contains(err.Error(), "not a regular file") {
			t.Errorf("a device: %v", err)
		}
	}
}

type otherModel struct{ model.Model }

func TestSaveErrors(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "m.coppice")
	mustSave(t, path, codectest.Tiny())
	if err := os.Mkdir(filepath.Join(folder, "dir"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("nowhere", filepath.Join(folder, "broken")); err != nil {
		t.Skip("no symbolic links here:", err)
	}
	invalid := codectest.Full()
	invalid.Bias = invalid.Bias[:1]
	for _, c := range []struct {
		path  string
		model model.Model
		want  string
	}{
		{path, otherModel{}, "cannot store a model of type coppice_test.otherModel"},
		{path, nil, "cannot store"},
		{path, invalid, "1 start values for 2 outputs"},
		{folder, codectest.Tiny(), "it is a directory"},
		{filepath.Join(folder, "dir"), codectest.Tiny(), "it is a directory"},
		{filepath.Join(folder, "new") + string(filepath.Separator), codectest.Tiny(), "it names no file"},
		{"", codectest.Tiny(), "it names no file"},
		{filepath.Join(folder, "absent", "m"), codectest.Tiny(), "no such file or directory"},
		{filepath.Join(path, "m"), codectest.Tiny(), "not a directory"},
		{filepath.Join(folder, "broken"), codectest.Tiny(), "a link to a file that does not exist"},
		{filepath.Join(folder, strings.Repeat("n", 300)), codectest.Tiny(), "file name too long"},
	} {
		err := coppice.Save(c.path, c.model)
		if err == nil || !strings.HasPrefix(err.Error(), "cannot save model "+c.path+": ") || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: %v, want %q", c.path, err, c.want)
		}
		mustHold(t, path, codectest.Tiny(), 3)
	}
}

func TestSaveWithoutPermission(t *testing.T) {
	if os.Geteuid() <= 0 {
		t.Skip("permissions do not bind this user")
	}
	folder := filepath.Join(t.TempDir(), "locked")
	path := filepath.Join(folder, "m.coppice")
	if err := os.Mkdir(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	mustSave(t, path, codectest.Tiny())
	for _, lock := range []struct {
		path string
		mode fs.FileMode
	}{{path, 0o444}, {folder, 0o555}} {
		before := mode(t, lock.path).Perm()
		if err := os.Chmod(lock.path, lock.mode); err != nil {
			t.Fatal(err)
		}
		if err := coppice.Save(path, codectest.Full()); !errors.Is(err, fs.ErrPermission) {
			t.Errorf("%s is locked: %v", lock.path, err)
		}
		mustHold(t, path, codectest.Tiny(), 1)
		if err := os.Chmod(lock.path, before); err != nil {
			t.Fatal(err)
		}
	}
}
