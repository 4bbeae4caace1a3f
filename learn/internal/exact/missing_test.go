package exact_test

import (
	"math"
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/criterion"
	"github.com/coppice-ml/coppice/internal/testing/tier"
	"github.com/coppice-ml/coppice/learn/internal/exact/internal/growtest"
	"github.com/coppice-ml/coppice/learn/internal/grow"
	"github.com/coppice-ml/coppice/tree"
)

var rules = []growtest.Missing{growtest.Learned, growtest.Majority, growtest.Fractional, growtest.Surrogate, growtest.SurrogateStop, growtest.Stop}

// TestRowsGoWhereTheTreeSends: under every rule, each node of the finished tree has the weight,
// rows and value of its training rows. These are the rows that the tree sends through it, by
// fractions where it divides them.
func TestRowsGoWhereTheTreeSends(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := randomProblem(t, 40, 3)
		rule := rapid.SampledFrom(rules).Draw(t, "rule")
		cfg := growtest.Config{Missing: rule, Surrogates: rapid.IntRange(0, 3).Draw(t, "surrogates"), Workers: 1,
			Limits: grow.Limits{MinLeaf: rapid.IntRange(1, 3).Draw(t, "min_leaf")}}
		got := growWith(t, &p, cfg)
		weight, rows := make([]float64, got.Len()), make([]int, got.Len())
		value := make([]float64, got.Len()*got.Leaf.Width)
		for i, row := range p.pop.Rows {
			ended := 0.0
			got.Over(p.frame.Columns).Visit(row, func(n int32, fraction float64, end bool) {
				w := fraction * p.weight(i)
				weight[n] += w
				rows[n]++
				if p.pop.Class != nil {
					value[int(n)*got.Leaf.Width+int(p.pop.Class[i])] += w
				} else {
					value[n] += w * p.pop.Y[i]
				}
				if end {
					ended += fraction
				}
			})
			if math.Abs(ended-1) > 1e-9 {
				t.Fatalf("the fractions of row %d that end somewhere sum to %g", i, ended)
			}
		}
		for n := range int32(got.Len()) {
			v := value[int(n)*got.Leaf.Width : (int(n)+1)*got.Leaf.Width]
			if p.pop.Class == nil {
				v[0] /= weight[n]
			}
			for k := range v {
				if p.row.Name != "absolute_error" && math.Abs(v[k]-got.Value(n)[k]) > 1e-9 {
					t.Fatalf("rule %d: node %d has the value %v, its rows %v", rule, n, got.Value(n), v)
				}
			}
			if math.Abs(weight[n]-got.Stats.Weight[n]) > 1e-9 || rows[n] != int(got.Stats.Rows[n]) {
				t.Fatalf("rule %d: node %d has %d rows of weight %g, the tree sends %d of %g", rule, n, got.Stats.Rows[n], got.Stats.Weight[n], rows[n], weight[n])
			}
			if n > 0 && rule == growtest.Fractional && p.pop.Weight == nil && weight[n] < float64(cfg.Limits.MinLeaf)-1e-9 {
				t.Fatalf("node %d has fractions of %g rows", n, weight[n])
			}
		}
	})
}

// TestRulesAgree: under every rule any number of workers grow the same tree, and ranks too, where
// they serve the rule.
func TestRulesAgree(t *testing.T) {
	tier.NotShort(t, "grows trees by each rule twice")
	for _, rule := range rules {
		rapid.Check(t, func(t *rapid.T) {
			p := randomProblem(t, 60, 3)
			cfg := growtest.Config{Workers: 1, Mtry: rapid.IntRange(0, 2).Draw(t, "mtry"), Missing: rule, Surrogates: 2}
			want := growWith(t, &p, cfg)
			if rule <= growtest.Majority && !growtest.SameTree(growRanked(t, &p, cfg), want) {
				t.Fatalf("rule %d: ranks grow another tree", rule)
			}
			cfg.Workers = 3
			if got := growWith(t, &p, cfg); !reflect.DeepEqual(got, want) {
				t.Fatalf("rule %d: 3 workers grow another tree", rule)
			}
		})
		for _, name := range criterion.Names() {
			p := table(2500, name)
			limits := grow.Limits{MinLeaf: 5}
			want := growWith(t, p, growtest.Config{Missing: rule, Surrogates: 3, Workers: 1, Limits: limits})
			if want.NumLeaves() < 50 {
				t.Fatalf("rule %d: only %d leaves, the test shows nothing", rule, want.NumLeaves())
			}
			for _, workers := range []int{2, 7}[tier.Count(1, 1, 0):] {
				cfg := growtest.Config{Missing: rule, Surrogates: 3, Workers: workers, Limits: limits}
				if got := growWith(t, p, cfg); !reflect.DeepEqual(got, want) {
					t.Errorf("%s, rule %d, %d workers: another tree", name, rule, workers)
				}
			}
		}
	}
}

// agreement is the weight of the rows that a way to split the rows of a problem sends to the same
// child as the root of a tree does; rows are those that it sends somewhere of those that the root
// does.
func (p *problem) agreement(root *tree.Tree, to func(pos int) int32) (agree, first, last float64, rows [3]int) {
	for i := range p.pop.Rows {
		own := p.own(root, i)
		if own == 0 {
			continue
		}
		w := p.weight(i)
		if p.pop.Case != nil {
			w = p.pop.Case[i]
		}
		if own == 1 {
			first += w
		} else {
			last += w
		}
		other := to(i)
		rows[other]++
		if other == own {
			agree += w
		}
	}
	return agree, first, last, rows
}

// own is the child that the root's own split sends a row to, 0 if it cannot decide.
func (p *problem) own(root *tree.Tree, pos int) int32 {
	c := &p.frame.Columns[root.Feature(0)]
	if c.Codes() != nil {
		return max(0, root.NextCode(0, c.Code(int(p.pop.Rows[pos]))))
	}
	return max(0, root.NextNumeric(0, c.Number(int(p.pop.Rows[pos]))))
}

// ways calls f with every way to split the rows by a column: all split points in both directions,
// or all subsets of categories. A row goes to child 1 or 2, or, without a value, to 0.
func (p *problem) ways(column int, f func(to func(pos int) int32)) {
	c := &p.frame.Columns[column]
	if c.Codes() != nil {
		for mask := range 1 << len(p.frame.Schema.Fields[column].Levels) {
			f(func(pos int) int32 {
				code := c.Code(int(p.pop.Rows[pos]))
				if code == data.MissingCode {
					return 0
				}
				return 2 - int32(mask>>code&1)
			})
		}
		return
	}
	for _, threshold := range c.Numbers() {
		for _, below := range []int32{1, 2} {
			f(func(pos int) int32 {
				x := c.Number(int(p.pop.Rows[pos]))
				switch {
				case math.IsNaN(x):
					return 0
				case x <= threshold:
					return below
				}
				return 3 - below
			})
		}
	}
}

// bestRepeat returns the largest agreement of a column with the root of a tree. A split must send
// two rows to each side.
func (p *problem) bestRepeat(root *tree.Tree, column int) float64 {
	best, sets := 0.0, p.frame.Columns[column].Codes() != nil
	p.ways(column, func(to func(pos int) int32) {
		if agree, _, _, rows := p.agreement(root, to); sets || rows[1] >= 2 && rows[2] >= 2 {
			best = max(best, agree)
		}
	})
	return best
}

// TestSurrogates compares the surrogates of a stump with their definition: of every other column
// that repeats the split better than the heavier child does, the best way to repeat it, in order of
// agreement, then of columns.
func TestSurrogates(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := randomProblem(t, 16, 3)
		if p.pop.Class != nil && rapid.Bool().Draw(t, "scaled") {
			p.pop.Scale([]float64{1, 3, 0.5, 7, 2, 1.5}[:p.pop.Classes])
		}
		most := rapid.IntRange(1, 3).Draw(t, "surrogates")
		stump := growWith(t, &p, growtest.Config{Missing: growtest.Surrogate, Surrogates: most, Workers: 1, Limits: grow.Limits{Depth: 1}})
		if stump.Kind(0) == tree.Leaf {
			return
		}
		_, first, last, _ := p.agreement(stump, func(int) int32 { return 0 })
		if fraction := first / (first + last); math.Abs(stump.Fraction[1]-fraction) > 1e-12 || math.Abs(stump.Fraction[2]-(1-fraction)) > 1e-12 {
			t.Fatalf("fractions %v, want %g and the rest", stump.Fraction[1:], fraction)
		}
		type found struct {
			column int
			agree  float64
		}
		var want []found
		for c := range p.frame.Columns {
			if agree := p.bestRepeat(stump, c); int32(c) != stump.Feature(0) && agree > max(first, last)+1e-9 {
				at := slices.IndexFunc(want, func(o found) bool { return agree > o.agree+1e-9 })
				if at < 0 {
					at = len(want)
				}
				want = slices.Insert(want, at, found{c, agree})
			}
		}
		want = want[:min(most, len(want))]
		got := stump.SplitOf(0).Surrogates
		for _, w := range want {
			if len(got) == 0 || got[0].Feature != int32(w.column) {
				t.Fatalf("surrogates %+v, want %+v next", got, w)
			}
			used := got[:1]
			if got[0].Kind != tree.Numeric {
				used = got[:2]
			}
			got = got[len(used):]
			m := max(first, last) / (first + last)
			fraction := w.agree / (first + last)
			if math.Abs(used[0].Agree-fraction) > 1e-9 || math.Abs(used[0].Adjusted-(fraction-m)/(1-m)) > 1e-9 {
				t.Fatalf("%+v agrees by %g, adjusted %g", used[0], fraction, (fraction-m)/(1-m))
			}
			if agree, _, _, _ := p.agreement(stump, func(pos int) int32 { return p.chosen(used, pos) }); math.Abs(agree-w.agree) > 1e-9 {
				t.Fatalf("%+v sends %g where the split does, want %g", used, agree, w.agree)
			}
		}
		if len(got) > 0 {
			t.Fatalf("surrogates %+v are too many", got)
		}
	})
}

// chosen is the child that the first of some surrogates that applies names, 0 if none can.
func (p *problem) chosen(surrogates []tree.Surrogate, pos int) int32 {
	for _, u := range surrogates {
		c := &p.frame.Columns[u.Feature]
		if u.Kind == tree.Numeric {
			x := c.Number(int(p.pop.Rows[pos]))
			switch {
			case math.IsNaN(x):
				continue
			case (x <= u.SplitPoint) != u.Flip:
				return 1
			}
			return 2
		}
		if !tree.InSet(u.Set, c.Code(int(p.pop.Rows[pos]))) {
			continue
		}
		if u.Kind == tree.SetFirst {
			return 1
		}
		return 2
	}
	return 0
}

// TestRulesByHand: eight rows, of which x misses two; y repeats x but for one row, and has one of
// the two.
func TestRulesByHand(t *testing.T) {
	nan := math.NaN()
	frame, err := data.FromRows([][]float64{{1, 8}, {2, 7}, {3, 6}, {4, 2}, {5, 3}, {6, 9}, {nan, 1}, {nan, nan}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	p := &problem{frame: frame, pop: grow.Population{Rows: data.AllRows(8), Class: []uint32{0, 0, 0, 1, 1, 1, 0, 1}, Classes: 2}}
	p.row, _ = criterion.ByName("gini")
	for _, c := range []struct {
		rule        growtest.Missing
		first, last []float64
		missing     tree.Missing
		surrogates  int
	}{
		{growtest.Majority, []float64{4, 1}, []float64{0, 3}, tree.MissingMajority, 0},
		{growtest.Fractional, []float64{3.5, .5}, []float64{.5, 3.5}, tree.MissingFractional, 0},
		{growtest.Surrogate, []float64{3, 1}, []float64{1, 3}, tree.MissingSurrogate, 1},
		{growtest.SurrogateStop, []float64{3, 0}, []float64{1, 3}, tree.MissingStop, 1},
		{growtest.Stop, []float64{3, 0}, []float64{0, 3}, tree.MissingStop, 0},
	} {
		got := growWith(t, p, growtest.Config{Limits: grow.Limits{Depth: 1}, Missing: c.rule, Surrogates: 5, Workers: 1})
		if got.SplitPoint(0) != 3.5 || got.Missing(0) != c.missing || math.Abs(got.Stats.Gain[0]-3) > 1e-12 {
			t.Errorf("rule %d: split point %g, gain %g, rule %d of the node", c.rule, got.SplitPoint(0), got.Stats.Gain[0], got.Missing(0))
		}
		if !slices.Equal(got.Value(1), c.first) || !slices.Equal(got.Value(2), c.last) {
			t.Errorf("rule %d: children %v and %v, want %v and %v", c.rule, got.Value(1), got.Value(2), c.first, c.last)
		}
		// Of the six known rows y <= 4.5 sends 4 and 5 last and the three first ones first; 6
		// disagrees.
		want := tree.Surrogate{Kind: tree.Numeric, Feature: 1, SplitPoint: 4.5, Flip: true, Agree: 5. / 6, Adjusted: 2. / 3}
		if s := got.SplitOf(0).Surrogates; len(s) != c.surrogates || len(s) > 0 && (math.Abs(s[0].Agree-want.Agree) > 1e-12 ||
			math.Abs(s[0].Adjusted-want.Adjusted) > 1e-12 || s[0].SplitPoint != want.SplitPoint || !s[0].Flip) {
			t.Errorf("rule %d: surrogates %+v, want %+v", c.rule, s, want)
		}
	}
}

// TestKnownRowsDecide: but for Learned, the root's gain is the best over the rows with a value of
// its column.
func TestKnownRowsDecide(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := randomProblem(t, 14, 3)
		rule := rapid.SampledFrom(rules[1:]).Draw(t, "rule")
		stump := growWith(t, &p, growtest.Config{Missing: rule, Workers: 1, Limits: grow.Limits{Depth: 1}})
		if p.row.Name == "gain_ratio" {
			t.Skip("a tree does not store its gain ratios")
		}
		want, exactly := math.Inf(-1), p.exactly(1)
		for c := range p.frame.Columns {
			want = max(want, p.bestKnown(c))
		}
		if stump.Kind(0) == tree.Leaf {
			if exactly && !math.IsInf(want, -1) && stump.Stats.Impurity[0] > 1e-9 {
				t.Fatalf("no split, though one gains %g", want)
			}
			return
		}
		if got := stump.Stats.Gain[0]; got > want+1e-9*(1+want) || exactly && got < want-1e-9*(1+want) {
			t.Fatalf("gain %.12g, the best over known rows has %.12g", got, want)
		}
	})
}

// bestKnown tries every split of a column on the rows that have a value there.
func (p *problem) bestKnown(column int) float64 {
	q := *p
	q.pop.Rows, q.pop.Class, q.pop.Y, q.pop.Weight = nil, nil, nil, nil
	c := &p.frame.Columns[column]
	var known []int32
	for i, r := range p.pop.Rows {
		if c.Codes() != nil && c.Code(int(r)) == data.MissingCode || c.Codes() == nil && math.IsNaN(c.Number(int(r))) {
			continue
		}
		known = append(known, r)
		q.pop.Rows = append(q.pop.Rows, int32(len(known)-1))
		if p.pop.Class != nil {
			q.pop.Class = append(q.pop.Class, p.pop.Class[i])
		} else {
			q.pop.Y = append(q.pop.Y, p.pop.Y[i])
		}
		if p.pop.Weight != nil {
			q.pop.Weight = append(q.pop.Weight, p.pop.Weight[i])
		}
	}
	sub := p.frame.Subset(known)
	q.frame = &data.Frame{Schema: data.Schema{Fields: sub.Schema.Fields[column : column+1]}, Columns: sub.Columns[column : column+1]}
	return q.best(1)
}
