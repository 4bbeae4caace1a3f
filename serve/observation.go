package serve

import (
	"context"
	"net/http"
	"time"

	"github.com/coppice-ml/coppice/internal/outside"
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
	Row      []float64    // as data.NamedReader writes it, for the columns of Model.Columns
	Response []float64    // of model.Predictor
	Flags    []model.Flag // values that training had not
}

// observed answers by next, and reports the request to Options.Observe behind its answer.
func (h *handler) observed(next http.HandlerFunc) http.HandlerFunc {
	if h.Observe == nil && h.EachRow == nil {
		return next
	}
	return func(w http.ResponseWriter, r *http.Request) {
		begin := outside.Now()
		c := &observedWriter{countedWriter: countedWriter{ResponseWriter: w, status: http.StatusOK}}
		seen := &c.seen
		seen.each, seen.Scores = h.EachRow, c.score[:0]
		next(c, r)
		seen.Status, seen.Time = c.status, outside.Since(begin)
		if h.Observe != nil {
			h.Observe(seen)
		}
	}
}

// observedWriter is the writer of an answer with the Observation of its request, and the memory of
// a score. It is one piece, and takes no context of its own: most requests are of one row, of which
// each piece of memory takes its part.
type observedWriter struct {
	countedWriter
	seen  Observation
	score [1]float64
}

// observation returns the one of a request that is limited; nil if nobody wants it.
func observation(ctx context.Context) *Observation {
	if b, _ := ctx.Value(bodyKey{}).(*limitedBody); b != nil {
		return b.seen
	}
	return nil
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
