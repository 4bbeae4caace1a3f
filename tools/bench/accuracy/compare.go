//go:build linux

package main

import (
	"context"
	"fmt"
	"math"
	"strings"

	"github.com/coppice-ml/coppice/tools/bench/pairs"
)

// outcome is a comparison on one set.
type outcome struct {
	problem     *problem
	ours, peer  *score
	coding      string // the peer's, where it has several
	forced      bool   // see peer
	main, brier pairs.Interval
	// mean over the rounds: 1 where ours is worse, -1 where it is better, 0 where they are equal
	rank float64
}

// worse reports whether ours is worse by more than two standard errors of the paired differences.
func (o *outcome) worse() bool { return o.main.Mean > 2*o.main.SE }

// compare prints the report of a comparison.
func (b *bench) compare(ctx context.Context, c *comparison, folded, customary []*problem) error {
	how := fmt.Sprintf("%d trees.", b.trees)
	if c.ours.defaults() {
		how = "Default parameters."
	}
	if len(b.set) > 0 {
		how += " Ours has " + strings.Join(b.set, ", ") + "."
	}
	if b.coding != "" {
		how += " Both sides have the same numbers, categories as " + b.coding +
			" and missing values filled."
	}
	fmt.Printf("\n## %s\n\n%s Errors are probabilities of wrong labels or, for numbers, roots of "+
		"mean squared errors over the label's standard deviation.\n\n", c.title, how)
	title()
	var all []*outcome
	for _, p := range folded {
		o, err := b.outcome(ctx, c, p, b.trees)
		if err != nil {
			return fmt.Errorf("%s: %w", p.name, err)
		}
		o.print()
		if o.forced {
			if o, err = b.sameCodes(ctx, c, p); err != nil {
				return fmt.Errorf("%s: %w", p.name, err)
			}
			o.print()
		}
		all = append(all, o)
	}
	summarise(all)
	if len(customary) == 0 || strings.HasSuffix(c.key, "extra") {
		return nil
	}
	trees := 500
	if b.limit > 0 {
		trees = b.trees
	}
	how = fmt.Sprintf("%d trees", trees)
	if c.ours.defaults() {
		how = "default parameters"
	}
	fmt.Printf("\nIn their customary splits, %s: letters and adult by 5 seeds, spambase split at "+
		"random 10 times.\n\n", how)
	title()
	for _, p := range customary {
		o, err := b.outcome(ctx, c, p, trees)
		if err != nil {
			return fmt.Errorf("%s: %w", p.name, err)
		}
		o.print()
	}
	return nil
}

// sameCodes compares ours with a peer that has only codes for a table's categories. Ours gets the
// same codes as numbers here, and would otherwise split the categories into sets.
func (b *bench) sameCodes(ctx context.Context, c *comparison, p *problem) (*outcome, error) {
	ds, err := coded(p.Dataset, asCodes)
	if err != nil {
		return nil, err
	}
	same, err := b.newProblem(p.name+", codes to both", ds, p.rounds)
	if err != nil {
		return nil, err
	}
	return b.outcome(ctx, c, same, b.trees)
}

// outcome compares ours with the peer's first coding that fits, or with the best of them.
func (b *bench) outcome(
	ctx context.Context, c *comparison, p *problem, trees int,
) (*outcome, error) {
	o := &outcome{problem: p}
	for _, side := range c.peers {
		side, can := side.fit(p.Dataset)
		if !can {
			continue
		}
		predictions, err := b.peer(ctx, side, p, trees, c.ours.rowsOfLeaf(p.Target.Task))
		if err != nil {
			return nil, err
		}
		s, err := p.scores(predictions)
		if err != nil {
			return nil, err
		}
		if o.peer == nil || pairs.IntervalOf(s.main).Mean < pairs.IntervalOf(o.peer.main).Mean {
			o.peer, o.coding, o.forced = s, side.coding, side.forced
		}
		if !b.best {
			break
		}
	}
	var err error
	if o.ours, err = b.own(ctx, c.ours, p, trees); err != nil {
		return nil, err
	}
	d := differences(o.ours.main, o.peer.main)
	o.main = pairs.IntervalOf(d)
	if o.ours.brier != nil {
		o.brier = pairs.IntervalOf(differences(o.ours.brier, o.peer.brier))
	}
	for _, v := range d {
		switch {
		case v > 0:
			o.rank += 1 / float64(len(d))
		case v < 0:
			o.rank -= 1 / float64(len(d))
		}
	}
	return o, nil
}

// own returns the scores of ours, which are the same in comparisons with several peers.
func (b *bench) own(ctx context.Context, side own, p *problem, trees int) (*score, error) {
	key := fmt.Sprint(p.name, side.learner, side.set, side.rowsOfLeaf(p.Target.Task), trees)
	if s := b.known[key]; s != nil {
		return s, nil
	}
	predictions, err := b.ours(ctx, side, p, trees, nil)
	if err != nil {
		return nil, err
	}
	s, err := p.scores(predictions)
	if err == nil {
		b.known[key] = s
	}
	return s, err
}

func title() {
	fmt.Println("| set | rows x columns | rounds | ours | peer | coding | ours - peer, 95 % | " +
		"standard errors | Brier, ours - peer, 95 % | AUC, ours | peer | |")
	fmt.Println("|---|--:|--:|--:|--:|---|--:|--:|--:|--:|--:|---|")
}

func (o *outcome) print() {
	brier, auc, coding, note := "", " | ", "", ""
	if o.ours.brier != nil {
		brier = o.brier.String()
	}
	if o.ours.auc != nil {
		auc = fmt.Sprintf("%.4f | %.4f", pairs.IntervalOf(o.ours.auc).Mean,
			pairs.IntervalOf(o.peer.auc).Mean)
	}
	for i := range o.problem.Schema.Fields {
		if len(o.problem.Schema.Fields[i].Levels) > 0 {
			coding = o.coding
		}
	}
	if o.worse() {
		note = "**worse**"
	}
	fmt.Printf("| %s | %d x %d | %d | %.4f | %.4f | %s | %s | %+.1f | %s | %s | %s |\n",
		o.problem.name, o.problem.Rows(), len(o.problem.Columns),
		len(o.problem.rounds), pairs.IntervalOf(o.ours.main).Mean,
		pairs.IntervalOf(o.peer.main).Mean, coding, o.main, ratio(o.main.Mean, o.main.SE),
		brier, auc, note)
}

// ratio is a / b, and 0 where a is.
func ratio(a, b float64) float64 {
	if a == 0 {
		return 0
	}
	return a / b
}

// summarise prints what the outcomes on all sets come to.
func summarise(all []*outcome) {
	var ranks, relative, brier []float64
	better, worse := 0, 0
	for _, o := range all {
		ranks = append(ranks, o.rank)
		if peer := pairs.IntervalOf(o.peer.main).Mean; peer > 0 {
			relative = append(relative, 100*o.main.Mean/peer)
		}
		if o.peer.brier != nil {
			brier = append(brier, 100*ratio(o.brier.Mean, pairs.IntervalOf(o.peer.brier).Mean))
		}
		if o.worse() {
			worse++
		}
		if o.main.Mean < -2*o.main.SE {
			better++
		}
	}
	percent := func(v []float64) string {
		i := pairs.IntervalOf(v)
		return fmt.Sprintf("%+.2f %% ± %.2f", i.Mean, i.Half)
	}
	rank := pairs.IntervalOf(ranks)
	fmt.Printf("\nOver %d sets: mean difference of ranks %+.3f ± %.3f (from -1, always better, "+
		"to +1), of errors in percent of the peer's %s, of Brier scores %s. By more than two "+
		"standard errors better on %d sets, worse on %d.\n",
		len(all), rank.Mean, rank.Half, percent(relative), percent(brier), better, worse)
	if math.IsInf(rank.Half, 0) {
		fmt.Println("One set has no interval.")
	}
}

// differences returns a - b, value by value.
func differences(a, b []float64) []float64 {
	d := make([]float64, len(a))
	for i := range d {
		d[i] = a[i] - b[i]
	}
	return d
}
