package codectest

import (
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/tree"
)

// Texted returns an ensemble of columns that count the n-grams of texts, of which one has no field
// that is zero. Names are not UTF-8.
//
//	n-grams of bucket 3 <= 0.5 ?  -1 : (words <= 12 ? 2 : 3)
func Texted() *model.Ensemble {
	b := tree.NewBuilder(tree.Scalar, 1, false)
	first := b.Split(0, tree.Split{Kind: tree.Numeric, Feature: 1, SplitPoint: 0.5})
	b.SetValue(first, []float64{-1})
	second := b.Split(first+1, tree.Split{Kind: tree.Numeric, Feature: 2, SplitPoint: 12,
		Missing: tree.MissingLast})
	b.SetValue(second, []float64{2})
	b.SetValue(second+1, []float64{3})
	part := func(bucket int) *data.TextPart {
		return &data.TextPart{Source: "wort\xff", Bucket: bucket, Format: data.TextFormat{Words: 2,
			Chars: 5, Shortest: 4, Buckets: 32, Rows: 2, Lower: true}}
	}
	return &model.Ensemble{
		Meta: model.Spec{Schema: data.Schema{Fields: []data.Field{
			{Name: "x"},
			{Name: "wort\xff~gut", Text: part(3)},
			{Name: "wort\xff.words", Text: part(data.WordCount)},
		}}, Label: "z", Task: data.Regression, Learner: "gbm"},
		Trees: []*tree.Tree{build(b)},
	}
}
