package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestTable(t *testing.T) {
	var b bytes.Buffer
	w := newTable(&b)
	fmt.Fprintln(w, "n\terror\t")
	fmt.Fprintln(w, "10\t0.25\t")
	w.Flush()
	if want := "    n   error\n   10    0.25\n"; b.String() != want {
		t.Errorf("%q, want %q", b.String(), want)
	}
}

// TestPictures: every experiment has its picture, and every picture its experiment.
func TestPictures(t *testing.T) {
	pictures, err := filepath.Glob("*.svg")
	if err != nil || len(pictures) != len(experiments) {
		t.Errorf("%d experiments, %d pictures, error %v", len(experiments), len(pictures), err)
	}
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	for name := range experiments {
		if _, err := os.Stat(name + ".svg"); err != nil {
			t.Error(err)
		}
		if link := fmt.Sprintf("(%s.svg)", name); !bytes.Contains(text, []byte(link)) {
			t.Errorf("README.md does not show %s", link)
		}
	}
}

func TestNames(t *testing.T) {
	for _, args := range [][]string{nil, {"leaf"}, {"leaves", "stability"}} {
		err := run(t.Context(), args)
		if err == nil || !strings.Contains(err.Error(), "neighbours, outofbag") {
			t.Errorf("%q: %v, want the names of all", args, err)
		}
	}
}
