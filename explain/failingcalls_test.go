package explain_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/datatest"
	"github.com/coppice-ml/coppice/explain"
	"github.com/coppice-ml/coppice/learn/catalog"
	"github.com/coppice-ml/coppice/model"
)

// lookedAt is a context that ends behind some looks at it.
type lookedAt struct {
	context.Context
	left atomic.Int64
}

func (c *lookedAt) Err() error {
	if c.left.Add(-1) < 0 {
		return context.Canceled
	}
	return nil
}

var errCall = errors.New("this call fails")

// failing is a model of which one call fails, of those of Bind and of predictions.
type failing struct {
	model.Model
	left *atomic.Int64
}

func (m failing) fail() error {
	if m.left.Add(-1) == -1 {
		return errCall
	}
	return nil
}

func (m failing) Bind(s *data.Schema, o model.Options) (model.Predictor, error) {
	if err := m.fail(); err != nil {
		return nil, err
	}
	p, err := m.Model.Bind(s, o)
	return failingPredictor{p, m}, err
}

type failingPredictor struct {
	model.Predictor
	of failing
}

func (p failingPredictor) Predict(dst []float64, f *data.Frame, rows []int32) error {
	if err := p.of.fail(); err != nil {
		return err
	}
	return p.Predictor.Predict(dst, f, rows)
}

func (p failingPredictor) PredictRow(dst, row []float64) error {
	if err := p.of.fail(); err != nil {
		return err
	}
	return p.Predictor.PredictRow(dst, row)
}

func (p failingPredictor) PredictSparse(dst []float64, index []int32, values []float64) error {
	if err := p.of.fail(); err != nil {
		return err
	}
	return p.Predictor.PredictSparse(dst, index, values)
}

// Wherever a context ends, and whichever call of the model fails, an explainer returns that error.
func TestExplainersReturnErrors(t *testing.T) {
	for _, x := range []struct{ learner, label string }{{"cart", "left"}, {"cart", "bought"}} {
		f, ds := datatest.ReadMixed(t, x.label)
		l, err := catalog.New(x.learner)
		if err != nil {
			t.Fatal(err)
		}
		m := fitted(t, l, ds, data.AllRows(ds.Rows()))
		for name, explainer := range explainers() {
			looks, calls := 0, 0
			// many steps, and not all of them where there are thousands
			for at := int64(0); ; at += 1 + at/8 {
				c := &lookedAt{Context: t.Context()}
				c.left.Store(at)
				_, err := explainer(c, m, f, ds)
				if ended := c.left.Load() < 0; ended != errors.Is(err, context.Canceled) {
					t.Fatalf("%s, %s: the context ended at look %d: %v; error %v", name, x.label, at, ended, err)
				} else if !ended {
					break
				}
				looks++
			}
			for at := int64(0); ; at += 1 + at/8 {
				of := failing{m, new(atomic.Int64)}
				of.left.Store(at)
				_, err := explainer(t.Context(), of, f, ds)
				if kind := (*explain.ModelError)(nil); errors.As(err, &kind) {
					break // models of this type are refused
				}
				if failed := of.left.Load() < 0; failed != errors.Is(err, errCall) {
					t.Fatalf("%s, %s: call %d failed: %v; error %v", name, x.label, at, failed, err)
				} else if !failed {
					break
				}
				calls++
			}
			if looks == 0 && name != "Features" {
				t.Errorf("%s, %s: the context is not looked at", name, x.label)
			}
			t.Logf("%s, %s: %d looks at the context and %d calls of the model fail", name, x.label, looks, calls)
		}
	}
}
