package monitor

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/coppice-ml/coppice/check"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/eval"
	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/metric"
)

// findings are what monitor found.
type findings struct {
	Answer  string   `json:"answer"`
	Windows []window `json:"windows"` // by time, then by model
	// the last window of each model, compared with rows before
	Compared []comparison `json:"compared,omitempty"`

	notes []string
}

// window is the rows of a model in a window of time.
type window struct {
	From    *time.Time   `json:"from,omitempty"` // nil: the log has no times
	To      *time.Time   `json:"to,omitempty"`   // excluded
	Model   string       `json:"model"`          // its id
	Name    string       `json:"name,omitempty"` // of the file of --model
	Rows    int          `json:"rows"`
	Labeled int          `json:"labeled"`
	Flagged float64      `json:"flagged"` // fraction of the rows with a flag
	Metrics eval.Metrics `json:"metrics,omitempty"`
	// of classes the expected calibration error, of numbers the mean of prediction minus label
	Calibration *float64       `json:"calibration,omitempty"`
	Drifted     *int           `json:"drifted,omitempty"` // columns; nil: they are not compared
	Columns     []check.Column `json:"columns,omitempty"` // the worst first
	Predictions []check.Column `json:"predictions,omitempty"`

	main   string // the metric that models are compared by
	worse  bool   // it, beyond chance
	sample *metric.Sample
	group  *group
}

// comparison is the main metric of the last window of a model beside that of other rows.
type comparison struct {
	Model  string        `json:"model"`
	With   string        `json:"with"` // what it is compared with
	Metric string        `json:"metric"`
	Value  float64       `json:"value"`
	Before float64       `json:"before"`
	Change eval.Interval `json:"change"` // with an interval of 95 %
	Worse  bool          `json:"worse"`  // beyond chance
}

// find reads log and labels.
func (o *command) find(ctx context.Context, log string, labels []string) (*findings, error) {
	l, err := o.openLog(ctx, log)
	if err != nil {
		return nil, err
	}
	known, err := o.readLabels(ctx, l, labels)
	if err != nil {
		return nil, err
	}
	g := &gathering{command: o, log: l, labels: known, groups: map[place]*group{},
		joined: map[string]bool{}, inputsOf: map[string][]string{}}
	if err := g.gather(ctx); err != nil {
		return nil, err
	}
	if len(g.groups) == 0 {
		return nil, fmt.Errorf("%s has no predictions", log)
	}
	r := &findings{}
	for _, w := range g.groups {
		g.finish(w)
		one, err := g.windowOf(ctx, w)
		if err != nil {
			return nil, err
		}
		r.Windows = append(r.Windows, *one)
	}
	slices.SortFunc(r.Windows, func(a, b window) int {
		return cmp.Or(cmp.Compare(a.group.from, b.group.from), cmp.Compare(a.Model, b.Model))
	})
	for _, w := range r.last() {
		c, err := o.compare(ctx, r, w)
		if err != nil {
			return nil, err
		}
		if c != nil {
			r.Compared = append(r.Compared, *c)
		}
	}
	r.Answer = r.answer(g, len(labels) > 0)
	r.note(g, len(labels) > 0)
	return r, nil
}

// windowOf evaluates the rows of a window.
func (g *gathering) windowOf(ctx context.Context, w *group) (*window, error) {
	one := &window{Model: w.model, Rows: w.rows, Labeled: w.sample.Rows() + w.scored, group: w,
		sample: &w.sample, Flagged: float64(w.flagged) / float64(w.rows)}
	if g.log.time != "" {
		from := time.UnixMicro(w.from).UTC()
		one.From, one.To = &from, new(from.Add(g.window))
	}
	if m, known := g.models[w.model]; known {
		one.Name = filepath.Base(m.path)
	}
	if err := g.evaluate(w, one); err != nil {
		return nil, err
	}
	if w.checker == nil {
		return one, nil
	}
	found, err := w.checker.Report(ctx)
	if err != nil {
		return nil, err
	}
	if one.Predictions = found.Predictions; found.Training > 0 && found.Rows > 0 {
		one.Drifted, one.Columns = &found.Drifted, found.Columns
	}
	return one, nil
}

// ofLabels are the metrics that need no probabilities.
var ofLabels = []string{"accuracy", "balanced_accuracy", "error", "f1", "mcc", "macro_f1"}

// calibrationBins are those of the expected calibration error.
const calibrationBins = 10

// evaluate computes the metrics of a window.
func (g *gathering) evaluate(w *group, one *window) error {
	if w.sample.Rows() == 0 || len(w.classes) == 1 {
		return nil
	}
	if m, known := g.models[w.model]; known && w.numbers && m.Spec().Task != data.Regression {
		return nil // their labels are more than a number: of groups, or with events
	}
	s := &w.sample
	s.FirstPositive, _ = g.positive(w)
	values, none, err := metric.Evaluate(w.task(), s)
	if err != nil || none != nil {
		return err
	}
	one.Metrics, one.main = values, metric.Main(w.task())
	if w.numbers {
		sum, weight := 0.0, 0.0
		for i, y := range s.Y {
			w := s.Weight[i]
			sum, weight = sum+float64(w*(s.Pred[i]-y)), weight+w
		}
		one.Calibration = new(sum / weight)
		return nil
	}
	if !w.probabilities {
		one.main = "accuracy"
		one.Metrics = slices.DeleteFunc(one.Metrics, func(v metric.Value) bool {
			return !slices.Contains(ofLabels, v.Name)
		})
		return nil
	}
	c, err := eval.ReliabilityOf(s, w.classes, calibrationBins)
	if err == nil {
		one.Calibration = &c.ECE
	}
	return err
}

// last returns the last window of each model that the last window of time has.
func (r *findings) last() []*window {
	var all []*window
	end := r.Windows[len(r.Windows)-1].group.from
	for i := range r.Windows {
		if r.Windows[i].group.from == end {
			all = append(all, &r.Windows[i])
		}
	}
	return all
}

// compare compares a window with what its model stores of its evaluation, else with the windows
// before of the model; nil: there is nothing to compare.
func (o *command) compare(ctx context.Context, r *findings, w *window) (*comparison, error) {
	if w.main == "" {
		return nil, nil
	}
	now, err := o.interval(ctx, w.group, w.sample, w.main)
	if err != nil || now == nil {
		return nil, err
	}
	before, with, err := o.before(ctx, r, w)
	if err != nil || before == nil {
		return nil, err
	}
	c := &comparison{Model: w.Model, With: with, Metric: w.main, Value: now.Value, Before: before.Value}
	c.Change = eval.Interval{Name: w.main, Value: now.Value - before.Value}
	c.Change.Low = c.Change.Value - math.Hypot(now.Value-now.Low, before.High-before.Value)
	c.Change.High = c.Change.Value + math.Hypot(now.High-now.Value, before.Value-before.Low)
	if m, known := metric.Lookup(w.main); known {
		c.Worse = m.Higher && c.Change.High < 0 || !m.Higher && c.Change.Low > 0
	}
	w.worse = c.Worse
	return c, nil
}

// before returns what a window is compared with.
func (o *command) before(
	ctx context.Context, r *findings, w *window,
) (*eval.Interval, string, error) {
	if m, known := o.models[w.Model]; known {
		if e := m.Spec().Best(); e != nil {
			if v := e.Metric(w.main); v != nil && v.Low != nil {
				return &eval.Interval{Name: w.main, Value: v.Value, Low: *v.Low, High: *v.High},
					"in the " + e.Source() + " of training", nil
			}
		}
	}
	all := metric.Sample{Width: w.sample.Width, FirstPositive: w.sample.FirstPositive}
	for i := range r.Windows {
		b := &r.Windows[i]
		if b.Model != w.Model || b.group.from >= w.group.from || b.main != w.main ||
			!slices.Equal(b.group.classes, w.group.classes) {
			continue
		}
		s := b.sample
		all.Class, all.Chosen = append(all.Class, s.Class...), append(all.Chosen, s.Chosen...)
		all.Y, all.Pred = append(all.Y, s.Y...), append(all.Pred, s.Pred...)
		all.Weight = append(all.Weight, s.Weight...)
	}
	if all.Rows() == 0 {
		return nil, "", nil
	}
	i, err := o.interval(ctx, w.group, &all, w.main)
	return i, "before", err
}

// interval returns a metric of a sample with its interval; nil: it is not defined.
func (o *command) interval(
	ctx context.Context, g *group, s *metric.Sample, name string,
) (*eval.Interval, error) {
	all, _, err := eval.Intervals(ctx, g.task(), s, eval.IntervalOptions{Workers: o.Threads})
	for i := range all {
		if all[i].Name == name {
			return &all[i], err
		}
	}
	return nil, err
}

// answer is what was found, in some sentences.
func (r *findings) answer(g *gathering, labels bool) string {
	var parts []string
	if g.unknown > 0 {
		parts = append(parts, fmt.Sprintf("%s a label that is no class of the model, such as %s, and "+
			"left out: %s", humanize.Count(g.unknown, "prediction has", "predictions have"),
			humanize.Name(g.strange), data.Renaming([]string{g.strange}, g.known)))
	}
	for _, c := range r.Compared {
		word := "as before"
		if c.Worse {
			word = "worse"
		}
		parts = append(parts, fmt.Sprintf("Model %s is %s: %s %s in the last window, %s %s (change "+
			"%s to %s)", short(c.Model), word, metric.Words(c.Metric), humanize.Metric(c.Value),
			humanize.Metric(c.Before), c.With, signed(c.Change.Low), signed(c.Change.High)))
	}
	if labels && len(r.Compared) == 0 && len(parts) == 0 {
		text := "No label has a key of the log"
		if slices.ContainsFunc(r.Windows, func(w window) bool { return w.Labeled > 0 }) {
			text = "There is nothing to compare the last window with"
		}
		parts = append(parts, text)
	}
	for _, w := range r.last() {
		if w.Drifted == nil {
			continue
		}
		text := fmt.Sprintf("%d of %s drifted", *w.Drifted, humanize.Count(len(w.Columns), "column",
			"columns"))
		if *w.Drifted > 0 {
			text += ": " + w.worstNames()
		}
		if !w.compared() {
			text += fmt.Sprintf(", but %s are too few to compare a distribution: 50 are needed",
				humanize.Count(w.Rows, "row", "rows"))
		}
		if slices.ContainsFunc(w.Predictions, drifted) {
			text += "; the predictions drifted"
		}
		parts = append(parts, text)
	}
	if len(parts) == 0 {
		rows, models := 0, map[string]bool{}
		for _, w := range r.Windows {
			rows += w.Rows
			models[w.Model] = true
		}
		parts = append(parts, fmt.Sprintf("%s by %s: with LABELS and --model metrics and drift follow",
			humanize.Count(rows, "prediction", "predictions"),
			humanize.Count(len(models), "model", "models")))
	}
	return strings.Join(parts, ". ") + "."
}

// compared reports whether a column of the window has enough values to compare its distribution.
func (w *window) compared() bool {
	return slices.ContainsFunc(w.Columns, func(c check.Column) bool { return c.PSI != nil })
}

// worstNames names the columns of a window that drifted most.
func (w *window) worstNames() string {
	const most = 3
	var names []string
	for _, c := range w.Columns {
		if drifted(c) && len(names) < most {
			names = append(names, humanize.Name(c.Name))
		}
	}
	if more := *w.Drifted - len(names); more > 0 {
		return strings.Join(names, ", ") + fmt.Sprintf(" and %d more", more)
	}
	return humanize.And(names)
}

// signed writes a difference with its sign.
func signed(v float64) string {
	if text := humanize.Metric(v); v <= 0 {
		return text
	}
	return "+" + humanize.Metric(v)
}

func drifted(c check.Column) bool { return len(c.Findings) > 0 }

// short is the beginning of an id, which is enough to tell models apart.
func short(id string) string { return id[:min(8, len(id))] }

// note collects what a reader may want to know of the rows.
func (r *findings) note(g *gathering, labels bool) {
	rows, labeled, scored := 0, 0, 0
	for _, w := range r.Windows {
		rows, labeled, scored = rows+w.Rows, labeled+w.Labeled, scored+w.group.scored
	}
	add := func(format string, args ...any) { r.notes = append(r.notes, fmt.Sprintf(format, args...)) }
	if labels && labeled+g.unknown < rows {
		add("%s no label yet", humanize.Count(rows-labeled-g.unknown, "prediction has", "predictions have"))
	}
	if scored > 0 {
		add("%s a label and no metric: scores and quantiles need coppice evaluate",
			humanize.Count(scored, "prediction has", "predictions have"))
	}
	if g.again > 0 {
		add("%s a label and a key that another row has: each counts", humanize.Count(g.again,
			"prediction has", "predictions have"))
	}
	if g.labels.changed > 0 {
		add("%s several labels: the last one counts", humanize.Count(g.labels.changed, "key has",
			"keys have"))
	}
	for _, file := range slices.Sorted(maps.Keys(g.log.cut)) {
		add("%s:%d ends inside of its line, as behind a crash: the line is left out", file,
			g.log.cut[file])
	}
	if g.log.time == "" {
		add("the log has no column time: all rows are one window (--time names the column)")
	}
	for _, id := range g.ids {
		m := g.models[id]
		switch spec := m.Spec(); {
		case !labels || spec.Task == data.Anomaly:
		case !spec.Labels() && spec.Task != data.Regression:
			add("%s predicts for %s, whose metrics need coppice evaluate: a label is not enough", m.path,
				spec.Task)
		case spec.Roles.Weight != "" && g.labels.weights == "" && g.weight == "":
			add("the metrics weigh all rows alike, but %s was trained with the weight %q: --weight names "+
				"a column of LABELS", m.path, spec.Roles.Weight)
		}
		if !slices.ContainsFunc(r.Windows, func(w window) bool { return w.Model == id }) {
			add("no prediction is of %s: its id is %s", m.path, id)
		} else if m.Spec().Profile == nil {
			add("%s has no profile of its training rows: coppice profile MODEL DATA adds one", m.path)
		}
	}
	slices.Sort(r.notes)
}
