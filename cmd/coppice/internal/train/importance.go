package train

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/coppice-ml/coppice/cmd/coppice/internal/cli"
	"github.com/coppice-ml/coppice/cmd/coppice/internal/models"
	"github.com/coppice-ml/coppice/cmd/coppice/internal/tables"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/explain"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/metric"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/model/training"
	"github.com/coppice-ml/coppice/param"
)

// importanceFlags request permutation importance after training.
type importanceFlags struct {
	kind   string // "" = not requested, else permutation or permutation:METRIC
	groups string

	metric   string // the metric of kind; "" = the usual one of the task
	outOfBag bool   // the learner computes it on out-of-bag rows
}

func (o *importanceFlags) define(f *pflag.FlagSet) {
	f.StringVar(&o.kind, "importance", "",
		"compute permutation importance, `permutation[:METRIC]`, on the test set, else the "+
			"validation set, else out-of-bag rows, and store it in the model")
	f.StringVar(&o.groups, "importance-groups", "",
		"with --importance: also permute the columns `COL+COL,...` together")
}

// repeat requests the importance that a model stores, if it stores one.
func (o *importanceFlags) repeat(p *model.Permutation) {
	if p == nil {
		return
	}
	o.kind = training.Permutation + ":" + p.Metric
	var groups []string
	for _, c := range p.Columns {
		if c.Columns != nil {
			groups = append(groups, strings.Join(c.Columns, "+"))
		}
	}
	slices.Sort(groups)
	o.groups = strings.Join(groups, ",")
}

// check finds misuse. rows reports that there is a test set or a validation set.
func (o *importanceFlags) check(l learn.Learner, name string, rows, labeled, sharded bool) error {
	if o.kind == "" {
		if o.groups != "" {
			return cli.Misusef("--importance-groups goes with --importance permutation")
		}
		return nil
	}
	kind, by, chosen := strings.Cut(o.kind, ":")
	switch {
	case kind != training.Permutation:
		return cli.Misusef("--importance %q: want permutation, or permutation:METRIC such as "+
			"permutation:logloss", o.kind)
	case sharded:
		return cli.Misusef("--importance does not go with --shard: a shard is not the whole model")
	case rows && !labeled:
		return cli.Misusef("--importance permutation compares predictions with labels, and there " +
			"are none: add --label")
	}
	if o.metric = by; chosen {
		if _, ok := metric.Lookup(by); !ok {
			return cli.Misusef("--importance: there is no metric %q: %s", by,
				cli.Instead(by, metric.Names()))
		}
	}
	if rows {
		return nil
	}
	return o.checkOutOfBag(l, name, chosen)
}

// checkOutOfBag makes the learner compute the importance, where it can, as there are no rows to
// compute it on afterwards.
func (o *importanceFlags) checkOutOfBag(l learn.Learner, name string, chosen bool) error {
	at := slices.IndexFunc(l.Params(), func(p param.Param) bool { return p.Name == "importance" })
	switch {
	case !models.LeavesRowsOut(l) || at < 0:
		return cli.Misusef("--importance permutation needs rows that %s is not trained on: add "+
			"--test or --valid", name)
	case chosen:
		return cli.Misusef("--importance permutation:%s: out-of-bag rows are compared by the "+
			"error rate or the squared error: leave out the metric, or add --test", o.metric)
	}
	o.outOfBag = true
	settings := []string{"importance=" + training.Permutation}
	// Forests compute several kinds, so one that is set already stays.
	if now := l.Params()[at].Value(); strings.Contains(now, "corrected") {
		settings = []string{"importance=" + now + "," + training.Permutation}
	}
	if o.groups != "" {
		settings = append(settings, "importance_groups="+o.groups)
	}
	if err := l.Params().Set(settings); err != nil {
		return cli.Misusef("--importance: %w", err)
	}
	return nil
}

// compute stores the importance in a model that is trained. Where the metric is undefined on the
// set, as on a ranking without relevant rows, the model is kept and has none.
func (o *importanceFlags) compute(
	ctx context.Context, c *cli.Console, m model.Model, ds *data.Dataset, s *tables.RowSets,
	use string, job *learn.Job,
) error {
	if o.kind == "" || o.outOfBag || !comparable(m.Spec(), &ds.Target) {
		return nil
	}
	set, rows := "test", s.Test
	if rows == nil {
		set, rows = "validation", s.Valid
	} else {
		use = ""
	}
	sets, err := param.ParseGroups(o.groups)
	if err != nil {
		return cli.Misusef("--importance-groups: %w", err)
	}
	groups, err := m.Spec().Schema.ColumnGroups("--importance-groups", sets)
	if err != nil {
		return err
	}
	found, err := explain.Permutation(ctx, m, ds, rows, explain.PermutationOptions{Metric: o.metric,
		Seed: job.Seed, Workers: job.Workers, Groups: groups})
	if none := (*metric.Undefined)(nil); errors.As(err, &none) {
		c.Notice("the model has no permutation importance on the %s set: %v", set, none)
		return nil
	}
	if err != nil {
		return fmt.Errorf("permutation importance on the %s set: %w", set,
			cli.Located(err, ds.Frame))
	}
	found.Set, found.UsedFor = set, use
	m.Spec().Permutation = found
	return nil
}
