package main

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// A disk that is full ends training and evaluation in blocks with one line, and harms no older
// model.
func TestScratchOnFullDisk(t *testing.T) {
	dir, small := t.TempDir(), t.TempDir()
	if err := syscall.Mount("tmpfs", small, "tmpfs", 0, "size=16k"); err != nil {
		t.Skipf("only root may mount the file system of 16 kB that fills up: %v", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(small, 0); err != nil {
			t.Error(err)
		}
	})
	table, file := filepath.Join(dir, "t.csv"), filepath.Join(dir, "m.coppice")
	for name, content := range map[string][]byte{file: []byte("older"), table: encode(t, "csv", largeRows(0, 18000))} {
		if err := os.WriteFile(name, content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	train := []string{"train", table, "--label", "y", "--set", "trees=2", "--memory", "1300kB", "--scratch", small, "-o", file}
	other := filepath.Join(dir, "other.coppice")
	works(t, "train", table, "--label", "y", "--learner", "cart", "-o", other)
	evaluate := []string{"evaluate", other, table, "--memory", "1MiB", "--scratch", small}
	for _, command := range [][]string{train, evaluate} {
		out, errs, status := run(t, command...)
		want := "coppice: cannot write the scratch file in " + small +
			": no space left on device: give --scratch a folder with more space\n"
		if status != 1 || out != "" || !strings.HasSuffix(errs, want) ||
			strings.Count(errs, "coppice: ") != 1 {
			t.Errorf("%s: status %d, standard output %q, errors\n%s", command[0], status, out, errs)
		}
	}
	if text, err := os.ReadFile(file); err != nil || string(text) != "older" {
		t.Errorf("the older model is %q, %v", text, err)
	}
	if left, err := os.ReadDir(small); err != nil || len(left) > 0 {
		t.Errorf("%d files are left, %v", len(left), err)
	}
}
