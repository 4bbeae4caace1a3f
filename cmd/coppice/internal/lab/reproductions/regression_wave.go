package reproductions

import (
	"context"
	"math"

	"github.com/coppice-ml/coppice/data"
)

const (
	waveNoise  = 0.70 // its variance, which is the Bayes risk
	waveRows   = 70
	wavePlaces = 1000 // where risks are taken
	waveColour = 7
)

// readWave reads the lecture's training set: 70 places from 0 to 2, and the truth there with noise.
func readWave(ctx context.Context, env *Env) (*data.Dataset, error) {
	return env.Read(ctx, "lectures/wave.csv", "y", waveRows)
}

// waveTruth is the curve.
func waveTruth(x float64) float64 { return (1 - x/2) * math.Sin(8*x) }

// waveAt returns n places from 0 to 2 with the truth there.
func waveAt(n int) (*data.Dataset, error) {
	x, y := make([]float64, n), make([]float64, n)
	for k := range x {
		x[k] = 2 * float64(k) / float64(n-1)
		y[k] = waveTruth(x[k])
	}
	f, err := data.FromColumns(data.NamedColumn{Name: "x", Values: x})
	if err != nil {
		return nil, err
	}
	return &data.Dataset{Frame: f, Target: data.Target{Name: "y", Task: data.Regression,
		Y: [][]float64{y}}}, nil
}
