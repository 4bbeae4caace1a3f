package explain

import (
	"fmt"
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

	spec           *model.Spec
	*data.RowBlock `json:"-"` // the table
	files          []string   // of the table
	like           string
	reference      *data.Frame // of --like
	labels         *data.Frame // its labels, verbatim
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
		if at := a.Frame.Schema.Index(x.Column); x.From == nil && at >= 0 && !a.Frame.IsMissing(a.Row-1, at) {
			x.From, _ = describe.Verbatim(a.RowBlock, a.Row-1, x.Column)
		}
	}
}

// print writes the answer as text.
func (o *why) print(a *answer) {
	o.Text(o.sentence(a))
	o.Printf("\n%s", headed(a.Change.Before,
		a.Frame.Locate(o.row-1)+": predicts "+describe.Prediction(a.spec, a.Change.Before)))
	o.printReasons(a)
	o.Printf("\n")
	o.printChange(a)
	o.printNearest(a)
}

// sentence is the answer in one sentence: what is predicted, mostly by which columns, and the
// change that turns it.
func (o *why) sentence(a *answer) string {
	c := a.Change
	text := "Predicted is " + describe.Prediction(a.spec, c.Before)
	if mostly := a.strongest(); mostly != "" {
		text += ", mostly by " + mostly
	}
	if c.Changes == nil {
		return text + "; no change that turns it was found."
	}
	var changes []string
	for _, x := range c.Changes {
		changes = append(changes, fmt.Sprintf("%s %s in place of %s", humanize.Name(x.Column),
			valueText(x.To), valueText(x.From)))
	}
	return fmt.Sprintf("%s; with %s it would be %s.", text, humanize.And(changes),
		describe.Prediction(a.spec, c.After))
}

// strongest names the columns, at most two, that contribute most to the prediction, and in its
// direction.
func (a *answer) strongest() string {
	r := a.Reasons
	if r == nil {
		return ""
	}
	sign := 1.0
	if r.Score != "" && r.Score != a.Class {
		sign = -1
	} else if r.Score == "" && len(r.Contributions) > 0 {
		if sum := describe.Total(0, r.Contributions); sum < 0 {
			sign = -1
		}
	}
	columns, values, _ := a.columns()
	var names []string
	for range 2 {
		best := -1
		for i, x := range values {
			if sign*x > 0 && (best < 0 || sign*x > sign*values[best]) {
				best = i
			}
		}
		if best >= 0 {
			names = append(names, humanize.Name(columns[best])+" "+a.value(columns[best]))
			values[best] = 0
		}
	}
	if names == nil {
		return ""
	}
	return humanize.And(names)
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
	o.Printf("%s\n", headed(c.After, "predicts "+describe.Prediction(a.spec, c.After)))
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
