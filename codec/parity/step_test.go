package parity_test

import (
	"errors"
	"testing"

	"github.com/coppice-ml/coppice/codec/parity"
	"github.com/coppice-ml/coppice/loss/link"
)

// stepped is a reference whose responses step where the score passes 0.
type stepped struct{ plain }

func (s *stepped) Response(dst, row []float64) {
	s.Raw(dst, row)
	link.Step().Apply(dst)
}

// Where the rounding of sums decides on which side of 0 a score is, the response of a step is not
// compared; a score that is wrong is found all the same.
func TestStepsAreNotComparedWhereRoundingDecides(t *testing.T) {
	m := ensemble(chain(t, splits()))
	m.Link, m.Bias[0] = link.Step(), -2 // the score of the second leaf is 0
	p := parity.Make(m, parity.DefaultRows)
	ref := &stepped{plain{m.Trees, -2 + 1e-7}}
	if _, err := parity.Compare(t.Context(), m, ref, true, p); err != nil {
		t.Error(err)
	}
	if _, err := parity.Written(t.Context(), m, ref, true, p); err != nil {
		t.Error(err)
	}
	var different *parity.DifferenceError
	ref.bias = -1.5
	if _, err := parity.Compare(t.Context(), m, ref, true, p); !errors.As(err, &different) {
		t.Errorf("a start value of -1.5: %v", err)
	}
	if _, err := parity.Written(t.Context(), m, ref, true, p); !errors.As(err, &different) {
		t.Errorf("a start value of -1.5, written: %v", err)
	}
}
