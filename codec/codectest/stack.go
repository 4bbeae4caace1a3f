package codectest

import (
	"encoding/json"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/models/committee"
	"github.com/coppice-ml/coppice/loss/link"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/tree"
)

// TinyStack returns the smallest stack worth looking at: Tiny and TinyRules, and a tree that
// combines their probabilities.
func TinyStack() *committee.Stack {
	m := &committee.Stack{Meta: Tiny().Meta, Names: []string{"tree", "list"},
		Members: []model.Model{Tiny(), TinyRules()}}
	m.Meta.Learner, m.Meta.Params = "stack", json.RawMessage(`{"members":"tree,list"}`)
	own := m.Meta
	own.Learner, own.Params, own.Schema = "cart", nil, data.Schema{}
	for i, member := range m.Members {
		own.Schema.Fields = append(own.Schema.Fields,
			committee.PredictedFields(m.Names[i], member.Spec(), m.MemberOutput, member.Outputs())...)
	}
	b := tree.NewBuilder(tree.Counts, len(own.Classes), false)
	first := b.Split(0, tree.Split{Kind: tree.Numeric, Feature: 1, SplitPoint: 0.5})
	low, high := make([]float64, len(own.Classes)), make([]float64, len(own.Classes))
	low[0], high[len(high)-1] = 3, 2
	b.SetValue(first, low)
	b.SetValue(first+1, high)
	m.MetaModel = &model.Ensemble{Meta: own, Trees: []*tree.Tree{build(b)}, Combine: model.Mean}
	return m
}

// FullStack returns a stack of labels with all fields of it, whose members are rules, a vote and a
// stack, and whose meta-learner gets the columns of the table, too.
func FullStack() *committee.Stack {
	m := &committee.Stack{Meta: FullRules().Meta, Names: []string{"list", "vote: of \xff", "stack"},
		MemberOutput: model.Label, Passthrough: true}
	inner := &committee.Stack{Meta: FullRules().Meta, Names: []string{"one"},
		Members: []model.Model{FullRules()}, MetaModel: FullRules(), Passthrough: true}
	m.Members = []model.Model{FullRules(), FullCommittee().Members[4], inner}
	own := FullRules().Meta
	own.Schema.Fields = append(committee.PredictedFields("stack", &own, model.Label, 1), own.Schema.Fields...)
	b := tree.NewBuilder(tree.Vector, len(own.Classes), false)
	b.SetValue(0, make([]float64, len(own.Classes)))
	m.MetaModel = &model.Ensemble{Meta: own, Trees: []*tree.Tree{build(b)}, Combine: model.Sum,
		Link: link.Softmax()}
	m.Meta.Learner = "stack"
	return m
}
