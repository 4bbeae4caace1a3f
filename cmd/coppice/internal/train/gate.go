package train

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/pflag"

	"github.com/coppice-ml/coppice/cmd/coppice/internal/cli"
	"github.com/coppice-ml/coppice/cmd/coppice/internal/tables"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/eval"
	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/internal/replace"
	"github.com/coppice-ml/coppice/metric"
	"github.com/coppice-ml/coppice/model"
	compare "github.com/coppice-ml/coppice/report"
)

// gateFlags are conditions under which a model that is trained does not take its place. It is
// written beside it, with .rejected appended to the name, and an older model stays as it is.
type gateFlags struct {
	cli.FailIfFlag
	than string
	old  model.Model // of than
}

func (o *gateFlags) define(f *pflag.FlagSet) {
	o.FailIfFlag.Define(f, "'auc<0.75' of the test set; the model goes to FILE.rejected")
	f.StringVar(&o.than, "not-worse-than", "", "end with status 4 if the model is worse than `MODEL` "+
		"on the test set, beyond chance; the model goes to FILE.rejected")
}

// given reports whether there is a condition.
func (o *gateFlags) given() bool { return o.FailIfFlag.Given() || o.than != "" }

// rejected is the file of a model that does not take its place.
func rejected(output string) string { return output + ".rejected" }

// check finds misuse, and opens the model to compare with. test is the flag of the test set.
func (o *gateFlags) check(open func(path string, table bool) (model.Model, error), label, test,
	output string) (err error) {
	if !o.given() {
		return nil
	}
	if err := o.FailIfFlag.Check(metric.Names); err != nil {
		return err
	}
	if label == "" || test == "" {
		return cli.Misusef("--fail-if and --not-worse-than need rows that the model is not trained " +
			"on: add --test, such as --test 0.2")
	}
	if o.than != "" {
		if o.old, err = open(o.than, true); err != nil {
			return err
		}
	}
	if err := replace.Check(rejected(output)); err != nil {
		return fmt.Errorf("cannot write %s: %w", rejected(output), err)
	}
	return nil
}

// fits checks before the training that both models can be compared on a table.
func (o *gateFlags) fits(t *data.Target) error {
	if o.old == nil {
		return nil
	}
	s := o.old.Spec()
	switch {
	case s.Task != t.Task:
		return fmt.Errorf("--not-worse-than %s: it is a model of %s, and the label is one of %s",
			humanize.Name(o.than), s.Task, t.Task)
	case s.Task.Classes() && !slices.Equal(s.Classes, t.Classes):
		return fmt.Errorf("--not-worse-than %s: it has the classes %s, and the label %s",
			humanize.Name(o.than), list(s.Classes), list(t.Classes))
	}
	return nil
}

// verdict is what the conditions found, for the report.
type verdict struct {
	// of retrain: how the table differs from that of the model
	Differences []difference `json:"differences,omitempty"`
	// with the model of --not-worse-than, which is A
	Compared *eval.Difference `json:"compared,omitempty"`
	Rejected string           `json:"rejected,omitempty"` // why the model does not take its place

	than string
}

// judge returns an error if the model is not to take its place.
func (o *command) judge(ctx context.Context, r *report, m model.Model, p *tables.Problem) error {
	if !o.gateFlags.given() {
		return nil
	}
	test := r.Sets[len(r.Sets)-1].Report
	err := o.FailIfFlag.Holds(func(figure string) (float64, error) {
		if v, defined := test.Metrics.Get(figure); defined {
			return v, nil
		}
		return 0, fmt.Errorf("%s is not defined on the test set", figure)
	})
	if err != nil || o.old == nil {
		return err
	}
	o.Progress.Begin("comparing")
	d, rows, err := o.compareWithOld(ctx, m, p, r.sets)
	if err != nil {
		return fmt.Errorf("--not-worse-than %s: %w", humanize.Name(o.than), err)
	}
	r.Compared, r.than = d, o.than
	if worse := d.High < 0 && d.Higher || d.Low > 0 && !d.Higher; worse {
		return cli.Heldf("the model is worse than %s: on %s the %s is %s instead of %s, a difference "+
			"of %+.4g with the 95 %% interval %+.4g to %+.4g%s", humanize.Name(o.than),
			humanize.Count(rows, "test row", "test rows"), d.Name, humanize.Metric(d.B),
			humanize.Metric(d.A), d.B-d.A, d.Low, d.High, o.known(m, p, r.sets))
	}
	return nil
}

// known says that the old model may have been trained on test rows of the new one, and what to do;
// "" if both have the same training rows, or all test rows are later than those of the old model.
func (o *command) known(m model.Model, p *tables.Problem, sets *tables.RowSets) string {
	was, now := o.old.Spec(), m.Spec()
	if on := was.TrainedOn; on != nil {
		if on.Table == now.TrainedOn.Table || was.Roles.Time == now.Roles.Time && on.Plan != nil &&
			later(on.Plan.Times, span(p.Target.Time, sets.Train), span(p.Target.Time, sets.Test)) {
			return ""
		}
	}
	return "; it may know these rows from its training: give rows that it does not know as --test " +
		"FILE, or split by --time"
}

// later reports whether test rows are later than all rows of an older training. The new training
// must have begun before the end of the older one: else the times may be of another unit.
func later(old, train, test []int64) bool {
	return old != nil && train != nil && test != nil && train[0] <= old[1] && test[0] > old[1]
}

// compareWithOld compares the old model with the new one by the metric of the task, on the same
// test rows. It returns their number, which is less where the table is read in blocks.
func (o *command) compareWithOld(
	ctx context.Context, m model.Model, p *tables.Problem, sets *tables.RowSets,
) (*eval.Difference, int, error) {
	if o.known(m, p, sets) != "" {
		o.Notice("test rows may have been in the training of %s, which then looks better than it "+
			"is", humanize.Name(o.than))
	}
	own, other, err := testSets(ctx, p, sets.Test, &o.old.Spec().Schema, o.MemoryLimit().Bytes())
	if err != nil {
		return nil, 0, err
	}
	name, _, err := eval.ChooseMetric("", m.Spec().Task)
	if err != nil {
		return nil, 0, err
	}
	all, none, err := compare.Differences(ctx, compare.Side{Name: o.than, Model: o.old, Labeled: other},
		compare.Side{Name: o.output, Model: m, Labeled: own},
		compare.CompareOptions{Seed: o.Seed, Workers: o.Threads, Memory: o.MemoryLimit()})
	if err != nil {
		return nil, 0, err
	}
	at := slices.IndexFunc(all, func(d eval.Difference) bool { return d.Name == name })
	switch {
	case none != nil:
		return nil, 0, none
	case at < 0:
		return nil, 0, fmt.Errorf("%s is not defined on the test set", name)
	}
	return &all[at], own.Rows(), nil
}

// What a comparison holds of the test rows of a table in blocks: so many rows, and a fraction of
// the limit of memory.
const (
	comparedRows = 100_000
	comparedPart = 16
)

// testSets returns the test rows for the new model and for an old one of a schema, whose columns
// may be others.
func testSets(
	ctx context.Context, p *tables.Problem, rows []int32, like *data.Schema, memory int64,
) (own, other *data.Dataset, err error) {
	f, inBlocks := p.InMemory()
	if inBlocks == nil {
		places := rows
		if p.Kept != nil {
			places = data.Pick(p.Kept, rows)
		}
		t := p.Target.Subset(rows)
		return &data.Dataset{Frame: f.Subset(rows), Target: t},
			&data.Dataset{Frame: data.ExpandLike(p.Table.Subset(places), like), Target: t}, nil
	}
	most := int(min(comparedRows, memory/comparedPart/int64(8*max(1, len(p.Schema.Fields)))))
	rows = spaced(rows, max(1, most))
	if f, err = gathered(ctx, p.InBlocks(), rows); err != nil {
		return nil, nil, err
	}
	t := p.Target.Subset(rows)
	return &data.Dataset{Frame: f, Target: t},
		&data.Dataset{Frame: data.ExpandLike(f, like), Target: t}, nil
}

// spaced returns at most so many of some rows, evenly spaced.
func spaced(rows []int32, most int) []int32 {
	if len(rows) <= most {
		return rows
	}
	few := make([]int32, most)
	for i := range few {
		few[i] = rows[int64(i)*int64(len(rows))/int64(most)]
	}
	return few
}

// gathered returns some rows, which ascend, of a table in blocks.
func gathered(ctx context.Context, ds *data.BlockDataset, rows []int32) (*data.Frame, error) {
	var all *data.Frame
	for b, err := range ds.Labeled(ctx) {
		if err != nil {
			return nil, err
		}
		var own []int32
		for len(rows) > 0 && int(rows[0]) < b.First+b.Rows() {
			own, rows = append(own, rows[0]-int32(b.First)), rows[1:]
		}
		if own == nil {
			continue
		}
		if f := b.Frame.Subset(own); all == nil {
			all = f
		} else if all, err = data.Concat(all, f); err != nil {
			return nil, err
		}
	}
	if all == nil {
		return nil, errors.New("there are no test rows")
	}
	return all, nil
}
