package main

import (
	"context"
	"fmt"
	"io"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/trial"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/report/plot"
)

// stabilitySize is how much is trained.
type stabilitySize struct {
	bases   []bagBase
	members int // of a bag
	splits  int // into rows to train on and to test on
	rows    int // to train on, 0 = two thirds of all
}

// bagBase is a learner that is bagged.
type bagBase struct {
	name     string
	learner  string
	settings []string
	depth    int // of a tree; 0 = not limited, or no tree
}

// trees returns a base for each depth.
func trees(depths ...int) []bagBase {
	var all []bagBase
	for _, d := range depths {
		all = append(all, bagBase{fmt.Sprintf("tree of depth %d", d), "cart",
			[]string{"prune=none", fmt.Sprint("depth=", d)}, d})
	}
	return all
}

var allStability = stabilitySize{members: 25, splits: 10, bases: append(trees(1, 2, 3, 4, 6, 8, 12, 16, 24),
	bagBase{name: "pruned tree", learner: "cart", settings: []string{"prune=cv"}},
	bagBase{name: "c45", learner: "c45"},
	bagBase{name: "rules", learner: "rules"},
	bagBase{name: "forest of 50", learner: "forest",
		settings: []string{"trees=50", "importance=none"}})}

// The columns of what is evaluated of a bagBase on each split, all fractions of the hold-out rows.
const (
	single   = iota // wrong by one model of all training rows
	bagged          // wrong by the bag
	gain            // the difference
	disagree        // where two members of the bag differ
)

type stabilityResult struct {
	stabilitySize
	mean, bar [][]float64 // by base and metric
}

// runStability finds what bagging is good for: it removes the error that comes from the base
// learner's models being different for every sample of the training rows. Deep trees differ much
// and gain much; forests, which are means themselves, hardly differ and gain nothing.
func runStability(ctx context.Context, s stabilitySize) (*stabilityResult, error) {
	ds, err := readTable(ctx, "spambase/spambase.csv", "spam")
	if err != nil {
		return nil, err
	}
	r := &stabilityResult{stabilitySize: s}
	for _, b := range s.bases {
		splits := make([][]float64, s.splits)
		for split := range splits {
			found, err := b.compare(ctx, ds, s.rows, s.members, uint64(split))
			if err != nil {
				return nil, err
			}
			apart, err := b.disagree(ctx, ds, s.rows, uint64(split))
			if err != nil {
				return nil, err
			}
			splits[split] = append(found, apart)
		}
		mean, bar := trial.Means(splits)
		r.mean, r.bar = append(r.mean, mean), append(r.bar, bar)
	}
	return r, nil
}

// compare trains the base alone and bagged on one split, and returns the errors and the gain.
func (b *bagBase) compare(
	ctx context.Context, ds *data.Dataset, rows, members int, seed uint64,
) ([]float64, error) {
	training, test, err := splitRows(ds, rows, seed)
	if err != nil {
		return nil, err
	}
	m, err := fit(ctx, ds, learn.Job{Rows: training, Seed: seed}, b.learner, b.settings...)
	if err != nil {
		return nil, err
	}
	bag, err := b.bag(ctx, ds, learn.Job{Rows: training, Seed: seed}, members)
	if err != nil {
		return nil, err
	}
	found := make([]float64, disagree)
	if found[single], err = errorRate(m, ds, test); err != nil {
		return nil, err
	}
	if found[bagged], err = errorRate(bag, ds, test); err != nil {
		return nil, err
	}
	found[gain] = found[single] - found[bagged]
	return found, nil
}

// disagree returns the fraction of the hold-out rows of which models of two bootstrap samples
// predict different things.
func (b *bagBase) disagree(
	ctx context.Context, ds *data.Dataset, rows int, seed uint64,
) (fraction float64, err error) {
	training, test, err := splitRows(ds, rows, seed)
	if err != nil {
		return 0, err
	}
	var predicted [2][]float64
	for i := range predicted {
		one, err := b.bag(ctx, ds, learn.Job{Rows: training, Seed: seed + uint64(1000*i)}, 1)
		if err != nil {
			return 0, err
		}
		if predicted[i], err = predict(one, ds, test); err != nil {
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
func (b *bagBase) bag(
	ctx context.Context, ds *data.Dataset, job learn.Job, members int,
) (model.Model, error) {
	settings := []string{"base=" + b.learner, fmt.Sprint("members=", members)}
	for _, set := range b.settings {
		settings = append(settings, "base."+set)
	}
	return fit(ctx, ds, job, "bag", settings...)
}

func (r *stabilityResult) Print(out io.Writer) {
	w := newTable(out)
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

func (r *stabilityResult) Figure() *plot.Figure {
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
func (r *stabilityResult) add(c *plot.Curve, x float64, bagBase, evaluate int) {
	c.X, c.Y, c.Bar = append(c.X, x), append(c.Y, 100*r.mean[bagBase][evaluate]),
		append(c.Bar, 100*r.bar[bagBase][evaluate])
}
