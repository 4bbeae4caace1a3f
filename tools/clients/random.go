package main

import (
	"fmt"
	"math"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/loss/link"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/tree"
)

// randomEnsemble makes a model that no learner makes: any link, weights and start values, trees of
// one leaf, empty sets of categories, split points that are infinite or subnormal.
func randomEnsemble(r *rng.Stream) (*model.Ensemble, error) {
	many := make([]string, 70)
	for i := range many {
		many[i] = fmt.Sprintf("level %d", i)
	}
	e := &model.Ensemble{Meta: model.Spec{Task: data.Regression, Learner: "random", Label: "y"}}
	e.Meta.Schema.Fields = []data.Field{{Name: "x"}, {Name: "y"},
		{Name: "c", Kind: data.Categorical, Levels: []string{"0", "1", "2"}},
		{Name: "d", Kind: data.Categorical, Levels: many}}
	classes := 1 + r.Intn(4)
	if classes > 1 {
		e.Meta.Task, e.Meta.Classes = data.Multiclass, []string{"no", "yes", "a", "b"}[:classes]
		if classes == 2 {
			e.Meta.Task = data.Binary
		}
	}
	scores := classes
	if classes == 2 && r.Intn(2) == 0 {
		scores = 1
	}
	links := []link.Link{nil, link.Logistic(), link.ScaledLogistic(0.7), link.Softmax(),
		link.SoftmaxNonzero(), link.OneVsAll(), link.Clipped(), link.Exp()} // single precision has no digits of a probit
	e.Link = links[r.Intn(len(links))]
	if r.Intn(2) == 0 {
		for range scores {
			e.Bias = append(e.Bias, r.Float64())
		}
	}
	if r.Intn(2) == 0 {
		e.Combine = model.Mean
	}
	kind, width, trees := []tree.LeafKind{tree.Scalar, tree.Vector, tree.Counts}[r.Intn(3)], scores, 1+r.Intn(4)
	if kind == tree.Scalar {
		width, trees = 1, trees*scores
	}
	for i := range trees {
		t, err := randomTree(r, kind, width)
		if err != nil {
			return nil, err
		}
		e.Trees = append(e.Trees, t)
		if kind == tree.Scalar && scores > 1 {
			e.Output = append(e.Output, int32(i%scores))
		}
	}
	if r.Intn(2) == 0 {
		for range trees {
			e.Weights = append(e.Weights, 0.1+2*r.Float64())
		}
	}
	return e, e.Validate()
}

func randomTree(r *rng.Stream, kind tree.LeafKind, width int) (*tree.Tree, error) {
	b := tree.NewBuilder(kind, width, false)
	leaves := []int32{0}
	points := []float64{0, 0.1, 1, -1.5, math.Inf(1), math.Inf(-1), math.MaxFloat32, -math.MaxFloat32, 0x1p-149, 1 / 3.0}
	for range r.Intn(9) {
		s := tree.Split{Feature: int32(r.Intn(4)), Kind: tree.Numeric, SplitPoint: points[r.Intn(len(points))],
			Missing: []tree.Missing{tree.MissingFirst, tree.MissingLast}[r.Intn(2)]}
		if s.Feature > 1 {
			s.Kind = []tree.Kind{tree.SetFirst, tree.SetLast}[r.Intn(2)]
			if s.Set = []uint64{r.Uint64() & 7}; s.Feature == 3 {
				some, half := r.Uint64(), r.Uint64()
				s.Set = []uint64{some & half, 1 + uint64(r.Intn(63))}
			}
		}
		at := r.Intn(len(leaves))
		first := b.Split(leaves[at], s)
		leaves[at] = first
		leaves = append(leaves, first+1)
	}
	low := -3.0
	if kind == tree.Counts || r.Intn(2) == 0 {
		low = 0
	}
	for n := range int32(b.Len()) {
		values := make([]float64, width)
		for k := range values {
			// small integers make leaves whose first values are equal, and ties
			if values[k] = low + float64(r.Intn(4)); r.Intn(3) == 0 {
				values[k] = low + (3-low)*r.Float64()
			}
		}
		b.SetValue(n, values)
	}
	return b.Build()
}
