package reproductions

import (
	"context"
	"fmt"

	"github.com/coppice-ml/coppice/internal/criterion"
	"github.com/coppice-ml/coppice/report/plot"
)

// impurity shows the impurities, and why trees are not grown by the one that counts in the end: of
// two splits that misclassify as many rows, one makes a pure node.
var impurity = Reproduction{
	Name:  "impurity",
	Title: "Impurity curves, and two splits of equal misclassification",
	Source: "Hastie, Tibshirani & Friedman 2009, section 9.2.3 and figure 9.3: both splits " +
		"misclassify 0.25; Gini and entropy prefer the second",
	run: func(context.Context, *Env) *Result { return impurityOf() },
}

// impuritySplits are the rows of two classes in the two children of a node of 400 and 400 rows.
var impuritySplits = [2][2][]float64{
	{{300, 100}, {100, 300}},
	{{200, 400}, {200, 0}},
}

// impurityOf evaluates both splits by every impurity.
func impurityOf() *Result {
	r := &Result{Text: []string{"A node of 400 rows of each of two classes is split into (300, " +
		"100) and (100, 300), or into (200, 400) and (200, 0). What is left is the mean impurity " +
		"of the children, weighted by their rows. Entropy is halved in the picture, so that all " +
		"curves meet at 1/2."}}
	t := Numbers{Title: "Impurity that is left",
		Columns: []string{"impurity", "first split", "second split", "preferred"}}
	for _, m := range []struct{ name, published, statement string }{ // the split preferred
		{"entropy", "second", "entropy prefers the second split"},
		{"gini", "second", "the Gini index prefers the second split"},
		{"misclassification", "neither", "misclassification does not distinguish them"},
	} {
		row, ok := criterion.ByName(m.name)
		if !ok {
			check(fmt.Errorf("no criterion is called %q", m.name))
		}
		c := row.New(2)
		of := func(stats []float64) float64 {
			var dst [1]float64
			c.Impurity(dst[:], stats, nil)
			return dst[0]
		}
		var left [2]float64
		for s, split := range impuritySplits {
			for _, child := range split {
				left[s] += of(child) / 800
			}
		}
		preferred := "neither"
		switch {
		case left[0]-left[1] > 1e-12:
			preferred = "second"
		case left[1]-left[0] > 1e-12:
			preferred = "first"
		}
		t.add("%s | %.4f | %.4f | %s", m.name, left[0], left[1], preferred)
		r.Findings = append(r.Findings, Finding{What: m.statement, Holds: preferred == m.published,
			Found: fmt.Sprintf("%.4f and %.4f are left", left[0], left[1])})
		if m.name == "misclassification" {
			r.Claims = append(r.Claims, Claim{What: "misclassification rate of the first split",
				Published: "0.25", Ours: left[0], Digits: 4},
				Claim{What: "misclassification rate of the second split", Published: "0.25",
					Ours: left[1], Digits: 4})
		}
	}
	r.Tables = []Numbers{t}
	fig := must(plot.ImpurityFigure())
	r.Pictures = []Picture{Figure("", fig)}
	return r
}
