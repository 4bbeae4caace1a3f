package main

import (
	"context"
	"math"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/lab/trial"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/report/plot"
)

const (
	rows  = 100  // of a training set
	bayes = 0.70 // the variance of the noise
	steps = 32   // x is one of the places that part -1 to 1 in so many steps, each with the same probability
)

// truth is the curve, a wave from -1.5 to 1.5.
func truth(x float64) float64 { return float64((float64(6*x*x) - 4.5) * x) }

// draw makes a training set. Some rows have the same x: no tree can tell these apart, however deep it is.
func draw(seed, number uint64) (*data.Dataset, error) {
	stream := rng.New(seed, number)
	x, y := make([]float64, rows), make([]float64, rows)
	for i := range x {
		x[i] = place(stream.Intn(steps+1), steps)
		y[i] = truth(x[i]) + float64(math.Sqrt(bayes)*trial.Normal(stream))
	}
	return table(x, y)
}

func table(x, y []float64) (*data.Dataset, error) {
	f, err := data.FromColumns(data.NamedColumn{Name: "x", Values: x})
	if err != nil {
		return nil, err
	}
	return &data.Dataset{Frame: f, Target: data.Target{Name: "y", Task: data.Regression, Y: [][]float64{y}}}, nil
}

// place returns the k-th of the ends of n steps from -1 to 1.
func place(k, n int) float64 { return float64(2*k-n) / float64(n) }

// places returns the ends of n steps with the truth there.
func places(n int) (*data.Dataset, error) {
	x, y := make([]float64, n+1), make([]float64, n+1)
	for k := range x {
		x[k] = place(k, n)
		y[k] = truth(x[k])
	}
	return table(x, y)
}

// fit trains on a training set.
func (m *method) fit(ctx context.Context, ds *data.Dataset, seed uint64) (model.Model, error) {
	return trial.Fit(ctx, ds, learn.Job{Seed: seed, Workers: 1}, m.learner, m.settings...)
}

// risksOn trains on one training set, and returns the risk with each number of trees: the variance of the noise and the mean
// squared distance from the truth.
func (m *method) risksOn(ctx context.Context, seed, number uint64) ([]float64, error) {
	ds, err := draw(seed, number)
	if err != nil {
		return nil, err
	}
	at, err := places(steps)
	if err != nil {
		return nil, err
	}
	fitted, err := m.fit(ctx, ds, number)
	if err != nil {
		return nil, err
	}
	var risks []float64
	for _, trees := range m.trees {
		said, err := trial.Predict(fitted, at, nil, trees)
		if err != nil {
			return nil, err
		}
		risk := bayes
		for i, y := range at.Target.Y[0] {
			risk += float64((said[i]-y)*(said[i]-y)) / (steps + 1)
		}
		risks = append(risks, risk)
	}
	return risks, nil
}

// show draws the first training set, the truth, and what some methods make of it.
func show(ctx context.Context, seed uint64) (*plot.Chart, error) {
	ds, err := draw(seed, 0)
	if err != nil {
		return nil, err
	}
	at, err := places(16 * steps)
	if err != nil {
		return nil, err
	}
	x := at.Columns[0].Num
	c := &plot.Chart{X: plot.Scale{Label: "x"}, Y: plot.Scale{Label: "y"}, Curves: []plot.Curve{
		{X: ds.Columns[0].Num, Y: ds.Target.Y[0], Style: plot.Points, Colour: truthColour},
	}}
	for i, m := range methods() {
		if i != deepTree && i != forest3 {
			continue
		}
		fitted, err := m.fit(ctx, ds, 0)
		if err != nil {
			return nil, err
		}
		said, err := trial.Predict(fitted, at, nil, 0)
		if err != nil {
			return nil, err
		}
		c.Curves = append(c.Curves, plot.Curve{Name: m.name, X: x, Y: said, Colour: i})
	}
	c.Curves = append(c.Curves, plot.Curve{Name: "truth", X: x, Y: at.Target.Y[0], Colour: truthColour})
	return c, nil
}
