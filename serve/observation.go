package serve

import (
	"time"

	"github.com/coppice-ml/coppice/model"
)

// Observation is what a server knows of a request behind its answer, for metrics.
type Observation struct {
	Model  *Model // nil: the request names no model that is served
	Status int    // of HTTP
	Time   time.Duration
	Rows   int          // that were predicted
	Scores []float64    // of these rows: the probability of the positive class, or of the label, else the number
	Flags  []model.Flag // of these rows

	each func(*PredictedRow) // nil: nobody wants rows
	row  PredictedRow        // the one that each gets
}

// PredictedRow is a row that a server has predicted. Its memory is used again for the next row, so
// whoever keeps it makes a copy.
type PredictedRow struct {
	Model    *Model
	IDField  string       // names ID; "" = that of a request, as the Open Inference Protocol has it
	ID       []byte       // of the row, as JSON: see Options.ID; nil: the row has none
	Row      []float64    // by the columns of Model.Schema; codes of categories, and NaN is missing
	Response []float64    // of model.Predictor
	Flags    []model.Flag // values that training had not
}

// add counts a row that was predicted, whose id is that of a field.
func (o *Observation) add(spec *model.Spec, r *rowScratch, field string, id []byte) {
	if o == nil {
		return
	}
	if o.each != nil {
		o.row = PredictedRow{o.Model, field, id, r.row, r.response, r.flags}
		o.each(&o.row)
	}
	o.Rows++
	o.Flags = append(o.Flags, r.flags...)
	score := r.response[0]
	if spec.Task.Classes() {
		at := spec.Positive()
		if at < 0 {
			at = spec.Decision.Label(r.response)
		}
		score = r.response[at]
	}
	o.Scores = append(o.Scores, score)
}
