//go:build linux

package main

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn/stack"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/tools/bench/pairs"
)

// stackedRows is what sets are limited to for the comparison stacking, so that it takes minutes.
const stackedRows = 1500

// stackedSets are the sets of the comparison stacking, on which members differ: numbers and
// categories, classes and numbers.
var stackedSets = []string{"sonar", "soybean", "pima", "titanic", "spambase", "ames", "california",
	"bike", "houston"}

// stackedMembers returns what is stacked, member by member: its settings on its own, by the name of
// its learner. A stack trains each six times, so gbm has a fixed number of rounds here, on its own
// too. The linear member has the penalty that the logistic one has by default: least squares of the
// hundreds of categories of ames predict anything of rows that were not in the training set.
func stackedMembers(task data.Task) []own {
	line := own{learner: "linear", set: []string{"l2=1"}}
	if task.Classes() {
		line = own{learner: "logistic"}
	}
	return []own{{learner: "forest", set: []string{"trees=100"}},
		{learner: "gbm", set: []string{"trees=100", "learning_rate=0.1"}}, line, {learner: "knn"}}
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
	return own{learner: "stack",
		set: append([]string{"members=" + strings.Join(names, ",")}, set...)}
}

// stackMetric is a metric by which a stack is compared, less is better: its values in the rounds,
// nil where it is none.
type stackMetric struct {
	name string
	of   func(s *score) []float64
}

func stackMetrics() []stackMetric {
	return []stackMetric{
		{"error", func(s *score) []float64 { return s.main }},
		{"Brier score", func(s *score) []float64 { return s.brier }},
		{"log loss", func(s *score) []float64 { return s.log }},
	}
}

// stacking prints errors of a stack with default parameters beside those of its members, and its
// paired differences from two of them: from the best, which is chosen by the very rounds that it is
// compared in, so that it is the hardest to reach; and from the one with the least out-of-fold loss
// in training, which is what could be taken instead of the stack.
func (b *bench) stacking(ctx context.Context, only []string) error {
	fmt.Printf("\n## A stack beside its members\n\nforest (100 trees), gbm (100 rounds of rate "+
		"0.1), ridge (l2=1) or logistic regression, and knn, combined by the defaults of stack; "+
		"sets limited to %d rows. Errors are fractions of wrong labels or, for numbers, roots of "+
		"mean squared errors over the label's standard deviation. The best member is that of the "+
		"least mean over the rounds, the chosen one that of the least out-of-fold loss in "+
		"training, round by round.\n\n", stackedRows)
	fmt.Println("| set | rows x columns | rounds | metric | stack | forest | gbm | linear | knn " +
		"| stack - best, 95 % | standard errors | percent | stack - chosen, 95 % | standard " +
		"errors | percent | |")
	fmt.Println("|---|--:|--:|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|---|")
	began := time.Now()
	total := map[string]*stackTotal{}
	for _, s := range sets(stackedRows) {
		if !slices.Contains(stackedSets, s.name) || len(only) > 0 &&
			!slices.Contains(only, s.name) {
			continue
		}
		if s.rows = stackedRows; b.limit > 0 {
			s.rows = min(s.rows, b.limit)
		}
		p, err := b.problem(&s, s.name, func(ds *data.Dataset) ([]round,
			error) {
			return folds(ds, b.repetitions(ds.Rows()), b.seed)
		})
		if err != nil {
			return err
		}
		o, err := b.stacked(ctx, p)
		if err != nil {
			return fmt.Errorf("%s: %w", p.name, err)
		}
		o.print(total)
	}
	for _, m := range stackMetrics() {
		if t := total[m.name]; t != nil {
			best, chosen := pairs.IntervalOf(t.best), pairs.IntervalOf(t.chosen)
			fmt.Printf("\nOver %d sets: %s in percent of the best member's %+.2f %% ± %.2f, of "+
				"the chosen one's %+.2f %% ± %.2f; worse by more than two standard errors on %d "+
				"and %d sets.\n",
				len(t.best), m.name, best.Mean, best.Half, chosen.Mean, chosen.Half, t.worse[0],
				t.worse[1])
		}
	}
	fmt.Printf("\nIt took %s.\n", time.Since(began).Round(time.Second))
	return nil
}

// stackTotal sums a metric up over the sets: differences in percent, and how many sets are worse by
// more than two standard errors, each from the best and from the chosen member.
type stackTotal struct {
	best, chosen []float64
	worse        [2]int
}

// stackedOutcome is a stack beside its members on one set.
type stackedOutcome struct {
	problem *problem
	stack   *score
	members []*score
	chosen  []int // by round: the member of the least out-of-fold loss
}

// stacked trains a stack, and its members on their own, in all rounds.
func (b *bench) stacked(ctx context.Context, p *problem) (*stackedOutcome, error) {
	members := stackedMembers(p.Target.Task)
	o := &stackedOutcome{problem: p}
	for i, side := range append(slices.Clone(members), stackOf(members)) {
		var look func(m model.Model) error
		if i == len(members) {
			look = o.choose
		}
		predictions, err := b.ours(ctx, side, p, 0, look)
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
	}
	return o, nil
}

// choose notes which member of a stack has the least out-of-fold loss.
func (o *stackedOutcome) choose(m model.Model) error {
	var found stack.Summary
	if err := json.Unmarshal(m.Spec().Summary, &found); err != nil {
		return err
	}
	least := 0
	for i := range found.Members {
		if loss := found.Members[i].Loss; loss != nil &&
			(found.Members[least].Loss == nil || *loss < *found.Members[least].Loss) {
			least = i
		}
	}
	o.chosen = append(o.chosen, least)
	return nil
}

// print prints the rows of a set, and adds them to the totals by metric.
func (o *stackedOutcome) print(total map[string]*stackTotal) {
	for _, m := range stackMetrics() {
		own := m.of(o.stack)
		if own == nil {
			continue
		}
		best, chosen := m.of(o.members[0]), make([]float64, len(own))
		for i := range chosen {
			chosen[i] = m.of(o.members[o.chosen[i]])[i]
		}
		fmt.Printf("| %s | %d x %d | %d | %s | %.4f |", o.problem.name, o.problem.Rows(),
			len(o.problem.Columns), len(own), m.name, mean(own))
		for _, s := range o.members {
			if v := m.of(s); mean(v) < mean(best) {
				best = v
			}
			fmt.Printf(" %.4f |", mean(m.of(s)))
		}
		t := total[m.name]
		if t == nil {
			t = &stackTotal{}
			total[m.name] = t
		}
		verdict := ""
		for i, peer := range [][]float64{best, chosen} {
			d := pairs.IntervalOf(differences(own, peer))
			percent := 100 * ratio(d.Mean, mean(peer))
			fmt.Printf(" %s | %+.1f | %+.1f |", d, ratio(d.Mean, d.SE), percent)
			if d.Mean > 2*d.SE {
				t.worse[i]++
				verdict = " **worse**"
			}
			if i == 0 {
				t.best = append(t.best, percent)
			} else {
				t.chosen = append(t.chosen, percent)
			}
		}
		fmt.Printf("%s |\n", verdict)
	}
}

// mean returns the mean of values.
func mean(values []float64) float64 {
	m, _ := pairs.Moments(values)
	return m
}
