package stack

import (
	"fmt"
	"math"

	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/metric"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/model/training"
)

// Describe implements learn.Summary: the metrics of the members on the rows that the meta-learner
// was fitted to. A member of weight 0 is in the table, and not in the model.
func (s *Summary) Describe(m model.Model) *training.Summary {
	found := s.Trained.Describe(m)
	for _, member := range s.Members {
		if member.Weight != nil && *member.Weight > 0 {
			found.Members = append(found.Members, member.Name)
		}
	}
	found.Tables = []model.Table{s.table(m.Spec())}
	return found
}

// table lists the members, or states why there are no metrics of them.
func (s *Summary) table(spec *model.Spec) model.Table {
	if s.HoldOut == 0 {
		return model.Table{Notes: []string{"Too few rows, groups or times for out-of-fold " +
			"predictions: all members have equal weights."}}
	}
	t := model.Table{Columns: []model.TableColumn{{Name: "member", Text: true},
		{Name: "learner", Text: true}, {Name: metric.Words(s.Metric)}}}
	weighted := s.Members[0].Weight != nil
	if weighted {
		t.Columns = append(t.Columns, model.Numbers("weight")...)
	}
	if s.Power != nil {
		t.Columns = append(t.Columns, model.Numbers("exponent")...)
	}
	for _, member := range s.Members {
		row := []string{humanize.Name(member.Name), humanize.Name(member.Learner), "-"}
		if member.Loss != nil {
			row[2] = humanize.Metric(*member.Loss)
		}
		if weighted {
			row = append(row, humanize.Metric(*member.Weight))
		}
		if s.Power != nil {
			row = append(row, humanize.Metric(*member.Power))
		}
		t.Add(row...)
	}
	if s.Power != nil {
		t.Notes = append(t.Notes, fmt.Sprintf("Temperature scaling: the pooled probabilities have "+
			"exponent %s%s.",
			humanize.Metric(*s.Power), biasWords(s.Bias, spec.Classes)))
	}
	if s.Requested > 0 {
		t.Notes = append(t.Notes, fmt.Sprintf("Metrics are out of fold, in %s.",
			training.FoldWords(s.Folds, s.Requested)))
	}
	if s.Folds == 0 {
		t.Notes = append(t.Notes,
			"The members were trained on these rows, so these losses are too low.")
	}
	return t
}

// biasWords reports the factors by which biases multiply class probabilities: the smallest and the
// largest.
func biasWords(bias []float64, classes []string) string {
	if len(bias) != len(classes) || len(bias) == 0 {
		return ""
	}
	least, most := 0, 0
	for k, b := range bias {
		if b < bias[least] {
			least = k
		}
		if b > bias[most] {
			most = k
		}
	}
	return fmt.Sprintf("; class probabilities are multiplied by %s (%s) to %s (%s)",
		humanize.Metric(math.Exp(bias[least])), humanize.Name(classes[least]),
		humanize.Metric(math.Exp(bias[most])), humanize.Name(classes[most]))
}
