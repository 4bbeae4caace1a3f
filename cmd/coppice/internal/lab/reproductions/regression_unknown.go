package reproductions

import (
	"context"
	"fmt"
	"math"

	"github.com/coppice-ml/coppice/internal/trial"
	"github.com/coppice-ml/coppice/report/plot"
)

// The learning rate of its boosting is one of the things that the lecture on regression in one
// column does not publish; its training sets are another, see waveGuess.

// ownRate is anyboost's own learning rate, by which the lecture's order is judged.
const ownRate = 0.1

// waveRates are the learning rates that are tried.
var waveRates = []float64{0.03, 0.04, 0.05, 0.07, 0.1, 0.12, 0.15, 0.2, 0.3}

// rateFound is the lecture's number of boosted trees at a learning rate.
type rateFound struct {
	rate             float64
	risk, bar        float64
	under, underBar  float64 // by how much the risk of waveAbove is larger
	over, overBar    float64 // by how much the risk of waveBelow is smaller
	between, refuted bool    // both are above 0, or one is below, by two standard errors
}

func (f *regressionFound) tryRates(ctx context.Context) error {
	for _, rate := range f.regressionSize.rates {
		m := f.risks[boosted3].waveMethod
		m.trees = []int{waveBoosted.trees}
		m.settings = []string{"base.depth=3", fmt.Sprintf("learning_rate=%g", rate)}
		risks, err := m.overSets(ctx, waveGuessed, f.regressionSize)
		if err != nil {
			return err
		}
		f.found = append(f.found, rateOf(rate, risks.of(waveBoosted.trees), f.risks))
	}
	return nil
}

// rateOf compares the risks of boosting, by training set, with those of its neighbours in the
// lecture's order.
func rateOf(rate float64, boosted []float64, all []*waveRisks) rateFound {
	r := rateFound{rate: rate}
	r.risk, r.bar = trial.Mean(boosted)
	r.under, r.underBar, _ = paired(all[waveAbove.method].of(waveAbove.trees)[:len(boosted)],
		boosted)
	r.over, r.overBar, _ = paired(boosted, all[waveBelow.method].of(waveBelow.trees)[:len(boosted)])
	r.between = r.under > 2*r.underBar && r.over > 2*r.overBar
	r.refuted = r.under < -2*r.underBar || r.over < -2*r.overBar
	return r
}

// verdict reports whether the lecture's order is found.
func (r *rateFound) verdict() string {
	switch {
	case r.between:
		return "holds"
	case r.refuted && r.over < 0:
		return "does not hold: below the forest"
	case r.refuted:
		return "does not hold: above bagged trees"
	}
	return "undecided"
}

func (f *regressionFound) rateTable() Numbers {
	t := Numbers{Title: fmt.Sprintf("Risk of %s, at several learning rates", f.name(waveBoosted)),
		Columns: []string{"learning rate", "risk", "below " + f.name(waveAbove),
			"above " + f.name(waveBelow), "the lecture's order"}}
	for i := range f.found {
		r := &f.found[i]
		t.add("%g | %.3f ± %.3f | %+.4f ± %.4f | %+.4f ± %.4f | %s", r.rate, r.risk, r.bar, r.under,
			r.underBar, r.over, r.overBar, r.verdict())
	}
	return t
}

// rateFigure draws the risk against the learning rate, beside those that the lecture has above
// and below.
func (f *regressionFound) rateFigure() *plot.Figure {
	boosted := plot.Curve{Name: f.name(waveBoosted), Style: plot.LineMarks,
		Colour: methodColour(boosted3)}
	for _, r := range f.found {
		boosted.X, boosted.Y, boosted.Bar = append(boosted.X, r.rate), append(boosted.Y, r.risk),
			append(boosted.Bar, r.bar)
	}
	c := plot.Chart{X: plot.Scale{Label: "learning rate"},
		Y: plot.Scale{Label: fmt.Sprintf("risk, mean of %d training sets", f.sets)}}
	for _, n := range []waveContender{waveAbove, waveBelow} {
		risk, _ := trial.Mean(f.risks[n.method].of(n.trees))
		c.Curves = append(c.Curves, plot.Curve{Name: f.name(n),
			X: []float64{0, waveRates[len(waveRates)-1]}, Y: []float64{risk, risk},
			Colour: methodColour(n.method)})
	}
	c.Curves = append(c.Curves, boosted)
	return &plot.Figure{Title: fmt.Sprintf("%d boosted trees at several learning rates",
		waveBoosted.trees),
		Subtitle: "At small rates they have not learned enough, at large ones they follow the " +
			"noise. The lecture has them between the two lines.",
		Charts: []plot.Chart{c}}
}

// singleTable sets what the lecture found in one run beside our single runs.
func (f *regressionFound) singleTable() Numbers {
	t := Numbers{Title: "Published risks, of single runs, among ours",
		Columns: []string{"", "published", "mean", "standard deviation",
			"training sets with less, %"}}
	for _, m := range f.risks {
		for _, trees := range m.trees {
			printed, ok := m.printed[trees]
			if !ok {
				continue
			}
			published, _ := printed.value()
			all := m.of(trees)
			mean, _ := trial.Mean(all)
			less := 0
			for _, risk := range all {
				if risk < published {
					less++
				}
			}
			t.add("%s, %d | %s | %.3f | %.3f | %.0f", m.name, trees, string(printed), mean,
				math.Sqrt(trial.Variance(all)), 100*float64(less)/float64(len(all)))
		}
	}
	return t
}
