package reproductions

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/coppice-ml/coppice/internal/trial"
	"github.com/coppice-ml/coppice/report/plot"
)

// biasVariance decomposes the error of trees and their ensembles: over many training sets, the
// expected squared error at a place is
//
//	noise + (mean prediction - truth)^2 + variance of the prediction
var biasVariance = Reproduction{
	Name:  "bias-variance",
	Title: "Bias and variance of a tree, bagging, a forest and boosting",
	Source: "Hastie, Tibshirani & Friedman 2009, sections 7.3, 8.7, 10.12 and 15.4, which " +
		"print no numbers of it",
	Slow: "15 s",
	run: func(ctx context.Context, env *Env) *Result {
		f := biasOf(ctx, env, biasSize{groups: 10, sets: 10, rows: 200,
			places: 200, seed: 2})
		return f.result()
	},
}

// biasSize is how much is simulated.
type biasSize struct {
	groups int // of training sets: errors are those of means over them
	sets   int // of a group
	rows   int // of a training set
	places int // at which predictions are requested
	seed   uint64
}

// biasMethod is a learner with its settings.
type biasMethod struct {
	name     string
	learner  string
	settings []string
	rounds   []int // after which predictions are requested; nil = at the end
}

// The methods, in the order of the table.
const (
	biasFull = iota
	biasSmall
	biasBag
	biasForest
	biasBoost
)

var biasRounds = []int{1, 2, 5, 10, 20, 50, 100, 200}

func biasMethods() []biasMethod {
	return []biasMethod{
		biasFull:  {"full tree", "cart", []string{"prune=none"}, nil},
		biasSmall: {"tree of depth 3", "cart", []string{"prune=none", "depth=3"}, nil},
		biasBag:   {"100 bagged full trees", "bag", []string{"members=100"}, nil},
		biasForest: {"forest of 100 trees, mtry 3", "forest",
			[]string{"trees=100", "mtry=3", "node_size=1", "importance=none"}, nil},
		biasBoost: {"boosted trees of depth 3", "anyboost",
			[]string{"rounds=200", "training_metric=0"}, biasRounds},
	}
}

// biasFound has the terms of the error of each method.
type biasFound struct {
	biasSize
	terms [][]biasTerms // by method, and entry of its rounds
}

// biasTerms are means over the groups, with their standard errors.
type biasTerms struct{ bias, biasError, variance, varianceError float64 }

// distance returns the expected squared distance from the truth.
func (p *biasTerms) distance() float64 { return p.bias + p.variance }

// last returns what a method has in the end.
func (f *biasFound) last(method int) *biasTerms {
	return &f.terms[method][len(f.terms[method])-1]
}

func (f *biasFound) result() *Result {
	methods := biasMethods()
	r := &Result{Text: []string{
		fmt.Sprintf("The label is 10 x1 x2 + 20 (x3 − 1/2)² + 10 x4 + 5 x5 with noise of "+
			"variance 1. Five more columns do not matter (Friedman 1991, without the sine). %d "+
			"training sets of %d rows are sampled, and predictions made at %d places. Squared "+
			"bias and variance are means over the places. The squared distance of the mean "+
			"prediction is less its own variance. Errors are those of means over %d groups "+
			"of training sets. A tree of a bootstrap sample is grown on two thirds of the rows, "+
			"for which its bias is somewhat larger.", f.groups*f.sets, f.rows, f.places, f.groups),
	}}
	t := Numbers{Title: "Terms of the expected squared error; the noise adds 1 to each sum",
		Columns: []string{"", "rounds", "squared bias", "± s.e.", "variance", "± s.e.", "sum"}}
	for i, m := range methods {
		for k := range f.terms[i] {
			rounds, p := "", &f.terms[i][k]
			if m.rounds != nil {
				rounds = fmt.Sprint(m.rounds[k])
			}
			t.add("%s | %s | %.3f | %.3f | %.3f | %.3f | %.3f", m.name, rounds, p.bias, p.biasError,
				p.variance, p.varianceError, p.distance())
		}
	}
	r.Tables = []Numbers{t}
	full, small, bag, forest, boost := f.last(biasFull), f.last(biasSmall), f.last(biasBag),
		f.last(biasForest), f.last(biasBoost)
	first := &f.terms[biasBoost][0]
	both := func(a, b *biasTerms) string {
		return fmt.Sprintf("squared bias %.2f against %.2f, variance %.2f against %.2f", a.bias,
			b.bias, a.variance, b.variance)
	}
	falls, rises := true, true // but for errors
	for k := range f.terms[biasBoost][1:] {
		a, b := &f.terms[biasBoost][k], &f.terms[biasBoost][k+1]
		falls = falls && b.bias < a.bias+2*(a.biasError+b.biasError)
		rises = rises && b.variance > a.variance-2*(a.varianceError+b.varianceError)
	}
	r.Findings = []Finding{
		{What: "a small tree has less variance than a full one, and more bias",
			Found: both(small, full), Holds: small.variance < full.variance &&
				small.bias > full.bias},
		{What: "bagging takes variance away, and hardly changes the bias: by less than a " +
			"tenth of that", Found: both(bag, full),
			Holds: bag.variance < full.variance/2 &&
				math.Abs(bag.bias-full.bias) < 0.1*(full.variance-bag.variance)},
		{What: "a forest has less variance than bagged trees, and more bias",
			Found: both(forest, bag), Holds: forest.variance < bag.variance &&
				forest.bias > bag.bias},
		{What: "boosting takes the bias of small trees away", Found: both(boost, small),
			Holds: boost.bias < small.bias/2 && boost.bias < first.bias/2},
		{What: "its bias falls, and its variance rises, with the rounds", Found: both(boost, first),
			Holds: rises && falls},
	}
	r.Pictures = []Picture{Figure("", f.figure(methods))}
	return r
}

func (f *biasFound) figure(methods []biasMethod) *plot.Figure {
	plane := plot.Chart{X: plot.Scale{Label: "squared bias", Zero: true},
		Y: plot.Scale{Label: "variance", Zero: true}}
	for i, m := range methods {
		c := plot.Curve{Name: m.name, Style: plot.Marks, Colour: i}
		if i == biasBoost {
			c.Name, c.Style = fmt.Sprintf("boosted, 10 to %d rounds",
				biasRounds[len(biasRounds)-1]), plot.LineMarks
		}
		for k := range f.terms[i] {
			if i != biasBoost || biasRounds[k] >= 10 { // before that the bias is off the chart
				c.X, c.Y = append(c.X, f.terms[i][k].bias), append(c.Y, f.terms[i][k].variance)
			}
		}
		if i == biasBoost {
			slices.Reverse(c.X) // from left to right
			slices.Reverse(c.Y)
		}
		plane.Curves = append(plane.Curves, c)
	}
	byRound := plot.Chart{X: plot.Scale{Label: "rounds of boosting", Log: true},
		Y: plot.Scale{Label: "expected squared error, without the noise", Zero: true}}
	bias, variance, sum := plot.Curve{Name: "squared bias", Style: plot.LineMarks},
		plot.Curve{Name: "variance", Style: plot.LineMarks, Colour: 1},
		plot.Curve{Name: "sum", Style: plot.LineMarks, Colour: 2}
	for k, p := range f.terms[biasBoost] {
		add(&bias, biasRounds[k], p.bias)
		add(&variance, biasRounds[k], p.variance)
		add(&sum, biasRounds[k], p.distance())
	}
	byRound.Curves = []plot.Curve{bias, variance, sum}
	return &plot.Figure{Title: "Bias and variance",
		Subtitle: "Averaging full trees takes variance away; boosting small trees takes bias " +
			"away, and pays with some variance.",
		Charts: []plot.Chart{plane, byRound}}
}

// biasOf trains every method on all training sets.
func biasOf(ctx context.Context, env *Env, s biasSize) *biasFound {
	f := &biasFound{biasSize: s}
	for _, m := range biasMethods() {
		groups := m.on(ctx, env, s)
		var terms []biasTerms
		for k := range max(1, len(m.rounds)) {
			var bias, variance []float64
			for _, g := range groups {
				bias, variance = append(bias, g[k].bias), append(variance, g[k].variance)
			}
			p := biasTerms{}
			p.bias, p.biasError = trial.Mean(bias)
			p.variance, p.varianceError = trial.Mean(variance)
			terms = append(terms, p)
		}
		f.terms = append(f.terms, terms)
	}
	return f
}
