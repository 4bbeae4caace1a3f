package draw

import (
	"bytes"
	"encoding/json"
	"math"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/coppice-ml/coppice/tree"
)

func TestTextHasALinePerNode(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := randomSample(t)
		var b bytes.Buffer
		if err := Text(&b, s.tree, s.names, s.o); err != nil {
			t.Fatal(err)
		}
		v, err := newView(s.tree, s.names, s.o)
		if err != nil {
			t.Fatal(err)
		}
		got := strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n")
		if s.o.MaxDepth > 0 {
			v.limit = int32(s.o.MaxDepth)
		}
		want := 1 + shown(s.tree, s.o.MaxDepth) + len(v.notes(v.preorder()))
		lines := outline{view: v, listSurrogates: s.o.Surrogates}
		for _, n := range v.preorder() {
			if !v.ends(n) {
				want += len(lines.remarks(n))
			}
		}
		if len(got) != want {
			t.Fatalf("%d lines, want %d:\n%s", len(got), want, b.String())
		}
		for _, line := range got {
			if strings.HasSuffix(line, " ") || !utf8.ValidString(line) || strings.ContainsAny(line, "\x00\x1b\r\t") {
				t.Fatalf("line %q is not fit for a terminal", line)
			}
		}
	})
}

// The columns of a line start where those of the line above do.
func TestTextColumnsAlign(t *testing.T) {
	lines := strings.Split(render(t, Text, iris(t)), "\n")
	at := utf8.RuneCountInString(lines[0][:strings.Index(lines[0], "species")])
	for i, want := range []string{"setosa", "setosa", "versicolor", "versicolor", "virginica"} {
		if line := []rune(lines[i+1]); !strings.HasPrefix(string(line[at:]), want+" ") {
			t.Errorf("line %q has no %s at column %d", string(line), want, at)
		}
	}
}

func TestTextOfDeepTrees(t *testing.T) {
	s := chain(t, 5000, Options{})
	lines := strings.Split(render(t, Text, s), "\n")
	if want := 1 + 2*mostOutline + 1 + 1; len(lines) != want {
		t.Fatalf("%d lines, want %d", len(lines), want)
	}
	if want := "time > 199 … 4801 leaves"; !strings.Contains(lines[len(lines)-2], want) {
		t.Errorf("last line is %q, want %q in it", strings.TrimSpace(lines[len(lines)-2]), want)
	}
}

// quoted is a string of the DOT language with nothing in it that Graphviz reads as an escape, but
// line ends, quotes, backslashes and ampersands.
const quoted = `"(?:[^"\\&\x00-\x1f]|\\["\\n]|&amp;)*"`

var dotLine = regexp.MustCompile(`^(?:digraph tree \{|  (?:graph|node|edge|note) \[.*\];|  n\d+ \[label=` + quoted + `, fillcolor="#[0-9a-f]{6}"(?:, style="rounded,filled,dashed")?, tooltip=` + quoted + `\];|  n\d+ -> n\d+ \[label=` + quoted + `, penwidth=[\d.]+\];|\})$`)

func TestDOTOfAnyTree(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := randomSample(t)
		var b bytes.Buffer
		if err := DOT(&b, s.tree, s.names, s.o); err != nil {
			t.Fatal(err)
		}
		nodes, edges := 0, 0
		for _, line := range strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n") {
			if !dotLine.MatchString(line) {
				t.Fatalf("line %q is no DOT", line)
			}
			if strings.HasPrefix(line, "  n") && !strings.HasPrefix(line, "  no") {
				if strings.Contains(line, " -> ") && strings.Contains(line, "penwidth") {
					edges++
				} else {
					nodes++
				}
			}
		}
		if want := shown(s.tree, s.o.MaxDepth); nodes != want || edges != want-1 {
			t.Fatalf("%d nodes and %d edges, want %d and %d", nodes, edges, want, want-1)
		}
	})
}

func TestGraphvizReadsDOT(t *testing.T) {
	dot, err := exec.LookPath("dot")
	if err != nil {
		t.Skip("Graphviz is not installed")
	}
	for _, s := range samples(t) {
		cmd := exec.Command(dot, "-Tcanon")
		cmd.Stdin = strings.NewReader(render(t, DOT, s))
		if out, err := cmd.CombinedOutput(); err != nil || strings.Contains(string(out), "Warning") || strings.Contains(string(out), "Error") {
			t.Errorf("%s: %v\n%s", s.name, err, out)
		}
	}
}

// read is what a program would declare to read the JSON of a tree.
type read struct {
	Values string
	Nodes  []struct {
		ID, Depth, Missing int32
		Kind, Feature      string
		Weight, Fraction   any
		SplitPoint         any `json:"split_point"`
		Levels             []string
		Terms              []struct{ Coef any }
		Children           []int32
		MissingRule        string `json:"missing_rule"`
		Surrogates         []struct {
			Kind            string
			SplitPoint      any `json:"split_point"`
			Flip            bool
			Agree, Adjusted any
		}
		HiddenLeaves int32 `json:"hidden_leaves"`
		Rows         *uint32
		Value        []any
	}
}

// same reports whether what JSON gave is x to the last bit.
func same(got any, x float64) bool {
	switch got := got.(type) {
	case json.Number:
		f, err := strconv.ParseFloat(got.String(), 64)
		return err == nil && f == x
	case string:
		return got == "inf" && math.IsInf(x, 1) || got == "-inf" && math.IsInf(x, -1) || got == "nan" && math.IsNaN(x)
	}
	return false
}

func TestJSONIsExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := randomSample(t)
		var b bytes.Buffer
		if err := JSON(&b, s.tree, s.names, s.o); err != nil {
			t.Fatal(err)
		}
		var r read
		d := json.NewDecoder(&b)
		d.UseNumber()
		if err := d.Decode(&r); err != nil {
			t.Fatal(err)
		}
		if len(r.Nodes) != shown(s.tree, s.o.MaxDepth) {
			t.Fatalf("%d nodes, want %d", len(r.Nodes), shown(s.tree, s.o.MaxDepth))
		}
		depth := s.tree.Depths()
		for _, n := range r.Nodes {
			inner := s.tree.Kind(n.ID) != tree.Leaf
			switch {
			case n.Kind != kindNames[s.tree.Kind(n.ID)] || n.Depth != depth[n.ID]:
				t.Fatalf("node %d: kind %s at depth %d", n.ID, n.Kind, n.Depth)
			case inner && (n.Missing != max(0, s.tree.NextMissing(n.ID)) || n.MissingRule != ruleNames[s.tree.Missing(n.ID)]):
				t.Fatalf("node %d: missing %d by the rule %q", n.ID, n.Missing, n.MissingRule)
			case inner && (n.Children[0] != s.tree.Child(n.ID) || len(n.Children) != int(s.tree.Arity(n.ID))):
				t.Fatalf("node %d: children %v", n.ID, n.Children)
			case inner && n.SplitPoint != nil && !same(n.SplitPoint, s.tree.SplitPoint(n.ID)):
				t.Fatalf("node %d: split point %v, want %v", n.ID, n.SplitPoint, s.tree.SplitPoint(n.ID))
			case s.tree.Kind(n.ID) == tree.ByCode && len(n.Levels) != len(n.Children):
				t.Fatalf("node %d: levels %q of %d children", n.ID, n.Levels, len(n.Children))
			case (n.Fraction != nil) != (s.tree.Fraction != nil) || n.Fraction != nil && !same(n.Fraction, s.tree.Fraction[n.ID]):
				t.Fatalf("node %d: fraction %v", n.ID, n.Fraction)
			case s.tree.Stats != nil && (*n.Rows != s.tree.Stats.Rows[n.ID] || !same(n.Weight, s.tree.Stats.Weight[n.ID])):
				t.Fatalf("node %d: %v rows of weight %v", n.ID, *n.Rows, n.Weight)
			}
			split := s.tree.SplitOf(n.ID)
			if len(n.Terms) != len(split.Direction) || len(n.Surrogates) != len(split.Surrogates) {
				t.Fatalf("node %d: %d terms and %d surrogates", n.ID, len(n.Terms), len(n.Surrogates))
			}
			for i, d := range split.Direction {
				if !same(n.Terms[i].Coef, d.Coef) {
					t.Fatalf("node %d: coefficient %v, want %v", n.ID, n.Terms[i].Coef, d.Coef)
				}
			}
			for i, r := range split.Surrogates {
				got := n.Surrogates[i]
				if got.Kind != kindNames[r.Kind] || got.Flip != r.Flip || r.Kind == tree.Numeric && !same(got.SplitPoint, r.SplitPoint) || !same(got.Agree, r.Agree) || !same(got.Adjusted, r.Adjusted) {
					t.Fatalf("node %d: surrogate %+v, want %+v", n.ID, got, r)
				}
			}
			for k, x := range s.tree.Value(n.ID) {
				if !inner && !same(n.Value[k], x) {
					t.Fatalf("node %d: value %v, want %v", n.ID, n.Value[k], x)
				}
			}
		}
	})
}

func TestJSONOfSets(t *testing.T) {
	var r read
	if err := json.Unmarshal([]byte(render(t, JSON, contacts(t))), &r); err != nil {
		t.Fatal(err)
	}
	root := r.Nodes[0]
	if root.Kind != "set_first" || strings.Join(root.Levels, "|") != "clerk|engineer, retired|farmer|house-keeping service" || root.Missing != 2 {
		t.Errorf("root is %+v", root)
	}
}
