package learntest

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn"
)

// largeLabels: a learner trains on very large labels or weights, or refuses them with advice; no
// prediction overflows.
func largeLabels(t *testing.T, make func() learn.Learner, needs learn.Needs) {
	if needs.Unsupervised || needs.Classes {
		return
	}
	task, least := data.Regression, 6.0
	if needs.Survival {
		task, least = data.Survival, 0
	}
	s := suite{make(), needs, task}
	for _, exponent := range []int{60, 300, 480, 500, 509, 520, 700, 996, 1020} {
		t.Run(fmt.Sprintf("2^%d", exponent), func(t *testing.T) {
			ds := s.table(60)
			for i, y := range ds.Target.Y[0] {
				ds.Target.Y[0][i] = math.Ldexp(y-least, exponent)
			}
			s.learnsOrRefuses(t, ds)
		})
	}
	t.Run("heavy", func(t *testing.T) {
		ds := s.table(60)
		ds.Target.Weight = slices.Repeat([]float64{1e200}, 60)
		s.learnsOrRefuses(t, ds)
	})
}

// learnsOrRefuses: predictions vary and are finite, or the error names what to divide.
func (s suite) learnsOrRefuses(t *testing.T, ds *data.Dataset) {
	m, err := Fit(context.Background(), learn.Env{}, s.learner, ds, learn.Job{Seed: 1})
	if err != nil {
		var size *learn.LimitError
		if !errors.As(err, &size) && !strings.Contains(err.Error(), "divide ") ||
			strings.Contains(err.Error(), "\n") {
			t.Errorf("error %q, want a LimitError or one line with what to divide", err)
		}
		return
	}
	all := predict(t, m, ds.Frame)
	if slices.Max(all) == slices.Min(all) {
		t.Errorf("all rows are predicted %g", all[0])
	}
}
