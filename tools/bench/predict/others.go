//go:build linux

package predict

import (
	"fmt"
	"runtime/debug"
	"sync"

	"github.com/dmitryikh/leaves"

	"github.com/coppice-ml/coppice"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/tree"
)

// loop predicts row by row and tree by tree, from node to node.
type loop struct {
	*model.Ensemble
	respond func(dst, raw []float64)
	threads int
	values  []float64 // see row
}

func openLoop(path string, threads int) (*loop, error) {
	m, err := coppice.Open(path)
	if err != nil {
		return nil, err
	}
	e, ok := m.(*model.Ensemble)
	if !ok || e.Scores() != 1 || e.Combine != model.Sum {
		return nil, fmt.Errorf("%s holds no sum of trees with one score", path)
	}
	return &loop{e, e.Responder(), threads, make([]float64, 3)}, nil
}

func (l *loop) version() string { return "a plain loop of this benchmark" }

// row predicts a row. values has room for the probabilities of both classes and the score.
func (l *loop) row(values []float64, x []float32) float64 {
	sum := 0.0
	if l.Bias != nil {
		sum = l.Bias[0]
	}
	for i, t := range l.Trees {
		n := int32(0)
		for t.Kind(n) != tree.Leaf {
			n = t.NextNumeric(n, float64(x[t.Feature(n)]))
		}
		v := t.Value(n)[0]
		if l.Weights != nil {
			v *= l.Weights[i]
		}
		sum += v
	}
	values[2] = sum
	l.respond(values[:2], values[2:])
	return values[1]
}

func (l *loop) one(x []float32) (float64, error) { return l.row(l.values, x), nil }

func (l *loop) many(dst []float64, x []float32) error {
	var wait sync.WaitGroup
	for t := range l.threads {
		wait.Go(func() {
			values := make([]float64, 3)
			for i := t * len(dst) / l.threads; i < (t+1)*len(dst)/l.threads; i++ {
				dst[i] = l.row(values, x[i*columns:(i+1)*columns])
			}
		})
	}
	wait.Wait()
	return nil
}

// foreign is a model of github.com/dmitryikh/leaves, which takes float64.
type foreign struct {
	*leaves.Ensemble
	threads int
	x       []float64
}

func openLeaves(path string, threads int) (*foreign, error) {
	m, err := leaves.LGEnsembleFromFile(path, true)
	return &foreign{Ensemble: m, threads: threads}, err
}

func (f *foreign) version() string {
	const path = "github.com/dmitryikh/leaves"
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, d := range info.Deps {
			if d.Path == path {
				return "leaves " + d.Version
			}
		}
	}
	return "leaves"
}

// wide converts values into memory that is used again.
func (f *foreign) wide(x []float32) []float64 {
	if len(f.x) < len(x) {
		f.x = make([]float64, len(x))
	}
	for i, v := range x {
		f.x[i] = float64(v)
	}
	return f.x[:len(x)]
}

func (f *foreign) one(x []float32) (float64, error) { return f.PredictSingle(f.wide(x), 0), nil }

func (f *foreign) many(dst []float64, x []float32) error {
	return f.PredictDense(f.wide(x), len(dst), columns, dst, 0, f.threads)
}
