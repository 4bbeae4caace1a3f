package reproductions

import (
	"context"
	"fmt"

	"github.com/coppice-ml/coppice/internal/kernel"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/internal/trial"
	"github.com/coppice-ml/coppice/report/plot"
)

// distinct counts the rows of a bootstrap sample that are there at least once.
var distinct = Reproduction{
	Name:  "distinct",
	Title: "The 63 % of rows that a bootstrap sample has",
	Source: "Efron & Tibshirani 1997; Breiman 1996 on bagging, who has 63 %; lectures " +
		"have 37 %, 1/e = 0.368 and (1 - 1/n)^n = 0.3679",
	run: func(context.Context, *Env) *Result {
		return distinctOf([]int{2, 5, 10, 20, 50, 100, 1000, 10_000}, 400)
	},
}

// distinctOf samples each number of rows so often.
func distinctOf(sizes []int, samples int) *Result {
	r := &Result{Text: []string{fmt.Sprintf("A sample of n rows with replacement leaves a row out "+
		"with probability (1 - 1/n)^n. So it has 1 - (1 - 1/n)^n of the rows, which tends to "+
		"1 - 1/e = 0.632. Means over %d samples.", samples)}}
	measured := plot.Curve{Name: "samples", Style: plot.Marks, Colour: 1}
	expected := plot.Curve{Name: "1 - (1 - 1/n)^n", Style: plot.Line}
	for _, n := range sizes {
		stream := rng.New(uint64(n))
		var fractions []float64
		for range samples {
			seen, count := make([]bool, n), 0
			for range n {
				if i := stream.Intn(n); !seen[i] {
					seen[i], count = true, count+1
				}
			}
			fractions = append(fractions, float64(count)/float64(n))
		}
		out := 1.0
		for range n {
			out *= 1 - 1/float64(n)
		}
		mean, bar := trial.Mean(fractions)
		claim := Claim{What: fmt.Sprintf("distinct rows of a sample of %d, fraction", n),
			Formula: given(1 - out), Ours: mean, Error: bar, Digits: 4}
		if n == sizes[len(sizes)-1] {
			claim.Published = "0.63"
			for _, left := range []Claim{
				{What: "", Published: "0.37", Formula: given(out)},
				{What: ": (1 - 1/n)^n", Published: "0.3679", Formula: given(out)},
				{What: ": its limit, 1/e", Published: "0.368"}} {
				left.What = fmt.Sprintf("rows that a sample of %d leaves out, fraction%s", n, left.What)
				left.Ours, left.Error, left.Digits = 1-mean, bar, 4
				r.Claims = append(r.Claims, left)
			}
		}
		r.Claims = append(r.Claims, claim)
		add(&measured, n, mean)
		add(&expected, n, 1-out)
	}
	limit := 1 - kernel.Exp(-1)
	last := expected.Y[len(expected.Y)-1]
	r.Findings = []Finding{{What: "the fraction falls towards 1 - 1/e", Unpublished: true,
		Holds: last > limit && last-limit < 1e-4, Found: fmt.Sprintf("%.6f and %.6f", last, limit)}}
	r.Pictures = []Picture{Figure("", &plot.Figure{Title: "Distinct rows of a bootstrap sample",
		Subtitle: "Large samples have 63 % of the rows, and leave 37 % out.",
		Charts: []plot.Chart{{X: plot.Scale{Label: "rows", Log: true},
			Y:      plot.Scale{Label: "fraction of the rows"},
			Curves: []plot.Curve{expected, measured}}}})}
	return r
}
