package draw

import (
	"math/bits"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/tree"
)

// meetsMissing reports whether a missing value may come to inner node n: the schema's policies do
// not refuse it, or a category that a ByCode node has no child for. A node that tests whether a
// value is missing does not meet it.
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

// unusual returns the child that missing values take at inner node n if it is not the one that a
// reader would expect, else -1; see Condition.
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

// ordinary stands for the missing rules that name one child: its branch reports that where that is
// unusual.
const ordinary = tree.MissingFirst

// missingRule returns what is special about missing values at node n: MissingFractional,
// MissingStop, MissingSurrogate in a tree that has surrogates, or ordinary.
func (v *view) missingRule(n int32) tree.Missing {
	if v.t.Kind(n) == tree.Leaf || !meetsMissing(v.t, n, &v.names) {
		return ordinary
	}
	switch r := v.t.Missing(n); {
	case r == tree.MissingFractional, r == tree.MissingStop, r == tree.MissingSurrogate && v.t.Surrogates != nil:
		return r
	}
	return ordinary
}

// commonRule returns the rule that all nodes share which meet missing values, ordinary where they
// differ: what is common stands in a note, what differs at the nodes.
func (v *view) commonRule() tree.Missing {
	common, found := ordinary, false
	for n := range int32(v.t.Len()) {
		k := v.t.Kind(n)
		if k == tree.Leaf || !meetsMissing(v.t, n, &v.names) {
			continue
		}
		r := v.missingRule(n)
		if found && r != common {
			return ordinary
		}
		common, found = r, true
	}
	return common
}

// ruleWords describes what node n does with missing values, "" where its branches say it. branch
// gives the words of the branch that is taken where no surrogate can tell.
func (v *view) ruleWords(n int32, branch func(child int32) string) string {
	words := v.fallback(n, branch)
	switch {
	case hasSurrogates(v.t, n) && v.missingRule(n) != ordinary:
		return "missing: surrogates, then " + words
	case words == "" || v.missingRule(n) == tree.MissingSurrogate:
		return ""
	}
	return "missing: " + words
}

// fallback describes what node n does with a missing value, after its surrogates if it has some.
func (v *view) fallback(n int32, branch func(child int32) string) string {
	switch v.missingRule(n) {
	case tree.MissingFractional:
		return "divided"
	case tree.MissingStop:
		return "stops here"
	case tree.MissingSurrogate:
		return branch(v.t.NextMissing(n))
	}
	return ""
}

// ownRule is ruleWords where the rule is not that of the whole tree.
func (v *view) ownRule(n int32, branch func(child int32) string) string {
	if v.missingRule(n) == v.common {
		return ""
	}
	return v.ruleWords(n, branch)
}

// surrogates describes the surrogates of node n, best first: "income > 40 takes the first branch
// (agree 0.89, adjusted 0.43)". Of a split point the words are those that lead to the first branch,
// as the other leads to the last; a set has no information on what it does not hold.
func (v *view) surrogates(n int32, w wording) []string {
	var lines []string
	for _, r := range v.t.SplitOf(n).Surrogates {
		words, branch := v.names.feature(r.Feature), "first"
		switch {
		case r.Kind != tree.Numeric:
			words += listSet(r.Feature, &v.names, r.Set, w)
			if r.Kind == tree.SetLast {
				branch = "last"
			}
		case r.Flip:
			words += " > " + humanize.SplitPoint(r.SplitPoint, w.digits)
		default:
			words += " " + w.le + " " + humanize.SplitPoint(r.SplitPoint, w.digits)
		}
		lines = append(lines, words+" takes the "+branch+" branch (agree "+humanize.Number(r.Agree, v.digits)+", adjusted "+humanize.Number(r.Adjusted, v.digits)+")")
	}
	return lines
}

// listSet writes the levels of a set: " = clerk" or " in {clerk, smith}".
func listSet(feature int32, names *Names, set []uint64, w wording) string {
	size := 0
	for _, word := range set {
		size += bits.OnesCount64(word)
	}
	list := listLevels(feature, names, uint32(size), w, func(code uint32) bool { return tree.InSet(set, code) })
	if size == 1 {
		return " = " + list
	}
	return " in {" + list + "}"
}

// missingNotes explain, once per drawing, what is common to the nodes drawn.
func (v *view) missingNotes(order []int32) []string {
	common, without := false, false
	for _, n := range order {
		if v.ends(n) {
			continue
		}
		common = common || v.missingRule(n) != ordinary && v.missingRule(n) == v.common
		without = without || v.t.Kind(n) == tree.ByCode && missesChildren(v.t, n, &v.names)
	}
	var notes []string
	switch {
	case !common:
	case v.common == tree.MissingFractional:
		notes = append(notes, "A row with a missing value takes all branches, divided by their training weight.")
	case v.common == tree.MissingSurrogate:
		notes = append(notes, "Where a value is missing, surrogate splits decide, then the branch that most known values take.")
	case v.t.Surrogates != nil:
		notes = append(notes, "Where a value is missing, surrogate splits decide; a row without a surrogate value stops at the node.")
	default:
		notes = append(notes, "A row with a missing value stops at the node that tests it.")
	}
	if without {
		notes = append(notes, "A category without a branch counts as missing.")
	}
	return notes
}
