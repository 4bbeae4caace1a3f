package c45

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/coppice-ml/coppice/internal/models/rules"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/internal/fitting"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/tree"
	"github.com/coppice-ml/coppice/tree/prune"
)

// candidate is a rule on its way into the model.
type candidate struct {
	conditions []rules.Condition
	class      int
	cover      set     // the rows for which the conditions hold
	words      []int32 // the words of cover that hold rows
	outcome    outcome // their weight
	rate       float64
	bits       float64 // what the rule costs to write down; see description
}

// step is a condition of a path with the rows for which it holds.
type step struct {
	rules.Condition
	holds set
}

// walk goes through a tree and turns its leaves into rules.
type walk struct {
	*Rules
	*sample
	tree    *tree.Tree
	ctx     context.Context
	observe func(learn.Round) error
	leaves  int // of the tree
	done    int // leaves so far
	path    []step
	found   []candidate
	seen    map[string]bool
}

// ofLeaves makes the rules of a tree's leaves, simplified if the parameters request it, without
// repetition, in the order of the leaves. Rules for which no row fulfils the conditions are left
// out: empty leaves, and those that only fractions of rows without a value reach.
func (l *Rules) ofLeaves(ctx context.Context, s *sample, t *tree.Tree,
	observe func(learn.Round) error) ([]candidate, error) {
	w := &walk{Rules: l, sample: s, tree: t, ctx: ctx, observe: observe, leaves: t.NumLeaves(),
		seen: map[string]bool{}}
	if err := fitting.UnlessStop(w.node(0)); err != nil { // else the leaves so far
		return nil, err
	}
	return w.found, nil
}

// node walks through the subtree of n, with w.path leading to it.
func (w *walk) node(n int32) error {
	t := w.tree
	if t.Kind(n) == tree.Leaf {
		return w.leaf(n)
	}
	for c := t.Child(n); c < t.Child(n)+t.Arity(n); c++ {
		condition := conditionOf(t, n, c)
		w.path = append(w.path, step{condition, w.holds(&condition)})
		if err := w.node(c); err != nil {
			return err
		}
		w.path = w.path[:len(w.path)-1]
	}
	return nil
}

// conditionOf is the condition of the branch from node n to child c, of a tree grown as C4.5 does.
func conditionOf(t *tree.Tree, n, c int32) rules.Condition {
	condition := rules.Condition{Feature: t.Feature(n)}
	first := c == t.Child(n)
	switch t.Kind(n) {
	case tree.Numeric:
		condition.SplitPoint = t.SplitPoint(n)
		if !first {
			condition.Kind = rules.Above
		}
		return condition
	case tree.ByCode:
		code := int(c - t.Child(n))
		condition.Set = make([]uint64, code/64+1)
		condition.Set[code/64] = 1 << (code % 64)
		condition.Kind = rules.In
		return condition
	}
	condition.Set, condition.Kind = slices.Clone(t.Set(n)), rules.NotIn
	if first == (t.Kind(n) == tree.SetFirst) {
		condition.Kind = rules.In
	}
	return condition
}

// leaf makes the rule of a leaf.
func (w *walk) leaf(n int32) error {
	if err := w.ctx.Err(); err != nil {
		return err
	}
	w.done++
	if w.observe != nil {
		if err := w.observe(learn.Round{Stage: "rules", N: w.done, Of: w.leaves}); err != nil {
			return err
		}
	}
	path := tightest(w.path)
	class := model.ArgMax(w.tree.Value(n))
	if w.Simplify {
		path = w.simplify(path, class)
	}
	c := w.candidate(path, class)
	if len(c.conditions) == 0 || c.outcome.weight() <= 0 || w.seen[c.key()] {
		return nil
	}
	w.seen[c.key()] = true
	w.found = append(w.found, c)
	return nil
}

// tightest leaves out the bounds that a later one of the same column and side implies.
func tightest(path []step) []step {
	var kept []step
	for i, s := range path {
		implied := slices.ContainsFunc(path[i+1:], func(o step) bool {
			return s.Kind == o.Kind && s.Feature == o.Feature &&
				(s.Kind <= rules.Above || slices.Equal(s.Set, o.Set))
		})
		if !implied {
			kept = append(kept, s)
		}
	}
	return kept
}

// candidate makes a rule of the conditions of a path.
func (w *walk) candidate(path []step, class int) candidate {
	c := candidate{class: class, cover: slices.Clone(w.all)}
	for _, s := range path {
		c.conditions = append(c.conditions, s.Condition)
		for i := range c.cover {
			c.cover[i] &= s.holds[i]
		}
	}
	for i, rows := range c.cover {
		if rows != 0 {
			c.words = append(c.words, int32(i))
		}
	}
	c.outcome = w.outcome(class, c.words, c.cover, w.all, false)
	c.rate = w.rate(c.outcome)
	return c
}

// rate estimates the error rate of a rule on new rows: the errors on the training rows with those
// that pessimistic pruning adds. A rule without rows has rate 1.
func (l *Rules) rate(t outcome) float64 {
	n := t.weight()
	if n <= 0 {
		return 1
	}
	return (t.wrong + prune.AddedErrors(n, t.wrong, l.Confidence)) / n
}

// simplify drops conditions one by one, each time the one without which the estimated error is
// least, of equal ones the first, as long as it does not rise. Without a condition a rule covers
// further the rows that failed it alone:
//
//	row            a b c d
//	condition 0    1 1 0 0
//	condition 1    1 0 1 0
//	covers         a            b joins without condition 1, c without condition 0, d without either only
func (w *walk) simplify(path []step, class int) []step {
	path = slices.Clone(path)
	for len(path) > 0 {
		covered, alone := w.failures(path)
		now := w.outcome(class, nil, covered, w.all, false)
		best, rate := -1, w.rate(now)
		for k := range path {
			joining := w.outcome(class, nil, alone, path[k].holds, true)
			if r := w.rate(now.plus(joining)); r < rate || r == rate && best < 0 {
				best, rate = k, r
			}
		}
		if best < 0 {
			break
		}
		path = slices.Delete(path, best, best+1)
	}
	return path
}

// failures returns the rows that fail no condition of a path, and those that fail exactly one.
func (w *walk) failures(path []step) (none, one set) {
	none, one = slices.Clone(w.all), w.newSet()
	for _, s := range path {
		for i, holds := range s.holds {
			one[i] = one[i]&holds | none[i]&^holds
			none[i] &= holds
		}
	}
	return none, one
}

// key is a text that rules have in common if and only if they have class and conditions in common,
// in any order.
func (c *candidate) key() string {
	sorted := slices.Clone(c.conditions)
	slices.SortFunc(sorted, func(a, b rules.Condition) int {
		return cmp.Or(cmp.Compare(a.Feature, b.Feature), cmp.Compare(a.Kind, b.Kind),
			cmp.Compare(a.SplitPoint, b.SplitPoint), slices.Compare(a.Set, b.Set))
	})
	var b strings.Builder
	b.WriteString(strconv.Itoa(c.class))
	for _, x := range sorted {
		b.WriteString("," + strconv.Itoa(int(x.Feature)) + "," + strconv.Itoa(int(x.Kind)) + "," +
			strconv.FormatFloat(x.SplitPoint, 'g', -1, 64))
		for _, word := range x.Set {
			b.WriteString("/" + strconv.FormatUint(word, 16))
		}
	}
	return b.String()
}
