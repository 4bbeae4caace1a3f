package formats_test

import (
	"bytes"
	"errors"
	"testing"

	"github.com/coppice-ml/coppice/codec"
	"github.com/coppice-ml/coppice/codec/formats"
	"github.com/coppice-ml/coppice/codec/parity"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/loss/link"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/tree"
)

// stumps returns a model of two trees for each score, with one split each.
func stumps(t *testing.T, task data.Task, classes, scores int, l link.Link, combine model.Combine) *model.Ensemble {
	t.Helper()
	e := &model.Ensemble{Link: l, Combine: combine, Meta: model.Spec{Task: task, Label: "y",
		Schema: data.Schema{Fields: []data.Field{{Name: "x"}, {Name: "c", Kind: data.Categorical,
			Levels: []string{"a", "b", "d"}}}}}}
	for i := range classes {
		e.Meta.Classes = append(e.Meta.Classes, string(rune('p'+i)))
	}
	for i := range 2 * scores {
		b := tree.NewBuilder(tree.Scalar, 1, false)
		split := tree.Split{Kind: tree.Numeric, SplitPoint: 0.5, Missing: tree.MissingLast}
		if i >= scores {
			split = tree.Split{Kind: tree.SetFirst, Feature: 1, Set: []uint64{2}, Missing: tree.MissingLast}
		}
		first := b.Split(0, split)
		b.SetValue(first, []float64{0.25 / float64(1+i%scores)})
		b.SetValue(first+1, []float64{0.5 / float64(1+i%scores)})
		made, err := b.Build()
		if err != nil {
			t.Fatal(err)
		}
		e.Trees, e.Output = append(e.Trees, made), append(e.Output, int32(i%scores))
	}
	return e
}

// Every encoder refuses what its file would predict otherwise: what it writes of any task, number
// of scores, link and way to combine trees is read back with the model's responses.
func TestEncodersGuard(t *testing.T) {
	written := map[string]int{}
	for _, f := range formats.Table() {
		if f.Encode == nil || f.Reference == nil || !f.Foreign {
			continue
		}
		for _, task := range []data.Task{data.Binary, data.Multiclass, data.Regression, data.Ranking, data.Survival} {
			for scores := 1; scores <= 3; scores++ {
				for _, classes := range []int{0, 2, 3} {
					for _, l := range append(link.Table(), nil) {
						for _, combine := range []model.Combine{model.Sum, model.Mean} {
							e := stumps(t, task, classes, scores, l, combine)
							if e.Validate() != nil {
								continue
							}
							var file bytes.Buffer
							err := f.Encode(&file, e)
							if unsupported := (*codec.UnsupportedError)(nil); errors.As(err, &unsupported) && file.Len() == 0 {
								continue
							} else if err != nil {
								t.Fatal(err)
							}
							written[f.Name]++
							if _, err := parity.File(t.Context(), file.Bytes(), f, e, 200); err != nil {
								t.Errorf("%s: %s, %d scores, %d classes, link %v, combination %d: %v", f.Name, task, scores, classes, l, combine, err)
							}
						}
					}
				}
			}
		}
	}
	for name, n := range written {
		if n < 4 {
			t.Errorf("%s: %d models are written", name, n)
		}
	}
}
