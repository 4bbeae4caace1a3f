package coppice_test

import (
	"os"
	"strings"
	"testing"
)

// TestProcessorsAreCountedOnce: code that distributes work gets the number of goroutines from
// internal/parallel, which applies the user's limit. Counting processors would ignore the limit.
func TestProcessorsAreCountedOnce(t *testing.T) {
	for folder := range imports(t) {
		if folder == "internal/parallel" {
			continue
		}
		entries, err := os.ReadDir("./" + folder)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			if !strings.HasSuffix(e.Name(), ".go") || strings.HasSuffix(e.Name(), "_test.go") {
				continue
			}
			text, err := os.ReadFile("./" + folder + "/" + e.Name())
			if err != nil {
				t.Fatal(err)
			}
			for _, name := range []string{"GOMAXPROCS(0)", "NumCPU()"} {
				if strings.Contains(string(text), "runtime."+name) {
					t.Errorf("%s/%s: runtime.%s: use internal/parallel", folder, e.Name(), name)
				}
			}
		}
	}
}
