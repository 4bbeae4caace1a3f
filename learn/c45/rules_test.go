package c45

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/datatest"
	"github.com/coppice-ml/coppice/internal/kernel"
	"github.com/coppice-ml/coppice/internal/models/rules"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/internal/exact/weighted"
	"github.com/coppice-ml/coppice/learn/internal/grow"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/tree"
)

// weather reads Quinlan's table.
func weather(t *testing.T, file string) *data.Dataset {
	t.Helper()
	return datatest.Read(t, "weather/"+file, data.Roles{Label: "play"})
}

func fit(t rapid.TB, ds *data.Dataset, l *Rules, rows []int32) *rules.Rules {
	t.Helper()
	f, err := l.Prepare(context.Background(), ds.Frame, nil, nil, learn.Env{})
	if err != nil {
		t.Fatal(err)
	}
	m, err := f.Fit(context.Background(), &ds.Target, learn.Job{Rows: rows})
	if err != nil {
		t.Fatal(err)
	}
	return m.(*rules.Rules)
}

func printed(t *testing.T, m *rules.Rules) string {
	t.Helper()
	var b bytes.Buffer
	if err := m.Write(&b); err != nil {
		t.Fatal(err)
	}
	return "\n" + b.String()
}

// TestWeatherByHand: Quinlan's nominal table. The estimated errors of a rule with e errors in n
// rows are, by U(e, n) of confidence 0.25: U(0,2) = 0.500, U(0,3) = 0.370, U(0,4) = 0.293, U(1,7) =
// 0.335, U(2,8) = 0.431, U(5,14) = 0.483.
//
//	sunny, high -> no       U(0,3); high alone is wrong in 3 of 7, sunny alone in 2 of 5: nothing is dropped
//	sunny, normal -> yes    U(0,2); normal alone is wrong in 1 of 7: sunny goes; without a condition, U(5,14): normal stays
//	overcast -> yes         U(0,4)
//	rainy, FALSE -> yes     U(0,3); FALSE alone is wrong in 2 of 8, rainy alone in 2 of 5
//	rainy, TRUE -> no       U(0,2); TRUE alone is wrong in 3 of 6, rainy alone in 3 of 5
func TestWeatherByHand(t *testing.T) {
	ds := weather(t, "weather.nominal.csv")
	m := fit(t, ds, NewRules(), nil)
	want := `
rule  play  covers   right  decides  if
   0  no         3  100.0%        3  outlook = sunny and humidity = high
   1  no         2  100.0%        2  outlook = rainy and windy = TRUE
   2  yes        4  100.0%        4  outlook = overcast
   3  yes        7   85.7%        4  humidity = normal
   4  yes        3  100.0%        1  outlook = rainy and windy = FALSE
   5  yes       14   64.3%        0  otherwise
`
	if got := printed(t, m); got != want {
		t.Errorf("got%s\nwant%s", got, want)
	}
	l := NewRules()
	for _, c := range []struct{ errors, rows, want float64 }{{0, 2, 0.5}, {0, 3, 0.370},
		{0, 4, 0.293}, {1, 7, 0.335}, {2, 8, 0.431}, {5, 14, 0.483}} {
		if got := l.rate(outcome{c.rows - c.errors, c.errors}); math.Abs(got-c.want) > 0.0005 {
			t.Errorf("U(%g, %g) = %.4f, want %.3f", c.errors, c.rows, got, c.want)
		}
	}
	if got, want := string(m.Meta.Summary),
		`{"rows":14,"criterion":"entropy","tree_leaves":5,"rules":6,"conditions":8}`; got != want {
		t.Errorf("summary %s, want %s", got, want)
	}
}

// TestDescriptionByHand: the bits of subsets of the rules for yes in TestWeatherByHand. A column
// costs log2 4 = 2 bits, a value of outlook log2 3, one of the others 1; of 14 rows 9 are yes. With
// half the bits of the rules:
//
//	none                     0                       + log2 C(14,9)
//	normal                   3 / 2                   + log2 C(7,1) + log2 C(7,3)
//	normal, overcast         (3 + 3.585 - 1) / 2     + log2 C(9,1) + log2 C(5,1)
//	and rainy FALSE          (3 + 3.585 + 5.585 - log2 3!) / 2     + log2 C(10,1)
func TestDescriptionByHand(t *testing.T) {
	ds := weather(t, "weather.nominal.csv")
	pop, err := grow.Gather(&ds.Target, data.AllRows(14))
	if err != nil {
		t.Fatal(err)
	}
	d := newDescription(newSample(ds.Frame, pop), NewRules())
	is := func(column, level string) rules.Condition {
		i := ds.Schema.Index(column)
		return rules.Condition{Kind: rules.In, Feature: int32(i),
			Set: []uint64{1 << slices.Index(ds.Schema.Fields[i].Levels, level)}}
	}
	normal := []rules.Condition{is("humidity", "normal")}
	overcast := []rules.Condition{is("outlook", "overcast")}
	rainy := []rules.Condition{is("outlook", "rainy"), is("windy", "FALSE")}
	for i, c := range []struct {
		bits, want float64
	}{{d.rule(normal), 3}, {d.rule(overcast), 2 + math.Log2(3)}, {d.rule(rainy), 2 + math.Log2(3) +
		2 + 1 - 1}} {
		if math.Abs(c.bits-c.want) > 1e-9 {
			t.Errorf("rule %d has %g bits, want %g", i, c.bits, c.want)
		}
	}
	yes := outcome{9, 5}
	for _, c := range []struct {
		covered outcome
		chosen  [][]rules.Condition
		want    float64
	}{
		{outcome{}, nil, math.Log2(2002)},
		{outcome{6, 1}, [][]rules.Condition{normal}, 1.5 + math.Log2(7) + math.Log2(35)},
		{outcome{8, 1}, [][]rules.Condition{normal, overcast}, (3+2+math.Log2(3)-1)/2 + math.Log2(9) +
			math.Log2(5)},
		{outcome{9, 1}, [][]rules.Condition{normal, overcast, rainy},
			(3+2+math.Log2(3)+4+math.Log2(3)-math.Log2(6))/2 + math.Log2(10)},
	} {
		theory := 0.0
		for _, r := range c.chosen {
			theory += d.rule(r)
		}
		if got := d.cost(theory, len(c.chosen), c.covered, yes); math.Abs(got-c.want) > 1e-9 {
			t.Errorf("%d rules: %g bits, want %g", len(c.chosen), got, c.want)
		}
	}
}

// TestNumericWeather: numbers are split, and split points of one column joined in print.
func TestNumericWeather(t *testing.T) {
	want := `
rule  play  covers   right  decides  if
   0  no         3  100.0%        3  outlook = sunny and humidity > 75
   1  no         2  100.0%        2  outlook = rainy and windy = TRUE
   2  yes        4  100.0%        4  outlook = overcast
   3  yes        3  100.0%        3  outlook = rainy and windy = FALSE
   4  yes       14   64.3%        2  otherwise
`
	if got := printed(t, fit(t, weather(t, "weather.numeric.csv"), NewRules(), nil)); got != want {
		t.Errorf("got%s\nwant%s", got, want)
	}
}

// problem generates a table, with missing values if requested, and a label that depends on it in
// part.
func problem(t *rapid.T, missing bool) *data.Dataset {
	n := rapid.IntRange(1, 60).Draw(t, "rows")
	var schema data.Schema
	var columns []data.Column
	for i := range rapid.IntRange(1, 4).Draw(t, "columns") {
		f := data.Field{Name: fmt.Sprint("x", i)}
		if rapid.Bool().Draw(t, "categorical") {
			f.Kind, f.Levels = data.Categorical, []string{"a", "b", "c"}
			codes := []uint32{0, 1, 2}
			if missing {
				codes = append(codes, data.MissingCode)
			}
			columns = append(columns,
				data.Codes(rapid.SliceOfN(rapid.SampledFrom(codes), n, n).Draw(t, "codes")))
		} else {
			values := []float64{1, 2, 3, 4, 5}
			if missing {
				values = append(values, math.NaN())
			}
			columns = append(columns,
				data.Numbers(rapid.SliceOfN(rapid.SampledFrom(values), n, n).Draw(t, "numbers")))
		}
		schema.Fields = append(schema.Fields, f)
	}
	f, err := data.NewFrame(schema, columns)
	if err != nil {
		t.Fatal(err)
	}
	ds := &data.Dataset{Frame: f, Target: data.Target{Name: "y", Task: data.Multiclass,
		Classes: []string{"k", "l", "m"}, Class: make([]uint32, n)}}
	noise := rapid.SliceOfN(rapid.Uint32Range(0, 5), n, n).Draw(t, "noise")
	for i := range ds.Target.Class {
		ds.Target.Class[i] = noise[i]
		if noise[i] > 2 { // the first column decides
			if c := columns[0]; c.Codes() != nil {
				ds.Target.Class[i] = min(c.Code(i), 2)
			} else if ds.Target.Class[i] = 0; c.Number(i) > 2 {
				ds.Target.Class[i] = 1
			}
		}
	}
	return ds
}

// learner generates parameters.
func learner(t *rapid.T) *Rules {
	l := NewRules()
	l.MinLeaf = float64(rapid.IntRange(1, 2).Draw(t, "min_leaf"))
	l.Binary = rapid.Bool().Draw(t, "binary")
	l.Confidence = rapid.SampledFrom([]float64{0.05, 0.25, 0.5}).Draw(t, "confidence")
	l.Theory = rapid.SampledFrom([]float64{0, 0.5, 1}).Draw(t, "theory")
	return l
}

// TestUnsimplifiedRulesAreTheTree: with all conditions and all rules, training rows without missing
// values get the class of their leaf.
func TestUnsimplifiedRulesAreTheTree(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ds, l := problem(t, false), learner(t)
		l.Simplify, l.Select = false, false
		m := fit(t, ds, l, nil)
		grown := ownTree(t, ds, l)
		for row := range int32(ds.Rows()) {
			leaf := grown.Over(ds.Columns).LeafOf(row)
			if got, want := decided(m, ds.Frame, row).Class(),
				model.ArgMax(grown.Value(leaf)); got != want {
				t.Fatalf("row %d: class %d, the tree predicts %d", row, got, want)
			}
		}
	})
}

// ownTree grows the tree that the rules come from.
func ownTree(t *rapid.T, ds *data.Dataset, l *Rules) *tree.Tree {
	p, err := weighted.Prepare(t.Context(), ds.Frame, nil, 1)
	if err != nil {
		t.Fatal(err)
	}
	pop, err := grow.Gather(&ds.Target, p.Rows())
	if err != nil {
		t.Fatal(err)
	}
	grown, err := p.GrowC45(t.Context(), pop, weighted.C45{MinWeight: l.MinLeaf, Binary: l.Binary})
	if err != nil {
		t.Fatal(err)
	}
	return grown
}

// covers reports whether all conditions hold for a row.
func covers(conditions []rules.Condition, f *data.Frame, row int32) bool {
	return !slices.ContainsFunc(conditions,
		func(c rules.Condition) bool { return !c.Matches(f.Columns, row) })
}

// decided returns the rule that decides a row.
func decided(m *rules.Rules, f *data.Frame, row int32) *rules.Rule {
	i := slices.IndexFunc(m.List, func(r rules.Rule) bool { return covers(r.If, f, row) })
	return &m.List[i]
}

// count is outcome, row by row.
func count(conditions []rules.Condition, ds *data.Dataset, class int) outcome {
	var t outcome
	for row := range int32(ds.Rows()) {
		switch {
		case !covers(conditions, ds.Frame, row):
		case int(ds.Target.Class[row]) == class:
			t.right += ds.Target.WeightAt(row)
		default:
			t.wrong += ds.Target.WeightAt(row)
		}
	}
	return t
}

// TestConditionsAreNeeded: no condition of a simplified rule can go without the estimated error
// rising.
func TestConditionsAreNeeded(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ds, l := problem(t, true), learner(t)
		l.Select = false
		for _, r := range fit(t, ds, l, nil).List {
			rate := l.rate(count(r.If, ds, r.Class()))
			for k := range r.If {
				fewer := slices.Delete(slices.Clone(r.If), k, k+1)
				if other := l.rate(count(fewer, ds, r.Class())); other <= rate {
					t.Fatalf("%v has rate %g, without condition %d %g", r.If, rate, k, other)
				}
			}
		}
	})
}

// TestFinishedRules: the numbers that rules carry are those of the rows; each decides rows, mostly
// of its class; none can go so that there are fewer errors; the rules of a class stand together,
// and the last one has the majority of what is left.
func TestFinishedRules(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ds := problem(t, true)
		if rapid.Bool().Draw(t, "weighted") {
			ds.Target.Weight = rapid.SliceOfN(rapid.SampledFrom([]float64{0.5, 1, 3}), ds.Rows(),
				ds.Rows()).Draw(t, "weights")
		}
		m := fit(t, ds, learner(t), nil)
		last := len(m.List) - 1
		value := make([][]float64, len(m.List))
		for i := range value {
			value[i] = make([]float64, 3)
		}
		for row := range int32(ds.Rows()) {
			i := slices.IndexFunc(m.List,
				func(r rules.Rule) bool { return covers(r.If, ds.Frame, row) })
			value[i][ds.Target.Class[row]] += ds.Target.WeightAt(row)
		}
		for i, r := range m.List {
			all := count(r.If, ds, r.Class())
			if r.Covered != all.weight() || r.Right != all.right || r.Decided != kernel.Sum(value[i]) {
				t.Fatalf("rule %d covers %g, %g right, decides %g; counted %v and %v", i, r.Covered,
					r.Right, r.Decided, all, value[i])
			}
			if i == last && kernel.Sum(value[i]) == 0 {
				value[i] = []float64{count(nil, ds, 0).right, count(nil, ds, 1).right,
					count(nil, ds, 2).right}
			}
			if !slices.Equal(r.Value, value[i]) {
				t.Fatalf("rule %d has value %v, counted %v", i, r.Value, value[i])
			}
		}
		seen := map[int]bool{}
		for i, r := range m.List[:last] {
			if seen[r.Class()] && m.List[i-1].Class() != r.Class() {
				t.Fatalf("the rules of class %d do not stand together", r.Class())
			}
			seen[r.Class()] = true
		}
		now := errorsOf(m, ds)
		for i := range m.List[:last] {
			without := &rules.Rules{Meta: m.Meta, List: slices.Delete(slices.Clone(m.List), i, i+1)}
			if fewer := errorsOf(without, ds); fewer < now {
				t.Fatalf("%g errors, without rule %d %g", now, i, fewer)
			}
		}
	})
}

// errorsOf is the weight of the training rows that rules get wrong.
func errorsOf(m *rules.Rules, ds *data.Dataset) float64 {
	wrong := 0.0
	for row := range int32(ds.Rows()) {
		if decided(m, ds.Frame, row).Class() != int(ds.Target.Class[row]) {
			wrong += ds.Target.WeightAt(row)
		}
	}
	return wrong
}

// TestDuplicatesAndImpliedBounds: a path's later bound on the same side replaces the earlier one,
// and rules that are equal but for the order of conditions are one.
func TestDuplicatesAndImpliedBounds(t *testing.T) {
	compare := func(kind rules.Kind, feature int32, at float64) step {
		return step{Condition: rules.Condition{Kind: kind, Feature: feature, SplitPoint: at}}
	}
	path := []step{compare(rules.AtMost, 0, 5), compare(rules.Above, 0, 1),
		compare(rules.AtMost, 1, 5), compare(rules.AtMost, 0, 3)}
	kept := tightest(path)
	if len(kept) != 3 || kept[0].Kind != rules.Above || kept[1].Feature != 1 ||
		kept[2].SplitPoint != 3 {
		t.Errorf("kept %v", kept)
	}
	a := candidate{conditions: []rules.Condition{path[0].Condition, path[2].Condition}}
	b := candidate{conditions: []rules.Condition{path[2].Condition, path[0].Condition}}
	c := candidate{conditions: a.conditions, class: 1}
	if a.key() != b.key() || a.key() == c.key() {
		t.Errorf("keys %q, %q, %q", a.key(), b.key(), c.key())
	}
}

// TestObserve: the observer is called for every leaf, and its error ends the fit.
func TestObserve(t *testing.T) {
	ds := weather(t, "weather.nominal.csv")
	f, err := NewRules().Prepare(t.Context(), ds.Frame, nil, nil, learn.Env{})
	if err != nil {
		t.Fatal(err)
	}
	var rounds []string
	stop := fmt.Errorf("enough")
	_, err = f.Fit(t.Context(), &ds.Target, learn.Job{Observe: func(r learn.Round) error {
		if rounds = append(rounds, fmt.Sprintf("%s %d/%d", r.Stage, r.N, r.Of)); r.N == 3 {
			return stop
		}
		return nil
	}})
	if err != stop || strings.Join(rounds, ", ") != "rules 1/5, rules 2/5, rules 3/5" {
		t.Errorf("rounds %q, error %v", rounds, err)
	}
}
