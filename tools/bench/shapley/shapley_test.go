//go:build linux

package main

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestQuick runs the benchmark with few rows and trees and without the others: all of our ways
// report, for all models and both numbers of threads.
func TestQuick(t *testing.T) {
	program := filepath.Join(t.TempDir(), "shapley")
	if out, err := exec.Command("go", "build", "-o", program, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	out, err := exec.Command(program, "-quick").Output()
	if err != nil {
		t.Fatal(err)
	}
	for _, way := range []string{"path-dependent", "interventional", "single rows"} {
		if n := strings.Count(string(out), "| coppice, "+way+" | "); n != 6 {
			t.Errorf("%d tables have %s: %s", n, way, out)
		}
	}
}
