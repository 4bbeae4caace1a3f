package foreign_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/codec"
	"github.com/coppice-ml/coppice/codec/codectest"
	"github.com/coppice-ml/coppice/codec/internal/foreign"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/tree"
)

// plain returns a model without any trait whose only tree has one split.
func plain(t *testing.T, split tree.Split) *model.Ensemble {
	t.Helper()
	b := tree.NewBuilder(tree.Scalar, 1, false)
	first := b.Split(0, split)
	for n := int32(0); n < first+max(2, split.Arity); n++ {
		b.SetValue(n, []float64{1})
		b.SetFraction(n, 0.5)
	}
	made, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return &model.Ensemble{Trees: []*tree.Tree{made}, Meta: model.Spec{Task: data.Regression,
		Schema: data.Schema{Fields: []data.Field{{Name: "x"}, {Name: "y"},
			{Name: "c", Kind: data.Categorical, Levels: []string{"a", "b", "c"}}}}}}
}

// numeric is a split that any format holds.
var numeric = tree.Split{Kind: tree.Numeric, SplitPoint: 1}

// changed returns a plain model with a change.
func changed(t *testing.T, change func(e *model.Ensemble)) *model.Ensemble {
	e := plain(t, numeric)
	change(e)
	return e
}

// Each trait is reported by its name and its first place, unless the format holds it.
func TestCheck(t *testing.T) {
	directions := []tree.Term{{Feature: 0, Coef: 1}, {Feature: 1, Coef: 2}}
	surrogate := []tree.Surrogate{{Kind: tree.Numeric, Feature: 1, Agree: 1, Adjusted: 1}}
	for _, c := range []struct {
		trait foreign.Trait
		want  string
		model *model.Ensemble
	}{
		{foreign.Pool, "training values in leaves", codectest.Pool()},
		{foreign.AnomalyScores, "anomaly scores", codectest.Scores()},
		{foreign.Costs, "costs of confusing classes", changed(t, func(e *model.Ensemble) {
			e.Meta.Decision.Costs = data.Costs{{0, 1}, {2, 0}}
		})},
		{foreign.Threshold, "a threshold", changed(t, func(e *model.Ensemble) {
			e.Meta.Decision.Threshold = 0.3
		})},
		{foreign.Derived, "derived columns: column", codectest.Derived()},
		{foreign.ZeroMissing, "zeros are missing values: column", codectest.Nonzero()},
		{foreign.LabelBytes, "a label or class", changed(t, func(e *model.Ensemble) {
			e.Meta.Label = "\xff"
		})},
		{foreign.LabelBytes, "a label or class", changed(t, func(e *model.Ensemble) {
			e.Meta.Classes = []string{"a", "\xff"}
		})},
		{foreign.ColumnBytes, `column 1, "\xff"`, changed(t, func(e *model.Ensemble) {
			e.Meta.Schema.Fields[1].Name = "\xff"
		})},
		{foreign.ColumnBytes, `column 2, "c"`, changed(t, func(e *model.Ensemble) {
			e.Meta.Schema.Fields[2].Levels[1] = "\xff"
		})},
		{foreign.Dates, `parts of dates: column "x"`, changed(t, func(e *model.Ensemble) {
			e.Meta.Schema.Fields[0].From = &data.DatePart{Source: "day"}
		})},
		{foreign.Texts, `n-grams of texts: column "x"`, changed(t, func(e *model.Ensemble) {
			e.Meta.Schema.Fields[0].Text = &data.TextPart{Source: "review"}
		})},
		{foreign.Hashes, `are hashes: column "c"`, changed(t, func(e *model.Ensemble) {
			e.Meta.Schema.Fields[2].Format = data.HashedLevels
		})},
		{foreign.NoPrediction, "without a prediction: node 4 of tree 0", codectest.Refusing()},
		{foreign.Refusals, `unseen values: column "y"`, changed(t, func(e *model.Ensemble) {
			e.Meta.Schema.Fields[1].Missing = data.Refuse
		})},
		{foreign.Refusals, `unseen values: column "c"`, changed(t, func(e *model.Ensemble) {
			e.Meta.Schema.Fields[2].Unseen = data.Refuse
		})},
		{foreign.ClassCounts, "class counts in leaves: tree 1", changed(t, func(e *model.Ensemble) {
			b := tree.NewBuilder(tree.Counts, 2, false)
			b.SetValue(0, []float64{1, 2})
			counts, err := b.Build()
			if err != nil {
				t.Fatal(err)
			}
			e.Trees = append(e.Trees, counts)
		})},
		{foreign.Equations, "equations in leaves: tree 0", codectest.Inclined()},
		{foreign.Directions, "along directions of several columns: node 0 of tree 0",
			plain(t, tree.Split{Kind: tree.Oblique, Direction: directions})},
		{foreign.Directions, "along directions of several columns: node 0 of tree 0",
			plain(t, tree.Split{Kind: tree.Sphere, Direction: directions})},
		{foreign.ByCode, "a child for each category: node 0 of tree 0",
			plain(t, tree.Split{Kind: tree.ByCode, Feature: 2, Arity: 3})},
		{foreign.Surrogates, "surrogate splits: node 0 of tree 0", plain(t, tree.Split{
			Kind: tree.Numeric, Missing: tree.MissingSurrogate, Surrogates: surrogate})},
		{foreign.Stops, "rows that stop at inner nodes: node 0 of tree 0",
			plain(t, tree.Split{Kind: tree.Numeric, Missing: tree.MissingStop})},
		{foreign.Divided, "rows that are divided among several children: node 0 of tree 0",
			plain(t, tree.Split{Kind: tree.Numeric, Missing: tree.MissingFractional})},
	} {
		err := foreign.CheckTraits("name", c.model)
		var unsupported *codec.UnsupportedError
		if !errors.As(err, &unsupported) || unsupported.Format != "name" ||
			!strings.Contains(unsupported.What, c.want) {
			t.Errorf("%v, want %q", err, c.want)
		}
		// labels of anomaly scores go by a threshold
		if err := foreign.CheckTraits("name", c.model, c.trait, foreign.Threshold); err != nil {
			t.Errorf("a format that holds %q: %v", c.want, err)
		}
	}
}

// All traits of a model are reported at once, and by All what other checks refuse.
func TestAll(t *testing.T) {
	e := changed(t, func(e *model.Ensemble) {
		e.Meta.Decision.Threshold = 0.3
		e.Meta.Schema.Fields[0].Missing = data.Refuse
	})
	check := func() error { return foreign.CheckTraits("name", e, foreign.Costs) }
	refuse := func() error { return &codec.UnsupportedError{Format: "name", What: "no name"} }
	none := func() error { return nil }
	other := errors.New("another error")
	const traits = `name model: the format cannot hold a threshold of the decision between classes; ` +
		`columns that refuse missing or unseen values: column "x"`
	for want, checks := range map[string][]func() error{
		traits:               {none, check},
		traits + "; no name": {check, refuse},
		"another error":      {check, func() error { return other }, refuse},
	} {
		if err := foreign.All(checks...); err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
	if err := foreign.All(none, none); err != nil {
		t.Error(err)
	}
}

// Splits that every format holds, and a rule of surrogates without any, are no traits.
func TestNoTraits(t *testing.T) {
	for _, split := range []tree.Split{
		numeric,
		{Kind: tree.SetFirst, Feature: 2, Set: []uint64{5}, Missing: tree.MissingMajority},
		{Kind: tree.SetLast, Feature: 2, Set: []uint64{2}, Missing: tree.MissingLast},
		{Kind: tree.Numeric, Missing: tree.MissingSurrogate},
	} {
		if err := foreign.CheckTraits("name", plain(t, split)); err != nil {
			t.Errorf("%+v: %v", split, err)
		}
	}
}
