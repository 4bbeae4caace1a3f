package metric

import "math"

// ClassValues is how well one of several classes is predicted. Values are by weight, and NaN where
// they are undefined.
type ClassValues struct {
	Rows      int     // of the class, without their weights
	Weight    float64 // of these rows
	Precision float64 // fraction of the rows predicted as the class that are of it
	Recall    float64 // fraction of the rows of the class that are predicted as it
	F1        float64 // harmonic mean of both
	AUC       float64 // area under the ROC curve of the class against all others
}

// classSums are the outcomes of each class against all others.
type classSums struct {
	rows []int
	of   []Outcomes // without true negatives
}

func (m *classSums) add(s *Sample) {
	if m.rows == nil {
		m.rows, m.of = make([]int, s.Width), make([]Outcomes, s.Width)
	}
	for i, c := range s.Class {
		label, w := s.Label(i), s.weight(i)
		if m.rows[c]++; label == int(c) {
			m.of[c].TP += w
			continue
		}
		m.of[c].FN += w
		m.of[label].FP += w
	}
}

// values returns those of each class.
func (m *classSums) values(areas []classArea) []ClassValues {
	all := make([]ClassValues, len(m.rows))
	for c, o := range m.of {
		all[c] = ClassValues{Rows: m.rows[c], Weight: o.TP + o.FN, Precision: o.TP / (o.TP + o.FP),
			Recall: o.Recall(), F1: o.F1(), AUC: math.NaN()}
		if areas[c].defined() {
			all[c].AUC = areas[c].area
		}
	}
	return all
}
