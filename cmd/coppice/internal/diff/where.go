package diff

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/coppice-ml/coppice"
	"github.com/coppice-ml/coppice/cmd/coppice/internal/cli"
	"github.com/coppice-ml/coppice/cmd/coppice/internal/describe"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/learn/catalog"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/tree/draw"
)

// slice is a set of rows that a rule describes.
type slice struct {
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

// whereDifferent returns where two models differ most: the leaves of a tree that is trained on the
// absolute difference of the responses, the largest mean first. It is nil where all rows differ
// alike.
func whereDifferent(
	ctx context.Context, m model.Model, f *data.Frame, values [2][]float64, workers int,
) ([]slice, error) {
	rows := f.Rows()
	width := len(values[0]) / max(1, rows)
	gap := make([]float64, rows)
	for i, x := range values[0] {
		if d := math.Abs(x - values[1][i]); d < math.MaxFloat64 {
			gap[i/width] += d / float64(width)
		}
	}
	schema := &m.Spec().Schema
	places := make([]int, len(schema.Fields))
	for i := range places {
		places[i] = f.Schema.Index(schema.Fields[i].Name)
	}
	ds := &data.Dataset{Frame: f.Select(places), Target: data.Target{Name: "difference",
		Task: data.Regression, Y: [][]float64{gap}}}
	l, err := catalog.New("cart")
	if err != nil {
		return nil, err
	}
	err = l.Params().Set([]string{"prune=none", fmt.Sprint("depth=", sliceDepth),
		fmt.Sprint("min_leaf=", max(leastSlice, rows/sliceFraction))})
	if err != nil {
		return nil, err
	}
	found, err := coppice.Train(ctx, l, ds, coppice.Workers(workers))
	if err != nil {
		return nil, err
	}
	v := describe.Of(found)
	t := v.Ensemble.Trees[0]
	rules, err := draw.RulesOf(t, v.TreeNames())
	if err != nil || len(rules) < 2 {
		return nil, err
	}
	var all []slice
	for _, r := range rules {
		leaf := int32(r.Number)
		all = append(all, slice{strings.Join(r.If, " and "), int(t.Stats.Rows[leaf]),
			t.Estimate(leaf, nil)})
	}
	slices.SortStableFunc(all, func(a, b slice) int { return cmp.Compare(b.Mean, a.Mean) })
	return all, nil
}

func printSlices(c *cli.Console, all []slice) {
	if all == nil {
		return
	}
	g := cli.Grid{Columns: append(cli.Numbers("rows", "mean difference"), cli.Column{Name: "where"})}
	for _, s := range all {
		g.Add(fmt.Sprint(s.Rows), humanize.Number(s.Mean, 4), s.Rule)
	}
	c.Printf("\n")
	g.Print(c.Out)
}
