// Package monitor is the command monitor: it joins logged predictions to labels that came later,
// and shows metrics, calibration and drift over windows of time.
package monitor

import (
	"context"
	"errors"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/coppice-ml/coppice"
	"github.com/coppice-ml/coppice/cmd/coppice/internal/cli"
	"github.com/coppice-ml/coppice/cmd/coppice/internal/models"
	"github.com/coppice-ml/coppice/cmd/coppice/internal/tables"
	"github.com/coppice-ml/coppice/model"
)

// command is the command monitor with its flags.
type command struct {
	*cli.Console
	models.TableFlags
	cli.FailIfFlag
	cli.JSONFlag
	tables.PositiveFlag
	paths            []string // of models
	key, time, label string   // columns
	weight           string   // column
	rename           []string // of labels, as OLD=NEW
	window           time.Duration
	html             string

	models map[string]known // by id
	ids    []string         // in the order of the paths
}

// known is a model that --model names.
type known struct {
	model.Model
	path string
}

// New makes the command.
func New(c *cli.Console) *cobra.Command {
	o := &command{Console: c}
	cmd := &cobra.Command{
		Use:         "monitor LOG [LABELS...]",
		Annotations: cli.Often("model key label time window fail-if html json"),
		Short:       "Compare logged predictions with labels that came later",
		Long: `Read predictions that coppice serve or coppice predict wrote with --log, and join them to
labels that came later. Metrics, calibration and drift are printed over windows of time, for each
model by its id.
LOG is a file, a folder or a pattern. LABELS is a table with a column of keys and one of labels, or
the rows of --sql. Without LABELS there are no metrics.

--model names the model of the log. The inputs of each window are then compared with what the model
stores of its training rows, as coppice check does. Its metrics are compared with those that are
stored. The
log has probabilities if predict wrote it with --output proba.

The calibration of classes is the expected calibration error: the mean distance of the predicted
probability and the fraction of rows, in 10 bins. That of numbers is the mean of prediction minus
label.

--fail-if compares figures of the last window with numbers: rows, labeled, flagged (fraction of rows
with a flag), calibration, drifted, psi(COLUMN), and metrics such as auc. The exit status is 4 where a
condition holds.`,
		Example: `  coppice monitor log/
  coppice monitor log/ flowers.csv --key id --label species --model model.coppice
  coppice monitor log/ flowers.csv --label species --window 168h --html monitor.html
  coppice monitor log/ --sql 'select id, species from plants' --db sqlite:garden.db
  coppice monitor log/ flowers.csv --label species --fail-if 'labeled>1000 and logloss>0.5'`,
		Args: cli.Operands(1, -1),
		RunE: cli.FirstAndRest(o.run),
	}
	return cli.WithFlags(c, cmd,
		cli.NewSection("Flags", o.define, o.JSONFlag.Define),
		cli.NewSection("Reading", o.TableFlags.Define))
}

func (o *command) define(f *pflag.FlagSet) {
	f.StringArrayVar(&o.paths, "model", nil,
		"compare with what the model in `FILE` stores; may be repeated")
	f.StringVar(&o.key, "key", "", "predictions and labels are joined by the column `COL`, or by COL=COL "+
		"of the log and of LABELS (default: the only one of the log that the model has not)")
	f.StringVar(&o.label, "label", "", "column `COL` of LABELS is the label (default: that of the "+
		"model, else the only one beside the key)")
	f.StringVar(&o.weight, "weight", "", "column `COL` of LABELS has the weights of rows (default: that "+
		"of the model, if LABELS has it; none: no column)")
	f.StringArrayVar(&o.rename, "map", nil, "rename a value of the label, `OLD=NEW`; may be repeated")
	f.StringVar(&o.time, "time", "time", "column `COL` of the log has the time of a prediction")
	o.PositiveFlag.Define(f, "that of the model, else by the names of the classes")
	f.DurationVar(&o.window, "window", 24*time.Hour, "windows of time are as long as `TIME`")
	f.StringVar(&o.html, "html", "", "write a page with charts to `FILE`, too")
	o.FailIfFlag.Define(f, "auc<0.75, drifted>0 or psi(age)>0.2")
}

func (o *command) run(ctx context.Context, log string, labels []string) error {
	if err := o.TableFlags.Check(o.Console, append([]string{log}, labels...)); err != nil {
		return err
	}
	switch {
	case o.window < time.Minute:
		return cli.Misusef("--window %v: want a minute or more", o.window)
	case log == "-" || log == cli.QueryOperand:
		return cli.Misusef("the log is read twice: name its file or folder")
	}
	if o.html != "" {
		if err := cli.WritableBy("--html", o.html, append([]string{log}, labels...)...); err != nil {
			return err
		}
	}
	if err := o.openModels(); err != nil {
		return err
	}
	err := o.FailIfFlag.Check(o.figures)
	if err != nil && len(o.models) == 0 && strings.Contains(err.Error(), " no psi(") {
		return cli.Misusef("--fail-if with psi(COLUMN) needs --model, which knows the columns")
	}
	if err != nil {
		return err
	}
	o.Progress.Begin("reading")
	r, err := o.find(ctx, log, labels)
	o.Progress.End()
	if err != nil {
		return err
	}
	if o.html != "" {
		page := cli.FileFlag{Path: o.html}
		if err := page.Write(o.Console, func(w io.Writer) error { return r.page(w, log) }); err != nil {
			return err
		}
	}
	err = o.JSONFlag.Show(o.Console, r, func() { o.print(r) })
	return errors.Join(err, o.holds(r))
}

// openModels opens the models of --model.
func (o *command) openModels() error {
	o.models = map[string]known{}
	for _, path := range o.paths {
		m, err := o.LimitFlag.Open(path, false)
		if err != nil {
			return err
		}
		id, err := coppice.ID(m)
		if err != nil {
			return err
		}
		if _, twice := o.models[id]; !twice {
			o.ids = append(o.ids, id)
		}
		o.models[id] = known{m, path}
	}
	return nil
}
