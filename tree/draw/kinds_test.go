package draw

import (
	"fmt"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/tree"
)

// weather is Quinlan's golf tree: a branch per level, and rows with a missing value divided
// everywhere.
func weather(t *testing.T) sample {
	schema := &data.Schema{Fields: []data.Field{
		{Name: "outlook", Kind: data.Categorical, Levels: []string{"sunny", "overcast", "rain"}},
		{Name: "humidity"},
		{Name: "windy", Kind: data.Categorical, Levels: []string{"false", "true"}, Missing: data.Refuse, Unseen: data.Refuse},
	}}
	b := tree.NewBuilder(tree.Counts, 2, true)
	put(b, 0, 14, 0.9403, 9, 5)
	b.Split(0, tree.Split{Kind: tree.ByCode, Feature: 0, Arity: 3, Missing: tree.MissingFractional})
	put(b, 1, 5, 0.971, 2, 3)
	put(b, 2, 4, 0, 4, 0)
	put(b, 3, 5, 0.971, 3, 2)
	b.Split(1, tree.Split{Kind: tree.Numeric, Feature: 1, SplitPoint: 77.5, Missing: tree.MissingFractional})
	put(b, 4, 2, 0, 2, 0)
	put(b, 5, 3, 0, 0, 3)
	b.Split(3, tree.Split{Kind: tree.ByCode, Feature: 2, Arity: 2})
	put(b, 6, 3, 0, 3, 0)
	put(b, 7, 2, 0, 0, 2)
	for n, fraction := range []float64{1, 5.0 / 14, 4.0 / 14, 5.0 / 14, 0.4, 0.6, 0.6, 0.4} {
		b.SetFraction(int32(n), fraction)
	}
	return sample{"weather", build(t, b), Names{Schema: schema, Classes: []string{"yes", "no"}, Label: "play", Impurity: "entropy"}, Options{}}
}

// towns has a wide node whose levels have long names, missing values at a branch that nobody
// expects, and below it a node with one child and a set.
func towns(t *testing.T) sample {
	levels := []string{"Ålesund", "Bergen", "Bodø", "Kristiansand", "Lillehammer and its whole neighbourhood", "Oslo", "Stavanger", "Tromsø", "Trondheim"}
	schema := &data.Schema{Fields: []data.Field{
		{Name: "town", Kind: data.Categorical, Levels: levels},
		{Name: "district", Kind: data.Categorical, Levels: []string{"east", "north", "west"}},
	}}
	b := tree.NewBuilder(tree.Scalar, 1, true)
	value := func(n int32, rows int, mean float64) {
		b.SetValue(n, []float64{mean})
		b.SetStats(n, rows, float64(rows), 1)
	}
	value(0, 90, 5)
	b.Split(0, tree.Split{Kind: tree.ByCode, Feature: 0, Arity: 8, Missing: tree.MissingFirst})
	for c := range int32(8) {
		value(1+c, []int{3, 20, 5, 10, 12, 34, 4, 2}[c], []float64{4, 4.5, 3, 5, 2, 7.5, 6, 2.5}[c])
	}
	b.Split(5, tree.Split{Kind: tree.ByCode, Feature: 1, Arity: 1})
	value(9, 12, 2)
	b.Split(6, tree.Split{Kind: tree.SetFirst, Feature: 1, Set: set(2), Missing: tree.MissingLast})
	value(10, 14, 9)
	value(11, 20, 6.5)
	return sample{"towns", build(t, b), Names{Schema: schema, Label: "price"}, Options{}}
}

// flowers has oblique and sphere nodes, each with another rule for missing values.
func flowers(t *testing.T) sample {
	b := tree.NewBuilder(tree.Counts, 3, true)
	put(b, 0, 150, 2.0/3, 50, 50, 50)
	b.Split(0, tree.Split{Kind: tree.Sphere, SplitPoint: 2.25, Direction: []tree.Term{{Feature: 2, Coef: 1.5}, {Feature: 3, Coef: 0.25}}, Missing: tree.MissingStop})
	put(b, 1, 50, 0, 50, 0, 0)
	put(b, 2, 100, 0.5, 0, 50, 50)
	b.Split(2, tree.Split{Kind: tree.Oblique, SplitPoint: 4, Missing: tree.MissingFractional,
		Direction: []tree.Term{{Feature: 0, Coef: -0.3}, {Feature: 1, Coef: -1}, {Feature: 2, Coef: 1}, {Feature: 3, Coef: 1.25}}})
	put(b, 3, 52, 0.0739, 0, 50, 2)
	put(b, 4, 48, 0, 0, 0, 48)
	b.Split(3, tree.Split{Kind: tree.Sphere, SplitPoint: -1, Direction: []tree.Term{{Feature: 0, Coef: 5}}, Missing: tree.MissingLast})
	put(b, 5, 1, 0, 0, 0, 1)
	put(b, 6, 51, 0.0384, 0, 50, 1)
	b.SetFraction(3, 0.52)
	b.SetFraction(4, 0.48)
	return sample{"flowers", build(t, b), Names{
		Schema:  numeric("sepal length", "sepal width", "petal-length", "petal-width"),
		Classes: []string{"setosa", "versicolor", "virginica"}, Label: "species", Impurity: "gini",
	}, Options{}}
}

// passengers has surrogates of all sorts, listed, and a node that needs none.
func passengers(t *testing.T) sample {
	schema := &data.Schema{Fields: []data.Field{
		{Name: "age"}, {Name: "fare"}, {Name: "class", Kind: data.Categorical, Levels: []string{"first", "second", "third", "crew"}},
		{Name: "sex", Kind: data.Categorical, Levels: []string{"female", "male"}, Missing: data.Refuse, Unseen: data.Refuse},
	}}
	b := tree.NewBuilder(tree.Counts, 2, true)
	put(b, 0, 1000, 0.4, 600, 400)
	b.Split(0, tree.Split{Kind: tree.SetFirst, Feature: 3, Set: set(1)})
	put(b, 1, 640, 0.3, 520, 120)
	put(b, 2, 360, 0.35, 80, 280)
	b.Split(1, tree.Split{Kind: tree.Numeric, Feature: 0, SplitPoint: 12.5, Missing: tree.MissingSurrogate, Surrogates: []tree.Surrogate{
		{Kind: tree.Numeric, Feature: 1, SplitPoint: 31.275, Flip: true, Agree: 0.87654, Adjusted: 0.43},
		{Kind: tree.SetLast, Feature: 2, Set: set(0, 3), Agree: 0.8, Adjusted: 0.125},
		{Kind: tree.SetFirst, Feature: 2, Set: set(1), Agree: 0.7, Adjusted: 0.05},
	}})
	put(b, 3, 60, 0.3, 20, 40)
	put(b, 4, 580, 0.3, 500, 80)
	b.Split(4, tree.Split{Kind: tree.Numeric, Feature: 1, SplitPoint: 50, Missing: tree.MissingSurrogate, Surrogates: []tree.Surrogate{
		{Kind: tree.SetFirst, Feature: 2, Set: set(2), Agree: 0.75, Adjusted: 0.5},
	}})
	put(b, 5, 500, 0.3, 460, 40)
	put(b, 6, 80, 0.5, 40, 40)
	for n, fraction := range []float64{1, 0.64, 0.36, 0.1, 0.9, 0.86, 0.14} {
		b.SetFraction(int32(n), fraction)
	}
	return sample{"passengers", build(t, b), Names{Schema: schema, Classes: []string{"died", "survived"}, Label: "fate", Impurity: "gini"}, Options{Surrogates: true}}
}

func TestConditionOfOtherKinds(t *testing.T) {
	schema := numeric("x1", "x 2", "x3", "x4")
	schema.Fields = append(schema.Fields, data.Field{Name: "job", Kind: data.Categorical, Levels: []string{"clerk", "x, y", "smith"}})
	names := Names{Schema: schema}
	terms := func(coef ...float64) []tree.Term {
		var list []tree.Term
		for f, c := range coef {
			list = append(list, tree.Term{Feature: int32(f), Coef: c})
		}
		return list
	}
	many := make([]float64, 12)
	for i := range many {
		many[i] = float64(i + 2)
	}
	for _, c := range []struct {
		split tree.Split
		want  []string
	}{
		{tree.Split{Kind: tree.ByCode, Feature: 4, Arity: 3}, []string{"job = clerk", `job = "x, y"`, "job = smith"}},
		{tree.Split{Kind: tree.ByCode, Feature: 4, Arity: 4, Missing: tree.MissingLast}, []string{"job = clerk", `job = "x, y"`, "job = smith", "job = #3 or missing"}},
		{tree.Split{Kind: tree.ByCode, Feature: 4, Arity: 2, Missing: tree.MissingStop}, []string{"job = clerk", `job = "x, y"`}},
		{tree.Split{Kind: tree.Oblique, SplitPoint: 4, Direction: terms(0.3, -1.2)}, []string{`0.3 x1 - 1.2 "x 2" <= 4`, `0.3 x1 - 1.2 "x 2" > 4`}},
		{tree.Split{Kind: tree.Oblique, SplitPoint: -0.5, Direction: terms(-1, 1, 0, 1.23456789)}, []string{`-x1 + "x 2" + 0 x3 + 1.23457 x4 <= -0.5`, `-x1 + "x 2" + 0 x3 + 1.23457 x4 > -0.5`}},
		{tree.Split{Kind: tree.Oblique, Direction: terms(many...)}, []string{
			`2 x1 + 3 "x 2" + 4 x3 + 5 x4 + 6 job + 7 f5 + 8 f6 + 9 f7 + (4 more) <= 0`, `2 x1 + 3 "x 2" + 4 x3 + 5 x4 + 6 job + 7 f5 + 8 f6 + 9 f7 + (4 more) > 0`}},
		{tree.Split{Kind: tree.Sphere, SplitPoint: 2.25, Direction: terms(2, 3)}, []string{`distance to (x1 = 2, "x 2" = 3) <= 1.5`, `distance to (x1 = 2, "x 2" = 3) > 1.5`}},
		{tree.Split{Kind: tree.Sphere, SplitPoint: -1, Direction: terms(-0.5)}, []string{`squared distance to (x1 = -0.5) <= -1`, `squared distance to (x1 = -0.5) > -1`}},
		{tree.Split{Kind: tree.Sphere, Direction: terms(many...), Missing: tree.MissingLast}, []string{
			`distance to (x1 = 2, "x 2" = 3, x3 = 4, x4 = 5, job = 6, f5 = 7, f6 = 8, f7 = 9, +4 more) <= 0`,
			`distance to (x1 = 2, "x 2" = 3, x3 = 4, x4 = 5, job = 6, f5 = 7, f6 = 8, f7 = 9, +4 more) > 0 or missing`}},
	} {
		b := tree.NewBuilder(tree.Scalar, 1, false)
		first := b.Split(0, c.split)
		built := build(t, b)
		var got []string
		for i := range built.Arity(0) {
			got = append(got, Condition(built, 0, first+i, names))
		}
		if fmt.Sprint(got) != fmt.Sprint(c.want) {
			t.Errorf("got  %q\nwant %q", got, c.want)
		}
	}
}

// What is special about missing values stands at the nodes where it differs, and in a note where it
// does not.
func TestMissingRulesInText(t *testing.T) {
	surrogate := []tree.Surrogate{{Kind: tree.Numeric, Feature: 1, SplitPoint: 2, Agree: 0.75, Adjusted: 0.5}}
	splitPoint := func(rule tree.Missing) tree.Split {
		s := tree.Split{Kind: tree.Numeric, SplitPoint: 1, Missing: rule}
		if rule == tree.MissingSurrogate {
			s.Surrogates = surrogate
		}
		return s
	}
	stop := splitPoint(tree.MissingStop)
	stop.Surrogates = surrogate
	for _, c := range []struct {
		root, child tree.Split
		list        bool
		want        string // the lines about missing values
	}{
		{splitPoint(tree.MissingFractional), splitPoint(tree.MissingFractional), false, "A row with a missing value takes all branches, divided by their training weight."},
		{splitPoint(tree.MissingStop), splitPoint(tree.MissingStop), true, "A row with a missing value stops at the node that tests it."},
		{splitPoint(tree.MissingSurrogate), splitPoint(tree.MissingSurrogate), false, "Where a value is missing, surrogate splits decide, then the branch that most known values take."},
		{stop, splitPoint(tree.MissingStop), false, "Where a value is missing, surrogate splits decide; a row without a surrogate value stops at the node."},
		{stop, splitPoint(tree.MissingFirst), false, "│  missing: surrogates, then stops here"},
		{stop, splitPoint(tree.MissingFractional), true, "│  missing: y <= 2 takes the first branch (agree 0.75, adjusted 0.5)|│  missing: else stops here|│  │  missing: divided"},
		{splitPoint(tree.MissingSurrogate), tree.Split{Kind: tree.Numeric, Missing: tree.MissingSurrogate}, true,
			"│  missing: y <= 2 takes the first branch (agree 0.75, adjusted 0.5)|│  missing: else x > 1|" +
				"Where a value is missing, surrogate splits decide, then the branch that most known values take."},
		{splitPoint(tree.MissingFractional), splitPoint(tree.MissingStop), false, "│  missing: divided|│  │  missing: stops here"},
		{splitPoint(tree.MissingFirst), splitPoint(tree.MissingStop), false, "│  │  missing: stops here"},
		{splitPoint(tree.MissingSurrogate), splitPoint(tree.MissingFirst), false, "│  missing: surrogates, then x > 1"},
		{splitPoint(tree.MissingSurrogate), splitPoint(tree.MissingFirst), true, "│  missing: y <= 2 takes the first branch (agree 0.75, adjusted 0.5)|│  missing: else x > 1"},
		{tree.Split{Kind: tree.Numeric, SplitPoint: 1, Missing: tree.MissingSurrogate}, splitPoint(tree.MissingFirst), true,
			"└─ x > 1 or missing  →|Missing values take the branch marked missing, elsewhere the first one."},
		{splitPoint(tree.MissingMajority), splitPoint(tree.MissingFirst), false, "└─ x > 1 or missing  →|Missing values take the branch marked missing, elsewhere the first one."},
	} {
		b := tree.NewBuilder(tree.Vector, 1, false)
		b.Split(0, c.root)
		b.Split(1, c.child)
		for n, fraction := range []float64{1, 0.25, 0.75, 0.5, 0.5} {
			b.SetFraction(int32(n), fraction)
		}
		s := sample{tree: build(t, b), names: Names{Schema: numeric("x", "y")}, o: Options{Surrogates: c.list}}
		var got []string
		for _, line := range strings.Split(render(t, Text, s), "\n") {
			if strings.Contains(line, "issing") {
				got = append(got, strings.TrimSuffix(line, " [0]"))
			}
		}
		if strings.Join(got, "|") != c.want {
			t.Errorf("got  %q\nwant %q", strings.Join(got, "|"), c.want)
		}
	}
}

// A node whose columns refuse missing values has no words about them.
func TestRefusedValuesHaveNoRule(t *testing.T) {
	s := weather(t)
	for i := range s.names.Schema.Fields {
		s.names.Schema.Fields[i].Missing, s.names.Schema.Fields[i].Unseen = data.Refuse, data.Refuse
	}
	if got := render(t, Text, s); strings.Contains(got, "missing") {
		t.Errorf("the text mentions missing values:\n%s", got)
	}
	s.names.Schema.Fields[0].Levels = append(s.names.Schema.Fields[0].Levels, "hail")
	if got := render(t, Text, s); !strings.Contains(got, "A category without a branch counts as missing.\n") || !strings.Contains(got, "takes all branches") {
		t.Errorf("the text has no branch for hail:\n%s", got)
	}
}

// Levels keep their end, what missing values take, where they are too wide for a branch.
func TestShortAnswer(t *testing.T) {
	s := towns(t)
	v, err := newView(s.tree, s.names, s.o)
	if err != nil {
		t.Fatal(err)
	}
	q := v.question(0, briefWording(4))
	for _, c := range []struct {
		child int32
		space int
		want  string
	}{
		{1, 200, "Ålesund, missing"}, {1, 84, "Åle…, missing"}, {5, 105, "Lillehammer and…"}, {2, 100, "Bergen"},
	} {
		if got := shortAnswer(&q, c.child, c.space); got != c.want {
			t.Errorf("child %d in %d pixels: %q, want %q", c.child, c.space, got, c.want)
		}
	}
}

// A picture of very many children is drawn without one edge leaving its card.
func TestManyChildren(t *testing.T) {
	b := tree.NewBuilder(tree.Scalar, 1, true)
	b.Split(0, tree.Split{Kind: tree.ByCode, Arity: 300})
	for n := range int32(301) {
		b.SetValue(n, []float64{float64(n)})
		b.SetStats(n, 1, 1, 1)
	}
	b.SetStats(0, 300, 300, 1)
	s := sample{tree: build(t, b)}
	svg := []byte(render(t, SVG, s))
	checkPicture(t, svg, 301)
	var card area
	for _, p := range parse(t, svg) {
		if p.name == "rect" && p.node == "0" {
			card = p.area(t)
			break
		}
	}
	for _, p := range parse(t, svg) {
		if p.name != "path" {
			continue
		}
		var x, y float64
		if _, err := fmt.Sscanf(p.attr["d"], "M%g %g", &x, &y); err != nil {
			t.Fatal(err)
		}
		if y < card.y || y > card.y+card.h || x < card.x || x > card.x+card.w {
			t.Errorf("an edge leaves the root at %g, %g, its card is %v", x, y, card)
		}
	}
}
