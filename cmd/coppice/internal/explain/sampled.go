package explain

import (
	"context"
	"fmt"

	"github.com/coppice-ml/coppice/cmd/coppice/internal/cli"
	"github.com/coppice-ml/coppice/data"
	explanation "github.com/coppice-ml/coppice/explain"
	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/model"
)

// The names that --output takes.
const (
	raw   = "raw"
	proba = "proba"
)

// exact reports whether values are exact: those of the raw scores of trees, of linear models, and
// of weighted sums of these.
func (o *command) exact(m model.Model) bool {
	return o.output == raw && explanation.IsExact(m)
}

// checkSampled finds flags that do not go with values by samples.
func (o *command) checkSampled(path string, m model.Model) error {
	title := m.Describe().Title
	switch {
	case o.cover != "":
		return cli.Misusef("--cover is for exact values of trees: this model consists of %s", title)
	case o.interactions:
		return cli.Misusef("--interactions is for trees: values of this model, which consists of "+
			"%s, are estimated by samples", title)
	case o.background == "":
		if _, trees := model.AsTrees(m); trees {
			return fmt.Errorf("%s: %w: use --background to estimate them", path,
				explanation.ErrPooled)
		}
		return fmt.Errorf("%s: exact Shapley values are of trees, linear models and sums of these, "+
			"and this model consists of %s: use --background to estimate them", path, title)
	}
	return nil
}

// sampledOptions returns the options of values by samples.
func (o *command) sampledOptions(e *explained) *explanation.SampledOptions {
	e.console = o.Console
	return &explanation.SampledOptions{Background: e.options.Background, Output: e.output,
		Samples: o.samples, Seed: o.Seed, Rounds: o.Rounds, Workers: o.Threads}
}

// width returns the number of scores or outputs of a row.
func (e *explained) width() (int, error) {
	p, err := e.model.Bind(&e.table.Frame.Schema, model.Options{Output: e.output})
	if err != nil {
		return 0, err
	}
	return p.Width(), nil
}

// blockBytes is how many bytes of contributions are computed at a time: of all rows of a wide table
// they may not fit the memory.
const blockBytes = 16 << 20

// rowValues are the contributions of a row, at a place of those computed with it.
type rowValues struct {
	*explanation.SampledContributions
	at int
}

// each calls do for each row with its contributions: exact ones, without standard errors, or
// estimates. It computes a block of rows at a time.
func (e *explained) each(ctx context.Context, do func(row int, of rowValues) error) error {
	scores, err := e.width()
	if err != nil {
		return err
	}
	block := max(1, blockBytes/(8*max(1, scores*len(e.columns.of))))
	largest := 0.0 // standard error
	err = e.eachPart(func() error {
		for rows := data.AllRows(e.table.Frame.Rows()); len(rows) > 0; {
			now := rows[:min(block, len(rows))]
			rows = rows[len(now):]
			c, err := e.values(ctx, now)
			if err != nil {
				return err
			}
			for _, x := range c.StdError {
				largest = max(largest, x)
			}
			for at, row := range now {
				if err := do(int(row), rowValues{c, at}); err != nil {
					return err
				}
			}
		}
		return nil
	})
	if err == nil && e.sampled != nil {
		e.console.Note("estimated by %d pairs of orders for each row; the largest standard error "+
			"is %s", e.sampled.Samples, humanize.Number(largest, 3))
	}
	return err
}

// values returns the contributions of some rows.
func (e *explained) values(
	ctx context.Context, rows []int32,
) (*explanation.SampledContributions, error) {
	if e.sampled != nil {
		o := *e.sampled
		o.First = e.before
		return explanation.Sampled(ctx, e.model, e.table.Frame, rows, o)
	}
	c, err := explanation.Shapley(ctx, e.model, e.table.Frame, rows, e.options)
	if err != nil {
		return nil, err
	}
	return &explanation.SampledContributions{Contributions: *c}, nil
}

// errors returns the standard errors of the columns of a row, nil for exact values. Those of a
// group of features are added up: that of its contribution is at most the sum.
func (e *explained) errors(of rowValues, s score) []float64 {
	if e.sampled == nil {
		return nil
	}
	return e.columns.sum(of.RowErrors(of.at, s.at))
}
