package boost

import (
	"math"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/model/modeltest"
)

// Round by round the trees give the rows of a leaf the Newton step of its own derivatives, times
// the learning rate: of weighted and of repeated rows, of each output, by every way to hold
// derivatives.
func TestNewtonSteps(t *testing.T) {
	const rows, l2 = 120, 1.5
	train, valid := halves(rows)
	for _, c := range []struct {
		name   string
		task   data.Task
		rows   []int32
		change func(c *Config)
	}{
		{"numbers", data.Regression, train, func(*Config) {}},
		{"repeated rows", data.Regression, append(train[:20:20], train...), func(*Config) {}},
		{"classes", data.Multiclass, train, func(*Config) {}},
		{"classes by weight", data.Multiclass, train, func(c *Config) { c.ClassWeight = weights("a=3,b=1,c=0.5") }},
		{"vectors", data.Multiclass, train, func(c *Config) { c.MultiOutput = true }},
		{"rates that fall", data.Regression, train, func(c *Config) { c.Decay = 0.5 }},
		{"counts", data.Regression, train, func(c *Config) { c.Loss.Name = "poisson" }},
	} {
		for _, weighted := range []bool{false, true} {
			ds := steppedTable(t, rows, c.task)
			for i := range ds.Target.Y {
				for r, y := range ds.Target.Y[i] {
					ds.Target.Y[i][r] = math.Floor(math.Abs(10 * y))
				}
			}
			if weighted {
				for r := range rows {
					ds.Target.Weight = append(ds.Target.Weight, float64(1+r%3))
				}
			}
			b := begun(t, ds, learn.Job{Seed: 5, Workers: 1, Rows: c.rows, Valid: valid}, func(to *Config) {
				to.Trees, to.Engine.Leaves, to.LearningRate, to.Engine.L2, to.User = 3, 5, 0.5, l2, anyone{}
				c.change(to)
			})
			set, outputs := b.scores.train, b.scores.train.Objective.Outputs()
			n := len(set.Rows)
			g, h := make([]float64, n*outputs), make([]float64, n*outputs)
			rate := 0.5
			for round := range 3 {
				set.Objective.Gradients(g, h, set.Raw, 1)
				trees, err := b.round(t.Context())
				if err != nil {
					t.Fatal(c.name, err)
				}
				for i, one := range trees {
					m := b.ensemble.empty()
					m.Trees, m.Output, m.Bias = trees[i:i+1], []int32{0}, nil
					if len(trees) == 1 && outputs > 1 {
						m.Output = []int32{-1}
					}
					leaves := modeltest.Predict(t, m, ds.Frame, model.Options{Output: model.Leaf, Workers: 1}, set.Rows)
					type sums struct{ g, h float64 }
					for o := range one.Leaf.Width {
						output := max(i, o)
						of := map[float64]sums{}
						for r, leaf := range leaves {
							s := of[leaf]
							of[leaf] = sums{s.g + g[output*n+r], s.h + h[output*n+r]}
						}
						if len(of) < 2 {
							t.Errorf("%s, round %d: %d leaves", c.name, round, len(of))
						}
						for leaf, s := range of {
							want := -rate * s.g / (s.h + l2)
							if got := one.Value(int32(leaf))[o]; math.Abs(got-want) > 1e-5*(1+math.Abs(want)) {
								t.Fatalf("%s, weights %v, round %d, output %d: leaf %v has %v, want %v", c.name, weighted, round, output, leaf, got, want)
							}
						}
					}
				}
				if c.name == "rates that fall" {
					rate *= 0.5
				}
			}
		}
	}
}
