package show

import (
	"cmp"
	"errors"
	"fmt"

	"github.com/coppice-ml/coppice/cmd/coppice/internal/cli"
	"github.com/coppice-ml/coppice/cmd/coppice/internal/describe"
	"github.com/coppice-ml/coppice/cmd/coppice/internal/models"
	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/learn/catalog"
	"github.com/coppice-ml/coppice/report/plot"
)

// showCurve shows the history of the training: the out-of-bag error over the number of members, or
// the metrics over the boosting rounds.
func (o *command) showCurve(path string, v *describe.View) error {
	h := v.Training.History
	switch {
	case h == nil:
		return noCurve(path, v)
	case h.Missing != "":
		return fmt.Errorf("%s: %s", path, h.Missing)
	}
	return o.write(func(out *cli.Console) error {
		switch {
		case o.JSONFlag.JSON:
			return out.JSON(h.Content)
		case o.format == "svg":
			figure := plot.Figure(*h.Figure)
			figure.Title = cmp.Or(o.title, figure.Title)
			return figure.Write(out.Out)
		}
		if err := (*plot.Figure)(h.Figure).Text(out.Out); err != nil {
			return err
		}
		describe.PrintTables(out, h.Tables)
		return nil
	})
}

// noCurve is the error of a model whose training stored no curve. It gives the reason and names the
// learners that store one.
func noCurve(path string, v *describe.View) error {
	l, err := catalog.New(v.Spec.Learner)
	if err == nil && len(v.Spec.Params) > 0 {
		err = l.Params().UnmarshalJSON(v.Spec.Params)
	}
	if err == nil && l.Capabilities().OutOfBag {
		why := l.Capabilities().NoneOut
		if why == nil {
			why = errors.New("training kept none")
		}
		return fmt.Errorf("%s: there is no out-of-bag error to show: %w", path, why)
	}
	member := ""
	if n := len(v.Model.Children()); n > 0 {
		member = fmt.Sprintf(" (--member N shows that of one of %s)",
			humanize.Count(n, "member", "members"))
	}
	return fmt.Errorf("%s: a model of learner %s stores no learning curve%s: %s store the "+
		"out-of-bag error, and %s the metrics over the rounds",
		path, v.Spec.Learner, member, humanize.And(models.LearnersThat(models.LeavesRowsOut)),
		humanize.And(models.LearnersThat(models.TrainsInRounds)))
}
