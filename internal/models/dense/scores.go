package dense

import (
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/model"
)

// Scores is how a model with an encoding predicts a row: by scores, whose function is its response.
type Scores struct {
	Spec    *model.Spec
	Scores  int // numbers of Start
	Outputs int // numbers of the response
	// Respond makes the response of the scores; nil: they are the response
	Respond func(dst, scores []float64)
	// Start returns a function that writes the scores of the vector x of a row, which it may
	// change. Each goroutine has a function of its own.
	Start func() func(scores, x []float64)
	// Values makes x the values of the encoded columns, as model.RowEvaluator has them.
	Values bool
	// Apart makes a category without a place as far from each of the others, for models that
	// compare vectors by their distance.
	Apart bool
}

// Bind matches the columns of a model's schema by name to those of a table. Raw are the scores,
// Response is made of them, and Label is the class that the decision chooses by the response, or
// the response where there are no labels. Options.Rounds is ignored. There are neither leaves nor
// quantiles.
func (e *Encoding) Bind(s *data.Schema, o model.Options, r Scores) (model.Predictor, error) {
	k := model.RowEvaluator{Columns: e.fields(), Width: r.Outputs, Start: r.respond(false)}
	switch {
	case o.Output == model.Quantiles:
		return nil, model.ErrNoQuantiles
	case o.Output == model.Leaf:
		return nil, model.ErrNoLeaves
	case o.Output == model.Raw:
		k.Width, k.Start = r.Scores, r.Start
	case o.Output == model.Label && r.Spec.Labels():
		k.Width, k.Start = 1, r.respond(true)
	}
	if start := k.Start; !r.Values {
		k.Start = func() func(dst, row []float64) {
			predict, x := start(), make([]float64, e.Width())
			return func(dst, row []float64) {
				e.encode(x, row, r.Apart)
				predict(dst, x)
			}
		}
	}
	return k.Bind(&r.Spec.Schema, s, o.Workers)
}

// respond returns what writes the response of a row, or its label.
func (r *Scores) respond(label bool) func() func(dst, x []float64) {
	respond := r.Respond
	if respond == nil && !label {
		return r.Start // the scores are written in place
	}
	if respond == nil {
		respond = func(dst, scores []float64) { copy(dst, scores) }
	}
	return func() func(dst, x []float64) {
		score, scores := r.Start(), make([]float64, r.Scores)
		if !label {
			return func(dst, x []float64) {
				score(scores, x)
				respond(dst, scores)
			}
		}
		response := make([]float64, r.Outputs)
		return func(dst, x []float64) {
			score(scores, x)
			respond(response, scores)
			dst[0] = float64(r.Spec.Decision.Label(response))
		}
	}
}
