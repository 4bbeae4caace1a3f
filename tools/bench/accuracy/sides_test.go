//go:build linux

package accuracy

import (
	"slices"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn/catalog"
)

// Words are for classes and for numbers, and a last one is a multiple of the first side's time.
func TestParseSide(t *testing.T) {
	s, err := parseSide(" logistic|linear  |l2=1 seed_rows=3| 2.5x")
	if err != nil || s.times != 2.5 {
		t.Fatalf("%v times the first's, error %v", s.times, err)
	}
	for task, want := range map[data.Task]string{data.Binary: "logistic seed_rows=3",
		data.Regression: "linear l2=1"} {
		method, settings := s.resolve(task)
		if got := strings.Join(append([]string{method}, settings...), " "); got != want {
			t.Errorf("%s: %q, want %q", task, got, want)
		}
	}
	if _, err := parseSide("  "); err == nil {
		t.Error("a side without words is taken")
	}
}

// The learners of all comparisons take their settings, for classes and for numbers.
func TestComparisons(t *testing.T) {
	for name, sides := range comparisons() {
		for _, text := range sides {
			s, err := parseSide(strings.ReplaceAll(text, "TREES", "10"))
			if err != nil {
				t.Fatal(name, err)
			}
			for _, task := range []data.Task{data.Binary, data.Regression} {
				method, settings := s.resolve(task)
				l, err := catalog.New(method)
				if err != nil { // a peer's method
					if !strings.Contains(peersPython+peersR, method) && method != "tune" {
						t.Errorf("%s: no peer has the method %q", name, method)
					}
					continue
				}
				settings = slices.DeleteFunc(settings, func(s string) bool { return s == "oob" })
				if err := l.Params().Set(settings); err != nil {
					t.Errorf("%s, %s: %v", name, text, err)
				}
			}
		}
	}
}
