package hist

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/tree"
)

// nodeProblem is a problem whose Config has whatever a Lister knows of, for a tree of one split.
func nodeProblem(s *rng.Stream) problem {
	n, columns := 2+s.Intn(60), 1+s.Intn(5)
	var values []int
	codes := make([][]int, columns)
	one := func(of ...float64) float64 { return of[s.Intn(len(of))] }
	c := Config{Shape: Shape{Leaves: 2},
		Regularization: Regularization{L1: one(0, 0, 3), L2: one(0, 1), MinChildWeight: one(0, 0, 5),
			MinLeaf: s.Intn(5), MaxDeltaStep: one(0, 0, 0, 1), Gamma: one(0, 0, 4)},
		Categories: Categories{OneHot: s.Intn(7), MaxCategories: s.Intn(4), CatSmooth: one(0, 2), CatL2: one(0, 3)},
		Double:     s.Intn(3) == 0, Workers: 1}
	c.Conventions = []Conventions{Own, Own, Own, XGBoost, XGBoostExact}[s.Intn(5)]
	if c.Conventions == Own {
		c.MinCategory = one(0, 0, 4)
	}
	weighted, ordered, signed := s.Intn(3) == 0, s.Intn(4) == 0, s.Intn(3) == 0
	outputs := 1 + s.Intn(4)/3*2
	if outputs > 1 { // whose sets of many categories are of the orders of all of them
		c.Conventions, signed, c.OneHot, c.MinCategory = Own, false, 9, 0
	}
	if s.Intn(4) == 0 {
		c.ColumnsByTree = 0.5
	}
	for j := range columns {
		// below the least number of a monotone column missing values may go first, which is not
		// listed
		v, nominal, missing := 1+s.Intn(9), s.Intn(3) == 0, s.Intn(5) < 2 && !signed
		for range n {
			if codes[j] = append(codes[j], s.Intn(v)); missing && s.Intn(4) == 0 {
				codes[j][len(codes[j])-1] = v
			}
		}
		if weighted {
			c.ColumnWeight = append(c.ColumnWeight, one(0.5, 1, 1.5))
		}
		order := data.AllRows(v)
		s.Shuffle(v, func(a, b int) { order[a], order[b] = order[b], order[a] })
		if ordered {
			c.Order = append(c.Order, order)
		}
		if signed {
			c.Monotone = append(c.Monotone, int8(one(-1, 0, 1)))
		}
		numbers := make([]float64, v)
		for b := range numbers {
			numbers[b] = float64(b)
		}
		if nominal {
			if v = -v; signed {
				c.Monotone[j] = 0
			}
			numbers = nil
		}
		if c.Conventions == XGBoostExact {
			c.Values = append(c.Values, numbers)
		}
		values = append(values, v)
	}
	p := problem{m: table(values, codes), codes: codes, c: c}
	for range n * outputs {
		p.g, p.h = append(p.g, float64(s.Intn(41)-20)), append(p.h, float64(1+s.Intn(4)))
	}
	return p
}

// first reports whether a row goes to the first child of a candidate.
func (p *problem) first(column int, t *tree.Candidate, row int) bool {
	code, c := p.codes[column][row], &p.m.Columns[column]
	switch {
	case code == c.Values:
		return t.Missing == tree.MissingFirst
	case t.Kind == tree.Numeric:
		return float64(code) <= t.SplitPoint
	}
	return slices.Contains(t.Codes, uint32(code))
}

// parted names a partition of the rows, whichever side is first; "" if one side has none.
func (p *problem) parted(first func(row int) bool) string {
	b, both := make([]byte, p.m.Len()), false
	for r := range b {
		if b[r] = '0'; first(r) == first(0) {
			b[r] = '1'
		}
		both = both || b[r] != b[0]
	}
	if !both {
		return ""
	}
	return string(b)
}

// splitsOf returns the partitions of the rows that a column may make, by the definition of each way
// to split one.
func (p *problem) splitsOf(column int) map[string]bool {
	all, c := map[string]bool{}, &p.m.Columns[column]
	add := func(missing bool, in func(code int) bool) {
		all[p.parted(func(r int) bool {
			code := p.codes[column][r]
			return code == c.Values && missing || code != c.Values && in(code)
		})] = true
	}
	exact := p.c.Conventions == XGBoost || p.c.Conventions == XGBoostExact
	prefixes := func(order []int32, most int) {
		for n := 1; n <= most; n++ {
			add(false, func(code int) bool { return slices.Contains(order[:n], int32(code)) })
		}
	}
	switch {
	case !c.Nominal():
		for b := range c.Values {
			add(false, func(code int) bool { return code <= b })
			add(b < c.Values-1, func(code int) bool { return code <= b })
		}
	case p.c.Order != nil:
		order := slices.Clone(p.c.Order[column])
		prefixes(order, c.Values)
		slices.Reverse(order)
		prefixes(order, c.Values)
	case c.Values <= p.c.OneHot:
		for b := range c.Values {
			add(false, func(code int) bool { return code == b })
			add(exact, func(code int) bool { return code == b })
		}
	default:
		g, h := make([]float64, c.Values+1), make([]float64, c.Values+1)
		for r, code := range p.codes[column] {
			g[code] += p.g[r]
			h[code] += p.h[r]
		}
		var order []int32
		by := make([]float64, c.Values)
		for b := range c.Values {
			if by[b] = g[b] / (h[b] + p.c.CatSmooth); exact {
				if by[b] = 0; h[b] > 0 && h[b] >= p.c.MinChildWeight {
					by[b] = p.valueOf(g[b], h[b], p.c.L2)
				}
			}
			if exact || h[b] > 0 && h[b] >= p.c.MinCategory {
				order = append(order, int32(b))
			}
		}
		slices.SortStableFunc(order, func(a, b int32) int { return cmp.Compare(by[a], by[b]) })
		most := len(order)
		if p.c.MaxCategories > 0 {
			most = min(most, p.c.MaxCategories)
		}
		if exact {
			most--
		}
		prefixes(order, most)
		slices.Reverse(order)
		prefixes(order, most)
	}
	delete(all, "")
	return all
}

// valueOf returns the value of least loss of rows with some sums.
func (p *problem) valueOf(g, h, l2 float64) float64 {
	w := -math.Copysign(max(0, math.Abs(g)-p.c.L1), g) / (h + l2)
	if p.c.MaxDeltaStep > 0 {
		w = min(max(w, -p.c.MaxDeltaStep), p.c.MaxDeltaStep)
	}
	return w
}

// branch returns what rows come to by the definition of leaves.
func (p *problem) branch(l2 float64, in func(row int) bool) (b tree.Branch) {
	n := p.m.Len()
	outputs := len(p.g) / n
	for o := range outputs {
		g, h := 0.0, 0.0
		b.Rows = 0
		for r := range n {
			if in(r) {
				b.Rows++
				g += p.g[o*n+r]
				h += p.h[o*n+r]
			}
		}
		w := p.valueOf(g, h, l2)
		b.Gradient, b.Hessian, b.Value = append(b.Gradient, g), append(b.Hessian, h), append(b.Value, w)
		b.Weight += h / float64(outputs)
		b.Score -= 2*g*w + (h+l2)*w*w + 2*p.c.L1*math.Abs(w)
	}
	return b
}

func sameBranch(a, b *tree.Branch) bool {
	near := func(x, y float64) bool { return math.Abs(x-y) < 1e-9*(1+math.Abs(y)) }
	return a.Rows == b.Rows && near(a.Weight, b.Weight) && slices.Equal(a.Gradient, b.Gradient) &&
		slices.Equal(a.Hessian, b.Hessian) && slices.EqualFunc(a.Value, b.Value, near) && near(a.Score, b.Score)
}

// judge compares a candidate with its definition.
func (p *problem) judge(column int, t *tree.Candidate) error {
	l2, c := p.c.L2, &p.m.Columns[column]
	if c.Nominal() && p.c.Order == nil && c.Values > p.c.OneHot {
		l2 += p.c.CatL2
	}
	first := p.branch(l2, func(r int) bool { return p.first(column, t, r) })
	last := p.branch(l2, func(r int) bool { return !p.first(column, t, r) })
	whole := p.branch(p.c.L2, func(int) bool { return true })
	if !sameBranch(&t.Branches[0], &first) || !sameBranch(&t.Branches[1], &last) {
		return fmt.Errorf("branches %+v, want %+v, %+v", t.Branches, first, last)
	}
	gain := first.Score + last.Score - whole.Score
	if p.c.ColumnWeight != nil {
		gain *= p.c.ColumnWeight[column]
	}
	if math.Abs(gain-t.Gain) > 1e-9*(1+first.Score+last.Score) {
		return fmt.Errorf("gain %v, want %v", t.Gain, gain)
	}
	refused, sign := "", p.c.sign(column)
	switch rising := first.Value[0] - last.Value[0]; {
	case min(first.Rows, last.Rows) < p.c.MinLeaf:
		refused = "min_leaf"
	case min(first.Weight, last.Weight) < p.c.MinChildWeight:
		refused = "min_child_weight"
	case sign > 0 && rising > 0 || sign < 0 && rising < 0:
		refused = "monotone"
	}
	if t.Refused != refused && (t.Refused != "colsample" || p.c.ColumnsByTree == 0) {
		return fmt.Errorf("refused for %q, want %q", t.Refused, refused)
	}
	return nil
}

// The candidates of a node are all splits that there are by definition, each with its sums, values,
// gain and what forbids it, and the engine takes the one of them that gains most. Of equal ones it
// takes the lower column, and the least threshold.
func TestSplitsByDefinition(t *testing.T) {
	s := rng.New(17)
	splits, kinds := 0, map[string]int{}
	for i := range 1500 {
		p := nodeProblem(s)
		fatal := func(format string, a ...any) {
			t.Helper()
			t.Fatalf("problem %d, %+v: %s", i, p.c, fmt.Sprintf(format, a...))
		}
		node := ListedNode{Rows: data.AllRows(p.m.Len()), Features: len(p.codes), Seed: 5}
		for at := 0; at < len(p.g); at += p.m.Len() {
			node.G, node.H = append(node.G, p.g[at:at+p.m.Len()]), append(node.H, p.h[at:at+p.m.Len()])
		}
		l := NewLister(p.m, p.c, node)
		all := l.Candidates()
		if want := p.branch(p.c.L2, func(int) bool { return true }); !sameBranch(&all.Whole, &want) || all.Gamma != p.c.Gamma {
			fatal("the node is %+v, want %+v", all.Whole, want)
		}
		best, of, refused := (*tree.Candidate)(nil), -1, 0
		for j, list := range all.Columns {
			listed := map[string]bool{}
			ownBest := -1
			if len(list) > 0 && list[0].Refused == "colsample" {
				refused++
			}
			for k := range list {
				one := &list[k]
				listed[p.parted(func(r int) bool { return p.first(j, one, r) })] = true
				if err := p.judge(j, one); err != nil {
					fatal("column %d, candidate %d: %v", j, k, err)
				}
				judged := *one
				judged.Best, judged.Branches, judged.Gain = false, nil, 0
				l.Judge(j, &judged, func(r int32) int {
					if p.first(j, one, int(r)) {
						return 0
					}
					return 1
				})
				if judged.Gain != one.Gain || judged.Refused != one.Refused || !sameBranch(&judged.Branches[1], &one.Branches[1]) {
					fatal("column %d, candidate %d: judged alone %+v", j, k, judged)
				}
				if one.Refused == "" && one.Gain > 0 && (ownBest < 0 || one.Gain > list[ownBest].Gain) {
					ownBest = k
				}
			}
			for k := range list {
				if list[k].Best != (k == ownBest) {
					fatal("column %d: candidate %d is the best: %v, want candidate %d", j, k, list[k].Best, ownBest)
				}
			}
			if ownBest >= 0 && (best == nil || list[ownBest].Gain > best.Gain) {
				best, of = &list[ownBest], j
			}
			want := p.splitsOf(j)
			delete(listed, "")
			if fmt.Sprint(listed) != fmt.Sprint(want) {
				fatal("column %d has %d splits, want %d", j, len(listed), len(want))
			}
		}
		if all.Best != of {
			fatal("column %d is the best, want %d", all.Best, of)
		}
		if refused > len(p.codes)/2 || refused > 0 && p.c.ColumnsByTree == 0 {
			fatal("%d of %d columns are not in the sample", refused, len(p.codes))
		}
		grower := NewGrower(p.m, p.c)
		if outputs := len(node.G); outputs > 1 {
			grower = NewVectorGrower(p.m, p.c, outputs)
		}
		grown, err := grower.Grow(t.Context(), p.g, p.h, nil, 5)
		if err != nil {
			t.Fatal(err)
		}
		root := grown.nodes[0]
		if best == nil || best.Gain < p.c.Gamma || !p.c.mayBeSplit(root) {
			if grown.inner(root) && !(best != nil && math.Abs(best.Gain-p.c.Gamma) < 1e-9) {
				fatal("a split that gains %v, of none", root.split.gain)
			}
			continue
		}
		if !grown.inner(root) || math.Abs(root.split.gain-best.Gain) > 1e-9*(1+best.Gain) {
			fatal("column %d gains %v, want %d, %v", root.split.column, root.split.gain, of, best.Gain)
		}
		made, err := grown.Tree(1)
		if err != nil {
			t.Fatal(err)
		}
		walk := made.Over(p.frame(t).Columns)
		got := p.parted(func(r int) bool {
			return walk.LeafOf(int32(r)) == made.Child(0)
		})
		equal := map[string]bool{}
		lowest, least := -1, math.Inf(1)
		for j, list := range all.Columns {
			for k := range list {
				if one := &list[k]; one.Refused == "" && math.Abs(one.Gain-best.Gain) < 1e-9*(1+best.Gain) {
					equal[p.parted(func(r int) bool { return p.first(j, one, r) })] = true
					if one.Gain == best.Gain && lowest < 0 {
						lowest, least = j, one.SplitPoint
					}
				}
			}
		}
		if !equal[got] {
			fatal("another split than any of the best")
		}
		if len(equal) == 1 && p.c.Conventions == Own && p.c.ColumnWeight == nil && (int(made.Feature(0)) != lowest ||
			made.Kind(0) == tree.Numeric && made.SplitPoint(0) != least) {
			fatal("column %d at %v, want %d at %v", made.Feature(0), made.SplitPoint(0), lowest, least)
		}
		if p.c.Conventions == XGBoostExact && made.Kind(0) == tree.Numeric && len(equal) == 1 && !math.IsInf(least, 1) {
			for b := range p.m.Columns[lowest].Values { // a value in the middle goes to the last child
				if first := float64(b) <= made.SplitPoint(0); first != (float64(b) < least) {
					fatal("the value %d goes to the first child: %v, by a threshold of %v in place of %v", b, first, made.SplitPoint(0), least)
				}
			}
		}
		splits++
		kinds[fmt.Sprint(made.Kind(0), p.c.Conventions, len(node.G))]++
	}
	if splits < 900 || len(kinds) < 8 {
		t.Errorf("%d splits of kinds %v", splits, kinds)
	}
}
