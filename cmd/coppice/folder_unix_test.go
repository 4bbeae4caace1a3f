//go:build unix

package main

import (
	"os"
	"syscall"
	"testing"
)

// A pipe in the folder of a model is refused: opening it would wait for its other end.
func TestPipeInAFolder(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.Mkdir("ydf", 0o777); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"done", "data_spec.pb", "nodes-00000-of-00001"} {
		write(t, "ydf/"+name, "")
	}
	if err := syscall.Mkfifo("ydf/header.pb", 0o666); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"show", "convert"} {
		fails(t, 1, "cannot open model ydf: header.pb is not a regular file", name, "ydf")
	}
}
