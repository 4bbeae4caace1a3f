package param_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/coppice-ml/coppice/param"
)

// TestMeant: an error ends with the nearest name, or says that the columns have numbers.
func TestMeant(t *testing.T) {
	for want, names := range map[string][]string{"": {"f1", "f0"}, `; did you mean "agee"?`: {"f0", "agee"},
		": the file has no names of columns, which are called f0 to f1": {"f0", "f1"}} {
		if got := param.Meant("; ", "age", names); got != want {
			t.Errorf("%q of %q, want %q", got, names, want)
		}
	}
}

func TestNearest(t *testing.T) {
	names := []string{"depth", "leaves", "min_leaf", "min_split", "l1", "l2", "k", "learning_rate"}
	for name, want := range map[string]string{
		"dept":             "depth",         // one letter is missing
		"dpeth":            "depth",         // swapped neighbours
		"DEPTH":            "depth",         // letter case
		"leafs":            "",              // two edits are too many for five letters
		"minleaf":          "min_leaf",      // one insertion
		"min_samples_leaf": "",              // too far
		"max_depth":        "depth",         // contains a name
		"learning":         "learning_rate", // is contained in a name
		"l3":               "l1",            // the first of equally near ones
		"K":                "k",             // letter case
		"":                 "",
		"x":                "", // any letter would be one edit away
	} {
		if got := param.Nearest(name, names); got != want {
			t.Errorf("%q: got %q, want %q", name, got, want)
		}
	}
}

func TestNearestOfItselfIsItself(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		names := rapid.SliceOfNDistinct(rapid.StringMatching(`[a-z_]{1,12}`), 1, 8,
			rapid.ID).Draw(t, "names")
		name := rapid.SampledFrom(names).Draw(t, "name")
		if got := param.Nearest(name, names); got != name {
			t.Fatalf("nearest of %q in %q is %q", name, names, got)
		}
	})
}

func TestNearestOfLongInputIsCheap(t *testing.T) {
	if got := param.Nearest(strings.Repeat("ab", 1<<20), []string{"depth", "leaves"}); got != "" {
		t.Errorf("got %q", got)
	}
}

func TestSuggest(t *testing.T) {
	many := []string{"depth", "leaves", "min_leaf", "min_child_weight", "l1", "l2", "colsample",
		"learning_rate", "early_stopping", "class_weight", "column_weight"}
	for name, want := range map[string]string{
		"dept":           `did you mean "depth"?`,
		"weight_of_leaf": "the nearest are class_weight, column_weight, min_child_weight",
	} {
		if got := param.Suggest(name, many); got != want {
			t.Errorf("%q: got %q, want %q", name, got, want)
		}
	}
	if got := param.Suggest("q", []string{"a", "b"}); got != "use a, b" {
		t.Errorf("of few names: got %q", got)
	}
	if got := param.Suggest(strings.Repeat("ab", 1<<20), many); strings.Count(got, ",") != 2 {
		t.Errorf("of a long name: got %q", got)
	}
}
