package explain

import (
	"context"
	"runtime"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/explain/internal/shapley"
	"github.com/coppice-ml/coppice/model"
)

// ShapleyExplainer explains single rows, as those of requests to a server. Its tables are made
// once. It is safe for concurrent use. The bits of a row's values depend on no other row: those of
// Shapley may differ in the last digits with the number of rows, which decides how they are found.
type ShapleyExplainer struct {
	Features []string  // columns of the model's schema
	Scores   int       // raw scores of a row: 1, or one for each class or output
	Classes  []string  // by score, as in Contributions: the class that it is towards
	Bias     []float64 // by score, as in Contributions
	Tables   int64     // bytes that its tables take, o.Memory at most

	direction scoreDirection
	rows      *shapley.Rows
}

// NewShapleyExplainer prepares to explain rows of a schema, with the values that Shapley has. It
// makes tables for as many trees as o.Memory has space for; those of the others take longer. It
// takes as long as Shapley does for few rows. The errors are those of Shapley.
func NewShapleyExplainer(
	ctx context.Context, m model.Model, s *data.Schema, o ShapleyOptions,
) (*ShapleyExplainer, error) {
	sum, err := sumOf(m, o.Rounds)
	if err != nil {
		return nil, err
	}
	rows, err := sum.Rows(ctx, s, shapley.Options(o))
	if err != nil {
		return nil, err
	}
	d := directionOf(m, model.Raw, len(rows.Bias))
	d.turn(rows.Bias)
	return &ShapleyExplainer{Features: m.Spec().Schema.Names(), Scores: len(rows.Bias),
		Classes: d.classes, Bias: rows.Bias, Tables: rows.Bytes,
		direction: d, rows: rows}, nil
}

// Row writes the contributions to a row's scores, that of feature j to score k at
// k*len(Features) + j. dst has Scores*len(Features) numbers or more. The values are in the order of
// the schema that was bound, as for model.Predictor.PredictRow, whose errors it returns.
func (x *ShapleyExplainer) Row(dst, values []float64) error {
	width := len(x.Features)
	if len(dst) < x.Scores*width {
		return &model.SizeError{Want: x.Scores * width, Got: len(dst)}
	}
	dst = dst[:x.Scores*width]
	err := x.rows.Row(dst, values)
	x.direction.turn(dst)
	runtime.KeepAlive(x) // and its trees, which may lie in a mapped file
	return err
}
