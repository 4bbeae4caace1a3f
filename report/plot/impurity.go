package plot

import (
	"errors"
	"io"

	"github.com/coppice-ml/coppice/grow/criterion"
	"github.com/coppice-ml/coppice/internal/svg"
)

// curve is a measure of impurity of two classes, of which one has share p.
type curve struct {
	name string
	at   func(p float64) float64
}

// curves returns the measures of impurity as Hastie, Tibshirani & Friedman 2009, figure 9.3, scale them: all are 1/2 at
// p = 1/2.
func curves() ([]curve, error) {
	of := func(name string, scale float64) func(p float64) float64 {
		row, ok := criterion.ByName(name)
		if !ok {
			return nil
		}
		c := row.New(2)
		return func(p float64) float64 {
			var dst [1]float64
			c.Impurity(dst[:], []float64{p, 1 - p}, nil)
			return dst[0] / scale
		}
	}
	all := []curve{
		{"half the entropy in bits", of("entropy", 2)},
		{"Gini index 2p(1 − p)", of("gini", 1)},
		{"misclassification 1 − max(p, 1 − p)", of("misclassification", 1)},
	}
	for _, c := range all {
		if c.at == nil {
			return nil, errors.New("a criterion is not in the table: " + c.name)
		}
	}
	return all, nil
}

// curveSteps is the number of pieces that a curve is drawn in.
const curveSteps = 200

// Impurity draws the curves of entropy, Gini index and misclassification for two classes over the share p of one of
// them, as figure 9.3 of Hastie, Tibshirani & Friedman, "The Elements of Statistical Learning" (2009).
func Impurity(w io.Writer) error {
	all, err := curves()
	if err != nil {
		return err
	}
	p := page{title: "Impurity of a node with two classes",
		subtitle: "Entropy and Gini index are strictly concave: they reward splits that make one side purer; misclassification often does not."}
	for i, c := range all {
		p.legend = append(p.legend, entry{lineSample(svg.OkabeIto[i], dashes[i]), c.name})
	}
	return p.write(w, func(f frame) {
		x, y := axis{low: 0, high: 1}, axis{low: 0, high: 0.52}
		x.mark(10)
		y.mark(6)
		g := f.inner(&x, &y, true)
		p.grid(g, &y)
		p.axes(g, &x, &y, "p, share of one class among the node's rows", "impurity")
		for i, c := range all {
			places := make([]place, curveSteps+1)
			for k := range places {
				share := float64(k) / curveSteps
				places[k] = place{x.at(share), y.at(c.at(share))}
			}
			stroke(p.Pen, places, svg.OkabeIto[i], 30, dashes[i])
		}
	})
}
