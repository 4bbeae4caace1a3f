package reproductions

import (
	"context"
	"fmt"
	"math"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/split"
	"github.com/coppice-ml/coppice/internal/trial"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/report/plot"
)

// spambase prunes a tree to the size that the textbook has, and describes what kinds of mail it
// confuses.
var spambase = Reproduction{
	Name:  "spambase",
	Title: "A pruned tree on spambase and the mail that it confuses",
	Source: "Hastie, Tibshirani & Friedman 2009, section 9.2.5 and table 9.3: 17 leaves, " +
		"3065 rows to train on and 1536 to test on, in a split that was not published",
	Slow: "30 s",
	Run: func(ctx context.Context, env *Env) (*Result, error) {
		return spambaseOf(ctx, env, spambaseSize{splits: 20,
			leaves: []int{2, 3, 4, 5, 6, 8, 10, 13, 17, 22, 30, 40, 60, 90}})
	},
}

// spambaseSize is how much is trained; leaves must have 17.
type spambaseSize struct {
	splits int
	leaves []int
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

func spambaseOf(ctx context.Context, env *Env, size spambaseSize) (*Result, error) {
	ds, err := env.Read(ctx, "spambase/spambase.csv", "spam", 4601)
	if err != nil {
		return nil, err
	}
	// by split: fractions of the tree with 17 leaves; errors by number of leaves
	var seventeen, errors [][]float64
	// by split: error and leaves of the tree pruned on a validation set
	var valid, validLeaves []float64
	for number := range size.splits {
		training, held, err := trainTestSplit(ds, 1536.0/4601, 0, uint64(number))
		if err != nil {
			return nil, err
		}
		var row []float64
		for _, leaves := range size.leaves {
			fractions, _, err := spambaseTree(ctx, env, ds,
				learn.Job{Rows: training, Seed: uint64(number)}, held,
				fmt.Sprintf("prune=leaves=%d", leaves))
			if err != nil {
				return nil, err
			}
			if row = append(row,
				fractions[wantedLost]+fractions[spamLet]); leaves == spambaseLeaves {
				seventeen = append(seventeen, fractions)
			}
		}
		errors = append(errors, row)
		sets := split.HoldOut{Kind: split.Stratified, Seed: uint64(number), Valid: 1.0 / 3}
		grown, checked, _, err := sets.Sets(&ds.Target, training)
		if err != nil {
			return nil, err
		}
		fractions, leaves, err := spambaseTree(ctx, env, ds,
			learn.Job{Rows: grown, Valid: checked, Seed: uint64(number)}, held, "prune=validation")
		if err != nil {
			return nil, err
		}
		valid, validLeaves = append(valid, fractions[wantedLost]+fractions[spamLet]),
			append(validLeaves, float64(leaves))
	}
	return spambaseResult(size, seventeen, errors, valid, validLeaves), nil
}

// spambaseTree trains a tree and returns the fractions of the test rows by what becomes of them,
// and its leaves.
func spambaseTree(
	ctx context.Context, env *Env, ds *data.Dataset, job learn.Job, held []int32, prune string,
) (fractions []float64, leaves int, err error) {
	job.Workers = env.Workers
	m, err := fit(ctx, ds, job, "cart", prune)
	if err != nil {
		return nil, 0, err
	}
	predicted, err := predict(m, ds, held, 0)
	if err != nil {
		return nil, 0, err
	}
	fractions = make([]float64, spambaseFractions)
	for i, r := range held {
		fractions[2*int(ds.Target.Class[r])+int(predicted[i])] += 1 / float64(len(held))
	}
	return fractions, m.(*model.Ensemble).Trees[0].NumLeaves(), nil
}

func spambaseResult(
	size spambaseSize, seventeen, errors [][]float64, valid, validLeaves []float64,
) *Result {
	r := &Result{Text: []string{fmt.Sprintf("The tree is pruned along the cost-complexity path "+
		"to 17 leaves, as the textbook's is. Means over %d random splits; the error that "+
		"follows ± is that of a single test set of 1536 rows, as the published number is from "+
		"one.",
		size.splits),
		"Pruned on a validation set, a third of the training rows, the tree keeps more leaves. A " +
			"single tree is the least that one can do with this table: the textbook has 4.9 % " +
			"for a forest and 4.5 % for boosting."}}
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
	mean, se := trial.Mean(valid)
	leaves, _ := trial.Mean(validLeaves)
	r.Claims = append(r.Claims, Claim{What: "test error of the tree pruned on a validation set, %",
		Ours: 100 * mean, Error: 100 * se, Digits: 1},
		Claim{What: "its leaves", Ours: leaves, Digits: 1})
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
