package reproductions

import (
	"context"
	"fmt"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/eval"
	"github.com/coppice-ml/coppice/internal/models/committee"
	"github.com/coppice-ml/coppice/internal/trial"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/report/plot"
)

// calibration shows which learners' probabilities are well calibrated, and how calibrators that are
// fitted to out-of-fold predictions change them.
var calibration = Reproduction{
	Name:  "calibration",
	Title: "Calibration of predicted probabilities, before and after",
	Source: "Niculescu-Mizil & Caruana 2005, \"Predicting good probabilities with supervised " +
		"learning\": boosting pulls probabilities to the middle and full trees push them to " +
		"the ends; Platt's sigmoid and isotonic regression correct both",
	Slow: "1 min",
	run: func(ctx context.Context, env *Env) *Result {
		return calibrationOf(ctx, env, calibrationSize{splits: 5, scale: 1})
	},
}

// calibrationSize is how much is trained.
type calibrationSize struct {
	splits int
	scale  float64 // on the numbers of trees and rounds
	rows   int     // to train on, 0 = two thirds of all
}

// bases are the learners that are calibrated, with their settings.
func (s calibrationSize) bases() [][]string {
	trees := max(2, int(200*s.scale))
	return [][]string{
		{"a full tree", "cart", "base.prune=none"},
		{"a pruned tree", "cart"},
		{"a forest", "forest", fmt.Sprint("base.trees=", trees), "base.importance=none"},
		{"boosted stumps", "adaboost", fmt.Sprint("base.rounds=", trees/2)},
	}
}

// calibrationFound are means over the splits of one base by one method.
type calibrationFound struct {
	ece, eceBar, brier, brierBar, logLoss, logLossBar, wrong, wrongBar float64
	// of the first split
	first *eval.Calibration
}

func calibrationOf(ctx context.Context, env *Env, size calibrationSize) *Result {
	ds := must(env.Read(ctx, "spambase/spambase.csv", "spam", 4601))
	r := &Result{Text: []string{fmt.Sprintf("Spambase, %d random splits into two thirds to train "+
		"on and one third to test on. Expected calibration error (ECE): the mean distance "+
		"between predicted probability and frequency over ten bins. Calibrators are fitted to "+
		"out-of-fold predictions for the training rows, in five folds.", size.splits),
		"AdaBoost's probabilities are underconfident: all are near one half. Those of a full " +
			"tree are overconfident: 0 or 1. The error hardly changes: calibration does not " +
			"reorder rows, it corrects the probabilities. A pruned tree, whose leaves hold many " +
			"rows, needs it least."}}
	t := Numbers{Title: "Test rows, means over the splits, ± standard errors",
		Columns: []string{"", "by", "ECE", "Brier score", "log loss", "error, %"}}
	charts := map[string]*plot.Chart{}
	for _, base := range size.bases() {
		found := map[string]*calibrationFound{}
		for _, method := range committee.CalibrationMethods() {
			f := calibrate(ctx, env, ds, size, base, method)
			found[method] = f
			t.add("%s | %s | %.4f ± %.4f | %.4f ± %.4f | %.3f ± %.3f | %.2f ± %.2f", base[0],
				method, f.ece, f.eceBar, f.brier, f.brierBar, f.logLoss, f.logLossBar, 100*f.wrong,
				100*f.wrongBar)
		}
		before := found["none"]
		if base[0] == "a pruned tree" {
			continue // no source states that it needs calibration
		}
		for _, method := range []string{"platt", "isotonic"} {
			after := found[method]
			r.Findings = append(r.Findings,
				Finding{What: fmt.Sprintf("%s calibrates %s better", method, base[0]),
					Holds: after.ece < before.ece && after.brier < before.brier,
					Found: fmt.Sprintf("ECE %.4f to %.4f, Brier score %.4f to %.4f", before.ece,
						after.ece, before.brier, after.brier)})
		}
		charts[base[0]] = calibrationChart(base[0], before.first, found["platt"].first)
	}
	r.Tables = []Numbers{t}
	r.Pictures = []Picture{Figure("", &plot.Figure{Title: "Predicted probabilities before and " +
		"after calibration",
		Subtitle: "A full tree is overconfident, boosting is underconfident; a calibrator fitted " +
			"to out-of-fold rows corrects both.",
		Notes: []string{"Spambase, the test rows of the first split in ten bins, with " +
			"standard errors."},
		Charts: []plot.Chart{*charts["a full tree"], *charts["a forest"],
			*charts["boosted stumps"]}})}
	return r
}

// calibrate trains a base with a method on each split and evaluates it.
func calibrate(
	ctx context.Context, env *Env, ds *data.Dataset, size calibrationSize, base []string,
	method string,
) *calibrationFound {
	f := &calibrationFound{}
	var observed [][]float64 // by split: ECE, Brier score, log loss, error
	for split := range size.splits {
		training, held := trainTestSplit(ds, 1.0/3, size.rows, uint64(split))
		m := fit(ctx, ds, learn.Job{Rows: training, Seed: uint64(split),
			Workers: env.Workers}, "calibrate",
			append([]string{"base=" + base[1], "method=" + method}, base[2:]...)...)
		c := must(eval.Reliability(ctx, m, ds, held, 10, model.Options{Workers: env.Workers}))
		report := must(eval.EvaluateRows(ctx, m, ds, held, model.Options{Workers: env.Workers}))
		logLoss, _ := report.Metrics.Get("logloss")
		wrong, _ := report.Metrics.Get("error")
		if observed = append(observed, []float64{c.ECE, c.Brier, logLoss, wrong}); split == 0 {
			f.first = c
		}
	}
	means, bars := trial.Means(observed)
	f.ece, f.brier, f.logLoss, f.wrong = means[0], means[1], means[2], means[3]
	f.eceBar, f.brierBar, f.logLossBar, f.wrongBar = bars[0], bars[1], bars[2], bars[3]
	return f
}

// calibrationChart draws the reliability curves before and after.
func calibrationChart(name string, before, after *eval.Calibration) *plot.Chart {
	c := &plot.Chart{X: plot.Scale{Label: "probability, " + name, Zero: true},
		Y: plot.Scale{Label: "fraction of spam", Zero: true},
		Curves: []plot.Curve{{Name: "well calibrated", X: []float64{0, 1}, Y: []float64{0, 1},
			Style: plot.Dashes, Colour: 3}}}
	for i, of := range []*eval.Calibration{before, after} {
		u := plot.Curve{Name: []string{"as trained", "by Platt scaling"}[i],
			Style: plot.LineMarks, Colour: i}
		for k := range of.Bins {
			if b := &of.Bins[k]; b.Weight > 0 {
				u.X, u.Y, u.Bar = append(u.X, b.Probability), append(u.Y, b.Frequency),
					append(u.Bar, b.Error())
			}
		}
		c.Curves = append(c.Curves, u)
	}
	return c
}
