// Package eval owns the evaluation of models and learners: reports of a model on labeled rows, and
// cross-validation. The latter evaluates a learner by models that were not trained on the rows they
// are tested on. CheckLeakage tests whether labels leak into such estimates.
package eval

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/metric"
)

// Report is how good predictions are on some rows.
type Report struct {
	Rows int       `json:"rows"`
	Task data.Task `json:"task"`
	// the positive one of two classes, to which f1, average_precision and brier refer
	Positive string `json:"positive,omitempty"`
	// those that fit the task and are defined on the rows, in the order of metric.Table; of
	// rankings without a query that counts all that fit, as NaN
	Metrics Metrics `json:"metrics"`
	// why there are no metrics, "" where there are some
	Undefined string `json:"undefined,omitempty"`
	// of rankings: how many queries the metrics are means over
	Queries   *metric.Queries `json:"queries,omitempty"`
	Confusion *Confusion      `json:"confusion,omitempty"`
	// of three classes and more
	Classes []ClassReport `json:"classes,omitempty"`
	Means   *ClassMeans   `json:"class_means,omitempty"`
}

// Confusion counts rows by their true and their predicted class. Weights do not enter.
type Confusion struct {
	Classes []string  `json:"classes"`
	Counts  [][]int64 `json:"counts"` // Counts[true class][predicted class]
	// the rows have weights, so that metrics need not be those of the counts
	Unweighted bool `json:"unweighted,omitempty"`
}

// Metrics are named values in an order of their own. In JSON they are an object in that order. NaN,
// which is null in JSON, is undefined.
type Metrics []metric.Value

// Get returns the value called name; false if there is none, or it is undefined.
func (m Metrics) Get(name string) (float64, bool) {
	for _, v := range m {
		if v.Name == name && !math.IsNaN(v.Value) {
			return v.Value, true
		}
	}
	return 0, false
}

// MarshalJSON writes {"accuracy":0.93,...} in the order of m.
func (m Metrics) MarshalJSON() ([]byte, error) {
	return object(len(m), func(i int) (string, any) {
		if v := m[i].Value; !math.IsNaN(v) {
			return m[i].Name, v
		}
		return m[i].Name, nil
	})
}

// UnmarshalJSON reads what MarshalJSON wrote, order included.
func (m *Metrics) UnmarshalJSON(text []byte) error {
	d := json.NewDecoder(bytes.NewReader(text))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return fmt.Errorf("metrics must be a JSON object")
	}
	var read Metrics
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return err
		}
		var value *float64
		if err := d.Decode(&value); err != nil {
			return err
		}
		v := metric.Value{Value: math.NaN()}
		if v.Name, _ = name.(string); value != nil { // the decoder lets nothing else be a key
			v.Value = *value
		}
		read = append(read, v)
	}
	*m = read
	return nil
}

// object writes n members as a JSON object in order, which a map would not keep.
func object(n int, member func(i int) (name string, value any)) ([]byte, error) {
	out := []byte{'{'}
	for i := range n {
		if i > 0 {
			out = append(out, ',')
		}
		name, value := member(i)
		key, err := json.Marshal(name)
		if err != nil {
			return nil, err
		}
		text, err := json.Marshal(value)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		out = append(append(append(out, key...), ':'), text...)
	}
	return append(out, '}'), nil
}

// newReport evaluates a sample of a task. classes are nil for values.
func newReport(task data.Task, classes []string, s *metric.Sample) (*Report, error) {
	t, err := metric.StreamOf(task, s)
	if err != nil {
		return nil, err
	}
	return reportOf(task, classes, t)
}

// reportOf reports the metrics of a stream.
func reportOf(task data.Task, classes []string, t *metric.Stream) (*Report, error) {
	values, none, err := t.Values()
	if err != nil {
		return nil, err
	}
	r := &Report{Rows: t.Rows(), Task: task, Metrics: values, Queries: t.Queries()}
	if t.Confusion() != nil {
		r.Confusion = &Confusion{Classes: classes, Counts: t.Confusion(), Unweighted: t.Weighted()}
	}
	r.Classes, r.Means = classReports(classes, t.Classes())
	if none != nil {
		r.Undefined = none.Error()
		for _, m := range metric.ForTask(task) {
			if task == data.Ranking {
				r.Metrics = append(r.Metrics, metric.Value{Name: m.Name, Value: math.NaN()})
			}
		}
	}
	if task.Classes() && len(t.Confusion()) == 2 {
		r.Positive = classes[1]
		if t.FirstPositive() {
			r.Positive = classes[0]
		}
	}
	return r, nil
}
