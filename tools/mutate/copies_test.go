package main

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"
)

// shapes has a function of each form, and its tests notice any change of one that compiles.
var shapes = map[string]string{
	"go.mod": "module shapes\n\ngo 1.26\n",
	"a.go": `package shapes

import "strings"

type box[T any] struct{ all []T }

func (b *box[T]) add(x ...T) { b.all = append(b.all, x...) }

func (box[T]) one() int { return 1 }

func pair[T, U any](a T, _ U) (n int, err error) {
	n = 2
	return n, err
}

func many(_, _ int, more ...int) int { return len(more) + 3 }

func plain(string, int) int { return 4 }

func last() (n int) {
	at := 7
	n = at
	return
}

func dashes(n int) string {
	if n == 0 {
		return "."
	}
	return strings.Repeat("-", n)
}

func _() int { return 9 }
`,
	"a_test.go": `package shapes

import (
	"errors"
	"testing"
)

func TestShapes(t *testing.T) {
	b := box[int]{}
	b.add(5, 6)
	n, err := pair(1, errors.New("none"))
	if len(b.all) != 2 || b.one() != 1 || n != 2 || err != nil || many(1, 2, 3, 4) != 5 ||
		plain("", 0) != 4 || last() != 7 ||
		dashes(0) != "." || dashes(3) != "---" {
		t.Error("changed")
	}
}
`,
}

// Functions of all forms have mutants, which change them alone. Those that do not compile are none.
func TestCopies(t *testing.T) {
	root := write(t, shapes)
	var out bytes.Buffer
	if err := run(t.Context(), []string{"-root", root, "-n", "99", "-short", "-json", "."},
		&out); err != nil {
		t.Fatal(err)
	}
	var results []result
	if err := json.Unmarshal(out.Bytes(), &results); err != nil {
		t.Fatal(err)
	}
	var tried []string
	for _, r := range results {
		tried = append(tried, r.Before+" => "+r.After)
		if r.Killed == (r.What == "error not returned") {
			t.Errorf("%+v", r)
		}
	}
	for _, want := range []string{
		"func (b *box[T]) add(x ...T) { b.all = append(b.all, x...) } => func (b *box[T]) add(x ...T) {  }",
		"func (box[T]) one() int { return 1 } => func (box[T]) one() int { return 2 }",
		"n = 2 => n = 3", "n = 2 => ", "return n, err => return n, nil",
		"func many(_, _ int, more ...int) int { return len(more) + 3 } => " +
			"func many(_, _ int, more ...int) int { return len(more) - 3 }",
		"func plain(string, int) int { return 4 } => func plain(string, int) int { return 5 }",
		"at := 7 => at := 8", "if n == 0 { => if !(n == 0) {",
	} {
		if !slices.Contains(tried, want) {
			t.Errorf("not tried: %s", want)
		}
	}
	for _, r := range results {
		if r.Before == "n = at" || strings.Contains(r.Before, "9") {
			t.Errorf("%+v is tried", r)
		}
	}
}

// Lines that are named have all mutants, and no other line has any.
func TestAt(t *testing.T) {
	var out bytes.Buffer
	if err := run(t.Context(), []string{"-root", write(t, small), "-n", "99", "-at", "a.go:12,b.go:4", "."},
		&out); err != nil {
		t.Fatal(err)
	}
	if want := "survived  a.go:12: statement removed\n  - total++\n  + \n.: 0 of 1 killed\n\n"; out.String() != want {
		t.Errorf("got %s", &out)
	}
}

// Quick tests run before slow ones, a few lists of them.
func TestInTurns(t *testing.T) {
	b := &binary{reach: map[int][]string{7: {"Slow", "A", "B", "C"}}, took: map[string]time.Duration{
		"Slow": time.Minute, "A": time.Second / 10, "B": time.Second / 20, "C": time.Second}}
	want := [][]string{{"B", "A"}, {"C"}, {"Slow"}}
	if got := b.inTurns(7); !slices.EqualFunc(got, want, slices.Equal) {
		t.Errorf("%v, want %v", got, want)
	}
	if got := b.inTurns(8); len(got) > 0 {
		t.Errorf("%v of a mutant that no test reaches", got)
	}
}
