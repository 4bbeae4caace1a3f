package foreign

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/coppice-ml/coppice/codec"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/tree"
)

// Trait is something that an ensemble of trees may use and a file format may not be able to hold. A
// writer names the traits that its format holds, and CheckTraits reports all others that a model
// has. What every format of trees holds has none: numeric splits, splits by a set of categories,
// and leaves of one or several numbers.
type Trait uint8

// The traits, in the order in which CheckTraits reports them.
const (
	Pool          Trait = iota // model.Pool: quantiles of the training values in leaves
	AnomalyScores              // data.Anomaly
	Costs                      // model.Decision.Costs
	Threshold                  // model.Decision.Threshold
	Derived                    // derived columns, but those of ZeroMissing
	ZeroMissing                // input.Nonzero: derived columns in which zeros are missing values
	LabelBytes                 // a name of the label or of a class that is not UTF-8
	ColumnBytes                // a name of a column or of a category that is not UTF-8
	Dates                      // columns that are parts of dates
	Texts                      // columns that count n-grams of texts
	Hashes                     // columns whose categories are hashes without texts
	Refusals                   // columns for which missing or unseen values are errors
	NoPrediction               // model.Refused: leaves without a prediction
	ClassCounts                // tree.Counts: leaves of class weights
	Equations                  // leaves with linear equations
	Directions                 // tree.Oblique, tree.Sphere
	ByCode                     // tree.ByCode: a child for each category
	Surrogates                 // surrogate splits that replace a missing value
	Stops                      // tree.MissingStop
	Divided                    // tree.MissingFractional
	count
)

// names are the traits in the words of errors.
var names = [count]string{
	Pool:          "training values in leaves, whose quantiles are predicted",
	AnomalyScores: "anomaly scores",
	Costs:         "costs of confusing classes",
	Threshold:     "a threshold of the decision between classes",
	Derived:       "derived columns",
	ZeroMissing:   "derived columns in which zeros are missing values",
	LabelBytes:    "the name of a label or class that is not UTF-8",
	ColumnBytes:   "the name of a column or category that is not UTF-8",
	Dates:         "columns that are parts of dates",
	Texts:         "columns that count n-grams of texts",
	Hashes:        "columns whose categories are hashes",
	Refusals:      "columns that refuse missing or unseen values",
	NoPrediction:  "leaves without a prediction",
	ClassCounts:   "class counts in leaves",
	Equations:     "equations in leaves",
	Directions:    "splits along directions of several columns",
	ByCode:        "splits with a child for each category",
	Surrogates:    "surrogate splits",
	Stops:         "rows that stop at inner nodes",
	Divided:       "rows that are divided among several children",
}

// CheckTraits returns a *codec.UnsupportedError for the traits that e uses and that are not among
// those which the format holds; nil if there are none. The error names each with the first column
// or node that has it. The model must be valid.
func CheckTraits(format string, e *model.Ensemble, held ...Trait) error {
	t := table{}
	t.addModel(e)
	t.addColumns(e)
	for i := range e.Trees {
		t.addTree(i, e.Trees[i])
	}
	var all []string
	for trait := range count {
		if !t[trait].used || slices.Contains(held, trait) {
			continue
		}
		what := names[trait]
		if t[trait].place != "" {
			what += ": " + t[trait].place
		}
		all = append(all, what)
	}
	if all == nil {
		return nil
	}
	return &codec.UnsupportedError{Format: format, What: "the format cannot hold " + strings.Join(all, "; ")}
}

// All makes all checks of what a format can hold, and returns one *codec.UnsupportedError with what
// every one of them reports, so that whoever changes the model learns of all at once. Another error
// ends the checks.
func All(checks ...func() error) error {
	var all *codec.UnsupportedError
	for _, check := range checks {
		err := check()
		var one *codec.UnsupportedError
		switch {
		case err == nil:
		case !errors.As(err, &one):
			return err
		case all == nil:
			all = one
		default:
			all = &codec.UnsupportedError{Format: all.Format, What: all.What + "; " + one.What}
		}
	}
	if all == nil {
		return nil
	}
	return all
}

// table has what a model uses: for each trait whether, and the first place.
type table [count]struct {
	used  bool
	place string // "" is the model as a whole
}

// add notes that a model uses a trait at a place, which stays the first one.
func (t *table) add(trait Trait, place string, args ...any) {
	if !t[trait].used {
		t[trait].used, t[trait].place = true, fmt.Sprintf(place, args...)
	}
}

// addModel notes the traits of the model as a whole.
func (t *table) addModel(e *model.Ensemble) {
	s := &e.Meta
	for trait, used := range map[Trait]bool{
		Pool:          e.Combine == model.Pool,
		AnomalyScores: s.Task == data.Anomaly,
		Costs:         s.Decision.Costs != nil,
		Threshold:     s.Decision.Threshold != 0,
		LabelBytes:    !valid(s.Label, s.Classes),
	} {
		if used {
			t.add(trait, "")
		}
	}
	for _, r := range e.Refused {
		t.add(NoPrediction, "node %d of tree %d", r.Leaf, r.Tree)
	}
	if e.Inputs.Len() == 0 {
		return
	}
	tables := len(e.Inputs.Columns)
	for i, f := range e.Features().Fields[len(s.Schema.Fields):] {
		trait := Derived
		if i >= tables && i < tables+len(e.Inputs.Numbers) {
			trait = ZeroMissing
		}
		t.add(trait, "column %q", f.Name)
	}
}

// addColumns notes the traits of the columns.
func (t *table) addColumns(e *model.Ensemble) {
	for i := range e.Meta.Schema.Fields {
		f := &e.Meta.Schema.Fields[i]
		if !valid(f.Name, f.Levels) {
			t.add(ColumnBytes, "column %d, %q", i, f.Name)
		}
		if f.From != nil {
			t.add(Dates, "column %q", f.Name)
		}
		if f.Text != nil {
			t.add(Texts, "column %q", f.Name)
		}
		if f.Hashed() {
			t.add(Hashes, "column %q", f.Name)
		}
		if f.Missing == data.Refuse || f.Unseen == data.Refuse {
			t.add(Refusals, "column %q", f.Name)
		}
	}
}

// valid reports whether a name and those below it are UTF-8.
func valid(name string, below []string) bool {
	return utf8.ValidString(name) && !slices.ContainsFunc(below, func(s string) bool {
		return !utf8.ValidString(s)
	})
}

// addTree notes the traits of tree i. A node with the rule MissingSurrogate in a tree without
// surrogate splits sends missing values to its largest child, as MissingMajority does.
func (t *table) addTree(i int, from *tree.Tree) {
	if from.Leaf.Kind == tree.Counts {
		t.add(ClassCounts, "tree %d", i)
	}
	if from.Leaf.Linear != nil {
		t.add(Equations, "tree %d", i)
	}
	for n := range int32(from.Len()) {
		switch from.Kind(n) {
		case tree.Leaf:
			continue
		case tree.Oblique, tree.Sphere:
			t.add(Directions, "node %d of tree %d", n, i)
		case tree.ByCode:
			t.add(ByCode, "node %d of tree %d", n, i)
		}
		switch from.Missing(n) {
		case tree.MissingSurrogate:
			if from.Surrogates != nil {
				t.add(Surrogates, "node %d of tree %d", n, i)
			}
		case tree.MissingStop:
			t.add(Stops, "node %d of tree %d", n, i)
		case tree.MissingFractional:
			t.add(Divided, "node %d of tree %d", n, i)
		}
	}
}
