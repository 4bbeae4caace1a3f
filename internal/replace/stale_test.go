package replace_test

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/coppice-ml/coppice/internal/outside"
	"github.com/coppice-ml/coppice/internal/replace"
)

// Of the files that are being written only those go at once whose process, of this machine, has
// ended.
func TestFilesOfEndedProcesses(t *testing.T) {
	if runtime.GOOS != "linux" && runtime.GOOS != "darwin" {
		t.Skip("names of files identify the machine on Linux and macOS alone")
	}
	folder := t.TempDir()
	path := filepath.Join(folder, "a.txt")
	var own string // as it is while it is written
	if err := replace.File(path, func(io.Writer) error {
		names, err := filepath.Glob(filepath.Join(folder, ".coppice-saving-*"))
		if len(names) == 1 {
			own = filepath.Base(names[0])
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
	fields := strings.Split(strings.TrimPrefix(own, ".coppice-saving-"), "-")
	if len(fields) != 3 || fields[0] == "" || fields[1] != strconv.Itoa(os.Getpid()) {
		t.Fatalf("the file is called %q while it is written", own)
	}
	child := exec.Command(os.Args[0], "-test.run=^$")
	if err := child.Run(); err != nil {
		t.Fatal(err)
	}
	ended := strconv.Itoa(child.Process.Pid)
	name := func(fields ...string) string { return ".coppice-saving-" + strings.Join(fields, "-") }
	stay := []string{
		name(fields[0], fields[1], "1"),                       // of this process
		name(fields[0], strconv.Itoa(os.Getppid()), "1"),      // of another
		name(strings.Repeat("0", len(fields[0])), ended, "1"), // of another machine
		name("", ended, "1"),
		name(ended, "1"),
		name(fields[0], "-1", "1"),
		name(fields[0], "0", "1"),
		"a.txt",
	}
	gone := name(fields[0], ended, "1")
	for _, file := range append(stay[:len(stay)-1:len(stay)-1], gone) {
		if err := os.WriteFile(filepath.Join(folder, file), []byte("half"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := replace.File(path, writes("whole")); err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	var left []string
	for _, e := range entries {
		left = append(left, e.Name())
	}
	slices.Sort(stay)
	if !slices.Equal(left, stay) {
		t.Errorf("left are %q, want %q", left, stay)
	}
}

// A file that another machine writes to stays, whatever the own clock shows: its age is by the
// clock of the folder.
func TestAgeIsByTheFolder(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "a.txt")
	write := func(name string, at time.Time) {
		file := filepath.Join(folder, ".coppice-saving-0000-1-"+name)
		if err := os.WriteFile(file, []byte("half"), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(file, at, at); err != nil {
			t.Fatal(err)
		}
	}
	if err := replace.File(path, writes("first")); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	write("fresh", info.ModTime())
	write("stale", info.ModTime().Add(-2*time.Hour))
	defer outside.Judge(func(outside.Call) outside.Fault {
		return outside.Fault{Time: info.ModTime().Add(1000 * time.Hour)}
	})()
	if err := replace.File(path, writes("second")); err != nil {
		t.Fatal(err)
	}
	left, err := filepath.Glob(filepath.Join(folder, ".coppice-saving-*"))
	if err != nil || len(left) != 1 || !strings.HasSuffix(left[0], "fresh") {
		t.Errorf("left are %q, %v", left, err)
	}
}
