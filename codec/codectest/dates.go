package codectest

import (
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/models/committee"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/tree"
)

// Dated returns an ensemble of parts of dates, whose columns have no field that is zero but for
// dictionaries. Names are not UTF-8.
//
//	days <= 3.5 ?  -1 : (hour <= 12 ? 2 : 3)
func Dated() *model.Ensemble { return dated(-1.5e15) }

func dated(origin float64) *model.Ensemble {
	b := tree.NewBuilder(tree.Scalar, 1, false)
	first := b.Split(0, tree.Split{Kind: tree.Numeric, Feature: 1, SplitPoint: 3.5})
	b.SetValue(first, []float64{-1})
	second := b.Split(first+1, tree.Split{Kind: tree.Numeric, Feature: 2, SplitPoint: 12,
		Missing: tree.MissingLast})
	b.SetValue(second, []float64{2})
	b.SetValue(second+1, []float64{3})
	part := func(part data.Part, origin float64) *data.DatePart {
		return &data.DatePart{Source: "zeit\xff", Format: data.DayFirst, Part: part, Origin: origin}
	}
	return &model.Ensemble{
		Meta: model.Spec{Schema: data.Schema{Fields: []data.Field{
			{Name: "x", Format: "1,234.5"},
			{Name: "zeit\xff.days", From: part(data.Days, origin), Missing: data.Refuse,
				Unseen: data.Refuse, Format: "1,234.5"},
			{Name: "zeit\xff.hour", From: part(data.Hour, 0)},
			{Name: "other", From: &data.DatePart{Source: "seconds", Format: data.SinceSeconds}},
		}}, Label: "z", Task: data.Regression, Learner: "gbm"},
		Trees: []*tree.Tree{build(b)},
	}
}

// DatedCommittee returns a committee of which one member counts days from another date than the
// others.
func DatedCommittee() *committee.Committee {
	return &committee.Committee{Meta: Dated().Meta, Members: []model.Model{Dated(), dated(0)},
		Combine: committee.Mean}
}
