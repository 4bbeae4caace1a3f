//go:build unix

package main

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// A pipe, which the shell makes of <(COMMAND), is a table of commands that read files several
// times: they read it once.
func TestPipesAsTables(t *testing.T) {
	dir := t.TempDir()
	table, pipe, model := filepath.Join(dir, "t.csv"), filepath.Join(dir, "pipe"), filepath.Join(dir, "m.coppice")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	text := encode(t, "csv", largeRows(0, 3000))
	if err := os.WriteFile(table, text, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, command := range [][]string{{"train", table, "--label", "y", "--set", "trees=2", "-o", model},
		{"evaluate", model, table}, {"data", table}, {"cv", table, "--label", "y", "--learner", "cart"}} {
		want := works(t, command...)
		sent := make(chan error, 1)
		go func() { sent <- os.WriteFile(pipe, text, 0) }()
		for i, word := range command {
			if word == table {
				command[i] = pipe
			}
		}
		want = lasting(strings.ReplaceAll(want, table, pipe))
		if got := lasting(works(t, command...)); got != want {
			t.Errorf("%s: got\n%s\nwant\n%s", command[0], got, want)
		}
		if err := <-sent; err != nil {
			t.Error(err)
		}
	}
}
