package explain

import (
	"math"

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
	files     []string // of the table
	like      string
	reference *data.Frame // of --like
	labels    *data.Frame // its labels, verbatim
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

// print writes the answer as text.
func (o *why) print(a *answer) {
	o.Printf("%s: predicts %s", a.frame.Locate(o.row-1), describe.Prediction(a.spec, a.Change.Before))
	o.printReasons(a)
	o.Printf("\n")
	o.printChange(a)
	o.printNearest(a)
}

func (o *why) printChange(a *answer) {
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
