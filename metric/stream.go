package metric

import (
	"errors"
	"fmt"

	"github.com/coppice-ml/coppice/data"
)

// sum is a metric of classes that takes rows in blocks, in their order. It keeps sums of them, and
// no row but for what common keeps.
type sum interface {
	add(s *Sample)
	value() (float64, error)
}

// begin begins a sum of rows that have some things in common.
type begin func(c *common) sum

// of returns the value of a sample.
func (b begin) of(s *Sample) (float64, error) {
	m := b(&common{rows: s.Rows()})
	m.add(s)
	return m.value()
}

// common is what the metrics of the same rows use together: the sorted scores.
type common struct {
	rows    int        // in all
	columns [2]*scores // by column of predictions; nil: no metric needs them
	taken   [2]bool    // whether those of the block are among them
}

// take returns the scores of a column, those of a block among them.
func (c *common) take(s *Sample, column int) *scores {
	if c.columns[column] == nil {
		c.columns[column] = newScores(c.rows, s.Weight != nil)
	}
	if !c.taken[column] {
		c.taken[column] = true
		c.columns[column].add(s, column)
	}
	return c.columns[column]
}

// Stream evaluates the metrics of a task whose predictions come in blocks of rows. It keeps no row
// but for the area under the curves of two classes, which take 8 bytes for each row together, 24
// where there are weights. If the first of two classes is the positive one, it is twice that. The
// values are those of Evaluate on all rows.
type Stream struct {
	common
	metrics []Metric
	sums    []sum
	added   int
	counts  [][]int64
	first   bool // Sample.FirstPositive
}

// NewStream returns a stream of so many rows. It returns false if a metric of the task needs all
// rows at once: those are not the tasks of classes and anomalies.
func NewStream(task data.Task, rows int) (*Stream, bool) {
	t := &Stream{common: common{rows: rows}, metrics: ForTask(task)}
	for _, m := range t.metrics {
		if m.begin == nil {
			return nil, false
		}
		t.sums = append(t.sums, m.begin(&t.common))
	}
	return t, len(t.metrics) > 0
}

// Add takes the next rows, of which there may be none. The error is that of Sample.Check.
func (t *Stream) Add(s *Sample) error {
	if s.Rows() == 0 {
		return nil
	}
	if err := s.Check(); err != nil {
		return err
	}
	if t.added+s.Rows() > t.rows || t.counts != nil && s.Width != len(t.counts) {
		return fmt.Errorf("%d rows of %d classes, after %d of %d", s.Rows(), s.Width, t.added, t.rows)
	}
	t.added, t.first, t.taken = t.added+s.Rows(), s.FirstPositive, [2]bool{}
	for _, m := range t.sums {
		m.add(s)
	}
	if t.counts == nil {
		t.counts = newCounts(s.Width)
	}
	countLabels(t.counts, s)
	return nil
}

// Values returns what Evaluate does.
func (t *Stream) Values() (values []Value, none *Undefined, err error) {
	if t.added == 0 {
		return nil, nil, errors.New("no rows to evaluate")
	}
	return collect(t.metrics, func(i int) (float64, error) { return t.sums[i].value() })
}

// Rows returns how many rows were added.
func (t *Stream) Rows() int { return t.added }

// Confusion returns what the function of that name does.
func (t *Stream) Confusion() [][]int64 { return t.counts }

// FirstPositive is that of the samples.
func (t *Stream) FirstPositive() bool { return t.first }
