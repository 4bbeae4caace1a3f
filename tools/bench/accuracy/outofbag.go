//go:build linux

package main

import (
	"context"
	"fmt"
	"math"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/tools/bench/pairs"
)

// outOfBagRepeats is how often the two errors are computed with other seeds and folds.
const outOfBagRepeats = 2

// outOfBag prints the error out of the bag of forests with default parameters beside that of
// cross-validation with ten folds. The interval is of the mean over the rows of the difference of
// the two losses of a row.
func (b *bench) outOfBag(ctx context.Context, problems []*problem) error {
	fmt.Printf("\n## Error out of the bag beside ten-fold cross-validation\n\n%d trees, default "+
		"parameters, means of %d seeds. Errors are fractions of wrong labels or, for numbers, "+
		"mean squared errors over the label's variance.\n\n", b.trees, outOfBagRepeats)
	fmt.Println("| set | rows x columns | out of the bag | cross-validation | difference, 95 % | " +
		"standard errors | relative |")
	fmt.Println("|---|--:|--:|--:|--:|--:|--:|")
	var relative []float64
	for _, p := range problems {
		bag, folds, err := b.twoErrors(ctx, p)
		if err != nil {
			return fmt.Errorf("%s: %w", p.name, err)
		}
		d := pairs.IntervalOf(differences(bag, folds))
		out, crossed := pairs.IntervalOf(bag).Mean, pairs.IntervalOf(folds).Mean
		relative = append(relative, 100*ratio(d.Mean, crossed))
		fmt.Printf("| %s | %d x %d | %.4f | %.4f | %s | %+.1f | %+.1f %% |\n", p.name, p.Rows(),
			len(p.Columns), out, crossed, d, ratio(d.Mean, d.SE),
			relative[len(relative)-1])
	}
	i := pairs.IntervalOf(relative)
	fmt.Printf("\nOver %d sets: mean relative difference %+.2f %% ± %.2f.\n", len(problems),
		i.Mean, i.Half)
	return nil
}

// twoErrors returns the loss of each row out of the bag, and in cross-validation.
func (b *bench) twoErrors(ctx context.Context, p *problem) (bag, folds []float64, err error) {
	n := p.Rows()
	bag, folds = make([]float64, n), make([]float64, n)
	for seed := range uint64(outOfBagRepeats) {
		if err := b.addBag(ctx, p, seed, bag); err != nil {
			return nil, nil, err
		}
		if err := b.addFolds(ctx, p, seed, folds); err != nil {
			return nil, nil, err
		}
	}
	return bag, folds, nil
}

// addBag adds each row's loss out of the bag. A row that is in the bag of every tree would have no
// prediction; with the numbers of trees here there is none.
func (b *bench) addBag(ctx context.Context, p *problem, seed uint64, sum []float64) error {
	l, err := b.plain(p)
	if err != nil {
		return err
	}
	var reported *learn.HoldOut
	_, err = fit(ctx, l, p, learn.Job{Rows: data.AllRows(p.Rows()), Seed: seed, Workers: b.threads,
		OutOfBag: func(o *learn.HoldOut) error { reported = o; return nil }})
	if err != nil {
		return err
	}
	return p.add(sum, reported.Rows, reported.Values)
}

// addFolds adds each row's loss in cross-validation.
func (b *bench) addFolds(ctx context.Context, p *problem, seed uint64, sum []float64) error {
	plan := data.Plan{Kind: data.StratifiedPlan, K: 10, Seed: seed}
	folded, err := plan.Folds(&p.Target, data.AllRows(p.Rows()))
	if err != nil {
		return err
	}
	for i, f := range folded {
		l, err := b.plain(p)
		if err != nil {
			return err
		}
		m, err := fit(ctx, l, p, learn.Job{Rows: f.Train, Seed: seed<<8 + uint64(i),
			Workers: b.threads})
		if err != nil {
			return err
		}
		predictor, err := m.Bind(&p.Schema, model.Options{Workers: b.threads})
		if err != nil {
			return err
		}
		dst := make([]float64, len(f.Test)*p.width())
		if err := predictor.Predict(dst, p.Frame, f.Test); err != nil {
			return err
		}
		if err := p.add(sum, f.Test, dst); err != nil {
			return err
		}
	}
	return nil
}

// plain returns a forest with default parameters.
func (b *bench) plain(p *problem) (learn.Learner, error) {
	return (&own{learner: "forest", node: five}).new(p, b.trees)
}

// add adds the losses of rows, divided by the number of repeats.
func (p *problem) add(sum []float64, rows []int32, predictions []float64) error {
	k, variance := p.width(), p.spread()*p.spread()
	for i, r := range rows {
		own := predictions[i*k : (i+1)*k]
		if math.IsNaN(own[0]) {
			return fmt.Errorf("row %d has no prediction out of the bag", r+1)
		}
		loss := 0.0
		if p.Target.Class == nil {
			d := own[0] - p.Target.Y[0][r]
			loss = d * d / variance
		} else if model.ArgMax(own) != int(p.Target.Class[r]) {
			loss = 1
		}
		sum[r] += loss / outOfBagRepeats
	}
	return nil
}
