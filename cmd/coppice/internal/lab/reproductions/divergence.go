package reproductions

import (
	"context"
	"fmt"
	"math"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/kernel"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/internal/trial"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/report/plot"
)

// divergence shows the lemma behind log loss: what a model loses beyond the truth is the
// Kullback-Leibler divergence of its probabilities from the true ones.
var divergence = Reproduction{
	Name:  "divergence",
	Title: "Excess log loss as Kullback-Leibler divergence",
	Source: "lecture on empirical risk, lemma: R(q) - R(p) is the mean of KL(p(.|x), " +
		"q(.|x)), which is 0 for q = p alone; Kullback & Leibler 1951",
	run: func(ctx context.Context, env *Env) *Result {
		return divergenceOf(ctx, env, 500, 20000)
	},
}

// divergenceRounds are the sizes of the boosted model.
var divergenceRounds = []int{1, 2, 5, 10, 20, 50, 100, 200}

// divergenceOf trains on some rows of the simulated problem of risk, and counts on others.
func divergenceOf(ctx context.Context, env *Env, rows, counted int) *Result {
	train, fresh := cellSets(1, rows, counted)
	m := fit(ctx, train, learn.Job{Seed: 1, Workers: env.Workers}, "gbm",
		fmt.Sprintf("trees=%d", divergenceRounds[len(divergenceRounds)-1]), "early_stopping=0",
		"depth=4", "min_leaf=5")
	entropy := 0.0 // the log loss of the truth
	for x := range riskSide {
		for y := range riskSide {
			entropy += perCell(crossEntropy(riskChance(x, y), riskChance(x, y)))
		}
	}
	var found []*divergenceFound
	for _, n := range divergenceRounds {
		d := divergences(m, fresh, n)
		found = append(found, d)
	}
	return divergenceResult(found, entropy, rows, counted)
}

// divergenceResult describes the model after each of divergenceRounds. entropy is the log loss of
// the truth.
func divergenceResult(found []*divergenceFound, entropy float64, rows, counted int) *Result {
	t := Numbers{Title: "Log loss over the rounds, in nats",
		Columns: []string{"rounds", "log loss of q", "log loss of p", "difference", "KL(p, q)",
			"counted", "± s.e."}}
	exact := plot.Curve{Name: "KL(p, q)", Style: plot.Line}
	marks := plot.Curve{Name: fmt.Sprintf("excess log loss, counted on %d rows", counted),
		Style: plot.Marks, Colour: 1}
	apart, least, distance := 0.0, math.Inf(1), 0.0
	for i, d := range found {
		n := divergenceRounds[i]
		apart = max(apart, math.Abs(d.loss-entropy-d.divergence))
		least = min(least, d.divergence)
		distance = max(distance, math.Abs(d.counted-d.divergence)/d.bar)
		add(&exact, n, d.divergence)
		add(&marks, n, d.counted)
		marks.Bar = append(marks.Bar, d.bar)
		t.add("%v | %.4f | %.4f | %.4f | %.4f | %.4f | %.4f", n, d.loss, entropy, d.loss-entropy,
			d.divergence, d.counted, d.bar)
	}
	return &Result{
		Text: []string{fmt.Sprintf("Two columns have the values 0 to 7, and all 64 cells "+
			"are equally likely. The truth p has probability 0.9 of the second class in some "+
			"of them and 0.1 in the others, as in the reproduction `risk`. A boosted model, trained on %d "+
			"rows, has the probabilities q. Its expected log loss is a sum over the cells, and "+
			"so is that of p, which is the mean entropy of the labels. The divergence is "+
			"another sum: p log(p / q) + (1 - p) log((1 - p) / (1 - q)).", rows),
			"Boosting for too long makes the probabilities bolder than the truth is, and the " +
				"divergence rises again."},
		Findings: []Finding{
			{What: "log loss of q less that of p is the mean divergence of q from p",
				Holds: apart < 1e-12,
				Found: fmt.Sprintf("after %d numbers of rounds, up to 1e-12",
					len(divergenceRounds))},
			{What: "no model has less log loss than the truth", Holds: least > 0,
				Found: fmt.Sprintf("the least divergence is %.4f", least)},
			{What: "on fresh rows the difference is the same", Unpublished: true,
				Holds: distance < 4,
				Found: fmt.Sprintf("%d rows: at most %.1f standard errors away", counted,
					distance)},
		},
		Tables: []Numbers{t},
		Pictures: []Picture{Figure("", &plot.Figure{Title: "What a model loses beyond the truth",
			Subtitle: "Excess log loss is the divergence of the predicted probabilities from the " +
				"true ones.",
			Charts: []plot.Chart{{X: plot.Scale{Label: "boosting rounds", Log: true},
				Y:      plot.Scale{Label: "nats per row", Zero: true},
				Curves: []plot.Curve{exact, marks}}}})},
	}
}

// cellSets samples rows to train on, and others, by two streams of which the first is given.
func cellSets(stream uint64, rows, others int) (train, fresh *data.Dataset) {
	return cellRows(rng.New(stream, uint64(rows)), rows),
		cellRows(rng.New(stream+1, uint64(others)), others)
}

// cellRows samples rows of the simulated problem of risk.
func cellRows(s *rng.Stream, n int) *data.Dataset {
	x, y, class := make([]float64, n), make([]float64, n), make([]uint32, n)
	for i := range class {
		a, b := s.Intn(riskSide), s.Intn(riskSide)
		x[i], y[i] = float64(a), float64(b)
		if s.Float64() < riskChance(a, b) {
			class[i] = 1
		}
	}
	f := must(data.FromColumns(data.NamedColumn{Name: "x", Values: x},
		data.NamedColumn{Name: "y", Values: y}))
	return &data.Dataset{Frame: f, Target: data.Target{Name: "class", Task: data.Binary,
		Class: class, Classes: []string{"no", "yes"}}}
}

// perCell is what a number in one of the cells adds to the mean over all.
func perCell(v float64) float64 { return float64(v / (riskSide * riskSide)) }

// crossEntropy is the expected log loss of the probability q where p is true, in nats.
func crossEntropy(p, q float64) float64 {
	return -float64(p*kernel.Log(q)) - float64((1-p)*kernel.Log(1-q))
}

// divergenceFound compares a model with the truth.
type divergenceFound struct {
	loss, divergence float64 // expected, by sums over the cells
	counted, bar     float64 // excess log loss on sampled rows, and its standard error
}

func divergences(m model.Model, fresh *data.Dataset, rounds int) *divergenceFound {
	response := responses(m, fresh, nil, rounds)
	d, excess := &divergenceFound{}, make([]float64, fresh.Rows())
	var seen [riskSide][riskSide]bool // all cells are, among thousands of rows
	for i := range excess {
		x, y := int(fresh.Columns[0].Number(i)), int(fresh.Columns[1].Number(i))
		q, truth := response.last(i), riskChance(x, y)
		label := float64(fresh.Target.Class[i])
		excess[i] = crossEntropy(label, q) - crossEntropy(label, truth)
		if seen[x][y] {
			continue
		}
		seen[x][y] = true
		d.loss += perCell(crossEntropy(truth, q))
		d.divergence += perCell(float64(truth*kernel.Log(truth/q)) +
			float64((1-truth)*kernel.Log((1-truth)/(1-q))))
	}
	d.counted, d.bar = trial.Mean(excess)
	return d
}
