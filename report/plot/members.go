package plot

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/model"
)

// ensemble returns the model as one of trees, nil where it is none.
func (s *Scene) ensemble() *model.Ensemble {
	e, _ := model.AsTrees(s.Model)
	return e
}

// treeCount returns the number of trees of the model, 0 where it is no model of trees.
func (s *Scene) treeCount() int {
	if e := s.ensemble(); e != nil {
		return len(e.Trees)
	}
	return 0
}

// roundCount returns the number of rounds of a boosted model, or of the members of an ensemble
// whose first members make a smaller ensemble; 0 for others.
func (s *Scene) roundCount() int {
	if n := s.found.Rounds; n > 0 {
		return n
	}
	if e := s.ensemble(); e != nil {
		if n := e.NumRounds(); n > 1 || e.Origin != nil {
			return n
		}
		return 0
	}
	if s.Model.Describe().Combine != "" {
		return len(s.Model.Children())
	}
	return 0
}

// sums reports whether the predictions of members are added to scores. Then a member alone predicts
// neither a class nor the label.
func (s *Scene) sums() bool {
	if e := s.ensemble(); e != nil {
		return e.Combine == model.Sum && len(e.Trees) > 0 && !votes(e)
	}
	return s.Model.Describe().Combine == "sum"
}

// votes reports whether each tree of a sum feeds the scores of all classes, as those of real
// AdaBoost do.
func votes(e *model.Ensemble) bool {
	for i := range e.Trees {
		if e.Output != nil && e.Output[i] >= 0 || e.Trees[i].Leaf.Width != e.Outputs() ||
			e.Outputs() < 2 {
			return false
		}
	}
	return true
}

// members returns the first members of the model, at most so many, and the number of all; none of a
// model that consists of none. A stack's meta-learner is no member, as it predicts by others.
func (s *Scene) members(most int) (views []*view, all int) {
	if e := s.ensemble(); e != nil {
		if len(e.Trees) < 2 {
			return nil, 0
		}
		for i := range min(most, len(e.Trees)) {
			views = append(views, treeView(e, i))
		}
		return views, len(e.Trees)
	}
	for _, c := range s.Model.Children() {
		if c.Role == model.MetaLearner {
			continue
		}
		if all++; all > most {
			continue
		}
		name := c.Name
		switch {
		case name != "":
		case c.Role == model.Base:
			name = "not calibrated"
		case all <= len(s.found.Members):
			name = s.found.Members[all-1]
		default:
			name = fmt.Sprintf("member %d", all)
		}
		views = append(views, &view{title: name, model: c.Model,
			adds: c.Model.Spec().Task != s.Spec.Task})
	}
	return views, all
}

// treeView returns a tree of an ensemble as a model of its own: what it predicts alone, or what it
// adds to a score.
func treeView(e *model.Ensemble, i int) *view {
	v := &view{title: fmt.Sprintf("tree %d", i)}
	own := &model.Ensemble{Meta: e.Meta, Inputs: e.Inputs, Trees: e.Trees[i : i+1],
		Combine: e.Combine, Link: e.Link, Targets: e.Targets}
	own.Meta.Summary, own.Meta.Params = nil, nil
	v.model = own
	if e.Combine != model.Sum {
		own.Bias = e.Bias
		return v
	}
	if e.Weights != nil {
		own.Weights = e.Weights[i : i+1]
	}
	if votes(e) {
		return v
	}
	v.adds, own.Link = true, nil
	if e.Output != nil && e.Output[i] >= 0 && e.Meta.Task.Classes() && e.Scores() > 1 {
		v.title += ", for " + e.Meta.Classes[e.Output[i]]
	}
	own.Meta.Task, own.Meta.Classes, own.Meta.Quantiles = data.Regression, nil, nil
	own.Meta.Decision = model.Decision{}
	return v
}

// important returns numeric columns, at most so many: those by which predictions vary most. It may
// return none.
func (s *Scene) important(most int) ([]int, error) {
	var numeric []int
	for i := range s.Spec.Schema.Fields {
		if s.Spec.Schema.Fields[i].Kind == data.Numeric {
			numeric = append(numeric, i)
		}
	}
	if len(numeric) <= most {
		return numeric, nil
	}
	worth, err := s.variation(numeric)
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(numeric, func(a, b int) int { return cmp.Compare(worth[b], worth[a]) })
	numeric = numeric[:most]
	return slices.DeleteFunc(numeric, func(c int) bool { return worth[c] == 0 }), nil
}

// variationRows is the number of rows that variation predicts for each column.
const variationRows = 200

// variation returns by how much predictions change, on average, when a column takes the value of
// another row.
func (s *Scene) variation(columns []int) ([]float64, error) {
	n := min(s.Data.Rows(), variationRows)
	rows := make([]int32, n)
	for i := range rows {
		rows[i] = int32(i * s.Data.Rows() / n)
	}
	some := s.Data.Frame.Subset(rows)
	p, err := s.Model.Bind(&some.Schema, model.Options{})
	if err != nil {
		return nil, err
	}
	before, after := make([]float64, n*p.Width()), make([]float64, n*p.Width())
	if err := p.Predict(before, some, nil); err != nil {
		return nil, err
	}
	worth := make([]float64, len(s.Spec.Schema.Fields))
	for _, c := range columns {
		own := some.Columns[c]
		for _, by := range []int{n/2 + 1, n/3 + 1} {
			turned := slices.Clone(own.Numbers())
			some.Columns[c] = data.Numbers(slices.Concat(turned[by%n:], turned[:by%n]))
			if err := p.Predict(after, some, nil); err != nil {
				return nil, err
			}
			for i, v := range after {
				worth[c] += math.Abs(v - before[i])
			}
		}
		some.Columns[c] = own
	}
	return worth, nil
}

// noRounds is the error of a model without rounds.
func (s *Scene) noRounds() error {
	return fmt.Errorf("a model of learner %s has no rounds: learners such as gbm and adaboost "+
		"train in rounds, and forests have members", s.Spec.Learner)
}
