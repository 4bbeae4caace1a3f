package draw

import (
	"slices"
	"strconv"
	"strings"

	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/tree"
)

// view is what all formats read: the nodes that are shown, and the words for them.
type view struct {
	*nodes
	names   Names
	digits  int // of values and impurities
	missing missingRules
}

func newView(t *tree.Tree, names Names, o Options) (*view, error) {
	if err := t.Validate(-1); err != nil {
		return nil, err
	}
	if t.Leaf.Kind == tree.Counts {
		if err := names.Costs.Check(t.Leaf.Width); err != nil {
			return nil, err
		}
	}
	v := &view{nodes: newNodes(t, o.MaxDepth), names: names, digits: o.Digits}
	if o.Digits <= 0 {
		v.digits = defaultDigits
	}
	v.digits = min(v.digits, 17)
	v.missing = newMissingRules(v.nodes, &v.names)
	return v, nil
}

// prediction returns the prediction of node n in words, "" where the node has no value.
func (v *view) prediction(n int32) string {
	switch value := v.value[n]; {
	case value == nil:
		return ""
	case v.t.Leaf.Kind == tree.Counts:
		if probabilities := v.classProbabilities(n); probabilities != nil {
			return v.names.class(v.names.Costs.Label(probabilities))
		}
		return ""
	case v.hasEquation(n):
		return v.equation(n, briefWording(v.digits))
	case v.t.Leaf.Kind == tree.Scalar:
		return humanize.Number(value[0], v.digits)
	default:
		return vector(value, 3, v.digits)
	}
}

// vector writes the first numbers of a list, and how many follow.
func vector(values []float64, most, digits int) string {
	var words []string
	for i, x := range values {
		if i == most && len(values) > most+1 {
			words = append(words, "+"+strconv.Itoa(len(values)-most)+" more")
			break
		}
		words = append(words, humanize.Number(x, digits))
	}
	return "[" + strings.Join(words, ", ") + "]"
}

// topProbabilities writes the largest class probabilities of a node, such as "E 45.1%, B 30.0%, +5
// more". It does not count classes of probability 0.
func (v *view) topProbabilities(n int32, most int) string {
	probabilities := v.classProbabilities(n)
	ranks := ranked(probabilities)
	var words []string
	for i, k := range ranks {
		if i == most && len(ranks) > most+1 {
			words = append(words, "+"+strconv.Itoa(len(ranks)-most)+" more")
			break
		}
		words = append(words, v.names.class(k)+" "+humanize.NarrowPercent(probabilities[k]))
	}
	return strings.Join(words, ", ")
}

// size returns "54 rows", or the weight where rows are unknown, "" where both are.
func (v *view) size(n int32) string {
	switch {
	case v.hasRows():
		return humanize.Count(int(v.t.Stats.Rows[n]), "row", "rows")
	case v.mass != nil:
		return "weight " + humanize.Number(v.mass[n], v.digits)
	}
	return ""
}

// exceptions reports whether the words of a branch that is shown mention missing values or unseen
// categories.
func (v *view) exceptions(order []int32) (missing, unseen bool) {
	for _, n := range order {
		if !v.ends(n) {
			q := v.question(n, wording{levels: 1})
			missing, unseen = missing || q.missing >= 0, unseen || q.unseen >= 0
		}
	}
	return missing, unseen
}

// notes returns the sentences below a drawing that explain "missing", "unseen" and equations.
func (v *view) notes(order []int32) []string {
	var notes []string
	missing, unseen := v.exceptions(order)
	if missing && v.t.Stats != nil {
		notes = append(notes,
			"Missing values take the branch marked missing, elsewhere the one with more training "+
				"weight.")
	} else if missing {
		notes = append(notes,
			"Missing values take the branch marked missing, elsewhere the first one.")
	}
	if unseen {
		notes = append(notes, "Unseen is a category that training did not meet.")
	}
	notes = append(notes, v.missing.notes(order)...)
	if slices.ContainsFunc(order, v.hasEquation) {
		notes = append(notes,
			"Where its equation meets a missing or an infinite value, a leaf predicts a plain "+
				"value instead.")
	}
	return notes
}

// question returns the test of inner node n in words. Where all nodes have surrogates, a note
// describes the rows for which no surrogate decides, and no branch mentions them.
func (v *view) question(n int32, w wording) question {
	q := newQuestion(v.t, n, &v.names, w)
	if v.missing.common == tree.MissingSurrogate {
		q.missing = -1
	}
	return q
}

// answers lists the children of a node: first that of yes, which may be either, since a set of
// levels is worded by its complement where that is shorter.
func (v *view) answers(n int32) []int32 {
	all := v.children(n)
	if len(all) == 2 && v.t.Kind(n) != tree.ByCode && v.question(n, briefWording(v.digits)).yes != all[0] {
		slices.Reverse(all)
	}
	return all
}

// yesFirst is preorder, where the branch of yes comes before that of no.
func (v *view) yesFirst() []int32 { return v.orderBy(v.answers) }
