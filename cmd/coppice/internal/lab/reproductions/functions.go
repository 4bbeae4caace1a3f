package reproductions

import (
	"context"
	"fmt"
	"io"
	"math"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/catalog"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/report/plot"
)

// functions draws what the trees of a bag and of a forest predict along one column, behind their
// mean.
var functions = Reproduction{
	Name:  "functions",
	Title: "The functions of bagged trees and of forests, behind their mean",
	Source: "lecture on ensembles, whose pictures show the single estimators behind the " +
		"averaged one",
	run: functionsOf,
}

// functionMethods are the ensembles that are drawn.
var functionMethods = []struct {
	name, learner string
	settings      []string
}{
	{"bag", "bag", []string{"members=100", "base=cart", "base.prune=none"}},
	{"forest", "forest", []string{"trees=100", "depth=3", "node_size=1"}},
}

func functionsOf(ctx context.Context, env *Env) *Result {
	ds := must(readWave(ctx, env))
	fine := must(waveAt(wavePlaces))
	r := &Result{Text: []string{fmt.Sprintf("The training set of `regression`: %d rows, y = "+
		"(1 − x/2) sin 8x and noise of variance %.2f. A full tree of a bootstrap sample follows "+
		"the noise of its rows, and each follows another one. Their mean has less of it. Trees "+
		"of depth 3 have at most eight steps, are near each other, and their mean is smoother.",
		waveRows, waveNoise),
		"The spread is the mean, over 1000 places, of the standard deviation of the members' " +
			"predictions. The distance is the root of the mean square of prediction less truth."}}
	t := Numbers{Title: "Members and their mean", Columns: []string{"ensemble",
		"spread of the members", "distance of a member", "of the mean of 10", "of the mean of 100"}}
	var spreads, single, whole [2]float64
	for i, method := range functionMethods {
		m := fit(ctx, ds, learn.Job{Seed: 1, Workers: env.Workers}, method.learner,
			method.settings...)
		f := spreadOf(m, fine)
		spreads[i], single[i], whole[i] = f.spread, f.single, f.distance[2]
		t.add("%s | %.3f | %.3f | %.3f | %.3f", []string{"bagged trees", "forest of depth 3"}[i],
			f.spread, f.single, f.distance[1], f.distance[2])
		r.Pictures = append(r.Pictures, regionsPicture(method.name, m, ds, []int{0},
			func(w io.Writer) error { return functionText(w, method.name, m, ds) }))
	}
	r.Findings = []Finding{
		{What: "the mean is nearer to the truth than its members are",
			Holds: whole[0] < single[0] &&
				whole[1] < single[1], Found: fmt.Sprintf("bag %.3f against %.3f, forest %.3f "+
				"against %.3f",
				whole[0], single[0], whole[1], single[1])},
		{What: "short trees are nearer to each other than full ones",
			Holds: spreads[1] < spreads[0],
			Found: fmt.Sprintf("spread %.3f against %.3f", spreads[1], spreads[0])},
	}
	r.Tables = []Numbers{t}
	return r
}

// regionsPicture returns the picture of a model's predictions over the rows of a table, by columns,
// nil = the two that count most, beside what text writes.
func regionsPicture(
	name string, m model.Model, ds *data.Dataset, columns []int, text func(w io.Writer) error,
) Picture {
	return Picture{name, func(w io.Writer) error {
		s := must(plot.NewScene(m, catalog.Training(m), ds))
		return plot.Regions(w, s, plot.RegionOptions{Columns: columns})
	}, text}
}

// functionText draws the mean of an ensemble with a member, in characters.
func functionText(w io.Writer, name string, m model.Model, ds *data.Dataset) error {
	fine, err := waveAt(200)
	if err != nil {
		return err
	}
	c := plot.Chart{X: plot.Scale{Label: "x"}, Y: plot.Scale{Label: "y"}, Curves: []plot.Curve{
		{Name: "training rows", X: ds.Columns[0].Numbers(), Y: ds.Target.Y[0], Style: plot.Points}}}
	for _, n := range []int{1, 0} {
		curve := plot.Curve{Name: "the first member", X: fine.Columns[0].Numbers(), Colour: 1}
		if n == 0 {
			curve.Name, curve.Colour = "the mean of all", 2
		}
		if curve.Y, err = predict(m, fine, nil, n); err != nil {
			return err
		}
		c.Curves = append(c.Curves, curve)
	}
	return (&plot.Figure{Title: name, Charts: []plot.Chart{c}}).Text(w)
}

// spread describes the members of an ensemble at places whose label is the truth.
type spread struct {
	spread   float64    // mean standard deviation of the members
	single   float64    // root mean square distance of a member from the truth
	distance [3]float64 // of the mean of 1, 10 and all members
}

func spreadOf(m model.Model, places *data.Dataset) *spread {
	f, truth := &spread{}, places.Target.Y[0]
	n := len(truth)
	sum, squares, off := make([]float64, n), make([]float64, n), 0.0
	before := make([]float64, n)
	const members = 100
	for k := 1; k <= members; k++ {
		mean := must(predict(m, places, nil, k))
		distance := 0.0
		for i, v := range mean {
			total := float64(v * float64(k))
			own := total - before[i] // of member k
			before[i] = total
			sum[i], squares[i] = sum[i]+own, squares[i]+float64(own*own)
			off += float64((own - truth[i]) * (own - truth[i]))
			distance += float64((v - truth[i]) * (v - truth[i]))
		}
		for at, size := range []int{1, 10, members} {
			if k == size {
				f.distance[at] = math.Sqrt(distance / float64(n))
			}
		}
	}
	f.single = math.Sqrt(off / float64(n*members))
	for i := range sum {
		mean := sum[i] / members
		f.spread += math.Sqrt(max(0, squares[i]/members-float64(mean*mean))) / float64(n)
	}
	return f
}
