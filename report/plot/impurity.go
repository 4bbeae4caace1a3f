package plot

import (
	"errors"
	"io"

	"github.com/coppice-ml/coppice/internal/criterion"
)

// curve is the impurity of two classes, of which one has fraction p.
type curve struct {
	name string
	at   func(p float64) float64
}

// curves returns the impurities as Hastie, Tibshirani & Friedman 2009, figure 9.3, scale them: all
// are 1/2 at p = 1/2.
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

// ImpurityFigure returns the curves of entropy, Gini index and misclassification for two classes
// over the fraction p of one of them. It is figure 9.3 of Hastie, Tibshirani & Friedman, "The
// Elements of Statistical Learning" (2009).
func ImpurityFigure() (*Figure, error) {
	all, err := curves()
	if err != nil {
		return nil, err
	}
	fig := &Figure{Title: "Impurity of a node with two classes",
		Subtitle: "Entropy and Gini index are strictly concave: they reward splits that make one " +
			"side purer; misclassification often does not.",
		Charts: []Chart{{X: Scale{Label: "p, fraction of one class among the node's rows",
			Zero: true}, Y: Scale{Label: "impurity", Zero: true}}}}
	for i, c := range all {
		u := Curve{Name: c.name, Colour: i, Style: min(Style(i), Dashes)}
		for k := range curveSteps + 1 {
			fraction := float64(k) / curveSteps
			u.X, u.Y = append(u.X, fraction), append(u.Y, c.at(fraction))
		}
		fig.Charts[0].Curves = append(fig.Charts[0].Curves, u)
	}
	return fig, nil
}

// Impurity draws ImpurityFigure.
func Impurity(w io.Writer) error {
	fig, err := ImpurityFigure()
	if err != nil {
		return err
	}
	return fig.Write(w)
}
