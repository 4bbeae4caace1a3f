package isolation

import (
	"context"
	"fmt"
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/parallel"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/internal/fitting"
	"github.com/coppice-ml/coppice/learn/internal/grow"
	"github.com/coppice-ml/coppice/learn/sample"
	"github.com/coppice-ml/coppice/loss/link"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/model/training"
	"github.com/coppice-ml/coppice/tree"
)

// summary is what training found; it is kept as JSON in the model's Spec.
type summary struct {
	training.Trained
	Trees     int `json:"trees"`
	Subsample int `json:"subsample"` // rows that each tree was grown on
	Leaves    int `json:"leaves"`    // of all trees
	Depth     int `json:"depth"`     // of the deepest tree
	// training rows with a score above the threshold; nil without contamination
	Anomalies *int `json:"anomalies,omitempty"`
}

// Check implements learn.Summary.
func (s *summary) Check(m model.Model) error {
	var c training.Checks
	c.Require(m.Spec().Task == data.Anomaly, "task", "the model predicts no anomalies")
	return c.Err()
}

// Describe implements learn.Summary.
func (s *summary) Describe(m model.Model) *training.Summary {
	found := s.Trained.Describe(m)
	found.Kind = training.Bagged
	text := training.ThresholdWords(m.Spec())
	if s.Anomalies != nil {
		text += fmt.Sprintf(", which %d of the %d training rows exceed", *s.Anomalies, s.Rows)
	}
	found.Facts = []model.Fact{{Name: "threshold", Text: text}}
	return found
}

// usual is the default threshold of the score: that of a row whose paths have the expected length.
const usual = 0.5

// job is one Fit on its way.
type job struct {
	learner *Learner
	frame   *data.Frame
	learn.Job
	target     *data.Target
	rows       []int32 // to train on: a repeated row is there several times
	weightless int     // rows of weight 0, which are not among them
	size       int     // rows of each tree
	sampler    *sample.Sampler
	usual      []float64 // see usualPaths
}

// fit grows a forest. It reads the target's weights and the names of two classes, but no labels. If
// the context is cancelled, or the observer returns an error, it returns the trees so far too; nil
// if there are none.
func (l *Learner) fit(ctx context.Context, from *table, t *data.Target,
	given learn.Job) (model.Model, error) {
	j, err := l.begin(from, t, given)
	if err != nil {
		return nil, err
	}
	trees, err := j.grow(ctx)
	err = fitting.UnlessStop(err)
	if len(trees) == 0 {
		return nil, err
	}
	m, failed := j.model(trees)
	if failed != nil {
		return nil, failed
	}
	return m, err
}

// begin gathers the rows to train on.
func (l *Learner) begin(from *table, t *data.Target, given learn.Job) (*job, error) {
	if err := given.Check(from.frame, from.rows); err != nil {
		return nil, err
	}
	j := &job{learner: l, frame: from.frame, Job: given, target: t,
		rows: slices.Clone(given.RowsOf(from.rows))}
	slices.Sort(j.rows)
	var weight []float64
	if t.Weight != nil {
		given := len(j.rows)
		j.rows = slices.DeleteFunc(j.rows, func(r int32) bool { return t.Weight[r] == 0 })
		j.weightless = given - len(j.rows)
		for _, r := range j.rows {
			weight = append(weight, t.Weight[r])
		}
	}
	n := len(j.rows)
	if n == 0 {
		return nil, grow.ErrNoWeight
	}
	j.size = min(l.Subsample, n)
	j.usual = usualPaths(j.size)
	var err error
	j.sampler, err = sample.New(sample.Settings{Method: sample.Subsample,
		Fraction: float64(j.size) / float64(n), Weighted: weight != nil},
		sample.Rows{N: n, Weight: weight})
	return j, err
}

// grow grows the trees, several at a time.
func (j *job) grow(ctx context.Context) ([]*tree.Tree, error) {
	n := j.learner.Trees
	var trees []*tree.Tree
	err := parallel.InOrder(ctx, n, parallel.Workers(j.Workers), j.tree,
		func(i int, t *tree.Tree) error {
			trees = append(trees, t)
			if j.Observe == nil {
				return nil
			}
			return j.Observe(learn.Round{Stage: "grow", N: i + 1, Of: n})
		})
	return trees, err
}

func (j *job) model(trees []*tree.Tree) (model.Model, error) {
	m := &model.Ensemble{Trees: trees, Combine: model.Mean, Link: link.Halving(),
		Meta: model.NewSpec(Name, j.frame.Schema, j.target)}
	m.Meta.Task, m.Meta.Decision = data.Anomaly, model.Decision{Threshold: usual}
	if j.target.Task != data.Binary {
		m.Meta.Classes = []string{"normal", "anomaly"}
	}
	s := &summary{Trained: training.Trained{Rows: len(j.rows), Weightless: j.weightless},
		Trees: len(trees), Subsample: j.size}
	for _, t := range trees {
		s.Leaves += t.NumLeaves()
		s.Depth = max(s.Depth, t.Depth())
	}
	if fraction := j.learner.Contamination; fraction > 0 {
		scores, err := j.scores(m)
		if err != nil {
			return nil, err
		}
		threshold, above := exceeded(scores, fraction)
		m.Meta.Decision.Threshold, s.Anomalies = threshold, &above
	}
	return fitting.Model(m, j.learner.Params(), s)
}

// scores returns the scores of the training rows.
func (j *job) scores(m model.Model) ([]float64, error) {
	p, err := m.Bind(&j.frame.Schema, model.Options{Workers: j.Workers})
	if err != nil {
		return nil, err
	}
	scores := make([]float64, len(j.rows))
	return scores, p.Predict(scores, j.frame, j.rows)
}

// exceeded returns the score that a fraction of the scores exceeds, and how many do. It is the
// quantile of R and NumPy: linear between the order statistics, of which the greatest is exceeded
// by the fraction 0 and the least by 1.
func exceeded(scores []float64, fraction float64) (threshold float64, above int) {
	slices.Sort(scores)
	last := len(scores) - 1
	at := float64(fraction * float64(last))
	i := int(at)
	threshold = scores[last-i]
	if i < last {
		threshold -= float64((at - float64(i)) * (scores[last-i] - scores[last-i-1]))
	}
	for _, s := range scores {
		if s > threshold {
			above++
		}
	}
	return threshold, above
}
