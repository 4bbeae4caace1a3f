package pmml

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/kernel"
	"github.com/coppice-ml/coppice/tree"
)

// mostLevels is the number of levels of a tree that is written: elements nest as deep, which
// readers bound.
const mostLevels = mostDeep - 100

// treeWriter writes the nodes of a tree. A node of the tree becomes a Node with its number + 1 as
// id, whose children have predicates that exclude each other. A missing value makes both unknown,
// and then defaultChild decides:
//
//	x <= 3 or missing?        Node defaultChild="2"
//	 /      \                   Node id="2"  x lessOrEqual 3
//	A        B                  Node id="3"  x greaterThan 3
//
// Where rows with a missing value stop at an inner node, that has one more child, a leaf, which
// only they reach. The leaf has the id of the node.
type treeWriter struct {
	*xmlWriter
	*tree.Tree
	fields  []data.Field
	classes []string
	covers  []float64
	end     func(n int32) (ending, error) // of a node where rows end
	refused map[int32]bool                // leaves without a prediction: nodes without a score
	binary  bool                          // all inner nodes have two children
}

// ending is the prediction of a node where rows end.
type ending struct {
	score  string
	counts []float64 // by class, of which probabilities are fractions; nil: none
}

// check returns an error for a tree that PMML, or its readers, have no form for. It finds out
// whether all inner nodes have two children.
func (w *treeWriter) check() error {
	if d := w.Depth(); d > mostLevels {
		return cannot("a tree of %d levels: the limit is %d", d, mostLevels)
	}
	w.binary = true
	for n := range int32(w.Len()) {
		if w.Kind(n) == tree.Leaf {
			continue
		}
		stops := w.Missing(n) == tree.MissingStop
		w.binary = w.binary && w.Arity(n) == 2 && !stops
		switch {
		case stops && w.Value(n) == nil:
			return cannot("rows that stop at a node without a value")
		case len(w.surrogates(n)) > 0 && (w.Kind(n) == tree.ByCode || w.separates(n)):
			return cannot("surrogates of a split between known and missing values, or with a " +
				"child for each category")
		}
		for _, s := range w.surrogates(n) {
			if w.Surrogates.Kind[s] == tree.Numeric && math.IsInf(w.Surrogates.SplitPoint[s], 1) {
				return cannot("a surrogate with an infinite split point")
			}
		}
	}
	return nil
}

// surrogates returns the places of the surrogate splits of a node.
func (w *treeWriter) surrogates(n int32) []int32 {
	var all []int32
	if s := w.Surrogates; s != nil {
		for i := s.At[n]; i < s.At[n+1]; i++ {
			all = append(all, i)
		}
	}
	return all
}

// features returns the columns that the tree tests, ascending.
func (w *treeWriter) features() []int32 {
	used := make([]bool, len(w.fields))
	for n := range int32(w.Len()) {
		if f := w.Feature(n); f >= 0 {
			used[f] = true
		}
		for _, s := range w.surrogates(n) {
			used[w.Surrogates.Feature[s]] = true
		}
	}
	var all []int32
	for f, is := range used {
		if is {
			all = append(all, int32(f))
		}
	}
	if len(all) == 0 {
		all = append(all, 0) // a MiningSchema has one field or more
	}
	return all
}

// codes returns the codes of a set that the column has.
func (w *treeWriter) codes(feature int32, set []uint64) []int {
	var codes []int
	for code := range w.fields[feature].Levels {
		if tree.InSet(set, uint32(code)) {
			codes = append(codes, code)
		}
	}
	return codes
}

// separates reports whether all known values go to one child.
func (w *treeWriter) separates(n int32) bool {
	switch w.Kind(n) {
	case tree.Numeric:
		return math.IsInf(w.SplitPoint(n), 1)
	case tree.SetFirst, tree.SetLast:
		return len(w.codes(w.Feature(n), w.Set(n))) == 0
	}
	return false
}

// known returns the child that all known values go to.
func (w *treeWriter) known(n int32) int32 {
	if w.Kind(n) == tree.SetFirst {
		return w.Child(n) + 1
	}
	return w.Child(n)
}

// skip returns the first node from n down that does not send all rows to the same child.
func (w *treeWriter) skip(n int32) int32 {
	for w.Kind(n) != tree.Leaf {
		next := w.NextMissing(n)
		if !(w.separates(n) && w.known(n) == next) && w.Arity(n) != 1 || next < 0 {
			break
		}
		n = next
	}
	return n
}

// id returns the id of a node.
func (w *treeWriter) id(n int32) string {
	n = w.skip(n)
	if w.Kind(n) != tree.Leaf && w.Missing(n) == tree.MissingStop {
		n += int32(w.Len()) // the leaf for the rows that stop has the node's own
	}
	return strconv.Itoa(int(n) + 1)
}

// stopID returns the id of the leaf for the rows that stop at node n.
func (w *treeWriter) stopID(n int32) string { return strconv.Itoa(int(n) + 1) }

// node writes node n and what is below it. predicate writes its predicate.
func (w *treeWriter) node(n int32, predicate func()) error {
	id := w.id(n)
	n = w.skip(n)
	if w.Kind(n) == tree.Leaf {
		return w.leaf(n, id, predicate)
	}
	stops, name := w.Missing(n) == tree.MissingStop, "defaultChild"
	fallback := w.stopID(n)
	if !stops {
		fallback = w.id(w.NextMissing(n))
	}
	if w.separates(n) {
		name = "" // isMissing is true or false
	}
	w.start("Node", "id", id, name, fallback)
	predicate()
	children := w.split
	switch {
	case w.Kind(n) == tree.ByCode:
		children = w.byCode
	case w.separates(n):
		children = w.separate
	}
	err := children(n)
	w.close()
	return err
}

// leaf writes a node where rows end. Its recordCount is the number of rows that its distribution
// has, or there is none: probabilities are fractions of it.
func (w *treeWriter) leaf(n int32, id string, predicate func()) error {
	if w.refused[n] {
		w.start("Node", "id", id)
		predicate()
		w.close()
		return nil
	}
	e, err := w.end(n)
	if err != nil {
		return err
	}
	sum := kernel.Sum(e.counts)
	name, cover := "", 0.0
	if w.covers != nil {
		cover = w.covers[n]
		for c := w.Child(n); c < w.Child(n)+w.Arity(n); c++ {
			cover = max(0, cover-w.covers[c])
		}
		if e.counts == nil || sum == cover {
			name = "recordCount"
		}
	}
	w.start("Node", "id", id, "score", e.score, name, decimal(cover))
	predicate()
	for k, count := range e.counts {
		w.empty("ScoreDistribution", "value", w.classes[k], "recordCount", decimal(count))
	}
	w.close()
	return nil
}

// always writes the predicate that all rows meet.
func (w *treeWriter) always() { w.empty("True") }

// separate writes the children of a node that separates known from missing values.
func (w *treeWriter) separate(n int32) error {
	name := w.fields[w.Feature(n)].Name
	known, missing := w.known(n), w.NextMissing(n)
	if err := w.node(known, func() { w.compare(name, "isNotMissing", "") }); err != nil {
		return err
	}
	isMissing := func() { w.compare(name, "isMissing", "") }
	if missing < 0 {
		return w.leaf(n, w.stopID(n), isMissing)
	}
	return w.node(missing, isMissing)
}

// byCode writes the children of a node that has one for each category. Categories without a child
// count as missing, so the child of missing values is the last one and takes all others.
func (w *treeWriter) byCode(n int32) error {
	f := &w.fields[w.Feature(n)]
	last := w.NextMissing(n)
	for code, level := range f.Levels[:min(len(f.Levels), int(w.Arity(n)))] {
		c := w.Child(n) + int32(code)
		if c == last {
			continue
		}
		if err := w.node(c, func() { w.compare(f.Name, "equal", level) }); err != nil {
			return err
		}
	}
	if last < 0 {
		return w.leaf(n, w.stopID(n), w.always)
	}
	return w.node(last, w.always)
}

// split writes the two children of a node.
func (w *treeWriter) split(n int32) error {
	for i := range int32(2) {
		if err := w.node(w.Child(n)+i, func() { w.predicate(n, i == 0) }); err != nil {
			return err
		}
	}
	if w.Missing(n) == tree.MissingStop {
		return w.leaf(n, w.stopID(n), func() { w.empty("False") })
	}
	return nil
}

// predicate writes the condition on which a row goes to the first child of node n, or to the last.
// Surrogates stand beside it in the order in which they decide.
func (w *treeWriter) predicate(n int32, first bool) {
	surrogates := w.surrogates(n)
	if len(surrogates) == 0 {
		w.primary(n, first)
		return
	}
	w.start("CompoundPredicate", "booleanOperator", "surrogate")
	w.primary(n, first)
	for _, s := range surrogates {
		w.surrogate(n, s, first)
	}
	w.close()
}

// primary writes a node's own condition.
func (w *treeWriter) primary(n int32, first bool) {
	if w.Kind(n) == tree.Numeric {
		w.upTo(w.Feature(n), w.SplitPoint(n), first)
		return
	}
	w.set(w.Feature(n), w.Set(n), first == (w.Kind(n) == tree.SetFirst))
}

// surrogate writes the condition of surrogate s of node n. A set decides for its own categories
// alone. It is combined with the node's condition, which is unknown where a surrogate is tested:
//
//	to the child of the set   c in {a} or unknown         true, or unknown for other categories
//	to the other child        c not in {a} and unknown    false, or unknown
func (w *treeWriter) surrogate(n, s int32, first bool) {
	by := w.Surrogates
	if by.Kind[s] == tree.Numeric {
		w.upTo(by.Feature[s], by.SplitPoint[s], first == (by.Flip[s] == 0))
		return
	}
	inside, operator := first == (by.Kind[s] == tree.SetFirst), "and"
	if inside {
		operator = "or"
	}
	w.start("CompoundPredicate", "booleanOperator", operator)
	w.set(by.Feature[s], by.Set(s), inside)
	w.primary(n, first)
	w.close()
}

// upTo writes that the number of a column is up to c, or above it. Nothing but -Inf is up to -Inf;
// PMML has finite numbers.
func (w *treeWriter) upTo(feature int32, c float64, holds bool) {
	operators := [2]string{"greaterThan", "lessOrEqual"}
	switch {
	case math.IsInf(c, -1):
		c, operators = -math.MaxFloat64, [2]string{"greaterOrEqual", "lessThan"}
	case math.IsInf(c, 1):
		c = math.MaxFloat64
	}
	operator := operators[0]
	if holds {
		operator = operators[1]
	}
	w.compare(w.fields[feature].Name, operator, decimal(c))
}

// set writes that the category of a column is in a set, or is not.
func (w *treeWriter) set(feature int32, set []uint64, inside bool) {
	f := &w.fields[feature]
	codes := w.codes(feature, set)
	hard := slices.ContainsFunc(codes, func(code int) bool {
		return strings.Contains(f.Levels[code], `\`) // escapes are read in several ways
	})
	equal, in, either := "notEqual", "isNotIn", "and"
	if inside {
		equal, in, either = "equal", "isIn", "or"
	}
	if len(codes) == 1 || hard {
		if len(codes) > 1 {
			w.start("CompoundPredicate", "booleanOperator", either)
			defer w.close()
		}
		for _, code := range codes {
			w.compare(f.Name, equal, f.Levels[code])
		}
		return
	}
	w.start("SimpleSetPredicate", "field", f.Name, "booleanOperator", in)
	w.start("Array", "type", "string", "n", strconv.Itoa(len(codes)))
	for i, code := range codes {
		if i > 0 {
			w.out = append(w.out, ' ')
		}
		w.text(`"`+strings.ReplaceAll(f.Levels[code], `"`, `\"`)+`"`, `"`)
	}
	w.close()
	w.close()
}

// compare writes a SimplePredicate; isMissing and isNotMissing have no value.
func (w *treeWriter) compare(field, operator, value string) {
	name := "value"
	if strings.HasSuffix(operator, "Missing") {
		name = ""
	}
	w.empty("SimplePredicate", "field", field, "operator", operator, name, value)
}
