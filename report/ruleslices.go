package report

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/coppice-ml/coppice"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/explain"
	"github.com/coppice-ml/coppice/learn/cart"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/tree/draw"
)

// Slice is a set of rows that a rule describes.
type Slice struct {
	Rule string  `json:"rule"` // "" = all rows
	Rows int     `json:"rows"`
	Mean float64 `json:"mean"` // absolute difference
}

// The tree that finds slices has few leaves, and no small ones.
const (
	sliceDepth    = 2
	leastSlice    = 20 // rows
	sliceFraction = 50 // of the rows: one in so many
)

// addSlices finds where two models differ most: the leaves of a tree that is trained on the
// absolute difference of the responses, the largest mean first. There are none where all rows
// differ alike.
func (c *Comparison) addSlices(ctx context.Context, a *Side, workers int) error {
	gap := make([]float64, c.Rows)
	for i := range gap {
		gap[i] = c.gap(i)
	}
	features, err := explain.Features(a.Model, a.Rows)
	if err != nil {
		return err
	}
	ds := &data.Dataset{Frame: features, Target: data.Target{Name: "difference",
		Task: data.Regression, Y: [][]float64{gap}}}
	l := cart.New()
	err = l.Params().Set([]string{"prune=none", fmt.Sprint("depth=", sliceDepth),
		fmt.Sprint("min_leaf=", max(leastSlice, c.Rows/sliceFraction))})
	if err != nil {
		return err
	}
	found, err := coppice.Train(ctx, l, ds, coppice.Workers(workers))
	if err != nil {
		return err
	}
	trees, ok := model.AsTrees(found)
	if !ok {
		return nil
	}
	t := trees.Trees[0]
	rules, err := draw.RulesOf(t, draw.Names{Schema: trees.Features(), Label: "difference"})
	if err != nil || len(rules) < 2 {
		return err
	}
	for _, r := range rules {
		leaf := int32(r.Number)
		c.Slices = append(c.Slices, Slice{strings.Join(r.If, " and "), int(t.Stats.Rows[leaf]),
			t.Estimate(leaf, nil)})
	}
	slices.SortStableFunc(c.Slices, func(a, b Slice) int { return cmp.Compare(b.Mean, a.Mean) })
	return nil
}
