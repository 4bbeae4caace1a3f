package report

import (
	"context"

	"github.com/coppice-ml/coppice/explain"
	"github.com/coppice-ml/coppice/loss/link"
	"github.com/coppice-ml/coppice/model"
)

// shapReport is the content of the section about Shapley values.
type shapReport struct {
	Rows     int           `json:"rows"`   // that were explained
	Scale    string        `json:"scale"`  // what contributions add up to
	Scores   []string      `json:"scores"` // classes, or the label
	First    int           `json:"first"`  // the score that is shown first: the positive one of two
	Features []shapFeature `json:"features"`
	Others   int           `json:"others"`  // features that are not shown
	Divided  []string      `json:"divided"` // columns made of several
}

// shapFeature is a feature with its values and contributions in the explained rows.
type shapFeature struct {
	Name    string     `json:"name"`
	Number  bool       `json:"number"`         // its values are numbers, else texts
	Date    bool       `json:"date,omitempty"` // the numbers are dates: see chartNumber
	Values  []any      `json:"values"`
	Mean    number     `json:"mean"`    // mean |contribution| over rows and scores
	Contrib [][]number `json:"contrib"` // by score and row
}

func shapOf(ctx context.Context, s *subject) (any, error) {
	e, err := s.explain(ctx)
	if err != nil {
		return nil, err
	}
	r := &shapReport{Rows: len(e.rows), Scale: s.scaleWords(), Scores: e.scores,
		Divided: explain.Divided(s.explainable())}
	if len(e.scores) == 2 {
		r.First = max(0, s.positive())
	}
	for _, f := range e.order {
		if len(r.Features) == explainedFeatures || e.mean[f] == 0 {
			r.Others++
			continue
		}
		feature := shapFeature{Name: s.spec.Schema.Fields[f].Name, Mean: number(e.mean[f])}
		feature.Values, feature.Number = s.cells(feature.Name, e.rows)
		feature.Date = isDate(&s.spec.Schema.Fields[f])
		for k := range e.scores {
			feature.Contrib = append(feature.Contrib, e.column(f, k))
		}
		r.Features = append(r.Features, feature)
	}
	return r, nil
}

// column returns the contributions of a feature to a score in all rows.
func (e *explained) column(feature, score int) []number {
	all := make([]number, len(e.rows))
	for r := range all {
		all[r] = number(e.sign * e.values.Row(r, score)[feature])
	}
	return all
}

// scaleWords names what contributions add up to: raw scores, before the link.
func (s *subject) scaleWords() string {
	m := s.explainable()
	sum, _ := model.AsSum(m)
	switch {
	case sum.Link != nil && s.spec.Task.Classes() && rawScores(m) == 1:
		return "log odds"
	case !link.IsIdentity(sum.Link):
		return "raw score"
	case s.classes() != nil:
		return "probability"
	}
	return "prediction"
}
