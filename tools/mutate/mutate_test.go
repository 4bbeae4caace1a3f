package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// small is a module whose tests check the greater of two numbers, and not the count.
var small = map[string]string{
	"go.mod": "module small\n\ngo 1.26\n",
	"a.go": `package small

func greater(a, b int) int {
	if a > b {
		return a
	}
	return b
}

func count(n int) (total int) {
	for range n {
		total++
	}
	return total
}
`,
	"a_test.go": `package small

import "testing"

func TestGreater(t *testing.T) {
	if greater(1, 2) != 2 || greater(3, 2) != 3 {
		t.Error("the lesser one")
	}
	count(1)
}
`,
}

func write(t *testing.T, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func TestSites(t *testing.T) {
	root := write(t, map[string]string{"s.go": `package s

func f(a, b int, ok bool) error {
	if a < b && ok {
		a = b + 2
		return err
	}
	if invariant.On && a > 3 {
		b++
	}
	invariant.Check(a > 5, "a")
	go f(1, 2, true)
	g := 0
	_ = g
	return nil
}
`})
	found, err := sitesOf(filepath.Join(root, "s.go"))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, s := range found {
		before, after := s.lines()
		got = append(got, before+" => "+after)
	}
	for _, want := range []string{
		"if a < b && ok { => if a <= b && ok {", "if a < b && ok { => if a >= b && ok {",
		"if a < b && ok { => if a < b || ok {",
		"if a < b && ok { => if !(a < b && ok) {", "a = b + 2 => a = b - 2",
		"a = b + 2 => a = b + 3", "a = b + 2 => a = b + 1", "a = b + 2 => ",
		"return err => return nil", "go f(1, 2, true) => go f(1, 2, false)", "g := 0 => g := 1",
	} {
		if !slices.Contains(got, want) {
			t.Errorf("no site %q among\n%s", want, strings.Join(got, "\n"))
		}
	}
	if all := strings.Join(got, "\n"); strings.Contains(all, "invariant") || strings.Contains(all, "b++") {
		t.Errorf("checks of invariants are changed:\n%s", all)
	}
}

// Mutants of tested code are killed, those of the rest survive, and the sources stay unchanged.
func TestRun(t *testing.T) {
	root := write(t, small)
	var out bytes.Buffer
	if err := run(t.Context(), []string{"-root", root, "-n", "99", "-json", "."},
		&out); err != nil {
		t.Fatal(err)
	}
	var results []result
	if err := json.Unmarshal(out.Bytes(), &results); err != nil {
		t.Fatal(err)
	}
	killed := map[string]bool{}
	for _, r := range results {
		killed[r.Before+" => "+r.After] = r.Killed
	}
	want := map[string]bool{
		"if a > b { => if a >= b {": false, // the same for equal numbers
		"if a > b { => if a <= b {": true, "if a > b { => if !(a > b) {": true, "total++ => ": false,
	}
	for mutant, dead := range want {
		if got, there := killed[mutant]; !there || got != dead {
			t.Errorf("%s: killed %v, tried %v, want %v", mutant, got, there, dead)
		}
	}
	if len(results) != len(want) {
		t.Errorf("%d mutants, want %d: %v", len(results), len(want), killed)
	}
	if text, err := os.ReadFile(filepath.Join(root, "a.go")); err != nil ||
		string(text) != small["a.go"] {
		t.Errorf("the source is now %s, %v", text, err)
	}
	out.Reset()
	if err := run(t.Context(), []string{"-root", root, "-n", "99", "."}, &out); err != nil ||
		!strings.Contains(out.String(), ".: 2 of 4 killed\n") ||
		!strings.Contains(out.String(),
			"survived  a.go:12: statement removed\n  - total++\n  + \n") {
		t.Errorf("%v\n%s", err, &out)
	}
}

// Tests that fail before anything is changed show nothing.
func TestRunRefuses(t *testing.T) {
	files := map[string]string{}
	for name, text := range small {
		files[name] = strings.Replace(text, "!= 2", "!= 7", 1)
	}
	for _, args := range [][]string{{"-root", write(t, files), "."}, {"-n", "0", "."}, {}} {
		if err := run(t.Context(), args, &bytes.Buffer{}); err == nil {
			t.Errorf("%v: no error", args)
		}
	}
}
