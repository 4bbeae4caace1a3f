package monitor

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/coppice-ml/coppice/check"
	"github.com/coppice-ml/coppice/cmd/coppice/internal/cli"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/input"
	"github.com/coppice-ml/coppice/metric"
)

// mostWindows limits the windows of a log, each of which has counters for all columns.
const mostWindows = 10_000

// place is a window of time and a model.
type place struct {
	from  int64 // microseconds since 1970; 0 without a time
	model string
}

// group is the rows of a place.
type group struct {
	place
	rows, flagged int
	scored        int      // rows with a label and a score or quantiles, which no metric compares
	classes       []string // of the probabilities, else nil
	numbers       bool     // predictions are numbers
	probabilities bool     // of the classes, which are logged
	sample        metric.Sample
	chosen, truth []string       // labels of the rows of sample, where classes are predicted
	checker       *check.Checker // nil: the model is not known
	inputs        []int          // rows of the block that have inputs
	responses     []float64      // of the rows of the block, for the checker
}

// gathering joins a log to labels, window by window.
type gathering struct {
	*command
	log      *logTable
	labels   *labels
	groups   map[place]*group
	classes  []string            // columns of probabilities, without their prefix
	unknown  int                 // rows whose label is no class
	strange  string              // one of these labels
	known    []string            // the classes of its model
	joined   map[string]bool     // keys of rows that have a label
	again    int                 // rows with a key that a row of the model before had
	bytes    int64               // that rows with labels take
	inputsOf map[string][]string // by id of a model: the columns of its inputs in the log, "" = none
}

// gather reads the log.
func (g *gathering) gather(ctx context.Context) error {
	wanted := []string{modelColumn}
	add := func(names ...string) {
		for _, name := range names {
			if slices.Contains(g.log.columns, name) && !slices.Contains(wanted, name) {
				wanted = append(wanted, name)
			}
		}
	}
	add(g.log.time, g.log.key, predictionColumn, scoreColumn, flagsColumn)
	for _, name := range g.log.columns {
		if class, is := strings.CutPrefix(name, classPrefix); is {
			g.classes = append(g.classes, class)
			add(name)
		}
	}
	for _, id := range g.ids {
		columns := input.NewNamedReader(&g.models[id].Spec().Schema)
		for i := range columns.Columns() {
			found := ""
			for _, prefix := range inputPrefixes {
				if name := prefix + columns.Field(i).Name; slices.Contains(g.log.columns, name) {
					found = name
				}
			}
			g.inputsOf[id] = append(g.inputsOf[id], found)
			add(found)
		}
	}
	for t, err := range textRows(ctx, g.log.Input, []string{g.log.path}, wanted) {
		if err == nil {
			err = g.add(ctx, t)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// add adds a block of rows.
func (g *gathering) add(ctx context.Context, t *texts) error {
	for row := range t.Rows() {
		at := place{model: t.of(modelColumn, row)}
		if g.log.time != "" {
			text := t.of(g.log.time, row)
			micros, ok := data.ParseDate(text, data.YearFirst)
			if !ok {
				return fmt.Errorf("%s: %q in the column %s is no time: --time names another column",
					cli.PathList([]string{g.log.path}), text, g.log.time)
			}
			at.from = time.UnixMicro(int64(micros)).UTC().Truncate(g.window).UnixMicro()
		}
		w := g.groups[at]
		if w == nil {
			if len(g.groups) == mostWindows {
				return cli.Misusef("--window %v makes more than %d windows: choose a longer one",
					g.window, mostWindows)
			}
			w = &group{place: at}
			if m, known := g.models[at.model]; known {
				w.checker = check.New(m, check.Options{ColumnsOnly: true})
			}
			g.groups[at] = w
		}
		if err := g.row(w, t, row); err != nil {
			return err
		}
	}
	for _, w := range g.groups {
		if w.checker == nil || len(w.inputs)+len(w.responses) == 0 {
			continue
		}
		f, err := g.frame(w, t)
		if err == nil && f != nil {
			err = w.checker.Add(ctx, f)
		}
		if err != nil {
			return err
		}
		w.checker.AddPredicted(w.responses)
		w.inputs, w.responses = w.inputs[:0], w.responses[:0]
	}
	return nil
}

// row adds a row to its window.
func (g *gathering) row(w *group, t *texts, row int) error {
	w.rows++
	if t.of(flagsColumn, row) != "" {
		w.flagged++
	}
	response, err := g.response(w, t, row)
	if err != nil {
		return err
	}
	if w.checker != nil {
		w.responses = append(w.responses, response...)
		if slices.ContainsFunc(g.inputsOf[w.model], func(c string) bool { return t.of(c, row) != "" }) {
			w.inputs = append(w.inputs, row)
		}
	}
	key := t.of(g.log.key, row)
	label, has := g.labels.of[key]
	if !has || !w.numbers && t.of(predictionColumn, row) == "" {
		if has {
			w.scored++
		}
		return nil
	}
	g.bytes += int64(8*len(response) + 2*len(label.text) + len(w.model) + len(key) + 2*entryBytes)
	if g.bytes > g.MemoryLimit().Bytes() {
		return fmt.Errorf("the rows with labels take more than the limit of memory: raise --memory")
	}
	if of := w.model + "\x00" + key; g.joined[of] {
		g.again++
	} else {
		g.joined[of] = true
	}
	if w.numbers {
		y, err := strconv.ParseFloat(label.text, 64)
		if err != nil {
			return fmt.Errorf("the label %q is no number, as the predictions are: --label names another "+
				"column", label.text)
		}
		w.sample.Y = append(w.sample.Y, y)
	} else {
		w.chosen, w.truth = append(w.chosen, t.of(predictionColumn, row)), append(w.truth, label.text)
	}
	w.sample.Pred = append(w.sample.Pred, response...)
	w.sample.Weight = append(w.sample.Weight, label.weight)
	return nil
}

// response returns the numbers that were predicted for a row; none: a label alone was logged. The
// first row of a window decides what its predictions are.
func (g *gathering) response(w *group, t *texts, row int) ([]float64, error) {
	number := func(column string) (float64, error) {
		text := t.of(column, row)
		v, err := strconv.ParseFloat(text, 64)
		if err != nil {
			err = fmt.Errorf("%s: %q in the column %s is no number", cli.PathList([]string{g.log.path}),
				text, column)
		}
		return v, err
	}
	if w.rows == 1 {
		for _, class := range g.classes {
			if t.of(classPrefix+class, row) != "" {
				w.classes = append(w.classes, class)
			}
		}
		_, err := strconv.ParseFloat(t.of(predictionColumn, row), 64)
		w.numbers = w.classes == nil && err == nil
		if m, known := g.models[w.model]; known {
			w.numbers = !m.Spec().Labels() && t.of(predictionColumn, row) != ""
			if w.classes != nil {
				w.classes = m.Spec().Classes
			}
		}
	}
	var all []float64
	for _, class := range w.classes {
		v, err := number(classPrefix + class)
		if err != nil {
			return nil, err
		}
		all = append(all, v)
	}
	if w.numbers {
		v, err := number(predictionColumn)
		return []float64{v}, err
	}
	if w.classes == nil && t.of(scoreColumn, row) != "" {
		v, err := number(scoreColumn)
		return []float64{v}, err
	}
	return all, nil
}

// frame returns the inputs of the rows of a block that belong to a window; nil: it has none.
func (g *gathering) frame(w *group, t *texts) (*data.Frame, error) {
	if len(w.inputs) == 0 {
		return nil, nil
	}
	columns := input.NewNamedReader(&g.models[w.model].Spec().Schema)
	scratch := make([]float64, len(columns.Schema().Fields))
	var fields []data.Field
	var made []data.Column
	for i, name := range g.inputsOf[w.model] {
		f := columns.Field(i)
		at, has := t.at[name]
		if !has || f.Kind == data.Text {
			continue
		}
		if f.Kind == data.Categorical {
			codes := make([]uint32, len(w.inputs))
			for k, row := range w.inputs {
				if codes[k] = t.Columns[at].Code(row); t.Schema.Fields[at].Levels[codes[k]] == "" {
					codes[k] = data.MissingCode
				}
			}
			fields = append(fields, data.Field{Name: f.Name, Kind: f.Kind, Levels: t.Schema.Fields[at].Levels})
			made = append(made, data.Codes(codes))
			continue
		}
		values := make([]float64, len(w.inputs))
		for k, row := range w.inputs {
			text := t.of(name, row)
			v, err := strconv.ParseFloat(text, 64)
			if f.Kind == data.Date || err != nil {
				err = columns.Text(scratch, i, []byte(text))
				v = columns.Value(scratch, i)
			}
			if err != nil {
				return nil, fmt.Errorf("%s, column %q: %w", cli.PathList([]string{g.log.path}), name, err)
			}
			values[k] = v
		}
		fields = append(fields, data.Field{Name: f.Name, Kind: f.Kind})
		made = append(made, data.Numbers(values))
	}
	return data.NewFrame(data.Schema{Fields: fields}, made)
}

// finish makes a sample of classes of the labels of the rows. Rows whose label is no class are left
// out, and counted.
func (g *gathering) finish(w *group) {
	s := &w.sample
	if w.numbers {
		s.Width = 1
		return
	}
	width := len(w.classes)
	w.probabilities = width > 0
	if m, known := g.models[w.model]; known {
		w.classes = m.Spec().Classes
	} else if !w.probabilities { // all labels that occur are classes
		w.classes = slices.Concat(w.chosen, w.truth)
		slices.Sort(w.classes)
		w.classes = slices.Compact(w.classes)
	}
	of := map[string]int{}
	for i, class := range w.classes {
		of[class] = i
	}
	given, weights := s.Pred, s.Weight
	s.Pred, s.Weight, s.Width = nil, nil, len(w.classes)
	for i, text := range w.truth {
		class, known := of[text]
		chosen, predicted := of[w.chosen[i]]
		if !known || !predicted {
			g.unknown, g.strange, g.known = g.unknown+1, text, w.classes
			continue
		}
		s.Class, s.Chosen = append(s.Class, uint32(class)), append(s.Chosen, uint32(chosen))
		s.Weight = append(s.Weight, weights[i])
		if w.probabilities {
			s.Pred = append(s.Pred, given[i*width:(i+1)*width]...)
			continue
		}
		one := make([]float64, len(w.classes)) // the predicted one has probability 1
		one[chosen] = 1
		s.Pred = append(s.Pred, one...)
	}
}

// positive chooses the positive class of two.
func (g *gathering) positive(w *group) (first bool, name string) {
	if len(w.classes) != 2 {
		return false, ""
	}
	at := -1
	if m, known := g.models[w.model]; known {
		at = m.Spec().Positive()
	}
	if g.Positive != "" {
		at = slices.Index(w.classes, g.Positive)
	}
	if at < 0 {
		t := data.Target{Task: data.Binary, Classes: w.classes, Class: w.sample.Class}
		t.ChoosePositive(nil)
		at = t.PositiveClass()
	}
	return at == 0, w.classes[at]
}

// task returns what is predicted.
func (w *group) task() data.Task {
	switch {
	case w.numbers:
		return data.Regression
	case len(w.classes) == 2:
		return data.Binary
	}
	return data.Multiclass
}
