package prune_test

import (
	"encoding/csv"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/kernel"
	"github.com/coppice-ml/coppice/internal/testing/reference"
	"github.com/coppice-ml/coppice/tree"
	"github.com/coppice-ml/coppice/tree/prune"
)

// j48 is what J48 made of some tables; learn/c45/testdata/weka/README.md describes the file.
type j48 struct {
	Added [][5]float64 `json:"added_errors"` // n, e, cf, added errors, z
	Sets  map[string]*j48Set
	Cases []*j48Case
}

type j48Set struct {
	File, Label string
	Train       int
	Columns     []struct {
		Name   string
		Values []string
	}
}

type j48Case struct {
	Set, Options string
	Weighted     bool
	Nodes        []j48Node
}

type j48Node struct {
	Weight   []float64
	Empty    bool
	Column   *int
	At       float64
	Branch   []float64
	Children []int32
}

func readJ48(t *testing.T) *j48 {
	return reference.Read[j48](t, "../../learn/c45/testdata/weka/j48.json.gz")
}

func (f *j48) find(t *testing.T, set, options string) *j48Case {
	t.Helper()
	for _, c := range f.Cases {
		if c.Set == set && c.Options == options && !c.Weighted {
			return c
		}
	}
	t.Fatalf("no frozen run of %s with %s", set, options)
	return nil
}

// read returns the training rows as they are in the file that was frozen: every column of the set
// in its place, the class too. It skips the test where the file is absent.
func (s *j48Set) read(t *testing.T) prune.Training {
	t.Helper()
	lines, err := csv.NewReader(reference.Open(t, reference.Table(t, s.File))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	header, lines := lines[0], lines[1:1+s.Train]
	rows := prune.Training{Rows: data.AllRows(len(lines)),
		Columns: make([]data.Column, len(s.Columns)), Impurity: entropy}
	for i, c := range s.Columns {
		field := slices.Index(header, c.Name)
		column := &rows.Columns[i]
		for _, line := range lines {
			text := strings.TrimSpace(line[field])
			switch {
			case c.Values == nil && text == "?":
				*column = data.Numbers(append(column.Numbers(), math.NaN()))
			case c.Values == nil:
				x, err := strconv.ParseFloat(text, 64)
				if err != nil {
					t.Fatal(err)
				}
				*column = data.Numbers(append(column.Numbers(), x))
			case text == "?":
				*column = data.Codes(append(column.Codes(), data.MissingCode))
			default:
				*column = data.Codes(append(column.Codes(), uint32(slices.Index(c.Values, text))))
			}
		}
		if c.Name == s.Label {
			rows.Class = column.Codes()
		}
	}
	return rows
}

// entropy is the total entropy, in bits, of sets of two or more class weights.
func entropy(dst, stats []float64) {
	width := len(stats) / len(dst)
	for i := range dst {
		total := 0.0
		for _, w := range stats[i*width : (i+1)*width] {
			total += w
		}
		dst[i] = 0
		for _, w := range stats[i*width : (i+1)*width] {
			if w > 0 {
				dst[i] -= w * math.Log2(w/total)
			}
		}
	}
}

// build makes the frozen tree one of ours. An empty leaf has its parent's value.
func (c *j48Case) build(t *testing.T, s *j48Set) *tree.Tree {
	t.Helper()
	b := tree.NewBuilder(tree.Counts, len(c.Nodes[0].Weight), true)
	var add func(n, k int32, fraction float64, parent []float64)
	add = func(n, k int32, fraction float64, parent []float64) {
		from := &c.Nodes[k]
		value, weight := from.Weight, 0.0
		for _, w := range from.Weight {
			weight += w
		}
		if from.Empty {
			value, weight = parent, 0
		}
		b.SetValue(n, value)
		b.SetStats(n, 0, weight, 0)
		b.SetFraction(n, fraction)
		if from.Column == nil {
			return
		}
		split := tree.Split{Kind: tree.Numeric, Feature: int32(*from.Column), SplitPoint: from.At,
			Missing: tree.MissingFractional}
		switch {
		case s.Columns[*from.Column].Values == nil:
		case strings.Contains(c.Options, "-B"):
			split.Kind, split.SplitPoint, split.Set = tree.SetFirst, 0,
				make([]uint64, 1+int(from.At)/64)
			split.Set[int(from.At)/64] = 1 << (int(from.At) % 64)
		default:
			split.Kind, split.SplitPoint, split.Arity = tree.ByCode, 0, int32(len(from.Children))
		}
		total := 0.0
		for _, w := range from.Branch {
			total += w
		}
		first := b.Split(n, split)
		for i, child := range from.Children {
			add(first+int32(i), child, from.Branch[i]/total, value)
		}
	}
	add(0, 0, 1, nil)
	built, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return built
}

// compareTrees walks two trees side by side: they must have the same splits, and weights and
// fractions must agree to 1e-9.
func compareTrees(t *testing.T, got, want *tree.Tree, n, m int32) {
	near := func(a, b float64) bool { return math.Abs(a-b) <= 1e-9*max(1, math.Abs(b)) }
	if got.Kind(n) != want.Kind(m) || got.Feature(n) != want.Feature(m) ||
		got.SplitOf(n).SplitPoint != want.SplitOf(m).SplitPoint || got.Arity(n) != want.Arity(m) ||
		!slices.Equal(got.Set(n), want.Set(m)) {
		t.Fatalf("node %d: kind %d, feature %d, split point %v, %d children; J48 has kind %d, "+
			"feature %d, split point %v, %d children", n, got.Kind(n),
			got.Feature(n), got.SplitOf(n).SplitPoint, got.Arity(n), want.Kind(m), want.Feature(m),
			want.SplitOf(m).SplitPoint, want.Arity(m))
	}
	for k, w := range want.Value(m) {
		if !near(got.Value(n)[k], w) {
			t.Fatalf("node %d: class weights %v, J48 has %v", n, got.Value(n), want.Value(m))
		}
	}
	if !near(got.Fraction[n], want.Fraction[m]) ||
		!near(got.Stats.Weight[n], want.Stats.Weight[m]) {
		t.Fatalf("node %d: fraction %v and weight %v, J48 has %v and %v", n, got.Fraction[n],
			got.Stats.Weight[n], want.Fraction[m], want.Stats.Weight[m])
	}
	for c := range got.Arity(n) {
		compareTrees(t, got, want, got.Child(n)+c, want.Child(m)+c)
	}
}

// TestJ48 prunes the trees that J48 grew and did not prune; the results must be those that J48
// pruned, node by node, with subtree raising and without.
func TestJ48(t *testing.T) {
	frozen := readJ48(t)
	raised := 0
	for _, c := range []struct{ set, grown, pruned string }{
		{"weather.nominal", "-U -M 2", "-C 0.25 -M 2"},
		{"weather.numeric", "-U -M 2", "-C 0.25 -M 2"},
		{"soybean", "-U -M 2", "-C 0.25 -M 2"},
		{"soybean", "-U -M 2", "-S -C 0.25 -M 2"},
		{"soybean", "-U -B -M 2", "-C 0.25 -B -M 2"},
		{"mushroom", "-U -M 2", "-C 0.25 -M 2"},
		{"letter", "-U -M 2", "-C 0.25 -M 2"},
		{"letter", "-U -M 2", "-S -C 0.25 -M 2"},
		{"adult", "-U -M 2", "-C 0.25 -M 2"},
		{"adult", "-U -M 2", "-S -C 0.25 -M 2"},
		{"adult", "-U -B -M 2", "-C 0.25 -B -M 2"},
	} {
		t.Run(c.set+" "+c.pruned, func(t *testing.T) {
			s := frozen.Sets[c.set]
			grown := frozen.find(t, c.set, c.grown).build(t, s)
			want := frozen.find(t, c.set, c.pruned).build(t, s)
			flat, err := prune.Pessimistic(grown, 0.25)
			if err != nil {
				t.Fatal(err)
			}
			got := flat
			if !strings.HasPrefix(c.pruned, "-S") {
				if got, err = prune.PessimisticRaise(grown, 0.25, s.read(t)); err != nil {
					t.Fatal(err)
				}
				if got.Len() != flat.Len() {
					raised++
				}
			}
			compareTrees(t, got, want, 0, 0)
			t.Logf("%d of %d nodes left", got.Len(), grown.Len())
		})
	}
	if raised < 2 && !t.Failed() && !t.Skipped() {
		t.Errorf("raising made a difference in %d runs: too few to test it", raised)
	}
}

// TestCollapseUselessOfJ48: nothing is left to collapse in trees that J48 collapsed.
func TestCollapseUselessOfJ48(t *testing.T) {
	frozen := readJ48(t)
	for _, c := range frozen.Cases {
		if !strings.HasPrefix(c.Options, "-U") {
			continue
		}
		grown := c.build(t, frozen.Sets[c.Set])
		got, err := prune.CollapseUseless(grown)
		if err != nil {
			t.Fatal(err)
		}
		if got.Len() != grown.Len() {
			t.Errorf("%s %s: %d of %d nodes left", c.Set, c.Options, got.Len(), grown.Len())
		}
	}
}

// TestAddedErrorsOfWeka: Weka's confidence is a float32 and so is the difference from 1 that its z
// is the quantile of; where that difference is exact, the results must agree to rounding, else to
// that of z.
func TestAddedErrorsOfWeka(t *testing.T) {
	rows := readJ48(t).Added
	if len(rows) < 400 {
		t.Fatalf("%d rows", len(rows))
	}
	for _, row := range rows {
		n, e, cf, want, z := row[0], row[1], row[2], row[3], row[4]
		limit := 1e-12
		if cf != 0.25 && cf != 0.5 {
			limit = 3e-8
		}
		if cf <= 0.5 && math.Abs(-kernel.NormalQuantile(cf)-z) > limit*10 {
			t.Errorf("z of %v: %v, Weka has %v", cf, -kernel.NormalQuantile(cf), z)
		}
		if got := prune.AddedErrors(n, e, cf); !(math.Abs(got-want) <= limit*max(1, n)) {
			t.Errorf("AddedErrors(%v, %v, %v) = %v, Weka has %v", n, e, cf, got, want)
		}
	}
}
