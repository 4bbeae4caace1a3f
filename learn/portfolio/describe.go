package portfolio

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/metric"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/model/training"
)

// Describe implements learn.Summary: the configurations of the ensemble with their out-of-fold
// losses, those of the largest weights first.
func (s *Summary) Describe(m model.Model) *training.Summary {
	found := s.Trained.Describe(m)
	var selected []Configuration
	for _, c := range s.Configurations {
		if c.Weight > 0 {
			found.Members = append(found.Members, c.Member)
			selected = append(selected, c)
		}
	}
	if s.Folds == 0 {
		found.Tables = []model.Table{{Notes: []string{"Too few rows or groups for out-of-fold " +
			"predictions: the first configuration was trained, and no other."}}}
		return found
	}
	slices.SortStableFunc(selected,
		func(a, b Configuration) int { return cmp.Compare(b.Weight, a.Weight) })
	t := model.Table{Columns: []model.TableColumn{{Name: "weight"}, {Name: metric.Words(s.Metric)},
		{Name: "learner", Text: true}, {Name: "settings", Text: true}}}
	for _, c := range selected {
		t.Add(humanize.Metric(c.Weight), number(c.Loss), humanize.Name(c.Member),
			settings(c.Settings))
	}
	t.Notes = s.notes(len(selected))
	found.Tables = []model.Table{t}
	return found
}

// number writes a loss, where there is one.
func number(loss *float64) string {
	if loss == nil {
		return "-"
	}
	return humanize.Metric(*loss)
}

func settings(all []string) string {
	if len(all) == 0 {
		return "as given"
	}
	return strings.Join(all, " ")
}

// notes are the sentences below the table.
func (s *Summary) notes(selected int) []string {
	how := training.FoldWords(s.Folds, s.Requested)
	if s.Folds == 1 {
		how = "on one validation set"
	} else {
		how = "out of fold, in " + how
	}
	notes := []string{fmt.Sprintf("%d of %s were selected. Metrics are %s; the ensemble has %s %s.",
		selected, humanize.Count(len(s.Configurations), "configuration", "configurations"), how,
		metric.Words(s.Metric), number(s.Loss)),
		"These metrics are optimistic: the same rows chose rounds and configurations."}
	if first := s.Configurations[0]; first.AllRows && selected > 1 && !s.Refit {
		notes = append(notes, "The first configuration was trained on all rows; the others predict by "+
			"the models of the folds.")
	}
	if c := s.Comparison; c != nil && c.Lost {
		notes = append(notes, fmt.Sprintf("The best ensemble was not better than the first "+
			"configuration by more than a standard error (gain %s, error %s).",
			humanize.Metric(c.Gain), humanize.Metric(c.Error)))
	}
	failed := 0
	for _, c := range s.Configurations {
		if c.Error != "" {
			failed++
		}
	}
	if failed > 0 {
		notes = append(notes, fmt.Sprintf("%s could not be trained.",
			humanize.Count(failed, "configuration", "configurations")))
	}
	return notes
}
