package reproductions

import (
	"context"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/split"
	"github.com/coppice-ml/coppice/eval"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/cart"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/tree"
)

// iris makes two features of the four columns of iris, and shows a tree on them as a partition of
// the plane.
var iris = Reproduction{
	Name:  "iris",
	Title: "Iris with two ratio features, as a partition of the plane",
	Source: "lecture on trees, which plots sepal length / width against petal length / " +
		"width, without a number. Another one allows 34 levels, " +
		"and has 3 leaves where a split must decrease the impurity by 0.1",
	run: irisOf,
}

// irisLeaves is the size of the tree that is shown: with more leaves the plane is divided around
// single flowers.
const irisLeaves = 5

func irisOf(ctx context.Context, env *Env) *Result {
	four := must(env.Read(ctx, "iris/iris.csv", "species", 150))
	two := irisRatios(four)
	m := fit(ctx, two, learn.Job{Seed: 1, Workers: env.Workers}, "cart",
		fmt.Sprint("leaves=", irisLeaves), "prune=none")
	rows := data.AllRows(two.Rows())
	wrong := errorRate(m, two, rows, 0)
	r := &Result{Text: []string{fmt.Sprintf("The four columns are made two: sepal length / sepal "+
		"width and petal length / petal width. A tree of %d leaves divides their plane into "+
		"rectangles. Ratios describe the shape of a flower and not its size. They "+
		"recognise setosa, and the two others less well than the four columns do.", irisLeaves)}}
	r.Claims = append(r.Claims, Claim{What: fmt.Sprintf("training error of the tree with %d "+
		"leaves on the ratios, %%", irisLeaves), Ours: 100 * wrong, Digits: 1})
	errors := [2]float64{}
	for i, ds := range []*data.Dataset{two, four} {
		cv := must(eval.CrossValidate(ctx, cart.New(), ds,
			&split.Plan{Kind: split.Stratified, K: 10, Seed: 1},
			eval.Options{Seed: 1, Workers: env.Workers}))
		errors[i], _ = cv.Pooled.Metrics.Get("error")
		r.Claims = append(r.Claims,
			Claim{What: "cross-validated error of a pruned tree on " +
				[]string{"the two ratios", "the four columns"}[i] + ", %",
				Ours:  100 * errors[i],
				Error: 100 * math.Sqrt(errors[i]*(1-errors[i])/float64(ds.Rows())), Digits: 1})
	}
	for _, c := range []struct {
		setting string
		claim   Claim
		of      func(*tree.Tree) int
	}{
		{"depth=34", Claim{What: "levels of a tree on the four columns, of 34 allowed",
			Published: "34", Rule: Beside, Reason: "a setting"}, (*tree.Tree).Depth},
		{"min_gain=0.1", Claim{What: "leaves of a tree on the four columns whose splits decrease " +
			"the impurity by 0.1", Published: "3"}, (*tree.Tree).NumLeaves},
	} {
		m := fit(ctx, four, learn.Job{Seed: 1}, "cart", c.setting, "prune=none")
		c.claim.Ours = float64(c.of(m.(*model.Ensemble).Trees[0]))
		r.Claims = append(r.Claims, c.claim)
	}
	r.Claims = append(r.Claims, Claim{What: "least decrease of the impurity", Published: "0.1",
		Rule: Beside, Reason: "a setting", Ours: math.NaN()})
	reported := irisConfused(m, two)
	r.Findings = []Finding{
		{What: "the ratios separate setosa from the others", Holds: reported <= 1,
			Found: fmt.Sprintf("%d of 150 flowers are on the wrong side of that", reported)},
	}
	r.Pictures = []Picture{regionsPicture("", m, two, []int{0, 1},
		func(w io.Writer) error { return planeText(w, m, two) })}
	return r
}

// irisRatios returns the table of the two ratios.
func irisRatios(four *data.Dataset) *data.Dataset {
	var columns [4][]float64
	for i, name := range []string{"sepal_length", "sepal_width", "petal_length", "petal_width"} {
		at := four.Schema.Index(name)
		if at < 0 {
			check(&model.MissingColumnError{Column: name})
		}
		columns[i] = four.Columns[at].Numbers()
	}
	rows := make([][]float64, four.Rows())
	for i := range rows {
		rows[i] = []float64{columns[0][i] / columns[1][i], columns[2][i] / columns[3][i]}
	}
	f := must(data.FromRows(rows, []string{"sepal length / width", "petal length / width"}))
	return &data.Dataset{Frame: f, Target: four.Target}
}

// irisConfused counts the flowers that are confused with the first class, setosa, or taken for it.
func irisConfused(m model.Model, ds *data.Dataset) int {
	n := 0
	for i, k := range must(predict(m, ds, nil, 0)) {
		if (k == 0) != (ds.Target.Class[i] == 0) {
			n++
		}
	}
	return n
}

// The size of the plane in characters.
const (
	planeColumns = 68
	planeLines   = 22
)

// planeText draws the plane in characters: small letters are what the tree predicts, capital ones
// the flowers.
func planeText(w io.Writer, m model.Model, ds *data.Dataset) error {
	x, y := ds.Columns[0].Numbers(), ds.Columns[1].Numbers()
	left, right, low, high := slices.Min(x), slices.Max(x), slices.Min(y), slices.Max(y)
	centres := make([][]float64, 0, planeColumns*planeLines)
	for i := range planeLines {
		for k := range planeColumns {
			centres = append(centres, []float64{left + (right-left)*(float64(k)+0.5)/planeColumns,
				high - (high-low)*(float64(i)+0.5)/planeLines})
		}
	}
	f, err := data.FromRows(centres, ds.Schema.Names())
	if err != nil {
		return err
	}
	predicted, err := predict(m, &data.Dataset{Frame: f}, nil, 0)
	if err != nil {
		return err
	}
	cells := make([]byte, len(predicted))
	for i, k := range predicted {
		cells[i] = 'a' + byte(k)
	}
	for r := range x {
		k := min(planeColumns-1, int((x[r]-left)/(right-left)*planeColumns))
		i := min(planeLines-1, int((high-y[r])/(high-low)*planeLines))
		cells[i*planeColumns+k] = 'A' + byte(ds.Target.Class[r])
	}
	fmt.Fprintf(w, "%s\n", ds.Schema.Fields[1].Name)
	for i := range planeLines {
		edge := "      "
		switch i {
		case 0:
			edge = fmt.Sprintf("%5.1f ", high)
		case planeLines - 1:
			edge = fmt.Sprintf("%5.1f ", low)
		}
		fmt.Fprintf(w, "%s│%s\n", edge, cells[i*planeColumns:(i+1)*planeColumns])
	}
	fmt.Fprintf(w, "      └%s\n       %-6.1f%*s\n", strings.Repeat("─", planeColumns), left,
		planeColumns-6, fmt.Sprintf("%s %6.1f", ds.Schema.Fields[0].Name, right))
	for k, name := range ds.Target.Classes {
		fmt.Fprintf(w, "%c %s   ", 'A'+k, name)
	}
	_, err = fmt.Fprint(w, "(small letters: what the tree predicts)\n")
	return err
}
