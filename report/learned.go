package report

import "context"

// learnedReport is the content of the section about models that are no trees: the table that they
// describe themselves by, such as coefficients.
type learnedReport struct{ parted []piece }

func (r learnedReport) parts() []piece { return r.parted }

func learnedOf(_ context.Context, s *subject) (content, error) {
	t := s.model.Describe().Table
	if s.trees != nil || t == nil {
		return nil, errLeftOut
	}
	return learnedReport{wordTable(t, "Numbers of the model")}, nil
}
