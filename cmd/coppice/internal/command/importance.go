package command

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/explain"
	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/internal/importance"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/metric"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/model/training"
	"github.com/coppice-ml/coppice/param"
	"github.com/coppice-ml/coppice/report/plot"
)

// importanceFlags request permutation importance after training.
type importanceFlags struct {
	kind   string // "" = not requested, else permutation or permutation:METRIC
	groups string

	metric   string // of kind, "" = that of the task
	outOfBag bool   // computed by the learner on out-of-bag rows
}

func (o *importanceFlags) define(f *pflag.FlagSet) {
	f.StringVar(&o.kind, "importance", "", "compute permutation importance, `permutation[:METRIC]`, on the test set, else the validation set, else out-of-bag rows, and store it in the model")
	f.StringVar(&o.groups, "importance-groups", "", "with --importance: also permute the columns `COL+COL,...` together")
}

// check finds misuse. rows reports whether there is a test or a validation set.
func (o *importanceFlags) check(l learn.Learner, name string, rows, labelled, sharded bool) error {
	if o.kind == "" {
		if o.groups != "" {
			return misusef("--importance-groups goes with --importance permutation")
		}
		return nil
	}
	kind, by, chosen := strings.Cut(o.kind, ":")
	switch {
	case kind != training.Permutation:
		return misusef("--importance %q: want permutation, or permutation:METRIC such as permutation:logloss", o.kind)
	case sharded:
		return misusef("--importance does not go with --shard: a shard is not the whole model")
	case rows && !labelled:
		return misusef("--importance permutation compares predictions with labels, and there are none: add --label")
	}
	if o.metric = by; chosen {
		if _, ok := metric.Lookup(by); !ok {
			return misusef("--importance: there is no metric %q: %s", by, instead(by, metric.Names()))
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
	case !leavesRowsOut(l) || at < 0:
		return misusef("--importance permutation needs rows that %s is not trained on: add --test or --valid", name)
	case chosen:
		return misusef("--importance permutation:%s: out-of-bag rows are compared by the error rate or the squared error: leave out the metric, or add --test", o.metric)
	}
	o.outOfBag = true
	settings := []string{"importance=" + training.Permutation}
	// of forests, which compute several kinds
	if now := l.Params()[at].Value(); strings.Contains(now, "corrected") {
		settings = []string{"importance=" + now + "," + training.Permutation}
	}
	if o.groups != "" {
		settings = append(settings, "importance_groups="+o.groups)
	}
	if err := l.Params().Set(settings); err != nil {
		return misusef("--importance: %w", err)
	}
	return nil
}

// compute stores the importance in a model that is trained.
func (o *importanceFlags) compute(ctx context.Context, m model.Model, ds *data.Dataset, s *rowSets, use learn.ValidUse, job *learn.Job) error {
	if o.kind == "" || o.outOfBag || !comparable(m.Spec(), &ds.Target) {
		return nil
	}
	set, rows := "test", s.test
	if rows == nil {
		set, rows = "validation", s.valid
	} else {
		use = 0
	}
	groups, err := importance.ColumnGroups("--importance-groups", o.groups, &m.Spec().Schema)
	if err != nil {
		return err
	}
	found, err := explain.Permutation(ctx, m, ds, rows, explain.PermutationOptions{Metric: o.metric, Seed: job.Seed, Workers: job.Workers, Groups: groups})
	if err != nil {
		return fmt.Errorf("permutation importance on the %s set: %w", set, located(err, ds.Frame))
	}
	found.Set, found.UsedFor = set, use.String()
	m.Spec().Permutation = found
	return nil
}

// permutationCaption names the importance by permutation that a model stores.
func permutationCaption(p *model.Permutation) plot.ImportanceCaption {
	set := p.Set + " set"
	if p.UsedFor != "" {
		set += " (used for " + p.UsedFor + ")"
	}
	change := "drop"
	if !p.Higher {
		change = "increase"
	}
	change += " of " + p.Metric
	return plot.ImportanceCaption{Label: change, Errors: "the mean of the repeats",
		What: fmt.Sprintf("By permutation on the %s: %s (%s unpermuted), mean of %s, %s", set, change,
			humanize.Metric(p.Value), humanize.Count(p.Repeats, "repeat", "repeats"), humanize.Count(p.Rows, "row", "rows"))}
}

// importanceHead heads a table of importances.
func importanceHead(caption plot.ImportanceCaption) string {
	return "Feature importance " + strings.ToLower(caption.What[:1]) + caption.What[1:]
}

// printPermutation prints the importance by permutation that a model stores, at most limit columns;
// 0 = all.
func printPermutation(c *console, p *model.Permutation, limit int) {
	if p == nil {
		return
	}
	c.printf("\n%s\n", importanceHead(permutationCaption(p)))
	g := grid{columns: []column{{name: "permuted"}, {name: p.Metric, right: true}, {name: "± se", right: true}, {}}}
	unused := 0
	for i := range p.Columns {
		one := &p.Columns[i]
		if one.Drop == 0 && one.StdError == 0 {
			unused++
			continue
		}
		if limit > 0 && len(g.rows) >= limit && one.Columns == nil {
			continue
		}
		bar := ""
		if one.Drop > 0 {
			bar = strings.Repeat("█", int(math.Round(one.Drop/p.Columns[0].Drop*reportedWidth)))
		}
		g.add(humanize.Name(one.Name), humanize.Metric(one.Drop), humanize.Metric(one.StdError), bar)
	}
	g.print(c.out)
	if unused > 0 {
		c.printf("%s: permuting changes nothing\n", humanize.Count(unused, "other column", "other columns"))
	}
}
