//go:build linux

package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn/catalog"
	"github.com/coppice-ml/coppice/tools/bench/pairs"
)

// orderedRows is what sets are limited to for the comparison ordered: models of few rows have the
// largest bias that ordered boosting is to remove.
const orderedRows = 1000

// orderedSets are the sets of the comparison ordered: classes and numbers, with and without
// categories.
var orderedSets = []string{"fish species", "sonar", "pima", "titanic", "spambase", "adult",
	"amazon", "fish weight", "california", "bike"}

// orderedBase is settings that are trained with boosting=plain and with boosting=ordered.
type orderedBase struct {
	name string
	own  own
}

// orderedBases returns the defaults, where each way chooses its rounds by cross-validation, and
// CatBoost's with fewer rounds and the learning rate that goes with them.
func orderedBases() ([]orderedBase, error) {
	l, err := catalog.New("gbm")
	if err != nil {
		return nil, err
	}
	bases := []orderedBase{{"defaults", own{learner: "gbm"}}}
	for _, p := range l.Capabilities().Compats {
		if p.Name == "catboost" {
			set := []string{"trees=200"}
			for _, s := range p.Settings {
				if !strings.HasPrefix(s, "trees=") {
					set = append(set, s)
				}
			}
			bases = append(bases, orderedBase{"catboost, 200 rounds",
				own{learner: "gbm", set: set}})
		}
	}
	return bases, nil
}

// ordered prints the errors of ordered boosting beside those of plain boosting, on the same rows
// and seeds, and their paired differences.
func (b *bench) ordered(ctx context.Context, only []string) error {
	bases, err := orderedBases()
	if err != nil {
		return err
	}
	fmt.Printf("\n## Ordered boosting beside plain boosting\n\nSets are limited to %d rows, half "+
		"of which are trained on. Errors are fractions of wrong labels or, for numbers, roots of "+
		"mean squared errors over the label's standard deviation.\n\n", orderedRows)
	fmt.Println("| base | set | rows x columns | rounds | metric | plain | ordered | ordered - " +
		"plain, 95 % | standard errors |")
	fmt.Println("|---|---|--:|--:|---|--:|--:|--:|--:|")
	began := time.Now()
	var totals []string
	for _, base := range bases {
		percent := map[string][]float64{}
		better, worse := map[string]int{}, map[string]int{}
		for _, s := range sets(orderedRows) {
			if !slices.Contains(orderedSets, s.name) || len(only) > 0 &&
				!slices.Contains(only, s.name) {
				continue
			}
			if s.rows = orderedRows; b.limit > 0 {
				s.rows = min(s.rows, b.limit)
			}
			p, err := b.problem(&s, s.name, func(ds *data.Dataset) ([]round, error) {
				return folds(ds, b.repetitions(ds.Rows()), b.seed)
			})
			if err != nil {
				return err
			}
			plain, ordered, err := b.bothBoostings(ctx, &base.own, p)
			if err != nil {
				return fmt.Errorf("%s: %w", p.name, err)
			}
			for _, m := range []stackMetric{stackMetrics()[0], stackMetrics()[2]} {
				x, y := m.of(plain), m.of(ordered)
				if x == nil {
					continue
				}
				d := pairs.IntervalOf(differences(y, x))
				fmt.Printf("| %s | %s | %d x %d | %d | %s | %.4f | %.4f | %s | %+.1f |\n",
					base.name, p.name, p.Rows(), len(p.Columns), len(x), m.name, mean(x),
					mean(y), d, ratio(d.Mean, d.SE))
				percent[m.name] = append(percent[m.name], 100*ratio(d.Mean, mean(x)))
				if d.Mean > 2*d.SE {
					worse[m.name]++
				}
				if d.Mean < -2*d.SE {
					better[m.name]++
				}
			}
		}
		for _, m := range []string{"error", "log loss"} {
			i := pairs.IntervalOf(percent[m])
			totals = append(totals, fmt.Sprintf("%s, %s, %d sets: %+.2f %% ± %.2f of plain "+
				"boosting's; by more than two standard errors lower on %d sets, higher on %d",
				base.name, m, len(percent[m]), i.Mean, i.Half, better[m], worse[m]))
		}
	}
	for _, t := range totals {
		fmt.Printf("\n%s.\n", t)
	}
	fmt.Printf("\nIt took %s.\n", time.Since(began).Round(time.Second))
	return nil
}

// bothBoostings returns the scores of plain and of ordered boosting with the same settings.
func (b *bench) bothBoostings(ctx context.Context, base *own, p *problem) (plain, ordered *score,
	err error) {
	var found [2]*score
	for i, how := range []string{"plain", "ordered"} {
		side := own{learner: base.learner,
			set: append(slices.Clone(base.set), "boosting="+how)}
		predictions, err := b.ours(ctx, side, p, 0, nil)
		if err != nil {
			return nil, nil, err
		}
		if found[i], err = p.scores(predictions); err != nil {
			return nil, nil, err
		}
	}
	return found[0], found[1], nil
}
