package boost

import (
	"testing"

	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/internal/boosting"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/tree"
)

// A round that splits nothing is tried again where the next one samples something else.
func TestRetries(t *testing.T) {
	ds := orderedTable(t, 60)
	for what, c := range map[string]struct {
		want   bool
		change func(c *Config)
	}{
		"plain":           {false, func(*Config) {}},
		"all columns":     {false, func(c *Config) { c.Engine.ColumnsByTree = 1 }},
		"some columns":    {true, func(c *Config) { c.Engine.ColumnsByTree = 0.5 }},
		"of a level":      {true, func(c *Config) { c.Engine.ColumnsByLevel = 0.5 }},
		"of a node":       {true, func(c *Config) { c.Engine.ColumnsByNode = 0.5 }},
		"some rows":       {true, func(c *Config) { c.Fraction = 0.5 }},
		"one permutation": {true, func(c *Config) { c.Permutations = 1 }},
		"noise":           {true, func(c *Config) { c.Noise = 0.5 }},
		"dropout":         {true, func(c *Config) { c.Dropout = &Dropout{Drop: 0.1} }},
		"thresholds":      {true, func(c *Config) { c.Engine.ExtraRandom = true }},
	} {
		b := begun(t, ds, learn.Job{Workers: 1}, func(o *Config) {
			o.Trees, o.EarlyStopping = 1, 7
			c.change(o)
		})
		if b.watch.retries != c.want || b.watch.earlyStopping != 7 || b.watch.classes || b.watch.slow {
			t.Errorf("%s: %+v", what, b.watch)
		}
	}
	if !begun(t, classesTable(t, 60), learn.Job{Workers: 1}, func(c *Config) { c.Trees = 1 }).watch.classes {
		t.Error("classes are numbers")
	}
}

// Rounds that split nothing end a training: at once where they move no score, else 20 of them. They
// are taken back, but a model has a tree.
func TestExhausted(t *testing.T) {
	leaf := func(v float64) *tree.Tree {
		b := tree.NewBuilder(tree.Scalar, 1, false)
		b.SetValue(0, []float64{v})
		made, err := b.Build()
		if err != nil {
			t.Fatal(err)
		}
		return made
	}
	for _, c := range []struct {
		what          string
		retries       bool
		before, split int     // rounds
		value         float64 // of leaves
		after, kept   int     // rounds that split nothing, and rounds in the end
	}{
		{"no score moves", false, 0, 3, 0, 1, 3}, {"by rounding alone", false, 0, 3, 1e-9, 1, 3},
		{"scores move", false, 0, 3, 1e-6, 20, 3}, {"another sample", true, 0, 3, 0, 20, 3},
		{"never split", false, 0, 0, 0, 1, 1}, {"never split behind a model", false, 2, 0, 0, 1, 0},
	} {
		e := &ensemble{model: &model.Ensemble{Bias: []float64{1}}, width: 1, before: c.before}
		w := &watch{Monitor: boosting.Monitor{}, retries: c.retries}
		round := func(split bool) bool {
			e.append([]*tree.Tree{leaf(c.value)}, 1)
			w.Rounds++
			return w.exhausted(split, e)
		}
		if c.split > 0 { // the count of such rounds begins again with one that splits
			round(true)
			if c.after > 1 {
				round(false)
			}
			for w.Rounds < c.split {
				round(true)
			}
		}
		rounds := 1
		for !round(false) {
			rounds++
		}
		if rounds != c.after || w.Rounds != c.kept || len(e.model.Trees) != c.kept || !w.Exhausted {
			t.Errorf("%s: after %d rounds, %d rounds and %d trees are kept", c.what, rounds, w.Rounds, len(e.model.Trees))
		}
	}
	w := &watch{}
	if w.Flat = true; !w.exhausted(true, nil) || !w.Exhausted {
		t.Error("a loss without curvature goes on")
	}
}

// A round splits something if any of its trees is more than a leaf.
func TestRoundsThatSplit(t *testing.T) {
	made := func(split bool) *tree.Tree {
		b := tree.NewBuilder(tree.Scalar, 1, false)
		if split {
			first := b.Split(0, tree.Split{Kind: tree.Numeric})
			b.SetValue(first, []float64{1})
			b.SetValue(first+1, []float64{2})
		} else {
			b.SetValue(0, []float64{1})
		}
		one, err := b.Build()
		if err != nil {
			t.Fatal(err)
		}
		return one
	}
	leaf, split := made(false), made(true)
	if isSplit(nil) || isSplit([]*tree.Tree{leaf, leaf}) || !isSplit([]*tree.Tree{leaf, split}) || !isSplit([]*tree.Tree{split}) {
		t.Error("leaves are split, or trees are not")
	}
}
