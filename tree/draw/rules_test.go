package draw

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/tree"
)

var ruleLine = regexp.MustCompile(`^ *(\d+)  `)

// TestRulesOfAnyTree: every leaf that is drawn has one rule, which bears its number; no line is
// unfit for a terminal.
func TestRulesOfAnyTree(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := randomSample(t)
		var b bytes.Buffer
		if err := Rules(&b, s.tree, s.names, s.o); err != nil {
			t.Fatal(err)
		}
		v, err := newView(s.tree, s.names, s.o)
		if err != nil {
			t.Fatal(err)
		}
		var want, got []int
		for _, n := range v.preorder() {
			if v.ends(n) {
				want = append(want, int(n))
			}
		}
		for _, line := range strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n")[1:] {
			if !utf8.ValidString(line) || strings.ContainsAny(line, "\x00\x1b\r\t") {
				t.Fatalf("line %q is not fit for a terminal", line)
			}
			if m := ruleLine.FindStringSubmatch(line); m != nil {
				n, err := strconv.Atoi(m[1])
				if err != nil {
					t.Fatal(err)
				}
				got = append(got, n)
			}
		}
		if !slices.Equal(got, want) {
			t.Fatalf("rules of the nodes %v, leaves are %v:\n%s", got, want, b.String())
		}
	})
}

func TestTermWords(t *testing.T) {
	names := Names{Schema: &data.Schema{Fields: []data.Field{{Name: "x"}, {Name: "job", Kind: data.Categorical, Levels: []string{"a", "b", "c"}}}}}
	terms := []Term{AboveTerm(0, 1), SetTerm(names, 1, []uint64{1}, true), BelowTerm(0, 5), AboveTerm(0, 2.5), BelowTerm(0, 7), SetTerm(names, 1, []uint64{4}, false)}
	if got, want := fmt.Sprint(TermWords(names, terms)), "[2.5 < x <= 5 job = a job != c]"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got := fmt.Sprint(TermWords(names, []Term{{Words: "x <= 3 or missing"}}), TermWords(names, []Term{{Words: "x <= 3 or missing"}, BelowTerm(0, 1)})); got != "[x <= 3 or missing] [(x <= 3 or missing) x <= 1]" {
		t.Errorf("got %s", got)
	}
}

// TestRulesAreWrapped: conditions continue below the first of them.
func TestRulesAreWrapped(t *testing.T) {
	b := tree.NewBuilder(tree.Counts, 2, false)
	n := int32(0)
	for feature := range int32(12) {
		first := b.Split(n, tree.Split{Kind: tree.Numeric, Feature: feature, SplitPoint: 0.5})
		b.SetValue(first, []float64{1, 0})
		n = first + 1
	}
	b.SetValue(n, []float64{0, 1})
	built, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := Rules(&out, built, Names{Classes: []string{"no", "yes"}}, Options{}); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
	title, last := lines[0], lines[len(lines)-1]
	if at := strings.Index(title, "if"); last != strings.Repeat(" ", at)+"and f6 > 0.5 and f7 > 0.5 and f8 > 0.5 and f9 > 0.5 and f10 > 0.5 and f11 > 0.5" {
		t.Errorf("the last line is %q below %q", last, title)
	}
	for _, line := range lines {
		if utf8.RuneCountInString(line) > ruleWidth {
			t.Errorf("line of %d characters: %s", utf8.RuneCountInString(line), line)
		}
	}
}
