package data

import (
	"fmt"
	"slices"
	"strings"

	"github.com/coppice-ml/coppice/internal/option"
	"github.com/coppice-ml/coppice/param"
)

// Positive is which of two classes is the positive one: precision, recall and F1 are of it, and a
// threshold is one on its probability. It changes neither the order of the classes nor what is
// trained.
type Positive struct {
	First bool // it is the first of Target.Classes, else the second
	// how it was chosen: "it was named", "of no and yes it is the one by name"; "" = not chosen
	// chosen, see ChoosePositive
	Why string
}

// PositiveError reports that a positive class was named for a label that has not two classes.
type PositiveError struct {
	Label   string
	Classes int // 0 = the label has none
}

func (e *PositiveError) Error() string {
	if e.Classes == 0 {
		return fmt.Sprintf("a positive class is one of two, and the label %q has none, it is not "+
			option.Expand("taken for classes: leave {positive} out"), e.Label)
	}
	return fmt.Sprintf("a positive class is one of two, and the label %q has %d: leave "+
		option.Expand("{positive} out"), e.Label, e.Classes)
}

// usualPositives are names of a positive class, each followed by those that the other class may
// have.
var usualPositives = [][]string{
	{"1", "0", "-1"}, {"+1", "-1"}, {"true", "false"}, {"t", "f"}, {"yes", "no"}, {"y", "n"},
	{"+", "-"}, {"pos", "neg"}, {"positive", "negative"},
}

// usualPositive reports whether a class is the positive one of two by its name, in whatever case.
func usualPositive(class, other string) bool {
	is := func(a string) func(string) bool {
		return func(b string) bool { return strings.EqualFold(a, b) }
	}
	return slices.ContainsFunc(usualPositives, func(names []string) bool {
		return is(class)(names[0]) && slices.ContainsFunc(names[1:], is(other))
	})
}

// HasPositive reports whether the target has two classes, of which one is the positive one.
func (t *Target) HasPositive() bool { return t.Task.Classes() && len(t.Classes) == 2 }

// PositiveClass returns the place in Classes of the positive class; -1 where HasPositive is false.
func (t *Target) PositiveClass() int {
	switch {
	case !t.HasPositive():
		return -1
	case t.Positive.First:
		return 0
	}
	return 1
}

// ChoosePositive chooses the positive class of two unless that is done. It is 1, true, yes or +
// against their opposites (see the table in docs/two-classes.md). Else it is the class with fewer
// of the given rows (nil = all); of equally many the second. Rows of weight 0 do not count. Other
// targets stay as they are.
func (t *Target) ChoosePositive(rows []int32) {
	if !t.HasPositive() || t.Positive.Why != "" {
		return
	}
	for k := range 2 {
		if usualPositive(t.Classes[k], t.Classes[1-k]) {
			t.Positive = Positive{First: k == 0,
				Why: fmt.Sprintf("of %s and %s it has the name of a positive class", t.Classes[0],
					t.Classes[1])}
			return
		}
	}
	var n [2]int
	count := func(row int32) {
		if c := t.Class[row]; c < 2 && t.WeightAt(row) > 0 {
			n[c]++
		}
	}
	if rows == nil {
		for row := range t.Class {
			count(int32(row))
		}
	}
	for _, row := range rows {
		count(row)
	}
	switch all := n[0] + n[1]; {
	case n[0] < n[1]:
		t.Positive = Positive{First: true,
			Why: fmt.Sprintf("it is the rarer class, %d of %d rows", n[0], all)}
	case n[0] > n[1]:
		t.Positive = Positive{Why: fmt.Sprintf("it is the rarer class, %d of %d rows", n[1], all)}
	default:
		t.Positive = Positive{Why: "it is the second of two classes with as many rows"}
	}
}

// namePositive takes the class called name, or equal to it as a number, for the positive one.
func (t *Target) namePositive(name string) error {
	if !t.HasPositive() {
		return &PositiveError{Label: t.Name, Classes: len(t.Classes)}
	}
	switch classFinder(t.Classes)(name) {
	case 0:
		t.Positive = Positive{First: true, Why: "it was named"}
	case 1:
		t.Positive = Positive{Why: "it was named"}
	default:
		if near := param.Nearest(name, t.Classes); near != "" {
			return fmt.Errorf("the label %q has no class %q to be the positive one: did "+
				"you mean %q?", t.Name, name, near)
		}
		return fmt.Errorf("the label %q has no class %q to be the positive one: its classes are %s",
			t.Name, name, quoteList(t.Classes))
	}
	return nil
}
