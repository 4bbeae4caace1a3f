package lightgbm

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/coppice-ml/coppice/codec/internal/foreign"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/input"
	"github.com/coppice-ml/coppice/loss/link"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/tree"
)

// conversion makes a model of a file.
type conversion struct {
	*foreign.Budget
	*file
	levels [][]string // of each column; nil: numeric
	// the categorical columns whose levels are numbers in the data frame
	numberLevels []int
	// by column: the derived column in which its zeros are missing, -1 for none
	nonzero []int32
	numbers []input.Number // the derived columns
	gain    []float64      // by feature; nil: not stored
}

// ensemble makes a model of a file.
func (f *file) ensemble(b *foreign.Budget) (*model.Ensemble, error) {
	c := &conversion{Budget: b, file: f}
	if err := c.findLevels(); err != nil {
		return nil, f.corrupt("columns", 0, err)
	}
	e := &model.Ensemble{Meta: f.spec(), Link: f.linkOf(), Inputs: input.Set{Numbers: c.numbers}}
	names := make([]string, len(f.columns))
	for i := range f.columns {
		names[i] = f.columns[i].name
	}
	e.Meta.Schema = foreign.Schema(foreign.Names(names, len(names), "Column_"), c.levels)
	for i := range f.columns {
		if c.levels[i] != nil && f.columns[i].few != nil {
			e.Meta.Schema.Fields[i].Format = data.CodeLevels
		}
	}
	for _, i := range c.numberLevels {
		foreign.MarkNumbers(&e.Meta.Schema.Fields[i])
	}
	if err := c.Take(int64(len(f.trees)) * bytesPerTree); err != nil {
		return nil, err
	}
	if err := c.addTrees(e); err != nil {
		return nil, err
	}
	if f.average && f.iterations() > 1 {
		e.Combine = model.Mean
	}
	if err := e.Validate(); err != nil {
		return nil, f.corrupt("model", 0, err)
	}
	return e, nil
}

// addTrees makes the trees.
func (c *conversion) addTrees(e *model.Ensemble) error {
	ungained := func(t fileTree) bool { return t.gain == nil && t.feature != nil }
	if !slices.ContainsFunc(c.trees, ungained) {
		c.gain = make([]float64, len(c.columns)+len(c.numbers))
	}
	e.Origin = &model.Origin{Tool: tool, Gain: c.gain, Objective: c.objective.text}
	for i := range c.trees {
		t, leaves, err := c.tree(&c.trees[i])
		if err != nil {
			return c.corrupt(fmt.Sprintf("tree %d", i), 0, err)
		}
		e.Trees, e.Origin.Leaf = append(e.Trees, t), append(e.Origin.Leaf, leaves)
		if c.scores > 1 {
			e.Output = append(e.Output, int32(i%c.scores))
		}
	}
	return nil
}

// spec describes what is predicted.
func (f *file) spec() model.Spec {
	k := f.objective.kind()
	switch {
	case k.binary || k.perClass && f.scores == 2:
		return model.Spec{Task: data.Binary, Classes: foreign.Codes(2), Learner: textName}
	case k.perClass:
		return model.Spec{Task: data.Multiclass, Classes: foreign.Codes(f.scores), Learner: textName}
	case k.ranks:
		return model.Spec{Task: data.Ranking, Learner: textName}
	}
	return model.Spec{Task: data.Regression, Learner: textName}
}

// linkOf returns the link from scores to responses, nil for none.
func (f *file) linkOf() link.Link {
	switch f.link() {
	case sigmoid:
		if f.objective.sigmoid == 1 {
			return link.Logistic()
		}
		return link.ScaledLogistic(f.objective.sigmoid)
	case softmax:
		return link.Softmax()
	case exponential:
		return link.Exp()
	case softplus:
		return link.Softplus()
	case signedSquare:
		return link.SignedSquare()
	}
	return nil
}

// findLevels finds the columns that are categorical, and their levels: those of the data frame, or
// codes.
func (c *conversion) findLevels() error {
	if err := c.findUses(); err != nil {
		return err
	}
	columns := make([]int, 0, len(c.columns))
	for i := range c.columns {
		if c.columns[i].codes {
			columns = append(columns, i)
		}
	}
	named := len(columns) == len(c.frame)
	c.levels = make([][]string, len(c.columns))
	var bare foreign.Bare
	for k, i := range columns {
		col := &c.columns[i]
		if named {
			if c.levels[i] = c.frame[k].levels; int(col.top) >= len(c.levels[i]) {
				return fmt.Errorf("column %.50q has %d levels in pandas_categorical, and code %d",
					col.name, len(c.levels[i]), col.top)
			}
			if c.frame[k].numbers {
				c.numberLevels = append(c.numberLevels, i)
			}
			continue
		}
		if col.few != nil {
			if err := c.Take(bytesPerLevel * int64(len(col.few))); err != nil {
				return err
			}
			for _, code := range col.few {
				c.levels[i] = append(c.levels[i], strconv.Itoa(int(code)))
			}
			continue
		}
		if col.top >= data.MaxLevels {
			return c.unsupported("column %.50q has category %d: at most %d can be read", col.name,
				col.top, data.MaxLevels-1)
		}
		var err error
		if c.levels[i], err = bare.Codes(int(col.top)+1, c.Take); err != nil {
			return err
		}
	}
	return nil
}

// bytesPerLevel bounds the memory that a level takes, also while the schema is checked.
const bytesPerLevel = 128

// findUses sets of each column whether trees test its categories, and its greatest code.
func (c *conversion) findUses() error {
	type use struct{ sets, numbers, zeros bool }
	uses := make([]use, len(c.columns))
	for i := range c.columns {
		if col := &c.columns[i]; col.top > mostListed {
			col.top = -1
		}
	}
	for i := range c.trees {
		t := &c.trees[i]
		for n, f := range t.feature {
			if !categorical(t.decision[n]) {
				uses[f].numbers = uses[f].numbers || !t.separates(n)
				uses[f].zeros = uses[f].zeros || t.needsZeros(n)
				continue
			}
			uses[f].sets = true
			c.columns[f].top = max(c.columns[f].top, largest(t.set(int32(n))))
		}
		if t.linear != nil {
			for _, f := range t.linear.feature {
				uses[f].numbers = true
			}
		}
	}
	c.nonzero = make([]int32, len(uses))
	for i, u := range uses {
		col := &c.columns[i]
		if c.nonzero[i] = -1; u.zeros {
			c.nonzero[i] = int32(len(uses) + len(c.numbers))
			c.numbers = append(c.numbers, input.Number{Kind: input.Nonzero, Source: int32(i)})
		}
		if u.sets && u.numbers {
			return c.unsupported("column %.50q is split by numbers and by categories", col.name)
		}
		col.codes = (col.codes || u.sets) && !u.numbers
	}
	return nil
}

// separates reports whether a numeric split sends all numbers to the left, as one may before a
// split by categories.
func (t *fileTree) separates(node int) bool {
	return math.IsInf(t.threshold[node], 1) && missing(t.decision[node]) != missingZero
}

// needsZeros reports whether a numeric split needs a column in which zeros are missing.
func (t *fileTree) needsZeros(node int) bool {
	d := t.decision[node]
	return missing(d) == missingZero && !zerosFit(t.threshold[node], defaultLeft(d))
}

// largest returns the largest code of a set, -1 for none.
func largest(set []uint32) int32 {
	for w := len(set) - 1; w >= 0; w-- {
		for bit := 31; bit >= 0; bit-- {
			if set[w]>>bit&1 == 1 {
				return int32(32*w + bit)
			}
		}
	}
	return -1
}

// tree makes a tree, and the number of the leaf of each of its nodes.
func (c *conversion) tree(t *fileTree) (*tree.Tree, []int32, error) {
	if t.linear != nil {
		if err := c.Take(160 * int64(len(t.value)+len(t.linear.feature))); err != nil {
			return nil, nil, err
		}
	}
	inner := int32(len(t.feature))
	place := func(link int32) int32 {
		if link < 0 {
			return inner + ^link
		}
		return link
	}
	s := foreign.Source{Nodes: len(t.feature) + len(t.value), Kind: tree.Scalar, Width: 1,
		Covers: t.count != nil, Gain: c.gain, Linear: t.linear != nil}
	s.Node = func(number int32, n *foreign.Node) error {
		if number >= inner {
			c.leaf(t, number-inner, n)
			return nil
		}
		n.Children = append(n.Children, place(t.left[number]), place(t.right[number]))
		if c.gain != nil {
			n.Split.Gain = t.gain[number]
		}
		return c.split(t, number, n)
	}
	return foreign.Grow(s, c.Budget)
}

// leaf makes a leaf. In a linear tree a leaf without terms has the constant of its equation.
func (c *conversion) leaf(t *fileTree, leaf int32, n *foreign.Node) {
	n.Number, n.Value = t.leafNumber(leaf), append(n.Value, t.value[leaf])
	if t.count != nil {
		n.Cover = t.count[leaf]
	}
	e := t.linear
	if e == nil {
		return
	}
	n.Constant = e.constant[leaf]
	for i := e.at[leaf]; i < e.at[leaf+1]; i++ {
		n.Terms = append(n.Terms, tree.Term{Feature: e.feature[i], Coef: e.coef[i]})
	}
	if len(n.Terms) == 0 {
		n.Value[0] = n.Constant
		return
	}
	slices.SortStableFunc(n.Terms, func(a, b tree.Term) int { return int(a.Feature - b.Feature) })
	n.Terms = joined(n.Terms)
}

// joined adds up the coefficients of terms of one feature, which follow each other.
func joined(terms []tree.Term) []tree.Term {
	all := terms[:0]
	for _, t := range terms {
		if n := len(all); n > 0 && all[n-1].Feature == t.Feature {
			all[n-1].Coef += t.Coef
			continue
		}
		all = append(all, t)
	}
	return all
}

// split makes the split of an inner node.
func (c *conversion) split(t *fileTree, node int32, n *foreign.Node) error {
	s, d, x := &n.Split, t.decision[node], t.threshold[node]
	s.Feature = t.feature[node]
	if categorical(d) {
		s.Kind, s.Missing = tree.SetFirst, tree.MissingLast
		if err := c.Take(16 * int64(len(t.set(node)))); err != nil {
			return err
		}
		for i, word := range t.set(node) {
			if i%2 == 0 {
				s.Set = append(s.Set, uint64(word))
			} else {
				s.Set[i/2] |= uint64(word) << 32
			}
		}
		return nil
	}
	if s.Kind, s.SplitPoint = tree.Numeric, x; c.levels[s.Feature] != nil {
		s.Kind, s.SplitPoint = tree.SetLast, 0 // whose set is empty
	}
	first := defaultLeft(d)
	switch missing(d) {
	case missingNone:
		first = 0 <= x
	case missingZero:
		if t.needsZeros(int(node)) {
			s.Feature = c.nonzero[s.Feature]
		}
	}
	s.Missing = tree.MissingLast
	if first {
		s.Missing = tree.MissingFirst
	}
	return nil
}
