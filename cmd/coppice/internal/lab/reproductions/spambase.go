package reproductions

import (
	"context"
	"fmt"
	"math"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/trial"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/report/plot"
)

// spambase prunes a tree to the size that the textbook has, and describes what kinds of mail it
// confuses.
var spambase = Reproduction{
	Name:  "spambase",
	Title: "A pruned tree, a forest and boosting on spambase",
	Source: "Hastie, Tibshirani & Friedman 2009, sections 9.2.5, 10.8 and 15.1: a tree of 17 " +
		"leaves, and ensembles. The split into 3065 training and 1536 test rows was not published",
	Slow: "30 s",
	run: func(ctx context.Context, env *Env) *Result {
		return spambaseOf(ctx, env, spambaseSize{splits: 20, ensembles: 5, trees: 500,
			leaves: []int{2, 3, 4, 5, 6, 8, 10, 13, 17, 22, 30, 40, 60, 90}})
	},
}

// spambaseSize is how much is trained; leaves must have 17.
type spambaseSize struct {
	splits    int
	leaves    []int
	ensembles int // splits that ensembles are trained on
	trees     int // of an ensemble that does not choose their number
}

// spambaseEnsembles are those whose errors the textbook has, in sections 10.8 and 15.1.
var spambaseEnsembles = []struct {
	name, learner string
	count         string // the parameter for the number of trees; "" = the learner chooses it
	published     Print
}{
	{"bagged trees", "bag", "members", "5.4"},
	{"a forest", "forest", "trees", "4.9"},
	{"boosting", "gbm", "", "4.5"},
}

// spambaseLeaves is the textbook's number of leaves.
const spambaseLeaves = 17

// The fractions of the test rows that are counted of each tree, by true and predicted class: mail
// that is no spam or spam.
const (
	wantedRight = iota
	wantedLost
	spamLet
	spamRight
	spambaseFractions
)

func spambaseOf(ctx context.Context, env *Env, size spambaseSize) *Result {
	ds := must(env.Read(ctx, "spambase/spambase.csv", "spam", 4601))
	// by split: fractions of the tree with 17 leaves; errors by number of leaves
	var seventeen, errors [][]float64
	// by split: error and leaves of the tree pruned by cross-validation and one standard error
	var pruned, prunedLeaves []float64
	var ensembles [][]float64 // by split: errors
	for number := range size.splits {
		training, held := trainTestSplit(ds, 1536.0/4601, 0, uint64(number))
		var row []float64
		for _, leaves := range size.leaves {
			fractions, _ := spambaseTree(ctx, env, ds,
				learn.Job{Rows: training, Seed: uint64(number)}, held,
				fmt.Sprintf("prune=leaves=%d", leaves))
			if row = append(row,
				fractions[wantedLost]+fractions[spamLet]); leaves == spambaseLeaves {
				seventeen = append(seventeen, fractions)
			}
		}
		errors = append(errors, row)
		fractions, leaves := spambaseTree(ctx, env, ds,
			learn.Job{Rows: training, Seed: uint64(number)}, held, "prune=cv")
		pruned, prunedLeaves = append(pruned, fractions[wantedLost]+fractions[spamLet]),
			append(prunedLeaves, float64(leaves))
		if number >= size.ensembles {
			continue
		}
		row = nil
		for _, e := range spambaseEnsembles {
			var settings []string
			if e.count != "" {
				settings = []string{fmt.Sprintf("%s=%d", e.count, size.trees)}
			}
			m := fit(ctx, ds, learn.Job{Rows: training, Seed: uint64(number),
				Workers: env.Workers}, e.learner, settings...)
			wrong := errorRate(m, ds, held, 0)
			row = append(row, wrong)
		}
		ensembles = append(ensembles, row)
	}
	return spambaseResult(size, seventeen, errors, pruned, prunedLeaves, ensembles)
}

// spambaseTree trains a tree and returns the fractions of the test rows by what becomes of them,
// and its leaves.
func spambaseTree(
	ctx context.Context, env *Env, ds *data.Dataset, job learn.Job, held []int32, prune string,
) (fractions []float64, leaves int) {
	job.Workers = env.Workers
	m := fit(ctx, ds, job, "cart", prune)
	predicted := must(predict(m, ds, held, 0))
	fractions = make([]float64, spambaseFractions)
	for i, r := range held {
		fractions[2*int(ds.Target.Class[r])+int(predicted[i])] += 1 / float64(len(held))
	}
	return fractions, m.(*model.Ensemble).Trees[0].NumLeaves()
}

func spambaseResult(
	size spambaseSize, seventeen, errors [][]float64, pruned, prunedLeaves []float64,
	ensembles [][]float64,
) *Result {
	r := &Result{Text: []string{fmt.Sprintf("The tree is pruned along the cost-complexity path "+
		"to 17 leaves, as the textbook's is. Means over %d random splits. The error that "+
		"follows ± is that of a single test set of 1536 rows, as the published number is from "+
		"one.",
		size.splits),
		"The textbook chose 17 leaves by cross-validation and one standard error. That choice is " +
			"made here too, in each split; its ± is the standard deviation of a split.",
		fmt.Sprintf("A single tree is the least that one can do with this table. Ensembles are "+
			"means over %d splits: 500 trees, bagged or in a forest, and boosting that chooses its "+
			"trees by cross-validation.", size.ensembles)}}
	means, _ := trial.Means(seventeen)
	oneTest := func(fraction float64) float64 { return 100 * math.Sqrt(fraction*(1-fraction)/1536) }
	wrong := means[wantedLost] + means[spamLet]
	r.Claims = append(r.Claims,
		Claim{What: "test error of the tree with 17 leaves, %", Published: "9.3",
			Ours: 100 * wrong, Error: oneTest(wrong), Rule: AtMost, Digits: 1})
	for _, c := range []struct {
		what      string
		published Print
		fraction  int
	}{{"wanted mail called spam, % of all mail", "4.0", wantedLost},
		{"spam let through, % of all mail", "5.3", spamLet},
		{"wanted mail let through, % of all mail", "57.3", wantedRight},
		{"spam called spam, % of all mail", "33.4", spamRight}} {
		r.Claims = append(r.Claims, Claim{What: c.what, Published: c.published,
			Ours: 100 * means[c.fraction], Error: oneTest(means[c.fraction]), Rule: Same,
			Digits: 1})
	}
	mean, _ := trial.Mean(pruned)
	leaves, _ := trial.Mean(prunedLeaves)
	r.Claims = append(r.Claims, Claim{What: "leaves by cross-validation and one standard error",
		Published: "17", Ours: leaves, Error: math.Sqrt(trial.Variance(prunedLeaves)), Digits: 1},
		Claim{What: "test error of that tree, %", Published: "9.3", Ours: 100 * mean,
			Error: oneTest(mean), Digits: 1},
		Claim{What: "test error of a tree by cross-validation, beside boosting, %",
			Published: "8.7", Ours: 100 * mean, Error: oneTest(mean), Digits: 1})
	wrongs, _ := trial.Means(ensembles)
	for i, e := range spambaseEnsembles {
		r.Claims = append(r.Claims, Claim{What: "test error of " + e.name + ", %",
			Published: e.published, Ours: 100 * wrongs[i], Error: oneTest(wrongs[i]), Digits: 1})
	}
	by, bars := trial.Means(errors)
	t := Numbers{Title: "Test error against the number of leaves",
		Columns: []string{"leaves", "error, %", "± s.e."}}
	line := plot.Curve{Name: "test error, with standard errors of the mean", Style: plot.LineMarks,
		Bar: trial.Percent(bars)}
	for i, n := range size.leaves {
		line.X, line.Y = append(line.X, float64(n)), append(line.Y, 100*by[i])
		t.add("%v | %.2f | %.2f", n, 100*by[i], 100*bars[i])
	}
	r.Tables = []Numbers{t}
	r.Pictures = []Picture{Figure("", &plot.Figure{Title: "A tree on spambase, pruned to a " +
		"number of leaves",
		Subtitle: "The textbook chose 17 leaves, by the one-standard-error rule, and had 9.3 % " +
			"on its test set.",
		Notes: []string{fmt.Sprintf("Means over %d random splits into 3065 rows to train on "+
			"and 1536 to test on.", size.splits)},
		Charts: []plot.Chart{{X: plot.Scale{Label: "leaves", Log: true},
			Y: plot.Scale{Label: "test error, % of the rows"},
			Curves: []plot.Curve{line, {Name: "published", X: []float64{spambaseLeaves},
				Y: []float64{9.3}, Style: plot.Marks, Colour: 1}}}}})}
	return r
}
