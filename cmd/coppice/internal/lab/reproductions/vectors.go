package reproductions

import (
	"context"
	"fmt"
	"math"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/report/plot"
	"github.com/coppice-ml/coppice/tree"
)

// vectors shows that nothing changes for labels of several numbers: the leaf of least squares is
// the mean vector, and class probabilities are the mean of the codes of the classes.
var vectors = Reproduction{
	Name:  "vectors",
	Title: "Labels of several numbers: the mean vector, and classes as codes",
	Source: "lecture on empirical risk: squared loss in R^p has the mean as its minimum, " +
		"coordinate by coordinate; Breiman et al. 1984 for Gini as a sum of variances",
	run: vectorsOf,
}

// vectorsText describes the reproduction.
var vectorsText = []string{
	"The squared distance of a vector is a sum over its coordinates. So each " +
		"coordinate of the best constant is the mean of that coordinate. A class is a " +
		"vector, too: its code has a 1 at the class and a 0 elsewhere. The mean code of a " +
		"leaf holds the class probabilities, and the sum of its variances is the Gini " +
		"index. That is why a tree of classes is a tree of least squares, and why one tree " +
		"of `multi_output=true` serves all classes.",
	"A label is one column: two columns of numbers are two models.",
}

// vectorsOf trains a tree of classes on iris, and describes its leaves by codes of the classes.
func vectorsOf(ctx context.Context, env *Env) *Result {
	ds := must(env.Read(ctx, "iris/iris.csv", "species", 150))
	job := learn.Job{Workers: env.Workers}
	m := fit(ctx, ds, job, "cart", "leaves=4", "prune=none")
	t := m.(*model.Ensemble).Trees[0]
	table, means, variances := codeLeaves(ds, t)
	figure, minimum := vectorsFigure(ctx, ds)
	return &Result{
		Text: vectorsText,
		Findings: []Finding{
			{What: "the squared loss of vectors is least at the mean vector", Holds: minimum < 1e-9,
				Found: fmt.Sprintf("sepal length and width of 150 irises: trees of one leaf "+
					"predict (%.4f, %.4f)", figure.mean[0], figure.mean[1])},
			{What: "class probabilities of a leaf are the mean of the codes of its rows",
				Holds: means < 1e-12, Found: fmt.Sprintf("in %d leaves", len(table.Rows))},
			{What: "the Gini index is the sum of the variances of the codes",
				Holds: variances < 1e-12,
				Found: fmt.Sprintf("in %d leaves", len(table.Rows))},
		},
		Tables:   []Numbers{table},
		Pictures: []Picture{Figure("", figure.draw())},
	}
}

// codeLeaves describes the leaves of a tree by the codes of their rows. It returns by how much the
// mean codes are apart from the tree's probabilities at most, and the sums of variances from its
// Gini indices.
func codeLeaves(ds *data.Dataset, t *tree.Tree) (table Numbers, means, variances float64) {
	leaves := make([]int32, ds.Rows())
	t.Over(ds.Columns).LeavesOf(leaves, data.AllRows(ds.Rows()))
	codes := make([][]float64, len(ds.Target.Classes)) // 1 where the row has the class
	for k := range codes {
		codes[k] = make([]float64, ds.Rows())
		for i, c := range ds.Target.Class {
			if int(c) == k {
				codes[k][i] = 1
			}
		}
	}
	sums := map[int32]*vectorLeaf{}
	for i, leaf := range leaves {
		if sums[leaf] == nil {
			sums[leaf] = &vectorLeaf{sum: make([]float64, len(codes))}
		}
		sums[leaf].rows++
		for k := range codes {
			sums[leaf].sum[k] += codes[k][i]
		}
	}
	table = Numbers{Title: "Leaves of the tree: mean of the codes, and the sum of their variances",
		Columns: []string{"leaf", "rows"}}
	for _, name := range ds.Target.Classes {
		table.Columns = append(table.Columns, "mean code of "+name)
	}
	table.Columns = append(table.Columns, "sum of variances", "Gini index")
	for n := range int32(t.Len()) {
		v, ok := sums[n]
		if !ok {
			continue
		}
		cells := []string{fmt.Sprint(n), fmt.Sprint(v.rows)}
		spread, total := 0.0, 0.0
		for _, count := range t.Value(n) {
			total += count
		}
		for k, sum := range v.sum {
			mean := sum / float64(v.rows)
			spread += float64(mean * (1 - mean)) // of zeros and ones
			means = max(means, math.Abs(mean-t.Value(n)[k]/total))
			cells = append(cells, fmt.Sprintf("%.4f", mean))
		}
		gini := t.Stats.Impurity[n]
		variances = max(variances, math.Abs(spread-gini))
		table.Rows = append(table.Rows, append(cells, fmt.Sprintf("%.4f", spread),
			fmt.Sprintf("%.4f", gini)))
	}
	return table, means, variances
}

// vectorLeaf holds the rows of a leaf.
type vectorLeaf struct {
	rows int
	sum  []float64 // of the codes
}

// vectorFound are points of the plane and what trees of one leaf predict, coordinate by coordinate.
type vectorFound struct {
	points [2][]float64
	mean   [2]float64
}

// loss is the mean squared distance of the points from a place.
func (v *vectorFound) loss(at [2]float64) float64 {
	sum := 0.0
	for k, values := range v.points {
		for _, y := range values {
			sum += float64((y - at[k]) * (y - at[k]))
		}
	}
	return sum / float64(len(v.points[0]))
}

// vectorsFigure fits a leaf to two columns, and returns by how much the loss would be smaller at
// any of eight places around it: 0 or less at the minimum.
func vectorsFigure(ctx context.Context, ds *data.Dataset) (*vectorFound, float64) {
	v := &vectorFound{}
	for k, name := range []string{"sepal_length", "sepal_width"} {
		v.points[k] = ds.Columns[ds.Schema.Index(name)].Numbers()
		value, _ := leafOf(ctx, data.Target{Name: name, Task: data.Regression,
			Y: [][]float64{v.points[k]}}, ds.Rows())
		v.mean[k] = value[0]
	}
	worst := math.Inf(-1)
	for i := -1; i <= 1; i++ {
		for k := -1; k <= 1; k++ {
			if i != 0 || k != 0 {
				at := [2]float64{v.mean[0] + float64(float64(i)*1e-3),
					v.mean[1] + float64(float64(k)*1e-3)}
				worst = max(worst, v.loss(v.mean)-v.loss(at))
			}
		}
	}
	return v, worst
}

func (v *vectorFound) draw() *plot.Figure {
	points := plot.Curve{Name: "irises", X: v.points[0], Y: v.points[1], Style: plot.Points}
	mean := plot.Curve{Name: "mean vector", X: []float64{v.mean[0]}, Y: []float64{v.mean[1]},
		Style: plot.Marks, Colour: 1}
	charts := []plot.Chart{{X: plot.Scale{Label: "sepal length, cm"},
		Y: plot.Scale{Label: "sepal width, cm"}, Curves: []plot.Curve{points, mean}}}
	for k, name := range []string{"first coordinate", "second coordinate"} {
		line, at := plot.Curve{Name: "mean squared distance"}, v.mean
		for step := -20; step <= 20; step++ {
			at[k] = v.mean[k] + float64(float64(step)*0.05)
			line.X, line.Y = append(line.X, at[k]), append(line.Y, v.loss(at))
		}
		charts = append(charts, plot.Chart{X: plot.Scale{Label: name + " of the constant"},
			Y: plot.Scale{Label: "mean squared distance", Zero: true},
			Curves: []plot.Curve{line, {Name: "mean", X: []float64{v.mean[k]},
				Y: []float64{v.loss(v.mean)}, Style: plot.Marks, Colour: 1}}})
	}
	return &plot.Figure{Title: "The constant of least squares is the mean vector",
		Subtitle: "Each coordinate has its own minimum, at its own mean.", Charts: charts}
}
