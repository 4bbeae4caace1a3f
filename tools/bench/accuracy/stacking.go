//go:build linux

package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/coppice-ml/coppice/data"
)

// stackedRows is what sets are cut to for the part stacking, so that it takes minutes.
const stackedRows = 1500

// stackedSets are the sets of the part stacking, on which members differ: numbers and categories, classes and numbers.
var stackedSets = []string{"sonar", "soybean", "pima", "titanic", "spambase", "ames", "california", "bike"}

// stackedMembers returns what is stacked, member by member: its settings on its own, by the name of its learner. A stack trains
// each six times, so gbm has a fixed number of rounds here, on its own too.
func stackedMembers(task data.Task) []own {
	line := own{learner: "linear"}
	if task.Classes() {
		line.learner = "logistic"
	}
	return []own{{learner: "forest", set: []string{"trees=100"}}, {learner: "gbm", set: []string{"trees=100", "learning_rate=0.1"}}, line, {learner: "knn"}}
}

// stackOf returns the stack of members, with the settings that they have on their own.
func stackOf(members []own) own {
	var names, set []string
	for _, m := range members {
		names = append(names, m.learner)
		for _, s := range m.set {
			set = append(set, "members."+m.learner+"."+s)
		}
	}
	return own{learner: "stack", set: append([]string{"members=" + strings.Join(names, ",")}, set...)}
}

// stacking prints errors of a stack with default parameters beside those of its members, and its paired differences from the best
// of them, which is chosen by the very rounds that it is compared in: no less than that is what a stack must reach.
func (b *bench) stacking(ctx context.Context, only []string) error {
	fmt.Printf("\n## A stack beside its best member\n\nforest (100 trees), gbm (100 rounds of rate 0.1), linear or logistic regression, and knn, combined by non-negative ridge "+
		"on five folds held back; sets cut to %d rows. Errors are shares of wrong labels or, for numbers, roots of mean squared errors over the label's standard deviation; "+
		"the best member is that of least mean error, or Brier score, over the rounds.\n\n", stackedRows)
	fmt.Println("| set | rows x columns | rounds | stack | forest | gbm | linear | knn | stack - best, 95 % | standard errors | Brier, stack - best, 95 % | standard errors | |")
	fmt.Println("|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|---|")
	began := time.Now()
	var relative, brier []float64
	worse := 0
	for _, s := range sets(stackedRows) {
		if !slices.Contains(stackedSets, s.name) || len(only) > 0 && !slices.Contains(only, s.name) {
			continue
		}
		if s.rows = stackedRows; b.limit > 0 {
			s.rows = min(s.rows, b.limit)
		}
		p, err := b.problem(&s, s.name, func(ds *data.Dataset) ([]round, error) { return folds(ds, b.dealings(ds.Rows()), b.seed) })
		if err != nil {
			return err
		}
		o, err := b.stacked(ctx, p)
		if err != nil {
			return fmt.Errorf("%s: %w", p.name, err)
		}
		if o.print() {
			worse++
		}
		relative = append(relative, 100*o.main.mean/mean(o.members[o.best].main))
		if o.stack.brier != nil {
			brier = append(brier, 100*o.brier.mean/mean(o.members[o.bestBrier].brier))
		}
	}
	i := of(relative)
	fmt.Printf("\nOver %d sets: errors in percent of the best member's %+.2f %% ± %.2f", len(relative), i.mean, i.half)
	if len(brier) > 0 {
		i = of(brier)
		fmt.Printf(", Brier scores of classes %+.2f %% ± %.2f", i.mean, i.half)
	}
	fmt.Printf(". Worse by more than two standard errors on %d sets. It took %s.\n", worse, time.Since(began).Round(time.Second))
	return nil
}

// stackedOutcome is a stack beside its members on one set.
type stackedOutcome struct {
	problem         *problem
	stack           *score
	members         []*score
	best, bestBrier int // members of least mean error, and of least Brier score
	main, brier     interval
}

// stacked trains a stack, and its members on their own, in all rounds.
func (b *bench) stacked(ctx context.Context, p *problem) (*stackedOutcome, error) {
	members := stackedMembers(p.Target.Task)
	o := &stackedOutcome{problem: p}
	for i, side := range append(slices.Clone(members), stackOf(members)) {
		predictions, err := b.ours(ctx, side, p, 0)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", side.learner, err)
		}
		s, err := p.scores(predictions)
		if err != nil {
			return nil, err
		}
		if i == len(members) {
			o.stack = s
			break
		}
		o.members = append(o.members, s)
		if mean(s.main) < mean(o.members[o.best].main) {
			o.best = i
		}
		if s.brier != nil && mean(s.brier) < mean(o.members[o.bestBrier].brier) {
			o.bestBrier = i
		}
	}
	o.main = of(differences(o.stack.main, o.members[o.best].main))
	if o.stack.brier != nil {
		o.brier = of(differences(o.stack.brier, o.members[o.bestBrier].brier))
	}
	return o, nil
}

// print prints the row of a set, and reports whether the stack is worse by more than two standard errors.
func (o *stackedOutcome) print() bool {
	worse := o.main.mean > 2*o.main.se
	fmt.Printf("| %s | %d x %d | %d | %.4f |", o.problem.name, o.problem.Rows(), len(o.problem.Columns), len(o.stack.main), mean(o.stack.main))
	for _, m := range o.members {
		fmt.Printf(" %.4f |", mean(m.main))
	}
	fmt.Printf(" %s | %+.1f |", o.main, ratio(o.main.mean, o.main.se))
	if o.stack.brier != nil {
		fmt.Printf(" %s | %+.1f |", o.brier, ratio(o.brier.mean, o.brier.se))
		worse = worse || o.brier.mean > 2*o.brier.se
	} else {
		fmt.Print("  |  |")
	}
	verdict := ""
	if worse {
		verdict = " **worse**"
	}
	fmt.Printf("%s |\n", verdict)
	return worse
}

// mean returns the mean of values.
func mean(values []float64) float64 {
	m, _ := moments(values)
	return m
}
