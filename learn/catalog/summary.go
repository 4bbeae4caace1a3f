package catalog

import (
	"fmt"
	"slices"

	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/model"
)

// CheckSummaries checks what training found of a model and of all its members: as the Summary of
// the learner that the model names. The error names the learner of the model or member.
func CheckSummaries(m model.Model) error {
	if _, err := read(m); err != nil {
		return fmt.Errorf("damaged model: what the learner %.100q found in training: %w",
			m.Spec().Learner, err)
	}
	for _, member := range m.Children() {
		if err := CheckSummaries(member.Model); err != nil {
			return err
		}
	}
	return nil
}

// read reads and checks the training summary of a model as that of the learner that it names; nil
// where there is none, or nothing is known of the learner.
func read(m model.Model) (learn.Summary, error) {
	if len(m.Spec().Summary) == 0 {
		return nil, nil
	}
	all := Table()
	i := slices.IndexFunc(all, func(e Entry) bool { return e.Name == m.Spec().Learner })
	if i < 0 {
		return nil, nil
	}
	found := all[i].New().Capabilities().Summary() // of the catalog, so it has one
	return found, learn.ReadSummary(m, found)
}
