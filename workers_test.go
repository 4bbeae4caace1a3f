package coppice_test

import (
	"os"
	"strings"
	"testing"
)

// TestProcessorsAreCountedOnce: who shares work asks internal/parallel how many goroutines there
// are, by what the user asked for. Who counts processors passes that over.
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
					t.Errorf("%s/%s: runtime.%s: ask internal/parallel", folder, e.Name(), name)
				}
			}
		}
	}
}
