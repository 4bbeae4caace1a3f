package report

import (
	"cmp"
	"context"
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/eval"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/learn/catalog"
	"github.com/coppice-ml/coppice/metric"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/model/training"
)

// drawnRows is the number of sampled rows: in charts, and for permutation importance.
const drawnRows = 5000

// shownPoints is the number of points that scatter plots of the page show at most.
const shownPoints = 500

// subject is a model and a table, with what several sections need of them.
type subject struct {
	options Options
	model   model.Model
	spec    *model.Spec
	trees   *model.Ensemble // nil: the model cannot be written as an ensemble of trees
	found   *training.Summary

	data   *data.Dataset  // nil: there is no table
	sample *metric.Sample // predictions of all rows with labels; nil without labels
	drawn  []int32        // sampled rows, ascending

	measured  []metricValue // see metrics
	undefined string

	shapley    *explained // see explain
	shapleyErr error
	chosen     []int32 // see chosenRows
}

func newSubject(
	ctx context.Context, m model.Model, ds *data.Dataset, o Options,
) (*subject, error) {
	s := &subject{options: o, model: m, spec: m.Spec(), found: catalog.Training(m)}
	s.trees, _ = model.AsTrees(m)
	if ds == nil {
		return s, nil
	}
	own := *ds
	own.Frame = data.ExpandLike(ds.Frame, &s.spec.Schema)
	s.data = &own
	s.drawn = s.some(drawnRows, forDrawing)
	if !labeled(s.data) {
		return s, nil
	}
	if err := matchClasses(s.data, s.spec); err != nil {
		return nil, err
	}
	var err error
	s.sample, err = eval.Sample(ctx, m, s.data, nil, s.predicting())
	return s, err
}

// labeled reports whether a table has labels.
func labeled(ds *data.Dataset) bool { return ds.Target.Class != nil || len(ds.Target.Y) > 0 }

// matchClasses gives the labels of a table the classes of a model, in its order.
func matchClasses(ds *data.Dataset, s *model.Spec) error {
	t := &ds.Target
	if !s.Task.Classes() || s.Task == data.Anomaly || slices.Equal(s.Classes, t.Classes) {
		return nil
	}
	own, err := t.WithClasses(s.Classes, ds.Frame)
	if err == nil {
		*t = own
	}
	return err
}

// predicting returns the options of predictions.
func (s *subject) predicting() model.Options {
	return model.Options{Workers: s.options.Workers, Memory: s.options.Memory}
}

// The streams of samples of rows.
const (
	forDrawing = iota + 1
	forExplaining
)

// some returns at most that many rows of the table, chosen at random, ascending.
func (s *subject) some(most int, stream uint64) []int32 {
	rows := data.AllRows(s.data.Rows())
	if len(rows) > most {
		rows = rng.New(s.options.Seed, stream).Perm(len(rows))[:most]
		slices.Sort(rows)
	}
	return rows
}

// thinned returns at most that many of some rows, at equal distances.
func thinned(rows []int32, most int) []int32 {
	if len(rows) <= most {
		return rows
	}
	some := make([]int32, most)
	for i := range some {
		some[i] = rows[i*len(rows)/most]
	}
	return some
}

// The work of sections that predict rows again and again, for models that are no trees.
const (
	// affordableValues is how many stored numbers are looked at in a section: some seconds' work.
	affordableValues = 2_000_000_000
	affordableLeast  = 40 // rows, whatever they cost
)

// affordable returns for how many rows so many predictions of each can be made. Models that compare
// a row with stored ones, such as the nearest neighbours, look at all of these.
func (s *subject) affordable(predictions int) int {
	values := stored(s.model) * len(s.spec.Schema.Fields) * predictions
	return max(affordableLeast, affordableValues/max(1, values))
}

// stored returns the number of stored rows that a model compares a row with, and of trees; 1 where
// it has neither.
func stored(m model.Model) int {
	switch m := model.Inner(m).(type) {
	case *model.Ensemble:
		return max(1, len(m.Trees))
	case interface{ Len() int }:
		return max(1, m.Len())
	}
	n := 1
	for _, child := range m.Children() {
		n += stored(child.Model)
	}
	return n
}

// positive returns the place of the positive class of two, -1 of others.
func (s *subject) positive() int {
	switch {
	case len(s.classes()) != 2:
		return -1
	case s.sample != nil && s.sample.FirstPositive:
		return 0
	case s.sample != nil:
		return 1
	}
	return s.spec.Positive()
}

// classes returns the names of the classes, of anomalies those of the table; nil of numbers.
func (s *subject) classes() []string {
	switch {
	case !s.spec.Task.Classes() && s.spec.Task != data.Anomaly:
		return nil
	case s.spec.Task == data.Anomaly && s.data != nil && s.data.Target.Class != nil:
		return s.data.Target.Classes
	}
	return s.spec.Classes
}

// outputNames names the predictions of a row.
func (s *subject) outputNames() []string {
	n := s.model.Outputs()
	if classes := s.classes(); len(classes) == n {
		return classes
	}
	names := make([]string, n)
	for i := range names {
		names[i] = s.predictedWords()
		if n > 1 {
			names[i] = "the prediction"
		}
	}
	return names
}

// predictedWords names what a model of one output predicts: the label, or what orders its rows.
func (s *subject) predictedWords() string {
	switch {
	case s.spec.Task == data.Ranking:
		return "score"
	case model.Hazards(s.model):
		return "relative hazard"
	}
	return cmp.Or(s.spec.Label, "the prediction")
}

// scoreWords names what the only raw score of a model is of.
func (s *subject) scoreWords() string {
	if s.spec.Task == data.Ranking || model.Hazards(s.model) {
		return s.scaleWords()
	}
	return cmp.Or(s.spec.Label, s.scaleWords())
}

// title names the page.
func (s *subject) title() string {
	name := cmp.Or(s.options.Model, s.spec.Learner)
	return "Report of " + name
}
