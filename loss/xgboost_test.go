package loss_test

import (
	"math"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/testing/reference"
)

// single is a case of testdata/xgboost.json, which testdata/freeze_xgboost.py wrote.
type single struct {
	Name                         string
	Settings                     []string
	Raw, Y, Event, Upper, Weight []float64
	Value                        *float64
	Leaves                       [][]float64 // of each row alone, with the two penalties
}

func (c *single) target() *data.Target {
	t := labels(c.Name, c.Y)
	t.Weight = c.Weight
	for _, e := range c.Event {
		t.Event = append(t.Event, uint8(e))
	}
	for _, u := range c.Upper {
		if u == 1e300 { // JSON has no infinity
			u = math.Inf(1)
		}
		t.Upper = append(t.Upper, u)
	}
	return t
}

// TestXGBoost: -g / (h + lambda) is the leaf that XGBoost makes of a row.
func TestXGBoost(t *testing.T) {
	all := reference.Read[[]single](t, "testdata/xgboost.json")
	for _, c := range *all {
		o, err := bind(t, c.Name, c.Settings, c.target())
		if err != nil {
			t.Fatal(err)
		}
		if c.Value != nil {
			if got := o.Value(c.Raw, 1); math.Abs(got-*c.Value) > 2e-6*(1+math.Abs(*c.Value)) {
				t.Errorf("%s %v: loss %v, want %v", c.Name, c.Settings, got, *c.Value)
			}
		}
		g, h := make([]float64, len(c.Raw)), make([]float64, len(c.Raw))
		o.Gradients(g, h, c.Raw, 1)
		for i, leaves := range c.Leaves {
			for k, want := range leaves {
				lambda := []float64{0.01, 0.1}[k]
				if got := -g[i] / (h[i] + lambda); math.Abs(got-want) > 2e-5*(1e-2+math.Abs(want)) {
					t.Errorf("%s %v: row %d with lambda=%g makes the leaf %v, want %v", c.Name,
						c.Settings, i, lambda, got, want)
				}
			}
		}
	}
}
