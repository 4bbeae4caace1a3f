package formats

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/tree"
)

// MissingRule is where missing values go that a model refuses. The zero value is no rule.
type MissingRule struct {
	way   way
	value float64 // of number
}

type way uint8

const (
	none way = iota
	left
	right
	heavier
	number
)

// missingRules are the rules in the words of ParseMissingRule.
const missingRules = "left, right, heavier, or a number that stands for a missing value"

// ParseMissingRule reads a rule: left or right is that child of each split, heavier the child of
// more training rows, of equal ones the left one. A number stands for missing numbers, and missing
// categories count as unseen ones.
func ParseMissingRule(text string) (MissingRule, error) {
	switch strings.TrimSpace(text) {
	case "left":
		return MissingRule{way: left}, nil
	case "right":
		return MissingRule{way: right}, nil
	case "heavier":
		return MissingRule{way: heavier}, nil
	}
	x, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	if err != nil || math.IsNaN(x) || math.IsInf(x, 0) {
		return MissingRule{}, fmt.Errorf("%q: want %s", text, missingRules)
	}
	return MissingRule{number, x}, nil
}

// String describes where missing values go.
func (r MissingRule) String() string {
	switch r.way {
	case left:
		return "go to the left child of each split"
	case right:
		return "go to the right child of each split"
	case heavier:
		return "go to the child of more training rows at each split"
	case number:
		return fmt.Sprintf("count as %v, missing categories as unseen ones", r.value)
	}
	return "are refused"
}

// Refuses reports whether an ensemble refuses rows: by its schema, or by its leaves.
func Refuses(e *model.Ensemble) bool {
	return len(e.Refused) > 0 || slices.ContainsFunc(e.Meta.Schema.Fields, func(f data.Field) bool {
		return f.Missing == data.Refuse || f.Unseen == data.Refuse
	})
}

// Relax takes the place of a model that refuses rows, for file formats that cannot hold refusals.
// It returns an ensemble that predicts what e predicts, of the rounds that it uses by default, and
// that refuses no row. Missing values that e refuses follow the rule. A row whose other values lead
// to a leaf without a prediction goes on as if the split above had no such child. Unseen categories
// go where the splits send them. The result says what was changed, one sentence for each kind. An
// error names a split that the rule has no child for.
func Relax(e *model.Ensemble, r MissingRule) (*model.Ensemble, []string, error) {
	own := e.First(0)
	refused := make([]map[int32]bool, len(own.Trees))
	for _, one := range own.Refused {
		if refused[one.Tree] == nil {
			refused[one.Tree] = map[int32]bool{}
		}
		refused[one.Tree][one.Leaf] = true
	}
	fields := slices.Clone(own.Meta.Schema.Fields)
	missing, unseen := make([]bool, len(fields)), []string{}
	for i := range fields {
		f := &fields[i]
		if missing[i] = f.Missing == data.Refuse; missing[i] {
			f.Missing = data.Learned
		}
		if f.Unseen == data.Refuse {
			f.Unseen = data.Learned
			unseen = append(unseen, f.Source())
		}
	}
	own.Meta.Schema.Fields = fields
	trees := slices.Clone(own.Trees)
	for i, t := range trees {
		made, err := relax(t, r, missing, refused[i])
		if err != nil {
			return nil, nil, fmt.Errorf("tree %d: %w", i, err)
		}
		trees[i] = made
	}
	own.Trees = trees
	var changes []string
	if len(own.Refused) > 0 || slices.Contains(missing, true) {
		changes = append(changes, "missing values that the model refuses "+r.String())
	}
	if len(own.Refused) > 0 {
		changes = append(changes, "rows without a prediction go to the other child of the split above")
		own.Refused = nil
	}
	if len(unseen) > 0 {
		changes = append(changes, fmt.Sprintf("unseen categories of %s are predicted",
			strings.Join(unseen, ", ")))
	}
	return own, changes, own.Validate()
}

// relaxation makes a tree that refuses no row.
type relaxation struct {
	*tree.Tree
	rule    MissingRule
	refused map[int32]bool // leaves without a prediction
	dead    []bool         // nodes from which all rows reach one
	doomed  map[doom]bool  // those of which doomedAt was computed
	covers  []float64
	builder *tree.Builder
}

// relax returns a tree with a rule for missing values of some columns, and without some leaves. It
// is the tree itself where nothing changes.
func relax(t *tree.Tree, r MissingRule, missing []bool, refused map[int32]bool) (*tree.Tree, error) {
	concerned := len(refused) > 0
	for n := range int32(t.Len()) {
		f := t.Feature(n)
		concerned = concerned || f >= 0 && int(f) < len(missing) && missing[f]
	}
	if !concerned {
		return t, nil
	}
	x := &relaxation{Tree: t, rule: r, refused: refused, dead: make([]bool, t.Len()), doomed: map[doom]bool{},
		covers: t.Covers(), builder: tree.NewBuilder(t.Leaf.Kind, t.Leaf.Width, false)}
	for n := int32(t.Len()) - 1; n >= 0; n-- {
		x.dead[n] = refused[n]
		if t.Kind(n) != tree.Leaf {
			x.dead[n] = true
			for c := t.Child(n); c < t.Child(n)+t.Arity(n); c++ {
				x.dead[n] = x.dead[n] && x.dead[c]
			}
		}
	}
	if x.dead[0] {
		return nil, fmt.Errorf("no row has a prediction")
	}
	if err := x.node(0, 0, slices.Clone(missing)); err != nil {
		return nil, err
	}
	made, err := x.builder.Build()
	if err != nil {
		return nil, err
	}
	return made.Compact(), nil
}

// doom is a node, and a column whose value is missing there.
type doom struct{ node, column int32 }

// doomedAt reports whether all rows at node n whose value in a column is missing reach a leaf
// without a prediction.
func (x *relaxation) doomedAt(n, column int32) bool {
	if len(x.refused) == 0 || x.Kind(n) == tree.Leaf {
		return x.dead[n]
	}
	key := doom{n, column}
	is, known := x.doomed[key]
	if known {
		return is
	}
	if next := x.NextMissing(n); x.Feature(n) == column && next >= 0 {
		is = x.doomedAt(next, column)
	} else {
		is = true
		for c := x.Child(n); is && c < x.Child(n)+x.Arity(n); c++ {
			is = x.doomedAt(c, column)
		}
	}
	x.doomed[key] = is
	return is
}

// node makes node at of what is below node n. ruled has the columns whose missing values do not
// come to it in the model, and so follow the rule; it is changed and restored.
func (x *relaxation) node(n, at int32, ruled []bool) error {
	if x.Kind(n) == tree.Leaf {
		x.leaf(n, at)
		return nil
	}
	f := x.Feature(n)
	own := f >= 0 && int(f) < len(ruled)
	before := own && ruled[f]
	defer func() {
		if own {
			ruled[f] = before
		}
	}()
	if own {
		ruled[f] = before || x.doomedAt(n, f)
	}
	first, last := x.Child(n), x.Child(n)+x.Arity(n)-1
	if first < last && (x.dead[first] || x.dead[last]) {
		if x.Arity(n) != 2 {
			return fmt.Errorf("node %d has a child for each category, and rows without a prediction", n)
		}
		alive := first
		if x.dead[first] {
			alive = last
		}
		return x.node(alive, at, ruled)
	}
	s := x.SplitOf(n)
	to := x.NextMissing(n)
	if own && ruled[f] {
		var err error
		if to, err = x.next(n); err != nil {
			return err
		}
	}
	switch to {
	case first:
		s.Missing = tree.MissingFirst
	case last:
		s.Missing = tree.MissingLast
	default:
		return fmt.Errorf("node %d sends missing values to several children, or to one between others", n)
	}
	if len(s.Surrogates) > 0 {
		return fmt.Errorf("node %d has surrogate splits", n)
	}
	children := x.builder.Split(at, s)
	for i := range x.Arity(n) {
		if err := x.node(first+i, children+i, ruled); err != nil {
			return err
		}
	}
	return nil
}

// leaf makes node at of a leaf.
func (x *relaxation) leaf(n, at int32) {
	if x.Leaf.Linear != nil {
		x.builder.CopyValue(at, x.Tree, n)
	} else {
		x.builder.SetValue(at, x.Value(n))
	}
	if x.covers != nil {
		x.builder.SetCover(at, x.covers[n])
	}
}

// next returns the child of node n that missing values go to by the rule.
func (x *relaxation) next(n int32) (int32, error) {
	first, last := x.Child(n), x.Child(n)+x.Arity(n)-1
	switch x.rule.way {
	case left:
		return first, nil
	case right:
		return last, nil
	case heavier:
		if x.covers == nil {
			return 0, fmt.Errorf("node %d does not have the number of its training rows", n)
		}
		best := first
		for c := first; c <= last; c++ {
			if x.covers[c] > x.covers[best] {
				best = c
			}
		}
		return best, nil
	case number:
		switch x.Kind(n) {
		case tree.Numeric:
			return x.NextNumeric(n, x.rule.value), nil
		case tree.SetFirst, tree.SetLast:
			return x.NextCode(n, data.UnseenCode), nil
		}
	}
	return 0, fmt.Errorf("node %d has no child for missing values", n)
}
