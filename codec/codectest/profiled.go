package codectest

import (
	"math"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/model"
)

// Profiled returns an ensemble without trees whose training rows have a profile, with columns of
// each kind and everything that a profile may hold.
func Profiled() *model.Ensemble {
	quantiles := func(low, step float64) []float64 {
		q := make([]float64, model.ProfileQuantiles)
		for i := range q {
			q[i] = low + step*float64(i)
		}
		return q
	}
	counts := make([]int, model.ProfileQuantiles)
	for i := range counts {
		counts[i] = 2048 * i
	}
	days := &data.DatePart{Source: "d", Part: data.Days, Origin: 7}
	words := &data.TextPart{Source: "t", Bucket: data.WordCount,
		Format: data.TextFormat{Words: 2, Chars: 5, Shortest: 4, Buckets: 32, Rows: 2, Lower: true}}
	return &model.Ensemble{
		Meta: model.Spec{Label: "y", Task: data.Regression, Learner: "gbm",
			Schema: data.Schema{Fields: []data.Field{{Name: "x"},
				{Name: "c", Kind: data.Categorical, Levels: []string{"p", "q\xff", "r"}},
				{Name: "d.days", From: days}, {Name: "t.words", Text: words}}},
			Profile: &model.Profile{Rows: 300_000, SampleRows: 65_536, RankError: 0.00636,
				Columns: []model.ColumnProfile{
					{Name: "x", Missing: 3, Infinite: 2, Distinct: 10_000, More: true,
						Numbers: &model.NumberProfile{Min: new(-math.MaxFloat64), Max: new(32.0),
							Mean: 5e-324, Std: 0.1, Quantiles: quantiles(0, 1),
							AtMost: counts}},
					{Name: "c", Kind: data.Categorical, Missing: 1, Distinct: 3,
						Levels: []data.LevelCount{{Level: "q\xff", Rows: 200_000},
							{Level: "p", Rows: 5}}, OtherLevels: 1, OtherRows: 2},
					{Name: "d", Kind: data.Date, Distinct: 2,
						Numbers: &model.NumberProfile{Min: new(7.0), Max: new(7.0), Mean: 7}},
					{Name: "t", Kind: data.Text, Empty: 4}},
				Label: []model.ColumnProfile{{Name: "y\xff", Distinct: 1,
					Numbers: &model.NumberProfile{Min: new(1.0), Max: new(1.0), Mean: 1}}},
				Predictions: []model.ColumnProfile{{Name: "y"}}, PredictionRows: 3},
			Evaluations: []model.Evaluation{{Origin: model.OfTest, UsedFor: "pruning", Rows: 7,
				Plan: "a fraction of 0.2", Positive: "ja\xff", Metrics: []model.Evaluated{
					{Name: "auc", Value: 0.75, Low: new(0.5), High: new(1.0)}, {Name: "rmse"}}},
				{Origin: "cross-validation", Rows: 1, Metrics: []model.Evaluated{}}},
			Golden: &model.Golden{Drawn: true, Rows: 2, Values: []float64{1, 2, 0, 3, math.NaN(),
				math.NaN(), math.Inf(1), -0.5}, Predictions: []float64{1.5, 1.5}},
			Notes: map[string]string{"git": "4f2c", "owner": "Zoë", "empty": ""},
			Stamp: &model.Stamp{Time: "2026-02-03T04:05:06Z", Version: "v1.2.3"}},
		Bias: []float64{1.5},
	}
}

// Discreet returns such an ensemble with a profile that has no extremes.
func Discreet() *model.Ensemble {
	e := Profiled()
	e.Meta.Schema.Fields = e.Meta.Schema.Fields[:1]
	p := e.Meta.Profile
	p.NoExtremes, p.Columns, p.Label, p.Predictions = true, p.Columns[:1], nil, nil
	p.PredictionRows = 0
	p.Columns[0].Numbers.Min, p.Columns[0].Numbers.Max = nil, nil
	e.Meta.Golden = nil
	return e
}
