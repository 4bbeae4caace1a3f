package network

import (
	"github.com/coppice-ml/coppice/model"
	report "github.com/coppice-ml/coppice/model/training"
)

// Describe implements learn.Summary.
func (s *Summary) Describe(m model.Model) *report.Summary {
	found := s.Trained.Describe(m)
	found.Facts = s.Encoding.Facts("")
	return found
}
