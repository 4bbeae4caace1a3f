package reproductions

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"golang.org/x/sync/errgroup"

	"github.com/coppice-ml/coppice/internal/parallel"
)

// waveGuess is what the lecture does not publish of its training sets.
type waveGuess struct {
	curve  int     // of waveCurves
	factor float64 // on the curve
	rows   int
	// x is one of the places that divide -1 to 1 into so many steps, each with the same probability
	steps int
}

// waveGuessed is the guess that the reproduction uses. It was made before any risk was computed;
// others stand beside it in a table.
var waveGuessed = waveGuess{curve: cubic, factor: 1, rows: 100, steps: 32}

// Curves that the truth may be, on -1 to 1.
const (
	line = iota
	parabola
	cubic
	quintic
	jump
	stairs
)

var waveCurves = [...]struct {
	name string
	at   func(x float64) float64
}{
	line:     {"line", func(x float64) float64 { return x }},
	parabola: {"parabola", func(x float64) float64 { return x * x }},
	cubic:    {"6x³ − 4.5x", func(x float64) float64 { return (float64(6*x*x) - 4.5) * x }},
	quintic: {"16x⁵ − 20x³ + 5x",
		func(x float64) float64 { return (float64((float64(16*x*x)-20)*x*x) + 5) * x }},
	jump: {"one jump", func(x float64) float64 { return math.Floor(min(x, 0.5) + 1) }},
	stairs: {"four stairs",
		func(x float64) float64 { return [...]float64{0, 2, 1, 3}[int(min(2*x+2, 3))] }},
}

// truth is the curve.
func (g waveGuess) truth(x float64) float64 { return float64(g.factor * waveCurves[g.curve].at(x)) }

// spread is the standard deviation of the truth over the places.
func (g waveGuess) spread() float64 {
	sum, squares, n := 0.0, 0.0, float64(g.steps+1)
	for k := range g.steps + 1 {
		y := g.truth(wavePlace(k, g.steps))
		sum, squares = sum+y, squares+float64(y*y)
	}
	return math.Sqrt(squares/n - float64(sum/n*sum/n))
}

// waveGuesses are tried beside each other: each curve, small and large beside the noise, for few
// rows and many, with the same x often and hardly ever.
func waveGuesses() []waveGuess {
	var all []waveGuess
	for curve := range waveCurves {
		for _, spread := range []float64{0.5, 1, 1.5} {
			for _, rows := range []int{50, 100, 200} {
				for _, steps := range []int{32, 64, 1000} {
					g := waveGuess{curve, 1, rows, steps}
					g.factor = spread / g.spread()
					all = append(all, g)
				}
			}
		}
	}
	return all
}

// guessFound is what a guess gives.
type guessFound struct {
	waveGuess
	distance  float64 // from the published risks, but for boosting: the root of the mean square
	ordered   bool    // all of the lecture's order holds in the means, but for boosting
	rateFound         // of boosting at anyboost's own learning rate, where ordered
}

// tryGuesses evaluates the published methods with each guess, and boosting with those that have the
// order of the others. So statements on boosting come from guesses that were not chosen by it.
func (f *regressionFound) tryGuesses(ctx context.Context) error {
	f.guesses = make([]guessFound, len(f.tried))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(parallel.Workers(f.workers))
	for i, g := range f.tried {
		group.Go(func() (err error) {
			f.guesses[i], err = f.try(ctx, g)
			return err
		})
	}
	return group.Wait()
}

func (f *regressionFound) try(ctx context.Context, g waveGuess) (guessFound, error) {
	found := guessFound{waveGuess: g, ordered: true}
	size := regressionSize{sets: f.others, seed: f.seed}
	all := make([]*waveRisks, boosted3+1)
	n := 0
	for _, method := range []int{baggedTrees, forest30, forest5, forest3} {
		m := waveMethods()[method].published()
		var err error
		if all[method], err = m.overSets(ctx, g, size); err != nil {
			return found, err
		}
		for i, trees := range m.trees {
			published, _ := m.printed[trees].value()
			off := all[method].mean[i] - published
			found.distance += float64(off * off)
			n++
		}
	}
	found.distance = math.Sqrt(found.distance / float64(n))
	here := regressionFound{risks: all}
	for i := range waveOrder[1:] {
		if fall, _, _ := here.fall(waveOrder[i], waveOrder[i+1]); fall < 0 {
			found.ordered = false
			return found, nil
		}
	}
	m := waveMethods()[boosted3].published()
	boosted, err := m.overSets(ctx, g, size)
	if err != nil {
		return found, err
	}
	found.rateFound = rateOf(ownRate, boosted.of(waveBoosted.trees), all)
	return found, nil
}

// published returns the method with the sizes alone whose risks the lecture has.
func (m waveMethod) published() waveMethod {
	m.trees = slices.DeleteFunc(slices.Clone(m.trees),
		func(n int) bool { return m.printed[n] == "" })
	return m
}

// shownGuesses is the length of the table of guesses.
const shownGuesses = 12

// ordered returns the guesses that have the lecture's order, but for boosting, the nearest first.
func (f *regressionFound) ordered() []guessFound {
	kept := slices.DeleteFunc(slices.Clone(f.guesses),
		func(g guessFound) bool { return !g.ordered })
	slices.SortStableFunc(kept,
		func(a, b guessFound) int { return cmp.Compare(a.distance, b.distance) })
	return kept
}

// guessText describes the place of boosting by the guesses.
func (f *regressionFound) guessText() string {
	kept := f.ordered()
	holds, below, above := 0, 0, 0
	for i := range kept {
		switch g := &kept[i]; {
		case g.between:
			holds++
		case g.refuted && g.over < 0:
			below++
		case g.refuted:
			above++
		}
	}
	return fmt.Sprintf("Of %d other guesses, of %d training sets each, %d have all of the "+
		"lecture's order but for boosting. With boosting at rate %g that is between bagged trees "+
		"and the forest of depth 5 by two standard errors in %d of these, better than both in "+
		"%d, worse than both in %d, and undecided in %d: what is published does not determine "+
		"its place.",
		len(f.guesses), f.others, len(kept), ownRate, holds, below, above,
		len(kept)-holds-below-above)
}

func (f *regressionFound) guessTable() Numbers {
	kept := f.ordered()
	t := Numbers{Title: fmt.Sprintf("Guesses that have all of the lecture's order but for "+
		"boosting, the nearest %d of %d", min(shownGuesses, len(kept)), len(kept)),
		Columns: []string{"truth", "its standard deviation", "rows", "different x", "distance",
			"below " + f.name(waveAbove), "above " + f.name(waveBelow), "the lecture's order"}}
	for i := range kept[:min(shownGuesses, len(kept))] {
		g := &kept[i]
		t.add("%s | %.1f | %v | %v | %.3f | %+.4f ± %.4f | %+.4f ± %.4f | %s",
			waveCurves[g.curve].name, g.spread(), g.rows, g.steps+1, g.distance, g.under,
			g.underBar, g.over, g.overBar, g.verdict())
	}
	return t
}
