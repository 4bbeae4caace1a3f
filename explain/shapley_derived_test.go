package explain_test

import (
	"context"
	"math"
	"math/bits"
	"path/filepath"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/coppice-ml/coppice/codec"
	"github.com/coppice-ml/coppice/codec/formats"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/explain"
	"github.com/coppice-ml/coppice/internal/input"
	"github.com/coppice-ml/coppice/internal/input/inputtest"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/tree"
	"github.com/coppice-ml/coppice/tree/treetest"
)

// A column that is read as it is and with 0 as missing is one player: contributions are LightGBM's
// pred_contrib.
func TestShapleyOfZeroAsMissing(t *testing.T) {
	m, _, err := formats.Open(filepath.Join("testdata", "shapley", "zero_as_missing.txt"),
		codec.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	f, err := data.NewFrame(m.Spec().Schema, []data.Column{data.Numbers([]float64{0, 3}),
		data.Numbers([]float64{1, 0})})
	if err != nil {
		t.Fatal(err)
	}
	want := [][]float64{{-68. / 105, -352. / 105}, {11.2, 0.8}}
	c := contributionsOf(t, m, f, explain.ShapleyOptions{})
	sameRowByRow(t, m, f, explain.ShapleyOptions{}, c)
	for r, want := range want {
		for j, v := range c.Row(r, 0) {
			if math.Abs(v-want[j]) > 1e-12 {
				t.Errorf("row %d: contributions %v, want %v", r, c.Row(r, 0), want)
			}
		}
	}
}

// derivedFields are what random models have columns derived of.
var derivedFields = []data.Field{{Name: "a"}, {Name: "b"},
	{Name: "c", Kind: data.Categorical, Levels: []string{"p", "q", "r"}},
	{Name: "d", Kind: data.Categorical, Levels: []string{"s", "t"}}}

// randomDerived draws a model of a tree that tests fields and columns derived of them.
func randomDerived(t *rapid.T) *model.Ensemble {
	schema := data.Schema{Fields: derivedFields}
	m := &model.Ensemble{Meta: model.Spec{Schema: schema, Task: data.Regression, Learner: "gbm"},
		Inputs: inputtest.Set(derivedFields).Draw(t, "derived columns")}
	m.Trees = []*tree.Tree{randomSplits(t, m.Features().Fields)}
	return m
}

// What the nodes of random trees have.
var (
	bothSides    = []tree.Missing{tree.MissingFirst, tree.MissingLast}
	ofCategories = []tree.Kind{tree.SetFirst, tree.SetLast, tree.ByCode}
)

// randomSplits draws a tree whose nodes test one feature each.
func randomSplits(t *rapid.T, fields []data.Field) *tree.Tree {
	b := tree.NewBuilder(tree.Scalar, 1, false)
	leaves := []int32{0}
	for range rapid.IntRange(1, 8).Draw(t, "splits") {
		feature := rapid.IntRange(0, len(fields)-1).Draw(t, "feature")
		s := tree.Split{Kind: tree.Numeric, Feature: int32(feature), Arity: 2,
			SplitPoint: rapid.Float64Range(-3, 3).Draw(t, "split point"),
			Missing:    rapid.SampledFrom(bothSides).Draw(t, "missing")}
		if n := len(fields[feature].Levels); n > 0 {
			s.Kind = rapid.SampledFrom(ofCategories).Draw(t, "kind")
			if s.Kind == tree.ByCode {
				s.Arity = int32(n)
			} else {
				s.Set = []uint64{rapid.Uint64Range(1, 1<<n-2).Draw(t, "set")}
			}
		}
		at := rapid.IntRange(0, len(leaves)-1).Draw(t, "leaf")
		first := b.Split(leaves[at], s)
		leaves = slices.Delete(leaves, at, at+1)
		for c := range s.Arity {
			leaves = append(leaves, first+c)
		}
	}
	for _, n := range leaves {
		b.SetValue(n, []float64{rapid.Float64Range(-10, 10).Draw(t, "value")})
		b.SetCover(n, rapid.SampledFrom([]float64{0.5, 1, 2, 100}).Draw(t, "weight"))
	}
	made, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return made
}

// creditedTo returns the fields that are one player, by the definition: those that a feature is
// made of, but of a combination without conditions if it has categories.
func creditedTo(m *model.Ensemble, feature int32) []int32 {
	at := int(feature) - len(derivedFields)
	if at < 0 {
		return []int32{feature}
	}
	at -= len(m.Inputs.Columns) + len(m.Inputs.Numbers)
	for i := range m.Inputs.Combinations {
		c := &m.Inputs.Combinations[i]
		if at >= 0 && at < c.Outputs() {
			var fields []int32
			for _, e := range c.Elements {
				if e.Kind == input.Category {
					fields = append(fields, e.Source)
				}
			}
			if slices.Sort(fields); len(fields) > 0 {
				return slices.Compact(fields)
			}
		}
		at -= c.Outputs()
	}
	return m.Sources(feature)
}

// worth returns what a tree predicts for a row when a set of players is known: at a node of another
// one all branches are taken by their weight. players has the number of that of each feature.
func worth(t *tree.Tree, row []float64, players []int, set int) float64 {
	covers := t.Covers()
	var visit func(n int32) float64
	visit = func(n int32) float64 {
		if t.Kind(n) == tree.Leaf {
			return t.Value(n)[0]
		}
		if f := t.Feature(n); set>>players[f]&1 != 0 {
			return visit(follow(t, n, row[f]))
		}
		mean := 0.0
		for c := range t.Arity(n) {
			mean += covers[t.Child(n)+c] / covers[n] * visit(t.Child(n)+c)
		}
		return mean
	}
	return visit(0)
}

// follow returns the child that a value leads to; categories are codes, -1 an unseen one.
func follow(t *tree.Tree, n int32, x float64) int32 {
	code := data.UnseenCode
	if x >= 0 {
		code = uint32(x)
	}
	first, second := t.Child(n), t.Child(n)+1
	switch kind := t.Kind(n); {
	case math.IsNaN(x):
		return t.NextMissing(n)
	case kind == tree.Numeric && x <= t.SplitPoint(n):
		return first
	case kind == tree.Numeric:
		return second
	case kind == tree.ByCode && code < uint32(t.Arity(n)):
		return first + int32(code)
	case kind == tree.ByCode:
		return t.NextMissing(n)
	case tree.InSet(t.Set(n), code) == (kind == tree.SetFirst):
		return first
	}
	return second
}

// Contributions of random models with derived columns are Shapley's values by their definition, a
// sum over all sets of players. So are those of enough rows for tables, and those of single rows.
func TestShapleyOfDerivedColumns(t *testing.T) {
	shared := 0 // models whose trees test several columns of one player
	rapid.Check(t, func(t *rapid.T) {
		m := randomDerived(t)
		f := treetest.Frame(m.Meta.Schema, 3).Draw(t, "rows")
		var players [][]int32
		player := make([]int, len(m.Features().Fields))
		for i := range player {
			fields := creditedTo(m, int32(i))
			at := slices.IndexFunc(players, func(p []int32) bool { return slices.Equal(p, fields) })
			if player[i] = at; at < 0 {
				player[i] = len(players)
				players = append(players, fields)
			}
		}
		got, err := explain.Shapley(context.Background(), m, f, nil, explain.ShapleyOptions{})
		if err != nil {
			t.Fatal(err)
		}
		many, err := explain.Shapley(context.Background(), m, f, slices.Repeat(data.AllRows(3), 30),
			explain.ShapleyOptions{})
		if err != nil {
			t.Fatal(err)
		}
		x, err := explain.NewShapleyExplainer(context.Background(), m, &f.Schema,
			explain.ShapleyOptions{})
		if err != nil {
			t.Fatal(err)
		}
		pairs, err := explain.Interactions(context.Background(), m, f, nil, explain.ShapleyOptions{})
		if err != nil {
			t.Fatal(err)
		}
		single := make([]float64, len(derivedFields))
		for r := range f.Rows() {
			row := derivedRow(m, f, r)
			want := byPlayers(m.Trees[0], row, player, players)
			if err := x.Row(single, row[:len(derivedFields)]); err != nil {
				t.Fatal(err)
			}
			for j, w := range want {
				sum := 0.0
				for i := range want {
					sum += pairs.Row(r, 0)[j*len(want)+i]
				}
				if math.Abs(sum-w) > 1e-10 {
					t.Fatalf("row %d: interactions of field %s add up to %v, want %v", r,
						derivedFields[j].Name, sum, w)
				}
				for way, v := range map[string]float64{"few rows": got.Row(r, 0)[j],
					"many rows": many.Row(r+30, 0)[j], "a single row": single[j]} {
					if math.Abs(v-w) > 1e-10 {
						t.Fatalf("%s: row %d, field %s: %v, want %v", way, r,
							derivedFields[j].Name, v, w)
					}
				}
			}
		}
		tests := map[int]map[int32]bool{}
		for n := range int32(m.Trees[0].Len()) {
			if m.Trees[0].Kind(n) == tree.Leaf {
				continue
			}
			at := m.Trees[0].Feature(n)
			if tests[player[at]] == nil {
				tests[player[at]] = map[int32]bool{}
			}
			tests[player[at]][at] = true
		}
		for _, features := range tests {
			if len(features) > 1 {
				shared++
				break
			}
		}
	})
	if shared == 0 {
		t.Error("no tree tests several columns of one player")
	}
}

// derivedRow returns the values of a row by feature.
func derivedRow(m *model.Ensemble, f *data.Frame, row int) []float64 {
	var values []float64
	for i := range f.Columns {
		c := &f.Columns[i]
		switch {
		case c.Codes() == nil:
			values = append(values, c.Number(row))
		case c.Code(row) == data.MissingCode:
			values = append(values, math.NaN())
		case c.Code(row) == data.UnseenCode:
			values = append(values, -1)
		default:
			values = append(values, float64(c.Code(row)))
		}
	}
	return append(values, inputtest.Values(&m.Inputs, m.Meta.Schema.Fields,
		func(field int32) uint32 { return f.Columns[field].Code(row) },
		func(field int32) float64 { return f.Columns[field].Number(row) })...)
}

// byPlayers returns by field the shares of the Shapley values of its players.
func byPlayers(t *tree.Tree, row []float64, player []int, players [][]int32) []float64 {
	n := len(players)
	of := make([]float64, 1<<n)
	for set := range of {
		of[set] = worth(t, row, player, set)
	}
	weight := make([]float64, n) // of the sets of so many others
	for size := range weight {
		weight[size] = 1 / float64(n)
		for i := range size {
			weight[size] *= float64(i+1) / float64(n-1-i)
		}
	}
	shares := make([]float64, len(derivedFields))
	for p, fields := range players {
		value := 0.0
		for set := range of {
			if set>>p&1 == 0 {
				value += weight[bits.OnesCount(uint(set))] * (of[set|1<<p] - of[set])
			}
		}
		for _, f := range fields {
			shares[f] += value / float64(len(fields))
		}
	}
	return shares
}

// Contributions of groups are the sums of those of their features, in the order of these. Mean
// absolute contributions are those of the rows, added up over the scores.
func TestContributionsOfGroups(t *testing.T) {
	c := &explain.Contributions{Features: []string{"b.1", "a", "b.2", "c", "a.2"}, Scores: 2, Classes: []string{"x", "y"},
		Bias: []float64{7, 8}, Values: make([]float64, 30)}
	for i := range c.Values {
		c.Values[i] = float64(i*i%13) - 5
	}
	j := c.Joined(func(feature string) string { return feature[:1] })
	if !slices.Equal(j.Features, []string{"b", "a", "c"}) || j.Scores != 2 || !slices.Equal(j.Bias, c.Bias) ||
		!slices.Equal(j.Classes, c.Classes) || len(j.Values) != 18 {
		t.Fatalf("joined: %+v", j)
	}
	for row := range 3 {
		for k := range 2 {
			own := c.Row(row, k)
			if want := []float64{own[0] + own[2], own[1] + own[4], own[3]}; !slices.Equal(j.Row(row, k), want) {
				t.Errorf("row %d, score %d: %v, want %v", row, k, j.Row(row, k), want)
			}
		}
	}
	mean, stdError := j.MeanAbsolute()
	for f := range j.Features {
		var of [3]float64
		sum, squares := 0.0, 0.0
		for row := range of {
			of[row] = math.Abs(j.Row(row, 0)[f]) + math.Abs(j.Row(row, 1)[f])
			sum += of[row] / 3
		}
		for _, x := range of {
			squares += (x - sum) * (x - sum)
		}
		if math.Abs(mean[f]-sum) > 1e-12 || math.Abs(stdError[f]-math.Sqrt(squares/6)) > 1e-12 {
			t.Errorf("feature %d: %v +- %v, want %v +- %v", f, mean[f], stdError[f], sum, math.Sqrt(squares/6))
		}
	}
	one := &explain.Contributions{Features: []string{"a"}, Scores: 1, Values: []float64{-3}}
	if mean, stdError := one.MeanAbsolute(); mean[0] != 3 || stdError[0] != 0 {
		t.Errorf("one row: %v +- %v", mean, stdError)
	}
	none := (&explain.Contributions{Scores: 1, Bias: []float64{2}}).Joined(func(string) string { return "" })
	if len(none.Features) != 0 || len(none.Values) != 0 || none.Bias[0] != 2 {
		t.Errorf("no features: %+v", none)
	}
	if mean, stdError := none.MeanAbsolute(); len(mean) != 0 || len(stdError) != 0 {
		t.Errorf("no features: %v +- %v", mean, stdError)
	}
	one.Values = nil
	if mean, stdError := one.MeanAbsolute(); !slices.Equal(mean, []float64{0}) || !slices.Equal(stdError, []float64{0}) {
		t.Errorf("no rows: %v +- %v", mean, stdError)
	}
}
