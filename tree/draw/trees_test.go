package draw

import (
	"math"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/tree"
)

// sample is a tree with its names.
type sample struct {
	name  string
	tree  *tree.Tree
	names Names
	o     Options
}

func build(t *testing.T, b *tree.Builder) *tree.Tree {
	t.Helper()
	built, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return built
}

// put sets value and statistics of a node whose rows all have weight 1.
func put(b *tree.Builder, n int32, rows int, impurity float64, value ...float64) {
	b.SetValue(n, value)
	b.SetStats(n, rows, float64(rows), impurity)
}

func numeric(names ...string) *data.Schema {
	s := &data.Schema{}
	for _, name := range names {
		s.Fields = append(s.Fields, data.Field{Name: name})
	}
	return s
}

func set(codes ...int) []uint64 {
	words := []uint64{0}
	for _, c := range codes {
		for c/64 >= len(words) {
			words = append(words, 0)
		}
		words[c/64] |= 1 << (c % 64)
	}
	return words
}

// samples returns one tree per thing that drawings treat in a way of its own.
func samples(t *testing.T) []sample {
	return []sample{iris(t), contacts(t), prices(t), boosted(t), letters(t), chain(t, 30, Options{MaxDepth: 3}), single(t), outputs(t),
		weather(t), towns(t), flowers(t), passengers(t), rents(t)}
}

// iris is the Gini tree of Fisher's iris with three leaves.
func iris(t *testing.T) sample {
	b := tree.NewBuilder(tree.Counts, 3, true)
	put(b, 0, 150, 2.0/3, 50, 50, 50)
	c := b.Split(0, tree.Split{Feature: 2, Kind: tree.Numeric, SplitPoint: 2.45, Gain: 50, Missing: tree.MissingLast})
	put(b, c, 50, 0, 50, 0, 0)
	put(b, c+1, 100, 0.5, 0, 50, 50)
	d := b.Split(c+1, tree.Split{Feature: 3, Kind: tree.Numeric, SplitPoint: 1.75, Gain: 38.969404186795486})
	put(b, d, 54, 0.16803840877914955, 0, 49, 5)
	put(b, d+1, 46, 0.04253308128544431, 0, 1, 45)
	return sample{"iris", build(t, b), Names{
		Schema:  numeric("sepal_length", "sepal_width", "petal_length", "petal_width"),
		Classes: []string{"setosa", "versicolor", "virginica"}, Label: "species", Impurity: "gini",
	}, Options{}}
}

// contacts has sets of both kinds, long names, a node that requests missing values, and unusual
// missing rules.
func contacts(t *testing.T) sample {
	jobs := []string{"clerk", "engineer, retired", "farmer", "house-keeping service", "machine-operator-inspector", "nurse", "teacher"}
	schema := &data.Schema{Fields: []data.Field{
		{Name: "job_of_the_person_who_answered", Kind: data.Categorical, Levels: jobs},
		{Name: "city", Kind: data.Categorical, Levels: []string{"Oslo", "Łódź", "São Paulo"}, Missing: data.Refuse, Unseen: data.Refuse},
		{Name: "age"},
	}}
	b := tree.NewBuilder(tree.Counts, 2, true)
	put(b, 0, 1200, 0.5, 600, 600)
	c := b.Split(0, tree.Split{Feature: 0, Kind: tree.SetFirst, Set: set(0, 1, 2, 3), Missing: tree.MissingLast})
	put(b, c, 800, 0.46875, 300, 500)
	put(b, c+1, 400, 0.375, 300, 100)
	d := b.Split(c, tree.Split{Feature: 1, Kind: tree.SetLast, Set: set(1), Missing: tree.MissingFirst})
	put(b, d, 500, 0.32, 100, 400)
	put(b, d+1, 300, 4.0/9, 200, 100)
	e := b.Split(c+1, tree.Split{Feature: 2, Kind: tree.Numeric, SplitPoint: math.Inf(1), Missing: tree.MissingLast})
	put(b, e, 399, 0.376, 299, 100)
	put(b, e+1, 1, 0, 1, 0)
	f := b.Split(e, tree.Split{Feature: 2, Kind: tree.Numeric, SplitPoint: 41.5, Missing: tree.MissingFirst})
	put(b, f, 99, 0, 99, 0)
	put(b, f+1, 300, 4.0/9, 200, 100)
	return sample{"contacts", build(t, b), Names{
		Schema: schema, Classes: []string{"<no>", `"yes" & more`}, Label: "answer", Impurity: "gini",
	}, Options{}}
}

// prices is a regression tree with weights that are no row counts.
func prices(t *testing.T) sample {
	b := tree.NewBuilder(tree.Scalar, 1, true)
	value := func(n int32, rows int, impurity, mean float64) {
		b.SetValue(n, []float64{mean})
		b.SetStats(n, rows, 1.5*float64(rows), impurity)
	}
	value(0, 506, 84.4196, 22.5328)
	c := b.Split(0, tree.Split{Feature: 0, Kind: tree.Numeric, SplitPoint: 6.941, Gain: 19339.6})
	value(c, 430, 40.2728, 19.9337)
	value(c+1, 76, 79.7292, 37.2382)
	d := b.Split(c, tree.Split{Feature: 1, Kind: tree.Numeric, SplitPoint: 1234567.5})
	value(d, 255, 26.0094, 23.3498)
	value(d+1, 175, 19.2764, 14.956)
	return sample{"prices", build(t, b), Names{
		Schema: numeric("rooms", "income of the neighbourhood"), Label: "value", Impurity: "mse",
	}, Options{}}
}

// boosted has neither statistics, nor inner values, nor names.
func boosted(t *testing.T) sample {
	b := tree.NewBuilder(tree.Scalar, 1, false)
	c := b.Split(0, tree.Split{Feature: 0, Kind: tree.Numeric, SplitPoint: -0.5, Missing: tree.MissingLast})
	d := b.Split(c, tree.Split{Feature: 7, Kind: tree.SetFirst, Set: set(2, 70, 71)})
	b.SetValue(c+1, []float64{0.25})
	b.SetValue(d, []float64{-0.125})
	b.SetValue(d+1, []float64{1e-7})
	return sample{"boosted", build(t, b), Names{}, Options{}}
}

// letters has more classes than colours.
func letters(t *testing.T) sample {
	names := Names{Schema: numeric("x", "y"), Label: "letter", Impurity: "entropy", Classes: strings.Split("ABCDEFGHIJKL", "")}
	b := tree.NewBuilder(tree.Counts, 12, true)
	at := func(n int32, weights ...float64) {
		value, rows := make([]float64, 12), 0
		copy(value, weights)
		for _, w := range weights {
			rows += int(w)
		}
		put(b, n, rows, 1, value...)
	}
	at(0, 30, 20, 20, 10, 10, 2, 2, 2, 1, 1, 1, 1)
	c := b.Split(0, tree.Split{Feature: 0, Kind: tree.Numeric, SplitPoint: 3})
	at(c, 29, 18, 0, 1)
	at(c+1, 1, 2, 20, 9, 10, 2, 2, 2, 1, 1, 1, 1)
	return sample{"letters", build(t, b), names, Options{}}
}

// chain is a tree of the given depth in which every last child is split again.
func chain(t *testing.T, depth int, o Options) sample {
	b := tree.NewBuilder(tree.Counts, 2, true)
	n := int32(0)
	for d := range depth {
		put(b, n, depth-d+1, 0.5, float64(depth-d), 1)
		n = b.Split(n, tree.Split{Feature: 0, Kind: tree.Numeric, SplitPoint: float64(d), Missing: tree.MissingLast})
		put(b, n, 1, 0, 1, 0)
		n++
	}
	put(b, n, 1, 0, 0, 1)
	return sample{"chain", build(t, b), Names{Schema: numeric("time"), Classes: []string{"no", "yes"}}, o}
}

func single(t *testing.T) sample {
	b := tree.NewBuilder(tree.Counts, 2, true)
	put(b, 0, 14, 0.4591836734693877, 9, 5)
	return sample{"single", build(t, b), Names{Classes: []string{"yes", "no"}, Label: "play", Impurity: "gini"}, Options{}}
}

// outputs has several numbers per leaf.
func outputs(t *testing.T) sample {
	b := tree.NewBuilder(tree.Vector, 5, true)
	put(b, 0, 10, 3, 1, 2, 3, 4, 5)
	c := b.Split(0, tree.Split{Feature: 1, Kind: tree.Numeric, SplitPoint: 0.001})
	put(b, c, 9, 2, 1, 2, 3, 4, 5.5)
	put(b, c+1, 1, 0, -1, 0, math.MaxFloat64, 1e-7, 2)
	return sample{"outputs", build(t, b), Names{Schema: numeric("a", "b")}, Options{}}
}
