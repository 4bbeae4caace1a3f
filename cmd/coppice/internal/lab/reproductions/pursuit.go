package reproductions

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/anyboost"
	"github.com/coppice-ml/coppice/learn/catalog"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/report/plot"
)

// pursuit decomposes the label, stump by stump. Each round finds the stump f that shortens the
// residual r most, and takes the projection a = <r, f> / <f, f> of it.
var pursuit = Reproduction{
	Name:  "pursuit",
	Title: "Matching pursuit with stumps, round by round",
	Source: "Mallat & Zhang 1993, conservation of energy; Friedman 2001, algorithm 2 " +
		"(LS_Boost)",
	run: func(ctx context.Context, env *Env) *Result {
		ds := must(readWave(ctx, env))
		f := pursuitOf(ctx, env, ds, 40)
		return f.result(ds)
	},
}

// pursuitFound is a training, step by step.
type pursuitFound struct {
	model *model.Ensemble
	steps []pursuitStep
	start float64 // squared length of what is left at the start
}

// pursuitStep is a round: a stump, its factor, and squared lengths.
type pursuitStep struct {
	splitPoint, low, high float64
	step                  float64 // a
	taken, left           float64 // of a f, and of what is left
	angle                 float64 // cosine of that between f and what is left
	// of the first rounds: what is left of each row before the round
	before []float64
}

// pursuitOf trains for some rounds on a table of one column, and computes the sums again.
func pursuitOf(ctx context.Context, env *Env, ds *data.Dataset, rounds int) *pursuitFound {
	l := must(catalog.New(anyboost.Name))
	for _, p := range l.Capabilities().Presets {
		if p.Name == "pursuit" {
			check(l.Params().Set(p.Settings))
		}
	}
	settings := []string{fmt.Sprint("rounds=", rounds)}
	m := fitLearner(ctx, ds, learn.Job{Workers: env.Workers}, l, settings...)
	var reported anyboost.Summary
	check(learn.ReadSummary(m, &reported))
	f := &pursuitFound{model: m.(*model.Ensemble)}
	rest := make([]float64, ds.Rows())
	for i, y := range ds.Target.Y[0] {
		rest[i] = y - f.model.Bias[0]
	}
	f.start = dot(rest, rest)
	for i, t := range f.model.Trees {
		s := pursuitStep{splitPoint: t.SplitPoint(0), low: t.Value(1)[0], high: t.Value(2)[0],
			step: reported.Steps[i]}
		if i < pursuitShown {
			s.before = slices.Clone(rest)
		}
		predicts := make([]float64, len(rest))
		for r, x := range ds.Columns[0].Numbers() {
			if predicts[r] = s.high; x <= s.splitPoint {
				predicts[r] = s.low
			}
			rest[r] -= float64(s.step * predicts[r])
		}
		size := dot(predicts, predicts)
		s.taken, s.left = float64(s.step*s.step)*size, dot(rest, rest)
		s.angle = dot(rest, predicts) / math.Sqrt(size*s.left)
		f.steps = append(f.steps, s)
	}
	return f
}

func dot(a, b []float64) float64 {
	sum := 0.0
	for i := range a {
		sum += float64(a[i] * b[i])
	}
	return sum
}

func (f *pursuitFound) result(ds *data.Dataset) *Result {
	n := len(f.steps)
	r := &Result{Text: []string{fmt.Sprintf("`anyboost --preset pursuit` on %d rows of one "+
		"column: y = (1 − x/2) sin 8x and noise of variance %.2f. What is left starts as the label "+
		"less its mean. Each round fits a stump f to it, and takes a f away, with the "+
		"projection a = ⟨r, f⟩ / ⟨f, f⟩. A stump whose sides have the means of what is "+
		"left is its own projection, so that a is 1.", ds.Rows(), waveNoise)}}
	t := Numbers{Title: "The first rounds; lengths are squared, as fractions of the first",
		Columns: []string{"round", "x <=", "left side", "right side", "a", "taken", "left"}}
	before, balance, falls, angle, unit := f.start, 0.0, true, 0.0, 0.0
	for i, s := range f.steps {
		balance = max(balance, math.Abs(before-s.taken-s.left)/f.start)
		falls = falls && s.left < before
		angle, unit = max(angle, math.Abs(s.angle)), max(unit, math.Abs(s.step-1))
		before = s.left
		if i < 12 {
			t.add("%v | %.5f | %.4f | %.4f | %.4f | %.4f | %.4f", i+1, s.splitPoint, s.low,
				s.high, s.step, s.taken/f.start, s.left/f.start)
		}
	}
	r.Findings = []Finding{
		{What: "what is left loses, in squared length, exactly what is taken",
			Holds: balance < exactly, Found: fmt.Sprintf("in all %d rounds, %s of the first length",
				n, small(balance))},
		{What: "what is left is at a right angle to the stump that was taken",
			Holds: angle < exactly, Found: fmt.Sprintf("cosines %s", small(angle))},
		{What: "the projection of what is left on a stump fitted to it is the stump",
			Unpublished: true, Holds: unit < exactly, Found: fmt.Sprintf("a is 1, %s",
				small(unit))},
		{What: "what is left grows shorter in every round", Unpublished: true,
			Holds: falls,
			Found: fmt.Sprintf("to %.3f of its squared length after %d rounds", before/f.start, n)},
	}
	r.Tables = []Numbers{t}
	fig := f.figure(ds)
	r.Pictures = []Picture{Figure("", fig), Figure("rounds", f.rounds(ds))}
	return r
}

// exactly is the rounding error that sums of some hundred numbers may have.
const exactly = 1e-12

// small describes a number that is 0 but for rounding, or writes it.
func small(v float64) string {
	if v < exactly {
		return "up to 1e-12"
	}
	return fmt.Sprintf("up to %g", v)
}

// pursuitShown is how many rounds are drawn one by one.
const pursuitShown = 3

// rounds draws what is left before each of the first rounds, with the stump that is fitted to it.
func (f *pursuitFound) rounds(ds *data.Dataset) *plot.Figure {
	fig := &plot.Figure{Title: "The first rounds of matching pursuit",
		Subtitle: "Each stump is fitted to what is left of the label before its round."}
	x := ds.Columns[0].Numbers()
	for i, s := range f.steps[:min(pursuitShown, len(f.steps))] {
		fig.Charts = append(fig.Charts, plot.Chart{
			X: plot.Scale{Label: "x"}, Y: plot.Scale{Label: fmt.Sprintf("left before round %d",
				i+1)},
			Curves: []plot.Curve{{Name: "rows", X: x, Y: s.before, Style: plot.Points,
				Colour: waveColour},
				{Name: "stump", X: []float64{0, s.splitPoint, s.splitPoint, 2},
					Y: []float64{s.low, s.low, s.high, s.high}, Colour: 1}}})
	}
	return fig
}

func (f *pursuitFound) figure(ds *data.Dataset) *plot.Figure {
	at := must(waveAt(wavePlaces))
	fit := plot.Chart{X: plot.Scale{Label: "x"}, Y: plot.Scale{Label: "y"}, Curves: []plot.Curve{
		{X: ds.Columns[0].Numbers(), Y: ds.Target.Y[0], Style: plot.Points, Colour: waveColour},
	}}
	for i, rounds := range []int{1, 3, len(f.steps)} {
		predicted := must(predict(f.model, at, nil, rounds))
		fit.Curves = append(fit.Curves, plot.Curve{Name: fmt.Sprintf("after %d", rounds),
			X: at.Columns[0].Numbers(), Y: predicted, Colour: i})
	}
	left := plot.Curve{Name: "left", Style: plot.LineMarks}
	taken := plot.Curve{Name: "taken", Style: plot.Marks, Colour: 1}
	for i, s := range f.steps {
		add(&left, i+1, s.left/f.start)
		add(&taken, i+1, s.taken/f.start)
	}
	return &plot.Figure{Title: "Matching pursuit with stumps",
		Subtitle: "Each round takes the stump away that makes what is left of the label shortest.",
		Charts: []plot.Chart{fit, {X: plot.Scale{Label: "round"},
			Y:      plot.Scale{Label: "squared length, as a fraction of the first", Zero: true},
			Curves: []plot.Curve{left, taken}}}}
}
