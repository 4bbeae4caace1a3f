package predict

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"github.com/spf13/pflag"

	"github.com/coppice-ml/coppice/cmd/coppice/internal/cli"
	"github.com/coppice-ml/coppice/cmd/coppice/internal/databases"
	"github.com/coppice-ml/coppice/cmd/coppice/internal/describe"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/explain"
	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/model"
)

// reasonFlag requests the reasons of predictions.
type reasonFlag struct {
	reasons int
	flags   *pflag.FlagSet
}

func (o *reasonFlag) define(f *pflag.FlagSet) {
	o.flags = f
	f.IntVar(&o.reasons, "reasons", 0,
		"add the `K` columns with the largest effects, with their values and effects")
}

// mostReasons is how many reasons of a row are a table that somebody reads.
const mostReasons = 1000

func (o *reasonFlag) check() error {
	if o.flags.Changed("reasons") && (o.reasons < 1 || o.reasons > mostReasons) {
		return cli.Misusef("--reasons %d: want a number from 1 to %d", o.reasons, mostReasons)
	}
	return nil
}

// reasonKinds are the kinds of the columns of a reason: its column, the value, and the effect.
var reasonKinds = [...]databases.Kind{databases.Text, databases.Text, databases.Float}

// reasonNumbers is about how much memory a reason takes, in numbers of 8 bytes.
const reasonNumbers = 10

// columns names the columns of the reasons.
func (o *reasonFlag) columns() []string {
	var names []string
	for i := range o.reasons {
		k := strconv.Itoa(i + 1)
		names = append(names, "reason_"+k, "value_"+k, "effect_"+k)
	}
	return names
}

// explainer prepares to give reasons for the rows of a table, and notes what effects are towards;
// nil: none are requested.
func (o *command) explainer(
	ctx context.Context, path string, m model.Model, s *data.Schema,
) (*explain.Reasons, error) {
	if o.reasons == 0 {
		return nil, nil
	}
	spec := m.Spec()
	options := explain.ReasonOptions{ShapleyOptions: explain.ShapleyOptions{Rounds: o.Rounds,
		Workers: o.Threads, Memory: o.MemoryLimit().Bytes() / 4}, Score: spec.Median()}
	r, err := explain.NewReasons(ctx, m, s, options)
	var kind *explain.ModelError
	var node *explain.NotCoveredError
	switch {
	case errors.As(err, &kind) || errors.As(err, &node) || errors.Is(err, explain.ErrNoCover) ||
		errors.Is(err, explain.ErrPooled):
		return nil, fmt.Errorf("%s: no reasons: %w (coppice explain --background has estimates)",
			path, err)
	case err != nil:
		return nil, err
	}
	classes := r.Shapley.Classes
	switch at, of := spec.Positive(), describe.Explained(spec, r.Shapley.Scores); {
	case classes != nil && at >= 0:
		o.Note("effects are on the raw score, towards %s", humanize.Name(spec.Classes[at]))
	case classes != nil:
		o.Note("effects are on the raw score of the predicted class")
	case of != "":
		o.Note("effects are on %s", of)
	}
	describe.Divided(o.Console, m, "")
	return r, nil
}

// addReasons adds the fields of the reasons of a row; a row with fewer reasons has empty ones.
func (w *predictionWriter) addReasons(
	fields []string, reasons []explain.Reason, input func(column, row int) string, row int,
) []string {
	for i := range w.most {
		if i >= len(reasons) {
			fields = append(fields, "", "", "")
			continue
		}
		r := &reasons[i]
		fields = append(fields, r.Column, input(w.inputs.Place(r.Column), row),
			describe.Digits(r.Effect))
	}
	return fields
}
