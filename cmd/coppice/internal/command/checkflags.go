package command

import (
	"context"
	"fmt"
	"slices"

	"github.com/spf13/pflag"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/quality"
	"github.com/coppice-ml/coppice/internal/humanize"
)

// checkFlags control the checks of a table before a learner sees it.
type checkFlags struct{ quiet bool }

func (o *checkFlags) define(f *pflag.FlagSet) {
	f.BoolVar(&o.quiet, "quiet-checks", false, "do not warn of identifiers, constant columns, repeated rows, leakage and the like")
}

// check runs the checks and prints a line for each warning, but for those of a check that is left
// for later. test may be nil.
func (o *checkFlags) check(ctx context.Context, c *console, ds *data.Dataset, rows, test []int32, workers int, later ...string) ([]quality.Warning, error) {
	if o.quiet {
		return nil, nil
	}
	found, err := quality.Check(ctx, ds, rows, test, workers)
	for _, w := range found {
		if !slices.Contains(later, w.Check) {
			c.warn("%s", w)
		}
	}
	return found, err
}

// warnOfRare prints the warning of a rare positive class, if there is one. The warning adds the
// recall of that class beside the accuracy, both on the last set that is reported. It returns the
// warnings with that one; a model without a positive class has none.
func warnOfRare(c *console, found []quality.Warning, positive string, sets setReports) []quality.Warning {
	at := slices.IndexFunc(found, func(w quality.Warning) bool { return w.Check == quality.RarePositive })
	if at < 0 {
		return found
	}
	if positive == "" || len(sets) == 0 {
		return slices.Delete(found, at, at+1)
	}
	last, w := sets[len(sets)-1], &found[at]
	class := slices.Index(last.report.Confusion.Classes, positive)
	rows := int64(0)
	for _, n := range last.report.Confusion.Counts[class] {
		rows += n
	}
	if rows > 0 {
		w.Message += fmt.Sprintf("; on the %s set its recall is %s", last.name, humanize.Metric(float64(last.report.Confusion.Counts[class][class])/float64(rows)))
		if accuracy, ok := last.report.Metrics.Get("accuracy"); ok {
			w.Message += " while the accuracy is " + humanize.Metric(accuracy)
		}
	}
	c.warn("%s", w)
	return found
}
