package counterfactual

import "github.com/coppice-ml/coppice/model"

// Goal is a wanted prediction: a class, or a number between two bounds.
type Goal struct {
	Spec         *model.Spec
	Class        int     // of models of classes; -1: any other than Own
	Own          int     // the class that is predicted for the row
	Above, Below float64 // of models of numbers, both exclusive; infinite: no bound
}

// Reached reports whether a response is wanted.
func (g *Goal) Reached(response []float64) bool {
	if !g.Spec.Labels() {
		number := response[g.Spec.Median()]
		return number > g.Above && number < g.Below
	}
	label := g.Spec.Decision.Label(response)
	if g.Class >= 0 {
		return label == g.Class
	}
	return label != g.Own
}
