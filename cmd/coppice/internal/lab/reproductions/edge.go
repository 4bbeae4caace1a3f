package reproductions

import (
	"context"
	"fmt"
	"math"

	"github.com/coppice-ml/coppice/internal/kernel"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/report/plot"
)

// edge shows that any weak learner is enough: if its weighted error is at most 1/2 - z/2 in each
// round, T = (2 / z^2) ln N rounds leave no error on N rows. For exp(-T z^2 / 2) is less than 1/N
// then.
var edge = Reproduction{
	Name:   "edge",
	Title:  "A weak learner of given edge, boosted for T = (2 / z²) ln N rounds",
	Source: "Freund & Schapire 1997, theorem 6; lectures on ensembles, with z = 2 gamma",
	run: func(context.Context, *Env) *Result {
		return edgeOf(1000, []float64{0.1, 0.2, 0.4}, 10)
	},
}

// boostSampled boosts a learner without information: it is wrong on sampled rows at random, whose
// weight is as near to (1 - z) / 2 as can be from below. It returns the training error of the vote
// after each of so many rounds, and its bound there.
func boostSampled(n, rounds int, z float64, seed uint64) (wrong, bound []float64) {
	stream := rng.New(seed, uint64(n))
	weight, vote, order := make([]float64, n), make([]float64, n), make([]int, n)
	for i := range weight {
		weight[i], order[i] = 1/float64(n), i
	}
	product := 1.0
	for range rounds {
		for i := n - 1; i > 0; i-- {
			o := stream.Intn(i + 1)
			order[i], order[o] = order[o], order[i]
		}
		errs, e := make([]bool, n), 0.0
		for _, i := range order {
			if e+weight[i] <= (1-z)/2 {
				errs[i], e = true, e+weight[i]
			}
		}
		alpha := float64(kernel.Log((1-e)/e) / 2)
		sum, lost := 0.0, 0
		for i := range weight {
			if errs[i] {
				weight[i], vote[i] = float64(weight[i]*kernel.Exp(alpha)), vote[i]-alpha
			} else {
				weight[i], vote[i] = float64(weight[i]*kernel.Exp(-alpha)), vote[i]+alpha
			}
			sum += weight[i]
			if vote[i] <= 0 {
				lost++
			}
		}
		for i := range weight {
			weight[i] /= sum
		}
		product *= sum
		wrong, bound = append(wrong, float64(lost)/float64(n)), append(bound, product)
	}
	return wrong, bound
}

func edgeOf(n int, edges []float64, runs int) *Result {
	r := &Result{Text: []string{fmt.Sprintf("The learner has no information on the %d rows. In "+
		"each round it is wrong on random rows. Their weight is as near as can be to "+
		"(1 - z) / 2 from below. That is all that boosting needs.", n)}}
	t := Numbers{Title: "Rounds until no training row is wrong",
		Columns: []string{"edge z", "T = (2 / z²) ln N", "rounds needed, most of the runs",
			"error after T rounds"}}
	c := plot.Chart{X: plot.Scale{Label: "round", Log: true},
		Y: plot.Scale{Label: "training error of the vote", Zero: true}}
	free, below := true, true
	for k, z := range edges {
		rounds := int(math.Ceil(2 / (z * z) * kernel.Log(float64(n))))
		needed, atEnd := 0, 0.0
		for run := range runs {
			wrong, bound := boostSampled(n, rounds, z, uint64(run+1))
			last := 0
			for i, e := range wrong {
				below = below && e <= bound[i]+1e-12
				if e > 0 {
					last = i + 2
				}
			}
			needed, atEnd = max(needed, last), math.Max(atEnd, wrong[rounds-1])
			if run == 0 {
				curve := plot.Curve{Name: fmt.Sprintf("z = %g", z), Colour: k}
				line := plot.Curve{Name: fmt.Sprintf("exp(-t z² / 2), z = %g", z), Colour: k,
					Style: plot.Dashes}
				for i, e := range wrong {
					add(&curve, i+1, e)
					add(&line, i+1, kernel.Exp(-float64(i+1)*z*z/2))
				}
				c.Curves = append(c.Curves, curve, line)
			}
		}
		free = free && atEnd == 0
		t.add("%v | %v | %v | %.4f", z, rounds, needed, atEnd)
	}
	r.Findings = []Finding{
		{What: "after T = (2 / z²) ln N rounds no training row is wrong", Holds: free,
			Found: fmt.Sprintf("in %d runs for each edge", runs)},
		{What: "the training error is never above the product of 2 sqrt(e (1 - e))", Holds: below,
			Found: "checked after each round of each run"},
	}
	r.Tables = []Numbers{t}
	r.Pictures = []Picture{Figure("", &plot.Figure{Title: "Weak learners of edge z, boosted",
		Subtitle: fmt.Sprintf("%d rows; each member is wrong on random rows that weigh (1 - z) / "+
			"2. Dashed: the bound exp(-t z² / 2).", n), Charts: []plot.Chart{c}})}
	return r
}
