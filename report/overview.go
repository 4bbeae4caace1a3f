package report

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/coppice-ml/coppice"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/learn/catalog"
	"github.com/coppice-ml/coppice/metric"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/param"
)

// overview is the content of the first section.
type overview struct {
	Metrics    []metricValue
	Facts      []fact
	Parameters []parameter
}

// fact is a line about the model.
type fact struct {
	Name string
	Text string
}

// parameter is a parameter of the learner with the value that the model was trained with.
type parameter struct {
	Name    string
	Value   string
	Default string
	Help    string
}

// shownCards is the number of metrics that the page begins with.
const shownCards = 6

// storedShown is the number of stored metrics that the page names.
const storedShown = 4

// card is a number in large letters.
type card struct{ Value, Name, Interval string }

func cards(label string, all []card) piece {
	return el("ul", class("cards"), attr{"aria-label", label}, each(all, func(c card) piece {
		return el("li", el("strong", c.Value), el("span", c.Name), el("small", c.Interval))
	}))
}

func (o *overview) parts() []piece {
	var parts []piece
	var some []card
	for _, m := range o.Metrics[:min(shownCards, len(o.Metrics))] {
		some = append(some, card{numberWords(m.Value, 4), m.words(), m.interval()})
	}
	if some != nil {
		parts = append(parts, cards("Metrics", some))
	}
	parts = append(parts, el("dl", class("facts"), each(o.Facts, func(f fact) piece {
		return el("div", el("dt", f.Name), el("dd", f.Text))
	})))
	changed := &grid{Caption: "Parameters that were changed from their defaults",
		Columns: parameterColumns}
	all := &grid{Caption: "Parameters of the training", Columns: parameterColumns}
	for _, p := range o.Parameters {
		line := []cell{text(p.Name), {Text: p.Value, Mark: p.Value != p.Default}, text(p.Default),
			text(p.Help)}
		if all.Rows = append(all.Rows, line); p.Value != p.Default {
			changed.Rows = append(changed.Rows, line)
		}
	}
	if changed.Rows != nil {
		parts = append(parts, table(changed))
	}
	if all.Rows != nil {
		parts = append(parts, folded(fmt.Sprintf("All parameters of the training (%d)", len(all.Rows)),
			table(all)))
	}
	return parts
}

var parameterColumns = []column{{Name: "parameter"}, {Name: "value"}, {Name: "default"},
	{Name: "meaning", Class: "long"}}

func overviewOf(ctx context.Context, s *subject) (content, error) {
	d := s.model.Describe()
	o := overview{Facts: []fact{
		{"model", cmp.Or(s.options.Model, "without a name")},
		{"learner", s.spec.Learner},
		{"label", cmp.Or(s.spec.Label, "without a name")},
		{"task", taskWords(s.spec)},
	}}
	add := func(name, text string) { o.Facts = append(o.Facts, fact{name, text}) }
	if at := s.spec.Positive(); at >= 0 && s.spec.Task.Classes() {
		add("positive class", s.spec.Classes[at])
	}
	add(d.Title, d.Words)
	add("features", humanize.Count(len(s.spec.Schema.Fields), "column", "columns"))
	if rows := trainingRows(s.model); rows != "" {
		add("training rows", rows)
	}
	if t := s.spec.TrainedOn; t != nil {
		add("seed", fmt.Sprint(t.Seed))
		add("hash of the training rows", t.Table.String())
	}
	if id, err := coppice.ID(s.model); err == nil {
		add("id", id)
	}
	for _, e := range s.spec.Evaluations {
		add("stored metrics", storedMetrics(e))
	}
	if p := s.spec.Profile; p != nil {
		add("profile", p.Words())
	}
	for _, key := range slices.Sorted(maps.Keys(s.spec.Notes)) {
		add("note "+key, s.spec.Notes[key])
	}
	for _, f := range slices.Concat(d.Facts, s.found.Facts) {
		add(f.Name, f.Text)
	}
	if e := s.trees; e != nil && e.Origin != nil {
		add("made by", e.Origin.Tool+" "+e.Origin.Version)
	}
	switch {
	case s.data == nil:
		add("table", "none: sections that need rows are empty")
	default:
		add("table", fmt.Sprintf("%s: %s", cmp.Or(s.options.Table, "without a name"),
			humanize.Count(s.data.Rows(), "row", "rows")))
	}
	for _, p := range parametersOf(s.spec).All() {
		o.Parameters = append(o.Parameters,
			parameter{p.Name, p.Value(), p.Default, p.Help})
	}
	if s.sample == nil {
		return &o, nil
	}
	var err error
	o.Metrics, _, err = s.metrics(ctx)
	return &o, err
}

// storedMetrics describes an evaluation that the model stores by its first metrics, with the digits
// of the page.
func storedMetrics(e model.Evaluation) string {
	words := ""
	for _, m := range e.Metrics[:min(storedShown, len(e.Metrics))] {
		words += metric.Words(m.Name) + " " + humanize.Number(m.Value, 4)
		if m.Low != nil {
			words += fmt.Sprintf(" (%s to %s)", humanize.Number(*m.Low, 4), humanize.Number(*m.High, 4))
		}
		words += ", "
	}
	e.Metrics = nil
	return words + e.Words(0)
}

// trainingRows returns the number of rows that a model was trained on; "" where it stores none.
func trainingRows(m model.Model) string {
	found := catalog.Training(m)
	if rows := found.Rows + found.Weightless; rows > 0 {
		return fmt.Sprint(rows)
	}
	return ""
}

// taskWords describes what the model predicts.
func taskWords(s *model.Spec) string {
	if s.Task.Classes() && s.Task != data.Anomaly {
		return "classification, " + humanize.Count(len(s.Classes), "class", "classes")
	}
	return s.Task.String()
}

// parametersOf returns the parameters of a model's training, none if its learner is not known.
func parametersOf(s *model.Spec) param.Set {
	l, err := catalog.New(s.Learner)
	if err != nil {
		return nil
	}
	set := l.Params()
	if len(s.Params) > 0 && set.UnmarshalJSON(s.Params) != nil {
		return nil
	}
	return set
}
