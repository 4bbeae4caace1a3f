package reproductions

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/internal/trial"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/report/plot"
)

const waveNoise = 0.70 // its variance, which is the Bayes risk

// set makes the training set of a number. Some rows have the same x: no tree can distinguish these,
// however deep it is.
func (g waveGuess) set(seed, number uint64) (*data.Dataset, error) {
	stream := rng.New(seed, number)
	x, y := make([]float64, g.rows), make([]float64, g.rows)
	for i := range x {
		x[i] = wavePlace(stream.Intn(g.steps+1), g.steps)
		y[i] = g.truth(x[i]) + float64(math.Sqrt(waveNoise)*trial.Normal(stream))
	}
	return waveTable(x, y)
}

func waveTable(x, y []float64) (*data.Dataset, error) {
	f, err := data.FromColumns(data.NamedColumn{Name: "x", Values: x})
	if err != nil {
		return nil, err
	}
	return &data.Dataset{Frame: f, Target: data.Target{Name: "y", Task: data.Regression,
		Y: [][]float64{y}}}, nil
}

// wavePlace is the k-th of the ends of n steps from -1 to 1.
func wavePlace(k, n int) float64 { return float64(2*k-n) / float64(n) }

// places returns the ends of n steps with the truth there.
func (g waveGuess) places(n int) (*data.Dataset, error) {
	x, y := make([]float64, n+1), make([]float64, n+1)
	for k := range x {
		x[k] = wavePlace(k, n)
		y[k] = g.truth(x[k])
	}
	return waveTable(x, y)
}

// fit trains on a training set.
func (m *waveMethod) fit(ctx context.Context, ds *data.Dataset, seed uint64) (model.Model, error) {
	settings := m.settings
	if m.count != "" {
		settings = append(slices.Clone(settings),
			fmt.Sprintf("%s=%d", m.count, slices.Max(m.trees)))
	}
	return fit(ctx, ds, learn.Job{Seed: seed, Workers: 1}, m.learner, settings...)
}

// overSets estimates the risks on the first s.sets training sets.
func (m *waveMethod) overSets(
	ctx context.Context, g waveGuess, s regressionSize,
) (*waveRisks, error) {
	found := &waveRisks{waveMethod: *m}
	for number := range s.sets {
		risks, err := m.risksOn(ctx, g, s.seed, uint64(number))
		if err != nil {
			return nil, err
		}
		found.sets = append(found.sets, risks)
	}
	found.mean, found.bar = trial.Means(found.sets)
	return found, nil
}

// risksOn trains on the training set of a number, and returns the risk with each number of trees:
// the variance of the noise and the mean squared distance from the truth.
func (m *waveMethod) risksOn(
	ctx context.Context, g waveGuess, seed, number uint64,
) ([]float64, error) {
	ds, err := g.set(seed, number)
	if err != nil {
		return nil, err
	}
	at, err := g.places(g.steps)
	if err != nil {
		return nil, err
	}
	fitted, err := m.fit(ctx, ds, number)
	if err != nil {
		return nil, err
	}
	var risks []float64
	for _, trees := range m.trees {
		predicted, err := predict(fitted, at, nil, trees)
		if err != nil {
			return nil, err
		}
		risk := waveNoise
		for i, y := range at.Target.Y[0] {
			risk += float64((predicted[i]-y)*(predicted[i]-y)) / float64(g.steps+1)
		}
		risks = append(risks, risk)
	}
	return risks, nil
}

// showWave draws the first training set, the truth, and what some methods make of it.
func showWave(ctx context.Context, seed uint64) (*plot.Chart, error) {
	ds, err := waveGuessed.set(seed, 0)
	if err != nil {
		return nil, err
	}
	at, err := waveGuessed.places(16 * waveGuessed.steps)
	if err != nil {
		return nil, err
	}
	x := at.Columns[0].Numbers()
	c := &plot.Chart{X: plot.Scale{Label: "x"}, Y: plot.Scale{Label: "y"}, Curves: []plot.Curve{
		{X: ds.Columns[0].Numbers(), Y: ds.Target.Y[0], Style: plot.Points, Colour: waveColour},
	}}
	for i, m := range waveMethods() {
		if i != fullTree && i != boosted3 {
			continue
		}
		fitted, err := m.fit(ctx, ds, 0)
		if err != nil {
			return nil, err
		}
		predicted, err := predict(fitted, at, nil, m.shown)
		if err != nil {
			return nil, err
		}
		c.Curves = append(c.Curves, plot.Curve{Name: m.name, X: x, Y: predicted,
			Colour: methodColour(i)})
	}
	c.Curves = append(c.Curves, plot.Curve{Name: "truth", X: x, Y: at.Target.Y[0],
		Colour: waveColour})
	return c, nil
}
