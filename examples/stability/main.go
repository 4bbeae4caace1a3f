// Command stability shows what bagging is good for: it removes the error that comes from the base
// learner's models being different for every sample of the training rows. Deep trees differ much
// and gain much; forests, which are means themselves, hardly differ and gain nothing.
package main

import (
	"context"
	"fmt"
	"io"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/examples/experiment"
	"github.com/coppice-ml/coppice/internal/trial"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/report/plot"
)

func main() {
	experiment.Main("stability", func(ctx context.Context) (experiment.Result,
		error) {
		return run(ctx, full)
	})
}

// size is how much is trained.
type size struct {
	bases   []base
	members int // of a bag
	splits  int // into rows to train on and to test on
	rows    int // to train on, 0 = two thirds of all
}

// base is a learner that is bagged.
type base struct {
	name     string
	learner  string
	settings []string
	depth    int // of a tree; 0 = not limited, or no tree
}

// trees returns a base for each depth.
func trees(depths ...int) []base {
	var all []base
	for _, d := range depths {
		all = append(all, base{fmt.Sprintf("tree of depth %d", d), "cart",
			[]string{"prune=none", fmt.Sprint("depth=", d)}, d})
	}
	return all
}

var full = size{members: 25, splits: 10, bases: append(trees(1, 2, 3, 4, 6, 8, 12, 16, 24),
	base{name: "pruned tree", learner: "cart", settings: []string{"prune=cv"}},
	base{name: "c45", learner: "c45"},
	base{name: "rules", learner: "rules"},
	base{name: "forest of 50", learner: "forest",
		settings: []string{"trees=50", "importance=none"}})}

// The columns of what is evaluated of a base on each split, all fractions of the hold-out rows.
const (
	single   = iota // wrong by one model of all training rows
	bagged          // wrong by the bag
	gain            // the difference
	disagree        // where two members of the bag differ
	evaluations
)

type result struct {
	size
	mean, bar [][]float64 // by base and metric
}

func run(ctx context.Context, s size) (*result, error) {
	ds, err := experiment.Read(ctx, "spambase/spambase.csv", "spam")
	if err != nil {
		return nil, err
	}
	r := &result{size: s}
	for _, b := range s.bases {
		splits := make([][]float64, s.splits)
		for split := range splits {
			if splits[split], err = b.evaluate(ctx, ds, s, uint64(split)); err != nil {
				return nil, err
			}
		}
		mean, bar := trial.Means(splits)
		r.mean, r.bar = append(r.mean, mean), append(r.bar, bar)
	}
	return r, nil
}

// evaluate trains the base alone and bagged on one split.
func (b *base) evaluate(
	ctx context.Context, ds *data.Dataset, s size, seed uint64,
) ([]float64, error) {
	training, test, err := experiment.Split(ds, s.rows, seed)
	if err != nil {
		return nil, err
	}
	m, err := experiment.Fit(ctx, ds, learn.Job{Rows: training, Seed: seed}, b.learner, b.settings...)
	if err != nil {
		return nil, err
	}
	found := make([]float64, evaluations)
	if found[single], err = experiment.ErrorRate(m, ds, test); err != nil {
		return nil, err
	}
	bag, err := b.bag(ctx, ds, learn.Job{Rows: training, Seed: seed}, s.members)
	if err != nil {
		return nil, err
	}
	if found[bagged], err = experiment.ErrorRate(bag, ds, test); err != nil {
		return nil, err
	}
	found[gain] = found[single] - found[bagged]
	found[disagree], err = b.disagree(ctx, ds, training, test, seed)
	return found, err
}

// disagree returns the fraction of the hold-out rows of which models of two bootstrap samples
// predict different things.
func (b *base) disagree(
	ctx context.Context, ds *data.Dataset, training, test []int32, seed uint64,
) (fraction float64, err error) {
	var predicted [2][]float64
	for i := range predicted {
		one, err := b.bag(ctx, ds, learn.Job{Rows: training, Seed: seed + uint64(1000*i)}, 1)
		if err != nil {
			return 0, err
		}
		if predicted[i], err = experiment.Predict(one, ds, test); err != nil {
			return 0, err
		}
	}
	for i := range test {
		if predicted[0][i] != predicted[1][i] {
			fraction += 1 / float64(len(test))
		}
	}
	return fraction, nil
}

// bag trains so many members on bootstrap samples.
func (b *base) bag(
	ctx context.Context, ds *data.Dataset, job learn.Job, members int,
) (model.Model, error) {
	settings := []string{"base=" + b.learner, fmt.Sprint("members=", members)}
	for _, set := range b.settings {
		settings = append(settings, "base."+set)
	}
	return experiment.Fit(ctx, ds, job, "bag", settings...)
}

func (r *result) Print(out io.Writer) {
	w := experiment.Table(out)
	fmt.Fprintf(w, "base\terror %%\tbag of %d, error %%\tgain\t+-\tmembers disagree on %%\t+-\t\n",
		r.members)
	for i, b := range r.bases {
		fmt.Fprintf(w, "%s\t%.2f\t%.2f\t%.2f\t%.2f\t%.2f\t%.2f\t\n", b.name, 100*r.mean[i][single],
			100*r.mean[i][bagged],
			100*r.mean[i][gain], 100*r.bar[i][gain], 100*r.mean[i][disagree],
			100*r.bar[i][disagree])
	}
	w.Flush()
}

func (r *result) Figure() *plot.Figure {
	depth := plot.Chart{X: plot.Scale{Label: "depth of the trees", Log: true},
		Y: plot.Scale{Label: "test error, % of the rows"}}
	gains := plot.Chart{X: plot.Scale{Label: "rows on which two members of the bag disagree, %",
		Zero: true}, Y: plot.Scale{Label: "error taken away by bagging, % of the rows"}}
	alone := plot.Curve{Name: "single tree", Style: plot.LineMarks}
	many := plot.Curve{Name: fmt.Sprintf("%d bagged trees", r.members),
		Style: plot.LineMarks, Colour: 1}
	for i, b := range r.bases {
		if b.depth > 0 {
			r.add(&alone, float64(b.depth), i, single)
			r.add(&many, float64(b.depth), i, bagged)
		}
		kind := plot.Curve{Name: b.name, Style: plot.Marks, Colour: i - len(r.bases) + 6}
		switch {
		case b.depth == 1:
			kind.Name, kind.Colour = "stump", 1
		case b.depth > 1:
			kind.Name, kind.Colour = "deeper trees", 0
		}
		r.add(&kind, 100*r.mean[i][disagree], i, gain)
		gains.Curves = append(gains.Curves, kind)
	}
	depth.Curves = []plot.Curve{alone, many}
	return &plot.Figure{Title: "Bagging helps learners that change their minds",
		Subtitle: "What members of a bag disagree on is what averaging can take away: much of " +
			"deep trees, nothing of forests.",
		Notes: []string{fmt.Sprintf("Spambase, means over %d random splits into two thirds to "+
			"train on and one third to test on, with standard errors.", r.splits),
			"Stumps disagree by the column at the root, of which two are as good as each other; " +
				"but an average of them is hardly better than one."},
		Charts: []plot.Chart{depth, gains}}
}

// add adds a metric of a base to a curve.
func (r *result) add(c *plot.Curve, x float64, base, evaluate int) {
	c.X, c.Y, c.Bar = append(c.X, x), append(c.Y, 100*r.mean[base][evaluate]),
		append(c.Bar, 100*r.bar[base][evaluate])
}
