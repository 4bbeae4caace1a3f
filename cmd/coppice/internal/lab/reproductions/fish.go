package reproductions

import (
	"context"
	"fmt"
	"io"
	"math"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/split"
	"github.com/coppice-ml/coppice/eval"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/cart"
	"github.com/coppice-ml/coppice/learn/catalog"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/report/plot"
)

// fish grows trees of several depths on the measures of fish, whose species they tell apart.
var fish = Reproduction{
	Name:  "fish",
	Title: "Species of fish by a stump and by deeper trees",
	Source: "lecture on trees, which draws a tree of depth 1 and a deeper one without " +
		"numbers; Brofeldt 1917 for the fish, a table that --data must name (fish/fish.csv)",
	Run: fishOf,
}

// fishDepths are the depths that are compared, 0 = no limit.
var fishDepths = []int{1, 2, 3, 4, 5, 6, 0}

// fishText describes the reproduction.
var fishText = []string{
	"159 fish of 7 species, with weight, three lengths, height and " +
		"width. A stump has two leaves and names two species at most. Each further level asks " +
		"one more question; the full tree fits all fish. The cross-validated error stops " +
		"falling before that.",
}

func fishOf(ctx context.Context, env *Env) (*Result, error) {
	ds, err := env.Read(ctx, "fish/fish.csv", "Species", 159)
	if err != nil {
		return nil, err
	}
	r := &Result{Text: fishText}
	t := Numbers{Title: "Errors against depth, in %", Columns: []string{"depth", "leaves",
		"training", "cross-validated", "± s.e."}}
	within := plot.Curve{Name: "training error", Style: plot.LineMarks}
	beyond := plot.Curve{Name: "cross-validated error", Style: plot.LineMarks, Colour: 1}
	species, falls, before := 0, true, 1.0
	var shown model.Model
	for _, depth := range fishDepths {
		m, wrong, e, err := fishTree(ctx, env, ds, depth)
		if err != nil {
			return nil, err
		}
		se := math.Sqrt(e * (1 - e) / float64(ds.Rows()))
		tree := m.(*model.Ensemble).Trees[0]
		name := fmt.Sprint(depth)
		if depth == 0 {
			name, depth = fmt.Sprintf("%d (no limit)", tree.Depth()), tree.Depth()
		}
		t.add("%s | %v | %.1f | %.1f | %.1f", name, tree.NumLeaves(), 100*wrong, 100*e, 100*se)
		add(&within, depth, wrong)
		add(&beyond, depth, e)
		beyond.Bar = append(beyond.Bar, se)
		falls, before = falls && wrong <= before, wrong
		switch depth {
		case 1:
			if species, err = labelsOf(m, ds); err != nil {
				return nil, err
			}
			r.Pictures = append(r.Pictures, treePicture("", m, "Species", "gini"))
		case 3:
			shown = m
		}
	}
	r.Findings = []Finding{
		{What: "a tree of depth 1 names two species of seven", Holds: species == 2,
			Found: fmt.Sprintf("%d", species)},
		{What: "deeper trees have less training error, the full tree none",
			Holds: falls && before == 0, Found: fmt.Sprintf("%.3f at the end", before)},
	}
	r.Tables = []Numbers{t}
	r.Pictures = append(r.Pictures, treePicture("deeper", shown, "Species", "gini"),
		Figure("depth", &plot.Figure{Title: "Species of fish by trees of several depths",
			Subtitle: "Marks are trees; bars are standard errors of the cross-validated error.",
			Charts: []plot.Chart{{X: plot.Scale{Label: "depth"},
				Y:      plot.Scale{Label: "error rate", Zero: true},
				Curves: []plot.Curve{within, beyond}}}}),
		fishPlane(shown, ds))
	return r, nil
}

// fishTree trains a tree of some depth, and returns its error in training and in cross-validation.
func fishTree(
	ctx context.Context, env *Env, ds *data.Dataset, depth int,
) (m model.Model, within, beyond float64, err error) {
	settings := []string{"prune=none", fmt.Sprint("depth=", depth)}
	m, err = fit(ctx, ds, learn.Job{Seed: 1, Workers: env.Workers}, cart.Name, settings...)
	if err != nil {
		return nil, 0, 0, err
	}
	if within, err = errorRate(m, ds, data.AllRows(ds.Rows()), 0); err != nil {
		return nil, 0, 0, err
	}
	l := cart.New()
	if err := l.Params().Set(settings); err != nil {
		return nil, 0, 0, err
	}
	cv, err := eval.CrossValidate(ctx, l, ds,
		&split.Plan{Kind: split.Stratified, K: 5, Seed: 1},
		eval.Options{Seed: 1, Workers: env.Workers})
	if err != nil {
		return nil, 0, 0, err
	}
	beyond, _ = cv.Pooled.Metrics.Get("error")
	return m, within, beyond, nil
}

// fishPlane draws the plane of the two columns that a tree depends on most.
func fishPlane(m model.Model, ds *data.Dataset) Picture {
	return Picture{Name: "plane",
		SVG: func(w io.Writer) error {
			s, err := plot.NewScene(m, catalog.Training(m), ds)
			if err != nil {
				return err
			}
			return plot.Regions(w, s, plot.RegionOptions{})
		},
		Text: func(w io.Writer) error {
			_, err := fmt.Fprintln(w, "The plane of height and length is drawn by -o alone.")
			return err
		}}
}

// labelsOf returns how many different labels a model predicts for the rows of a data set.
func labelsOf(m model.Model, ds *data.Dataset) (int, error) {
	predicted, err := predict(m, ds, nil, 0)
	seen := map[float64]bool{}
	for _, v := range predicted {
		seen[v] = true
	}
	return len(seen), err
}
