package gbm_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn/gbm/internal/bins"
	"github.com/coppice-ml/coppice/learn/gbm/internal/hist"
)

// The engine grows XGBoost's trees on the gradients that XGBoost had, with every penalty and limit
// that both have.
func TestEngineGrowsTheSameTrees(t *testing.T) {
	for _, double := range []bool{false, true} {
		t.Run(fmt.Sprint("double=", double), func(t *testing.T) {
			cases(t, xgboostCases, func(c *frozenCase) bool {
				if len(c.constraints()) > 0 {
					return false
				}
				return c.objective() == "" || c.hasObjective("reg:squarederror", "binary:logistic")
			}, func(t *testing.T, c *frozenCase) {
				f := c.frame(t)
				columns := c.features(t, f)
				m, err := bins.Make(t.Context(), c.narrow(t, columns), nil, nil, bins.Options{}, 1)
				if err != nil {
					t.Fatal(err)
				}
				config := c.config()
				config.Double = double
				grower := hist.NewGrower(m, config)
				raw, g, h := make([]float64, m.Len()), make([]float64, m.Len()),
					make([]float64, m.Len())
				for i := range raw {
					raw[i] = c.number("base_score", 0.5)
					if c.objective() == "binary:logistic" {
						raw[i] = math.Log(raw[i] / (1 - raw[i]))
					}
				}
				for i := range c.Trees {
					c.gradients(t, f, raw, g, h)
					grown, err := grower.Grow(t.Context(), g, h, nil, 1)
					if err != nil {
						t.Fatal(err)
					}
					ours, err := grown.Tree(c.number("eta", 0))
					if err != nil {
						t.Fatal(err)
					}
					grown.Add(raw, nil, c.number("eta", 0))
					compare(t, fmt.Sprint("tree ", i), ours, &c.Trees[i], columns,
						func(j int32) int { return int(j) })
				}
				for i, want := range c.Margins {
					// XGBoost starts from 0.5 where the gradients are given.
					if c.objective() != "" && !alike(raw[i], want) {
						t.Errorf("row %d: %v, want %v", i, raw[i], want)
						break
					}
				}
			})
		})
	}
}

// config returns how XGBoost's parameters are called here.
func (c *frozenCase) config() hist.Config {
	g := hist.Config{
		Shape: hist.Shape{Policy: hist.DepthWise, Leaves: int(c.number("max_leaves", 0)),
			Depth: int(c.number("max_depth", 6))},
		Regularization: hist.Regularization{L1: c.number("alpha", 0), L2: c.number("lambda", 1),
			Gamma: c.number("gamma", 0), MinChildWeight: c.number("min_child_weight", 1),
			MaxDeltaStep: c.number("max_delta_step", 0)},
		Compatibility: hist.Compatibility{Conventions: hist.XGBoost},
	}
	if limit := int(c.number("max_cat_to_onehot", 4)); limit > 0 {
		g.OneHot = limit - 1
	}
	g.MaxCategories = int(c.number("max_cat_threshold", 64))
	if c.text("grow_policy") == "lossguide" {
		g.Policy = hist.LeafWise
	}
	return g
}

// gradients are those of half the squared error and of the log loss, or those that the table gives.
func (c *frozenCase) gradients(t *testing.T, f *data.Frame, raw, g, h []float64) {
	if c.objective() == "" {
		copy(g, values(t, f, "gradient"))
		copy(h, values(t, f, "hessian"))
		return
	}
	y, weight := values(t, f, c.Label), slices.Repeat([]float64{1}, len(raw))
	if c.Weight != "" {
		weight = values(t, f, c.Weight)
	}
	for i, s := range raw {
		w := weight[i]
		if y[i] == 1 {
			w *= c.number("scale_pos_weight", 1)
		}
		g[i], h[i] = w*(s-y[i]), w
		if c.objective() == "binary:logistic" {
			p := 1 / (1 + math.Exp(-s))
			g[i], h[i] = w*(p-y[i]), w*max(p*(1-p), 1e-16)
		}
	}
}
