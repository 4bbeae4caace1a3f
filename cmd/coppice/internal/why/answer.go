package why

import (
	"context"
	"math"
	"slices"
	"strconv"

	"github.com/coppice-ml/coppice/cmd/coppice/internal/cli"
	"github.com/coppice-ml/coppice/cmd/coppice/internal/describe"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/explain"
	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/model"
)

// answer is the object that --json prints.
type answer struct {
	Row     int                 `json:"row"`             // from 1
	Class   string              `json:"class,omitempty"` // predicted
	Reasons *reasons            `json:"reasons,omitempty"`
	Without string              `json:"no_reasons,omitempty"` // why there are none
	Change  *explain.ChangedRow `json:"change"`
	Turned  string              `json:"turned_class,omitempty"` // of the changed row
	Nearest []near              `json:"nearest,omitempty"`
	Apart   string              `json:"no_nearest,omitempty"` // why there are none

	spec      *model.Spec
	frame     *data.Frame
	like      string
	reference *data.Frame // of --like
	labels    *data.Frame // its labels, verbatim
}

// reasons are the contributions to a raw score.
type reasons struct {
	Score         string    `json:"score,omitempty"` // its class
	Raw           float64   `json:"raw"`
	Bias          float64   `json:"bias"`
	Features      []string  `json:"features"`
	Contributions []float64 `json:"contributions"`
}

// near is a row of --like.
type near struct {
	Row       int     `json:"row"` // from 1
	Proximity float64 `json:"proximity"`
	Label     string  `json:"label,omitempty"`
}

// setPredictions names the classes, and makes infinite numbers texts, which JSON has no others for.
func (a *answer) setPredictions() {
	if a.spec.Labels() {
		a.Class = a.spec.Classes[a.spec.Decision.Label(a.Change.Before)]
		if a.Change.After != nil {
			a.Turned = a.spec.Classes[a.spec.Decision.Label(a.Change.After)]
		}
	}
	for i := range a.Change.Changes {
		x := &a.Change.Changes[i]
		if from, ok := x.From.(float64); ok && math.IsInf(from, 0) {
			x.From = humanize.Exact(from)
		}
	}
}

// reasons computes the contributions of the row, of the predicted class if there are several.
func (o *command) reasons(ctx context.Context, m model.Model, a *answer) error {
	if _, trees := model.AsTrees(m); !trees && !explain.IsExact(m) {
		a.Without = "exact Shapley values are of trees, linear models and sums of these, and this " +
			"model consists of " + m.Describe().Title
		return nil
	}
	limit, err := o.ReadFlags.Limit()
	if err != nil {
		return err
	}
	c, err := explain.Shapley(ctx, m, a.frame, []int32{int32(o.row - 1)},
		explain.ShapleyOptions{Workers: o.Threads, Memory: limit.Bytes() / 4})
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		a.Without = err.Error()
		return nil
	}
	score := 0
	r := &reasons{Features: c.Features}
	switch classes := a.spec.Classes; {
	case c.Scores > 1 && len(classes) == c.Scores:
		score = a.spec.Decision.Label(a.Change.Before)
		r.Score = classes[score]
	case c.Scores == 1 && a.spec.Task.Classes() && len(classes) == 2:
		r.Score = classes[1]
	}
	r.Bias, r.Contributions = c.Bias[score], slices.Clone(c.Row(0, score))
	r.Raw = r.Bias
	for _, x := range r.Contributions {
		r.Raw += x
	}
	a.Reasons = r
	return nil
}

// nearest finds the rows of --like that are nearest to the row.
func (o *command) nearest(ctx context.Context, m model.Model, a *answer) error {
	if a.reference == nil {
		return nil
	}
	all, err := data.Concat(a.frame.Subset([]int32{int32(o.row - 1)}), a.reference)
	if err != nil {
		return err
	}
	p, err := explain.NewProximities(ctx, m, all, nil, explain.ProximityOptions{Workers: o.Threads})
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		a.Apart = err.Error()
		return nil
	}
	rows, err := p.NeighboursOf(0, o.top)
	if err != nil {
		return err
	}
	if len(rows) == 0 {
		a.Apart = "no row is in a leaf of this one"
	}
	for _, r := range rows {
		n := near{Row: int(r.Row), Proximity: r.Proximity} // the row itself is before those of --like
		if a.labels != nil {
			n.Label = a.labels.Schema.Fields[0].Levels[a.labels.Columns[0].Code(int(r.Row)-1)]
		}
		a.Nearest = append(a.Nearest, n)
	}
	return nil
}

// print writes the answer as text.
func (o *command) print(a *answer) {
	o.Printf("%s: predicts %s", a.frame.Locate(o.row-1), describe.Prediction(a.spec, a.Change.Before))
	if r := a.Reasons; r != nil {
		of := ""
		if r.Score != "" {
			of = " of " + humanize.Name(r.Score)
		}
		o.Printf("; raw score%s %s\n", of, humanize.Number(r.Raw, 4))
		describe.Contributions(r.Features, r.Contributions, nil, r.Bias, o.top, func(i int) string {
			return a.value(r.Features[i])
		}).Print(o.Out)
	} else {
		o.Printf("\nno reasons: %s\n", a.Without)
	}
	o.Printf("\n")
	o.printChange(a)
	o.printNearest(a)
}

// value returns the value of a feature of the row.
func (a *answer) value(feature string) string {
	if at := a.frame.Schema.Index(feature); at >= 0 {
		return describe.Cell(a.frame, a.Row-1, at)
	}
	return "" // a part of a date
}

func (o *command) printChange(a *answer) {
	c := a.Change
	goal := "another class"
	if o.want != "" {
		goal = humanize.Name(o.want)
	}
	how := "exact"
	switch {
	case !c.Exact && c.Ended:
		how = "the best found: numbers were tried at quantiles"
	case !c.Exact:
		how = "the best found in " + o.limit.String()
	}
	if c.Changes == nil {
		if c.Exact {
			how = "none exists"
		} else if c.Ended {
			how = "none found: numbers were tried at quantiles"
		} else {
			how = "none found in " + o.limit.String()
		}
		o.Printf("smallest change to %s: %s\n", goal, how)
		return
	}
	o.Printf("smallest change to %s: %s; cost %s\n", goal, how, humanize.Number(c.Cost, 4))
	g := &cli.Grid{Columns: append([]cli.Column{{Name: "column"}}, cli.Numbers("from", "to")...)}
	for _, x := range c.Changes {
		g.Add(humanize.Name(x.Column), valueText(x.From), valueText(x.To))
	}
	g.Print(o.Out)
	o.Printf("predicts %s\n", describe.Prediction(a.spec, c.After))
}

// valueText writes a value of a change: a number in all its digits.
func valueText(v any) string {
	switch v := v.(type) {
	case float64:
		return humanize.Exact(v)
	case string:
		return humanize.Name(v)
	}
	return "missing"
}

func (o *command) printNearest(a *answer) {
	if a.reference == nil {
		return
	}
	if a.Apart != "" {
		o.Printf("\nno nearest rows of %s: %s\n", a.like, a.Apart)
		return
	}
	o.Printf("\nnearest rows of %s\n", a.like)
	g := &cli.Grid{Columns: cli.Numbers("row", "proximity")}
	if a.labels != nil {
		g.Columns = append(g.Columns, cli.Column{Name: humanize.Name(a.spec.Label)})
	}
	for _, n := range a.Nearest {
		cells := []string{strconv.Itoa(n.Row), humanize.Number(n.Proximity, 4)}
		if a.labels != nil {
			cells = append(cells, humanize.Name(n.Label))
		}
		g.Add(cells...)
	}
	g.Print(o.Out)
}
