package cv

import (
	"context"
	"fmt"
	"slices"

	"github.com/coppice-ml/coppice/cmd/coppice/internal/cli"
	"github.com/coppice-ml/coppice/cmd/coppice/internal/describe"
	"github.com/coppice-ml/coppice/cmd/coppice/internal/tables"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/eval"
	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/model"
)

// testFlag names rows that the folds do not have. The winner of the folds is evaluated on them
// once.
type testFlag struct {
	tables.SplitFlags
	rows  *data.Dataset // nil without the flag
	how   string        // the table was divided
	facts []cli.Fact    // of the whole table
}

// read reads the table, and returns its rows for training.
func (o *testFlag) read(
	ctx context.Context, c *cli.Console, t *tables.TrainingFlags, paths []string, seed uint64,
) (*tables.Problem, error) {
	p, s, err := o.ReadSets(ctx, c, t, paths, seed)
	if err != nil {
		return nil, err
	}
	o.facts, o.how = p.Facts(slices.Concat(paths, s.Files)), s.How
	if len(s.Test) == 0 {
		return p, nil
	}
	divided := p.Divide(s.Train, s.Test)
	o.rows = divided[1]
	rows := describe.RowsFor("training", len(s.Train), 0) + ", " +
		describe.RowsFor("the test", len(s.Test), 0)
	if s.How != "" {
		rows += " (" + s.How + ")"
	}
	o.facts = append(o.facts, cli.Fact{Name: "rows", Text: rows})
	return &tables.Problem{Dataset: divided[0], Table: p.Table}, data.CheckTrainable(divided[0])
}

// check returns the files to read, of the table and of the test set.
func (o *testFlag) check(paths []string) ([]tables.File, error) {
	valid, test, err := o.Fractions()
	return append(tables.Files(paths), tables.FurtherFiles(valid, test)...), err
}

// evaluate evaluates a model on the test set, and stores the result in it; nil without one.
func (o *testFlag) evaluate(
	ctx context.Context, m model.Model, seed uint64, with model.Options,
) (*eval.Report, error) {
	if o.rows == nil {
		return nil, nil
	}
	sets := [][]int32{data.AllRows(o.rows.Rows())}
	recorder := eval.NewRecorder(sets, seed)
	reports, err := eval.EvaluateSets(ctx, m, o.rows, sets,
		eval.SetOptions{Options: with, Each: recorder.Each})
	if err != nil {
		return nil, fmt.Errorf("test set: %w", cli.Located(err, o.rows.Frame))
	}
	e, err := recorder.Record(ctx, 0, reports[0], model.OfTest)
	e.Plan = o.how
	m.Spec().Evaluations = append([]model.Evaluation{e}, m.Spec().Evaluations...)
	return reports[0], err
}

// testWords is the result of evaluate in a sentence.
func testWords(name string, r *eval.Report) string {
	return fmt.Sprintf("On the test set of %s, which had no part in the choice, %s has %s.",
		humanize.Count(r.Rows, "row", "rows"), name, describe.AnswerOf(r))
}
