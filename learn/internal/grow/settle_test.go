package grow_test

import (
	"testing"

	"github.com/coppice-ml/coppice/learn/internal/grow"
)

func TestSettleParams(t *testing.T) {
	var s grow.Settle
	p := s.Params()
	p.Reset()
	if s != (grow.Settle{Tolerance: 0.01}) {
		t.Errorf("defaults %+v", s)
	}
	if err := p.Set([]string{"early_stopping=25", "tolerance=0.002"}); err != nil ||
		s != (grow.Settle{Tolerance: 0.002, Members: 25}) {
		t.Errorf("%+v, %v", s, err)
	}
	if p.Set([]string{"early_stopping=-1"}) == nil || p.Set([]string{"tolerance=2"}) == nil {
		t.Error("values outside the ranges are accepted")
	}
}
