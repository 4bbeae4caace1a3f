package metric

import (
	"cmp"
	"errors"
	"fmt"

	"github.com/coppice-ml/coppice/data"
)

// sum is a metric that takes rows in blocks, in their order. It keeps sums of them, and no row but
// for what common keeps.
type sum interface {
	add(s *Sample)
	value() (float64, error)
}

// begin begins a sum of rows that have some things in common.
type begin func(c *common) sum

// of returns the value of a sample.
func (b begin) of(s *Sample) (float64, error) {
	m := b(&common{rows: s.Rows(), store: &store{}, whole: true})
	m.add(s)
	return m.value()
}

// common is what the metrics of the same rows use together: the sorted scores of classes, the rows
// of numbers, and those of rankings by group.
type common struct {
	rows    int          // in all
	columns [2]*scores   // by column of predictions; nil: no metric needs them
	taken   [2]bool      // whether those of the block are among them
	rest    *classScores // nil: no metric needs them
	rested  bool         // whether those of the block are among them
	kept    *kept        // nil: no metric needs them
	again   bool         // whether the rows of the block are among them
	groups  *groupRows   // nil: no metric needs them
	grouped bool         // whether the rows of the block are among them
	whole   bool         // the samples that are added stay as they are
	*store
}

// take returns the scores of a column, those of a block among them.
func (c *common) take(s *Sample, column int) *scores {
	if c.columns[column] == nil {
		c.columns[column] = newScores(c.rows, s.Weight != nil, c.store, 1)
	}
	if !c.taken[column] {
		c.taken[column] = true
		c.columns[column].add(s, column)
	}
	return c.columns[column]
}

// Stream evaluates the metrics of a task whose predictions come in blocks of rows. The values are
// those of Evaluate on all rows. In memory it keeps sums and, up to Storage.Bytes:
//
//   - of two classes the scores, which the area under the curves sorts: 8 bytes for each row, 24
//     where there are weights, and twice that if the first class is the positive one;
//   - of several classes the scores of each: 8 bytes for each row and class, 24 where there are
//     weights;
//   - of numbers the labels, predictions and weights, since R2 goes over them twice, and the others
//     do if sums overflow;
//   - of rankings the labels, predictions and weights, by group: 40 bytes for each row.
//
// Beyond that, these are in a scratch file until Close. In memory is where its pieces are, which is
// 24 bytes for some thousand rows. Of survival all labels, predictions and weights are in memory.
type Stream struct {
	common
	task    data.Task
	metrics []Metric
	sums    []sum
	added   int
	like    *Sample // the first rows; nil: none yet
	counts  [][]int64
	classes classSums // of three classes and more
	ended   bool      // Values was called
}

// NewStream returns a stream of so many rows.
func NewStream(task data.Task, rows int, o Storage) *Stream {
	t := &Stream{common: common{rows: rows, store: &store{in: o}}, task: task,
		metrics: ForTask(task)}
	for _, m := range t.metrics {
		t.sums = append(t.sums, m.begin(&t.common))
	}
	return t
}

// StreamOf returns the stream of the rows of a sample, which it refers to and keeps in memory. The
// error is that of Sample.Check.
func StreamOf(task data.Task, s *Sample) (*Stream, error) {
	t := NewStream(task, s.Rows(), Storage{})
	if err := s.Check(); err != nil {
		return nil, err
	}
	t.whole = true
	return t, t.add(s)
}

// Add takes the next rows, of which there may be none. Errors are those of Sample.Check, where rows
// are counted from the first one that was added, and those of the scratch file.
func (t *Stream) Add(s *Sample) error {
	if s.Rows() == 0 {
		return nil
	}
	if err := s.check(t.added); err != nil {
		return err
	}
	return t.add(s)
}

func (t *Stream) add(s *Sample) error {
	switch {
	case t.ended:
		return errors.New("rows are added after the values were computed")
	case t.added+s.Rows() > t.rows || t.like != nil && s.Width != t.like.Width:
		return fmt.Errorf("%d rows of %d predictions, after %d of %d", s.Rows(), s.Width, t.added,
			t.rows)
	case t.like != nil:
		if what := t.like.unlike(s); what != "" {
			return fmt.Errorf("some rows have %s, others have none", what)
		}
	default:
		t.like = &Sample{Width: s.Width, FirstPositive: s.FirstPositive, Weight: s.Weight,
			Group: s.Group, Upper: s.Upper, Event: s.Event}
		if s.Class != nil {
			t.counts = newCounts(s.Width)
		}
	}
	t.added += s.Rows()
	t.taken, t.rested, t.again, t.grouped = [2]bool{}, false, false, false
	for _, m := range t.sums {
		m.add(s)
	}
	countLabels(t.counts, s)
	if s.Class != nil && s.Width > 2 {
		t.classes.add(s)
	}
	return t.err
}

// Values returns what Evaluate does. It may be called again, until Close. No rows can be added
// then.
func (t *Stream) Values() (values []Value, none *Undefined, err error) {
	if t.added == 0 {
		return nil, nil, errors.New("no rows to evaluate")
	}
	if len(t.metrics) == 0 {
		return nil, nil, fmt.Errorf("there are no metrics for %s", t.task)
	}
	t.ended = true
	for i, m := range t.metrics {
		var v float64
		if err = t.err; err == nil {
			v, err = t.sums[i].value()
			err = cmp.Or(t.err, err)
		}
		if undefined := (*Undefined)(nil); errors.As(err, &undefined) {
			none = cmp.Or(none, undefined)
			continue
		}
		if err != nil {
			return nil, nil, err
		}
		values = append(values, Value{m.Name, v})
	}
	if values != nil {
		none = nil
	}
	return values, none, nil
}

// Close removes the scratch file, if there is one.
func (t *Stream) Close() error { return t.close() }

// Queries returns how many groups of rankings count, once Values was called; nil where no metric is
// one of groups.
func (t *Stream) Queries() *Queries {
	for _, m := range t.sums {
		if g, ok := m.(*groupSum); ok && g.queries.All > 0 {
			return &g.queries
		}
	}
	return nil
}

// Rows returns how many rows were added.
func (t *Stream) Rows() int { return t.added }

// Confusion returns what the function of that name does; nil for numbers.
func (t *Stream) Confusion() [][]int64 { return t.counts }

// Classes returns how well each of several classes is predicted, once Values was called; nil of
// fewer than three.
func (t *Stream) Classes() []ClassValues {
	if t.rest == nil || t.classes.rows == nil {
		return nil
	}
	return t.classes.values(t.rest.areas())
}

// Weighted reports whether the rows have weights, which the values take into account.
func (t *Stream) Weighted() bool { return t.like != nil && t.like.Weight != nil }

// FirstPositive is that of the samples.
func (t *Stream) FirstPositive() bool { return t.like != nil && t.like.FirstPositive }
