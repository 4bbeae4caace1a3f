package draw

import (
	"math/bits"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/tree"
)

// meetsMissing reports whether inner node n needs a rule for missing values. It does if the
// schema's policies allow them, or at a ByCode node without a child for each category. A node that
// tests whether a value is missing needs none.
func meetsMissing(t *tree.Tree, n int32, names *Names) bool {
	may := func(feature int32) bool {
		f := names.field(feature)
		return f == nil || f.Missing != data.Refuse
	}
	switch t.Kind(n) {
	case tree.Oblique, tree.Sphere:
		for i := t.Dirs.At[n]; i < t.Dirs.At[n+1]; i++ {
			if may(t.Dirs.Feature[i]) {
				return true
			}
		}
		return false
	case tree.ByCode:
		return may(t.Feature(n)) || missesChildren(t, n, names)
	}
	return may(t.Feature(n)) && !testsMissing(t, n)
}

// missesChildren reports whether ByCode node n may meet a category for which it has no child.
func missesChildren(t *tree.Tree, n int32, names *Names) bool {
	f := names.field(t.Feature(n))
	return f == nil || f.Unseen != data.Refuse || int(t.Arity(n)) < len(f.Levels)
}

// unusual returns the child that missing values take at inner node n if it is not the usual one,
// else -1; Condition defines the usual one.
func unusual(t *tree.Tree, n int32, names *Names) int32 {
	if !meetsMissing(t, n, names) || hasSurrogates(t, n) {
		return -1
	}
	usual := t.Child(n)
	if t.Stats != nil {
		for c := usual + 1; c < t.Child(n)+t.Arity(n); c++ {
			if t.Stats.Weight[c] > t.Stats.Weight[usual] {
				usual = c
			}
		}
	}
	if to := t.NextMissing(n); to != usual {
		return to
	}
	return -1
}

func hasSurrogates(t *tree.Tree, n int32) bool {
	return t.Surrogates != nil && t.Surrogates.At[n] < t.Surrogates.At[n+1]
}

// ordinary stands for the missing rules that name one child. The branch to that child mentions
// missing values where the child is unusual.
const ordinary = tree.MissingFirst

// missingRules are the rules for missing values of a tree, in words.
type missingRules struct {
	*nodes
	names  *Names
	common tree.Missing // see findCommon
}

func newMissingRules(s *nodes, names *Names) missingRules {
	m := missingRules{nodes: s, names: names}
	m.common = m.findCommon()
	return m
}

// rule returns what is special about missing values at node n: MissingFractional, MissingStop,
// MissingSurrogate in a tree that has surrogates, or ordinary.
func (m *missingRules) rule(n int32) tree.Missing {
	if m.t.Kind(n) == tree.Leaf || !meetsMissing(m.t, n, m.names) {
		return ordinary
	}
	switch r := m.t.Missing(n); {
	case r == tree.MissingFractional, r == tree.MissingStop,
		r == tree.MissingSurrogate && m.t.Surrogates != nil:
		return r
	}
	return ordinary
}

// findCommon returns the one rule of all nodes that missing values can reach, ordinary where these
// nodes differ. A note describes a common rule once; rules that differ stand at their nodes.
func (m *missingRules) findCommon() tree.Missing {
	common, found := ordinary, false
	for n := range int32(m.t.Len()) {
		k := m.t.Kind(n)
		if k == tree.Leaf || !meetsMissing(m.t, n, m.names) {
			continue
		}
		r := m.rule(n)
		if found && r != common {
			return ordinary
		}
		common, found = r, true
	}
	return common
}

// words describes what node n does with missing values, "" where its branches show it. branch gives
// the words of the branch that is taken where no surrogate decides.
func (m *missingRules) words(n int32, branch func(child int32) string) string {
	text := m.fallback(n, branch)
	switch {
	case hasSurrogates(m.t, n) && m.rule(n) != ordinary:
		return "missing: surrogates, then " + text
	case text == "" || m.rule(n) == tree.MissingSurrogate:
		return ""
	}
	return "missing: " + text
}

// fallback describes what node n does with a missing value, after its surrogates if it has some.
func (m *missingRules) fallback(n int32, branch func(child int32) string) string {
	switch m.rule(n) {
	case tree.MissingFractional:
		return "divided"
	case tree.MissingStop:
		return "stops here"
	case tree.MissingSurrogate:
		return branch(m.t.NextMissing(n))
	}
	return ""
}

// own returns words where the rule of node n is not that of the whole tree, else "".
func (m *missingRules) own(n int32, branch func(child int32) string) string {
	if m.rule(n) == m.common {
		return ""
	}
	return m.words(n, branch)
}

// notes returns the sentences about the common rule, for below a drawing.
func (m *missingRules) notes(order []int32) []string {
	common, without := false, false
	for _, n := range order {
		if m.ends(n) {
			continue
		}
		common = common || m.rule(n) != ordinary && m.rule(n) == m.common
		without = without || m.t.Kind(n) == tree.ByCode && missesChildren(m.t, n, m.names)
	}
	var notes []string
	switch {
	case !common:
	case m.common == tree.MissingFractional:
		notes = append(notes,
			"A row with a missing value takes all branches, divided by their training weight.")
	case m.common == tree.MissingSurrogate:
		notes = append(notes,
			"Where a value is missing, surrogate splits decide, then the branch that most known "+
				"values take.")
	case m.t.Surrogates != nil:
		notes = append(notes,
			"Where a value is missing, surrogate splits decide; a row without a surrogate value "+
				"stops at the node.")
	default:
		notes = append(notes, "A row with a missing value stops at the node that tests it.")
	}
	if without {
		notes = append(notes, "A category without a branch counts as missing.")
	}
	return notes
}

// surrogates describes the surrogates of node n, best first: "income > 40 takes the first branch
// (agree 0.89, adjusted 0.43)". For a split point these are the words of the first branch; other
// values take the last. A set decides only for the categories that it holds.
func (v *view) surrogates(n int32, w wording) []string {
	var lines []string
	for _, r := range v.t.SplitOf(n).Surrogates {
		words, branch := v.names.feature(r.Feature), "first"
		subject, point := v.names.comparison(r.Feature, r.SplitPoint, w.digits)
		switch {
		case r.Kind != tree.Numeric:
			words += listSet(r.Feature, &v.names, r.Set, w)
			if r.Kind == tree.SetLast {
				branch = "last"
			}
		case r.Flip:
			words = subject + " > " + point
		default:
			words = subject + " " + w.le + " " + point
		}
		lines = append(lines, words+" takes the "+branch+" branch (agree "+humanize.Number(r.Agree,
			v.digits)+", adjusted "+humanize.Number(r.Adjusted, v.digits)+")")
	}
	return lines
}

// listSet writes the levels of a set: " = clerk" or " in {clerk, smith}".
func listSet(feature int32, names *Names, set []uint64, w wording) string {
	size := 0
	for _, word := range set {
		size += bits.OnesCount64(word)
	}
	list := listLevels(feature, names, uint32(size), w, func(code uint32) bool {
		return tree.InSet(set, code)
	})
	if size == 1 {
		return " = " + list
	}
	return " in {" + list + "}"
}
