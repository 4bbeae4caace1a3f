package codectest

import (
	"math"

	"pgregory.net/rapid"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/models/rules"
	"github.com/coppice-ml/coppice/model"
)

// TinyRules returns the smallest list of rules worth looking at, on the columns of Tiny.
//
//	x <= 0.5 -> no
//	otherwise yes
func TinyRules() *rules.Rules {
	m := &rules.Rules{Meta: Tiny().Meta, List: []rules.Rule{
		{If: []rules.Condition{{Kind: rules.AtMost, SplitPoint: 0.5}}, Value: []float64{3, 0},
			Decided: 3, Covered: 3, Right: 3},
		{Value: []float64{0, 2}, Decided: 2, Covered: 5, Right: 2},
	}}
	m.Meta.Learner = "rules"
	return m
}

// FullRules returns rules with all kinds of conditions and the hard texts of Full. No field is zero
// in all rules or all conditions.
func FullRules() *rules.Rules {
	m := &rules.Rules{Meta: Full().Meta, List: []rules.Rule{
		{If: []rules.Condition{
			{Kind: rules.Above, Feature: 3, SplitPoint: -0.25},
			{Kind: rules.In, Feature: 1, Set: []uint64{1<<63 | 5, 3}},
			{Kind: rules.AtMost, Feature: 0, SplitPoint: math.Inf(1)},
			{Kind: rules.NotIn, Feature: 1, Set: []uint64{2}},
			{Kind: rules.In, Feature: 2},
		}, Value: []float64{0.5, math.SmallestNonzeroFloat64}, Decided: 0.5, Covered: 1.75,
			Right: 1.25},
		{If: []rules.Condition{{Kind: rules.Above, Feature: 3, SplitPoint: 1e300}},
			Value: []float64{0, math.MaxFloat64}, Decided: 3, Covered: 4, Right: 5},
		{Value: []float64{7, 1}, Decided: 8, Covered: 9, Right: 6},
	}}
	m.Meta.Learner = "rules"
	return m
}

// Rules generates valid lists of up to 5 rules of up to 4 conditions on up to 5 columns.
func Rules() *rapid.Generator[*rules.Rules] {
	return rapid.Custom(func(t *rapid.T) *rules.Rules {
		m := &rules.Rules{Meta: spec().Filter(isClasses).Draw(t, "spec")}
		weight := rapid.Float64Range(0, 1e300)
		fields := m.Meta.Schema.Fields
		n := 1
		if len(fields) > 0 {
			n = rapid.IntRange(1, 5).Draw(t, "rules")
		}
		for i := range n {
			r := rules.Rule{Decided: weight.Draw(t, "decided"), Covered: weight.Draw(t, "covered"),
				Right: weight.Draw(t, "right")}
			r.Value = rapid.SliceOfN(weight, len(m.Meta.Classes),
				len(m.Meta.Classes)).Draw(t, "value")
			r.Value[0] += 1e-300
			if i < n-1 {
				for range rapid.IntRange(1, 4).Draw(t, "conditions") {
					r.If = append(r.If, condition(fields).Draw(t, "condition"))
				}
			}
			m.List = append(m.List, r)
		}
		return m
	})
}

func isClasses(s model.Spec) bool { return s.Task.Classes() }

func condition(fields []data.Field) *rapid.Generator[rules.Condition] {
	return rapid.Custom(func(t *rapid.T) rules.Condition {
		c := rules.Condition{Kind: rules.Kind(rapid.IntRange(0, 1).Draw(t, "kind")),
			Feature: int32(rapid.IntRange(0, len(fields)-1).Draw(t, "feature"))}
		f := &fields[c.Feature]
		if f.Kind == data.Numeric {
			c.SplitPoint = rapid.OneOf(number,
				rapid.SampledFrom([]float64{math.Inf(1), math.Inf(-1)})).Draw(t, "split point")
			return c
		}
		c.Kind += rules.In
		c.Set = make([]uint64, (len(f.Levels)+63)/64)
		for code := range f.Levels {
			if rapid.Bool().Draw(t, "in") {
				c.Set[code/64] |= 1 << (code % 64)
			}
		}
		return c
	})
}
