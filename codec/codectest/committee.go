package codectest

import (
	"encoding/json"

	"pgregory.net/rapid"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/models/committee"
	"github.com/coppice-ml/coppice/internal/models/rules"
	"github.com/coppice-ml/coppice/loss/link"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/tree"
)

// TinyCommittee returns the smallest committee that is not trivial: Tiny and TinyRules, averaged.
func TinyCommittee() *committee.Committee {
	m := &committee.Committee{Meta: Tiny().Meta, Members: []model.Model{Tiny(), TinyRules()}}
	m.Meta.Learner, m.Meta.Params = "bag", json.RawMessage(`{"members":2}`)
	return m
}

// FullCommittee returns a committee whose members have all fields of it, some of them in another
// order, one with a dictionary of its own, and other missing tokens; one of the members is a
// committee.
func FullCommittee() *committee.Committee {
	own := Full()
	own.Meta.Schema.Tokens = nil
	some := FullRules()
	fields := some.Meta.Schema.Fields
	some.Meta.Schema.Fields = []data.Field{fields[2], fields[1]}
	some.List = []rules.Rule{
		{If: []rules.Condition{{Kind: rules.In, Feature: 1, Set: []uint64{1}}},
			Value: []float64{1, 2}, Decided: 3, Covered: 3, Right: 2},
		{Value: []float64{7, 1}, Decided: 8, Covered: 8, Right: 7},
	}
	shorter := leaf(tree.Counts, 2)
	shorter.Meta = Full().Meta
	shorter.Meta.Schema.Fields = []data.Field{{Name: fields[1].Name, Kind: data.Categorical,
		Levels: fields[1].Levels[:3]}}
	inner := &committee.Committee{Meta: FullRules().Meta, Combine: committee.Vote,
		Weights: []float64{1e-300, 3}, Members: []model.Model{FullRules(), some}}
	inner.Meta.Learner = "vote"
	m := &committee.Committee{Meta: Full().Meta, Combine: committee.Mean,
		Weights: []float64{0.1, 5e-324, 1e300, 2, 1},
		Members: []model.Model{Full(), own, some, shorter, inner}}
	m.Meta.Learner = "bag"
	return m
}

// SumCommittee returns a committee for classes whose members are models of numbers.
func SumCommittee() *committee.Committee {
	number := func(value float64, fields ...data.Field) *model.Ensemble {
		e := leaf(tree.Scalar, 1)
		e.Trees[0].Leaf.Value[0] = value
		e.Meta = model.Spec{Task: data.Regression, Learner: "cart"}
		e.Meta.Schema = data.Schema{Fields: fields, Tokens: Full().Meta.Schema.Tokens}
		return e
	}
	fields := Full().Meta.Schema.Fields
	m := &committee.Committee{Meta: Full().Meta, Combine: committee.Sum, Link: link.Softmax(),
		Weights: []float64{-0.1, 0, 5e-324},
		Output:  []int32{1, 0, 1},
		Members: []model.Model{number(1, fields...), number(-2, fields[1]), number(1e300)}}
	for k := range m.Meta.Classes {
		m.Bias = append(m.Bias, float64(k)/7)
	}
	m.Meta.Learner = "anyboost"
	return m
}

// leaf returns an ensemble of a single leaf, without its description.
func leaf(kind tree.LeafKind, width int) *model.Ensemble {
	b := tree.NewBuilder(kind, width, false)
	value := make([]float64, width)
	value[0] = 1
	b.SetValue(0, value)
	return &model.Ensemble{Trees: []*tree.Tree{build(b)}, Combine: model.Mean}
}

// Committees generates valid committees of up to 4 members: ensembles, leaves on some of the
// columns, and committees of such.
func Committees() *rapid.Generator[*committee.Committee] {
	return rapid.Custom(func(t *rapid.T) *committee.Committee {
		e := Ensemble().Draw(t, "ensemble")
		c := &committee.Committee{Meta: e.Meta, Members: []model.Model{e}}
		switch {
		case e.Meta.Task.Classes():
			c.Combine = rapid.SampledFrom([]committee.Combine{committee.Mean, committee.Vote,
				committee.Product, committee.Ranks}).Draw(t, "combine")
		case e.Meta.Task == data.Regression:
			c.Combine = rapid.SampledFrom([]committee.Combine{committee.Mean, committee.Sum,
				committee.Median, committee.Ranks}).Draw(t, "combine")
		}
		if c.Combine == committee.Sum || c.Combine == committee.Product {
			c.Bias = rapid.SliceOfN(rapid.Float64Range(-9, 9), c.Outputs(),
				c.Outputs()).Draw(t, "start")
		}
		if c.Combine == committee.Sum {
			c.Link = anyLink().Draw(t, "link")
		}
		if c.Combine == committee.Product {
			c.Floor = rapid.SampledFrom([]float64{0, 0x1p-60, 0.01, 0.5}).Draw(t, "floor")
		}
		for range rapid.IntRange(0, 3).Draw(t, "more") {
			var m model.Model = e
			switch rapid.IntRange(0, 2).Draw(t, "kind") {
			case 1:
				l := leaf(tree.Vector, e.Outputs())
				l.Meta = e.Meta
				l.Meta.Schema.Fields = rapid.Permutation(e.Meta.Schema.Fields).Draw(t, "columns")
				l.Meta.Schema.Fields = l.Meta.Schema.Fields[:rapid.IntRange(0,
					len(l.Meta.Schema.Fields)).Draw(t, "few")]
				m = l
			case 2:
				m = &committee.Committee{Meta: e.Meta, Members: []model.Model{e}}
			}
			c.Members = append(c.Members, m)
		}
		if rapid.Bool().Draw(t, "weighted") {
			c.Weights = rapid.SliceOfN(rapid.Float64Range(1e-300, 1e300), len(c.Members),
				len(c.Members)).Draw(t, "weights")
		}
		if c.Combine == committee.Ranks {
			scales := len(c.Members) * c.Outputs()
			if c.Meta.Task.Classes() && c.Outputs() == 2 {
				scales = len(c.Members)
			}
			for range scales {
				c.Scales = append(c.Scales,
					committee.NewScale(rapid.SliceOfN(rapid.Float64Range(-9, 9), 1, 9).Draw(t,
						"scale"), 5))
			}
		}
		return c
	})
}

// FullRanks returns a committee of ranks, with scales of different lengths.
func FullRanks() *committee.Committee {
	m := &committee.Committee{Meta: Full().Meta, Combine: committee.Ranks,
		Members: []model.Model{Full(), FullRules()}}
	for i := range m.Members { // of two classes
		m.Scales = append(m.Scales,
			committee.NewScale([]float64{0.25, 0.5, 0.5, 1 / float64(i+2)}, 2+i%2))
	}
	m.Meta.Learner = "vote"
	return m
}
