package foreign_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/coppice-ml/coppice/codec"
	"github.com/coppice-ml/coppice/codec/internal/foreign"
	"github.com/coppice-ml/coppice/tree"
	"pgregory.net/rapid"
)

// sample is a tree of a file: a list of nodes whose numbers are their places.
type sample struct {
	nodes []foreign.Node
	root  int32
	gain  []float64
}

func (s *sample) source() foreign.Source {
	return foreign.Source{Nodes: len(s.nodes), Root: s.root, Kind: tree.Scalar, Width: 1, Covers: true,
		Gain: s.gain, Node: func(number int32, n *foreign.Node) error {
			from := s.nodes[number]
			n.Children = append(n.Children, from.Children...)
			n.Value = append(n.Value, from.Value...)
			n.Split, n.Number, n.Cover = from.Split, from.Number, from.Cover
			return nil
		}}
}

// random makes a tree of some splits, whose nodes lie in any order.
func random(t *rapid.T) *sample {
	splits := rapid.IntRange(0, 20).Draw(t, "splits")
	place := rapid.Permutation(seq(2*splits+1)).Draw(t, "places")
	s := &sample{nodes: make([]foreign.Node, len(place)), root: place[0],
		gain: make([]float64, 3)}
	leaves := []int32{place[0]}
	for i := range splits {
		at := rapid.IntRange(0, len(leaves)-1).Draw(t, "leaf")
		first, last := place[2*i+1], place[2*i+2]
		s.nodes[leaves[at]] = foreign.Node{Children: []int32{first, last}, Split: tree.Split{
			Kind: tree.Numeric, Feature: int32(i % 3), SplitPoint: float64(i),
			Missing: tree.MissingLast, Gain: float64(2 * i)}}
		leaves = append(slices.Delete(leaves, at, at+1), first, last)
	}
	for i, n := range leaves {
		s.nodes[n] = foreign.Node{Value: []float64{float64(n)}, Number: int32(i), Cover: float64(i)}
	}
	return s
}

func seq(n int) []int32 {
	s := make([]int32, n)
	for i := range s {
		s[i] = int32(i)
	}
	return s
}

func budget() *foreign.Budget { return foreign.NewBudget("test", 0, codec.Limits{}) }

func TestGrow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := random(t)
		grown, number, err := foreign.Grow(s.source(), budget())
		if err != nil {
			t.Fatal(err)
		}
		covers := grown.Covers()
		var same func(file, n int32)
		same = func(file, n int32) {
			want := &s.nodes[file]
			if len(want.Children) == 0 {
				if grown.Kind(n) != tree.Leaf || !slices.Equal(grown.Value(n), want.Value) ||
					number[n] != want.Number || covers[n] != want.Cover {
					t.Fatalf("node %d is not leaf %d", n, file)
				}
				return
			}
			got := grown.SplitOf(n)
			if got.Feature != want.Split.Feature || got.SplitPoint != want.Split.SplitPoint ||
				got.Missing != want.Split.Missing || number[n] != -1 {
				t.Fatalf("node %d is %+v, want %+v", n, got, want.Split)
			}
			for i, c := range want.Children {
				same(c, grown.Child(n)+int32(i))
			}
		}
		same(s.root, 0)
		for f, got := range s.gain {
			want := 0.0
			for i := f; i < len(s.nodes)/2; i += 3 {
				want += float64(2 * i)
			}
			if got != want {
				t.Fatalf("gain %v of column %d, want %v", got, f, want)
			}
		}
	})
}

func TestGrowRefusesWrongLinks(t *testing.T) {
	three := func(change func(s *sample)) *sample {
		s := &sample{nodes: []foreign.Node{
			{Children: []int32{1, 2}, Split: tree.Split{Kind: tree.Numeric}},
			{Value: []float64{1}}, {Value: []float64{2}}}}
		change(s)
		return s
	}
	for name, s := range map[string]*sample{
		"cycle":      three(func(s *sample) { s.nodes[0].Children[1] = 0 }),
		"twice":      three(func(s *sample) { s.nodes[0].Children[1] = 1 }),
		"beyond":     three(func(s *sample) { s.nodes[0].Children[1] = 3 }),
		"negative":   three(func(s *sample) { s.nodes[0].Children[1] = -1 }),
		"root":       three(func(s *sample) { s.root = 3 }),
		"width":      three(func(s *sample) { s.nodes[1].Value = nil }),
		"one child":  three(func(s *sample) { s.nodes[0].Children = []int32{1} }),
		"no feature": three(func(s *sample) { s.nodes[0].Split.Feature = -2 }),
	} {
		if _, _, err := foreign.Grow(s.source(), budget()); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	var limit *codec.LimitError
	_, _, err := foreign.Grow(three(func(*sample) {}).source(),
		foreign.NewBudget("test", 0, codec.Limits{Memory: 100}))
	if !errors.As(err, &limit) {
		t.Errorf("a tree beyond the limit: %v", err)
	}
}

// A comparison that never holds sends all numbers to the last child, and missing values as before.
func TestNever(t *testing.T) {
	for _, rule := range []tree.Missing{tree.MissingFirst, tree.MissingLast} {
		n := foreign.Node{Children: []int32{1, 2}, Split: tree.Split{Missing: rule}}
		n.Never()
		s := &sample{nodes: []foreign.Node{n, {Value: []float64{1}}, {Value: []float64{2}}}}
		grown, _, err := foreign.Grow(s.source(), budget())
		if err != nil {
			t.Fatal(err)
		}
		if got := grown.Value(grown.NextNumeric(0, 1e308))[0]; got != 2 {
			t.Errorf("rule %d: a number ends at %v", rule, got)
		}
		want := 1.0
		if rule == tree.MissingLast {
			want = 2
		}
		if got := grown.Value(grown.NextMissing(0))[0]; got != want {
			t.Errorf("rule %d: a missing value ends at %v, want %v", rule, got, want)
		}
	}
}
