package explain

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/tree"
)

// Monotony is the result of Monotone: how a model's scores change as one numeric column rises and
// all others stay.
type Monotony struct {
	Column string `json:"column"`
	// the scores must not fall as the column rises; else they must not rise
	Rising  bool            `json:"rising"`
	Proven  bool            `json:"proven"`            // they never do, for whatever rows
	Counter *Counterexample `json:"counter,omitempty"` // they do, for these
	// the first tree that is not monotone by itself; -1 where all are
	Tree int `json:"tree"`
}

// Counterexample is two rows that differ in one column alone.
type Counterexample struct {
	Score int `json:"score"` // which of the raw scores is in the wrong order
	// in the order of the schema, as Predictor.PredictRow takes them: the row of the lower value
	Low  []float64 `json:"-"`
	High []float64 `json:"-"` // that of the higher one

	LowScore  float64 `json:"low_score"`
	HighScore float64 `json:"high_score"`
}

// tries is how many pairs of leaves in the wrong order are tried as counterexamples of the whole
// model.
const tries = 400

// Monotone finds out whether the raw scores of a model rise, or fall, with a numeric feature. It
// holds for all other values, known and missing ones, and all known values of the feature itself.
// Of two scores or fractions that stand for two classes it is the second.
//
// A sum or a mean of trees that are monotone is monotone, to the last bit, as rounding keeps order.
// In each tree all pairs of leaves are compared whose boxes have points that differ in the feature
// alone: the value of the lower must not be beyond that of the higher one. Pairs of subtrees whose
// values are in order, or whose boxes do not meet, are skipped.
//
// That is a proof, and for a single tree of split points and sets it is exact. A model may be
// monotone without its trees being so: then neither Proven holds nor is there a Counter. Oblique
// and sphere nodes, surrogates and rows that are divided are followed both ways, which may leave a
// proof incomplete but makes none wrong. Leaves whose equations may distinguish rows that differ in
// the feature are an error.
//
// A tree has as many pairs of leaves as the square of their number. So the search ends when the
// context is done, with its error.
func Monotone(ctx context.Context, m *model.Ensemble, feature int, rising bool) (*Monotony, error) {
	fields := m.Meta.Schema.Fields
	if feature < 0 || feature >= len(fields) {
		return nil, fmt.Errorf("feature %d of %d", feature, len(fields))
	}
	if f := &fields[feature]; f.Kind != data.Numeric {
		return nil,
			fmt.Errorf("column %q is categorical, and categories have no order to rise by", f.Name)
	}
	for i := range m.Inputs.Len() {
		if slices.Contains(m.Inputs.Sources(i), int32(feature)) {
			return nil, fmt.Errorf("column %q is the source of the derived column %s, whose "+
				"monotony is not looked into", fields[feature].Name,
				m.Inputs.Name(i, fields, nil))
		}
	}
	found := &Monotony{Column: fields[feature].Name, Rising: rising, Proven: true, Tree: -1}
	p, err := m.Bind(&m.Meta.Schema, model.Options{Output: model.Raw, Workers: 1})
	if err != nil {
		return nil, err
	}
	w := &witness{m: m, p: p, feature: feature, rising: rising, left: tries,
		low: make([]float64, p.Width()), high: make([]float64, p.Width())}
	scores := m.Scores()
	first := 0
	if len(m.Meta.Classes) == 2 && scores == 2 {
		first = 1
	}
	for i, t := range m.Trees {
		if slopes(t, int32(feature)) {
			return nil, fmt.Errorf("tree %d has leaves that hold equations, whose monotony is "+
				"not looked into, below splits by column %q", i, fields[feature].Name)
		}
		for score := first; score < scores; score++ {
			sign := direction(m, i, score, rising)
			if sign == 0 {
				continue
			}
			s := newOrder(m, t, int32(feature), valuesOf(m, i, score, sign))
			s.ctx = ctx
			s.wrong = func(low, high *boxed) bool {
				if found.Proven {
					found.Proven, found.Tree = false, i
				}
				found.Counter = w.try(s, low, high, score)
				return found.Counter != nil || w.left <= 0
			}
			ended := s.nodes != nil && s.search(0, 0)
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			if ended {
				return found, nil
			}
		}
	}
	return found, nil
}

// slopes reports whether leaves hold equations that use a feature, or that lie below a node that
// may split by it: the predictions of such leaves cannot be put in order by their values. Rows that
// differ in the feature alone reach any other leaf together or not at all, and get the same
// prediction there.
func slopes(t *tree.Tree, feature int32) bool {
	if t.Leaf.Linear == nil {
		return false
	}
	below := make([]bool, t.Len())
	for n := range int32(t.Len()) { // children follow their parents
		_, terms, _ := t.Equation(n)
		if below[n] && len(terms) > 0 || slices.Contains(terms, feature) {
			return true
		}
		by := t.Surrogates != nil || t.Feature(n) < 0 || t.Feature(n) == feature
		for c := t.Child(n); c >= 0 && c < t.Child(n)+t.Arity(n); c++ {
			below[c] = below[n] || by
		}
	}
	return false
}

// direction returns 1 if the values of a tree must rise with the feature for a score, and -1 if
// they must fall. It returns 0 if the tree does not count in the score.
func direction(m *model.Ensemble, tree, score int, rising bool) float64 {
	w := 1.0
	if m.Weights != nil {
		w = m.Weights[tree]
	}
	if m.Output != nil && m.Output[tree] >= 0 && int(m.Output[tree]) != score || w == 0 {
		return 0
	}
	if (w > 0) != rising {
		return -1
	}
	return 1
}

// valuesOf returns the value of each node of a tree for a score, times sign.
func valuesOf(m *model.Ensemble, i, score int, sign float64) func(n int32) float64 {
	t := m.Trees[i]
	if m.Output != nil && m.Output[i] >= 0 {
		score = 0
	}
	return func(n int32) float64 {
		v := t.Value(n)
		if t.Leaf.Kind == tree.Counts {
			probabilities := make([]float64, len(v))
			tree.Probabilities(probabilities, v)
			v = probabilities
		}
		return sign * v[score]
	}
}

// order is a tree for the search for leaves in the wrong order.
type order struct {
	ctx     context.Context // ends the search
	pairs   int             // that were compared
	t       *tree.Tree
	fields  []data.Field
	feature int32
	value   func(n int32) float64
	nodes   []boxed // children after their parents; nil: the tree does not test the feature
	wrong   func(low, high *boxed) bool
}

// pairsBetweenChecks is how many pairs are compared between two checks of the context.
const pairsBetweenChecks = 1 << 12

// boxed is a node with the box of the rows that may reach it, or the end of those that stop there.
type boxed struct {
	box         []side // by feature, ascending; of others all values
	children    []int32
	least, most float64 // of the values of the ends below it
	node        int32
}

// newOrder makes the boxed nodes of a tree. value is that of each node, which must rise with the
// feature.
func newOrder(m *model.Ensemble, t *tree.Tree, feature int32, value func(int32) float64) *order {
	s := &order{t: t, fields: m.Features().Fields, feature: feature, value: value}
	for n := range int32(t.Len()) {
		for _, f := range t.Looks(n) {
			if f == feature {
				s.grow(0, []side{s.known(feature)})
				return s
			}
		}
	}
	if t.Surrogates != nil { // which may test it
		s.grow(0, []side{s.known(feature)})
	}
	return s
}

// known is the side of a numeric feature whose value is not missing.
func (s *order) known(feature int32) side {
	return side{feature: feature, low: math.Inf(-1), high: math.Inf(1)}
}

// grow appends the boxed nodes of a node and below, and returns the number of the first.
func (s *order) grow(n int32, box []side) int32 {
	at := int32(len(s.nodes))
	s.nodes = append(s.nodes, boxed{box: box, node: n})
	if s.t.Kind(n) == tree.Leaf {
		v := s.value(n)
		s.nodes[at].least, s.nodes[at].most = v, v
		return at
	}
	var children []int32
	least, most := math.Inf(1), math.Inf(-1)
	add := func(c int32) {
		children = append(children, c)
		least, most = min(least, s.nodes[c].least), max(most, s.nodes[c].most)
	}
	for c := s.t.Child(n); c < s.t.Child(n)+s.t.Arity(n); c++ {
		if below, some := s.below(box, n, c); some {
			add(s.grow(c, below))
		}
	}
	if s.t.Missing(n) == tree.MissingStop {
		if below, some := s.stopping(box, n); some {
			end := int32(len(s.nodes))
			v := s.value(n)
			s.nodes = append(s.nodes, boxed{box: below, node: n, least: v, most: v})
			add(end)
		}
	}
	p := &s.nodes[at]
	p.children, p.least, p.most = children, least, most
	return at
}

// search looks for pairs of ends below two boxed nodes, the first of a lower value of the feature,
// whose values are in the wrong order. It reports whether it ended early, also by the context.
func (s *order) search(low, high int32) bool {
	if s.pairs++; s.pairs%pairsBetweenChecks == 0 && s.ctx.Err() != nil {
		return true
	}
	a, b := &s.nodes[low], &s.nodes[high]
	switch {
	case !(a.most > b.least) || !s.meet(a, b):
		return false
	case a.children == nil && b.children == nil:
		return s.wrong(a, b)
	case b.children == nil || a.children != nil && a.most-a.least >= b.most-b.least:
		for _, c := range a.children {
			if s.search(c, high) {
				return true
			}
		}
	default:
		for _, c := range b.children {
			if s.search(low, c) {
				return true
			}
		}
	}
	return false
}

// meet reports whether there are rows in a and in b that differ in the feature alone, which is
// lower in a.
func (s *order) meet(a, b *boxed) bool {
	i, j := 0, 0
	for i < len(a.box) && j < len(b.box) {
		x, y := &a.box[i], &b.box[j]
		switch {
		case x.feature < y.feature:
			i++
		case x.feature > y.feature:
			j++
		case x.feature == s.feature && !(x.low < y.high):
			return false
		case x.feature != s.feature && !x.meets(y):
			return false
		default:
			i, j = i+1, j+1
		}
	}
	return true
}
