package data_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/coppice-ml/coppice/data"
)

// labeled is a table of a label and a constant feature.
func labeled(t *testing.T, label any, rows int) *data.Frame {
	t.Helper()
	return table(t, named("x", make([]float64, rows)), named("y", label))
}

func TestChoosePositive(t *testing.T) {
	for _, c := range []struct {
		label any
		want  string
		why   string
	}{
		{[]int{0, 1, 1, 1}, "1", "of 0 and 1 it has the name of a positive class"},
		{[]int{-1, 1, 1, 1}, "1", "of -1 and 1 it has the name of a positive class"},
		{[]string{"Yes", "NO", "Yes", "Yes"}, "Yes", "of NO and Yes it has the name of a positive class"},
		{[]string{"TRUE", "False", "TRUE", "TRUE"}, "TRUE", "of False and TRUE it has the name of a positive class"},
		{[]string{"+", "-", "+", "+"}, "+", "of + and - it has the name of a positive class"},
		{[]string{"y", "n", "y", "y"}, "y", "of n and y it has the name of a positive class"},
		{[]string{"T", "F", "T", "T"}, "T", "of F and T it has the name of a positive class"},
		{[]string{"pos", "neg", "pos", "pos"}, "pos", "of neg and pos it has the name of a positive class"},
		{[]string{"Positive", "negative", "Positive", "Positive"}, "Positive", "of Positive and negative it has the name of a positive class"},
		{[]string{"yes", "maybe", "yes", "yes"}, "maybe", "it is the rarer class, 1 of 4 rows"},
		{[]int{1, 2, 2, 2}, "1", "it is the rarer class, 1 of 4 rows"},
		{[]int{1, 1, 1, 2}, "2", "it is the rarer class, 1 of 4 rows"},
		{[]string{"ham", "spam", "ham", "spam"}, "spam", "it is the second of two classes with as many rows"},
	} {
		ds := must(data.Roles{Label: "y", Task: data.Binary}.Apply(labeled(t, c.label, 4)))(t)
		classes := slices.Clone(ds.Target.Classes)
		ds.Target.ChoosePositive(nil)
		p := ds.Target.Positive
		if got := ds.Target.Classes[ds.Target.PositiveClass()]; got != c.want || p.Why != c.why {
			t.Errorf("%v: %q because %s, want %q because %s", c.label, got, p.Why, c.want, c.why)
		}
		if !slices.Equal(ds.Target.Classes, classes) || p.First != (c.want == classes[0]) {
			t.Errorf("%v: classes %q of %q, the first is positive: %v", c.label, ds.Target.Classes,
				classes, p.First)
		}
	}
}

// The rarer class is that of the training rows, without those that weigh nothing; what was chosen
// stays.
func TestChoosePositiveByRows(t *testing.T) {
	target := data.Target{Task: data.Binary, Classes: []string{"a", "b"},
		Class: []uint32{0, 1, 1, 1, 0, 0}}
	target.ChoosePositive([]int32{0, 1, 2, 3, 4})
	if !target.Positive.First {
		t.Errorf("%+v: a has 2 of the 5 rows", target.Positive)
	}
	target.ChoosePositive([]int32{0, 4, 5, 1})
	if !target.Positive.First {
		t.Errorf("%+v: it was chosen before", target.Positive)
	}
	target.Positive, target.Weight = data.Positive{}, []float64{1, 1, 0, 0, 1, 1}
	target.ChoosePositive(nil)
	if target.Positive.First || target.Positive.Why != "it is the rarer class, 1 of 4 rows" {
		t.Errorf("%+v: b has one row that weighs anything", target.Positive)
	}
}

func TestNamedPositive(t *testing.T) {
	for _, c := range []struct {
		label    any
		positive string
		first    bool
	}{
		{[]string{"no", "yes", "yes"}, "no", true},
		{[]string{"no", "yes", "no"}, "yes", false},
		{[]int{0, 1, 1}, "0.0", true}, // the class of the same number
	} {
		ds := must(data.Roles{Label: "y", Positive: c.positive}.Apply(labeled(t, c.label, 3)))(t)
		ds.Target.ChoosePositive(nil)
		if p := ds.Target.Positive; p.First != c.first || p.Why != "it was named" {
			t.Errorf("%v, %s: %+v", c.label, c.positive, p)
		}
	}
}

func TestPositiveRefused(t *testing.T) {
	for _, c := range []struct {
		roles data.Roles
		label any
		two   bool // the label has two classes
		want  string
	}{
		{data.Roles{Positive: "Spam"}, []string{"ham", "spam", "ham"}, true, `the label "y" has no class "Spam" to be the positive one: did you mean "spam"?`},
		{data.Roles{Positive: "x"}, []string{"ham", "spam", "ham"}, true, `the label "y" has no class "x" to be the positive one: its classes are "ham", "spam"`},
		{data.Roles{Positive: "a"}, []string{"a", "b", "c"}, false, `a positive class is one of two, and the label "y" has 3: leave data.Roles.Positive out`},
		{data.Roles{Positive: "1", Task: data.Regression}, []float64{1, 2, 2}, false, `a positive class is one of two, and the label "y" has none, it is not taken for classes: leave data.Roles.Positive out`},
	} {
		c.roles.Label = "y"
		_, err := c.roles.Apply(labeled(t, c.label, 3))
		wrong := (*data.PositiveError)(nil)
		if err == nil || err.Error() != c.want || errors.As(err, &wrong) == c.two {
			t.Errorf("%+v: %v, want %s", c.roles, err, c.want)
		}
	}
	if _, err := (data.Roles{Label: "y", RareLast: true, Positive: "a"}).Apply(labeled(t,
		[]string{"a", "b", "b"}, 3)); err == nil {
		t.Error("a positive class is taken beside the anomaly")
	}
	if _, err := (data.Roles{Positive: "a"}).Apply(labeled(t, []string{"a", "b", "b"},
		3)); err == nil {
		t.Error("a positive class is taken without a label")
	}
}
