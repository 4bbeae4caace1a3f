package parity_test

import (
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/coppice-ml/coppice/codec/parity"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/models/dense"
	"github.com/coppice-ml/coppice/model"
)

// sums is a reference of weighted sums in single precision, to which missing values add nothing.
type sums struct {
	bias float32
	coef []float32
}

func (p *sums) Trees() int                { return 0 }
func (p *sums) Scores() int               { return 1 }
func (p *sums) Outputs() int              { return 1 }
func (p *sums) Leaves([]int32, []float64) {}

func (p *sums) Raw(dst, row []float64) {
	sum := p.bias
	for i, x := range row {
		if x == x {
			sum += float32(p.coef[i] * float32(x))
		}
	}
	dst[0] = float64(sum)
}

func (p *sums) Response(dst, row []float64) { p.Raw(dst, row) }

// TestCompareOther: a linear model is compared with its file, and a difference is found.
func TestCompareOther(t *testing.T) {
	coef := []float32{0.1, -3, 0, 1e-3, 70}
	m := &dense.Linear{Model: dense.Model{Meta: model.Spec{Task: data.Regression}}, Bias: []float64{float64(float32(0.7))}}
	for i, x := range coef {
		m.Meta.Schema.Fields = append(m.Meta.Schema.Fields, data.Field{Name: string(rune('a' + i))})
		m.Coef = append(m.Coef, float64(x))
		m.Encoding.Columns = append(m.Encoding.Columns, dense.Column{Field: int32(i), Scale: 1,
			Low: -math.MaxFloat32, High: math.MaxFloat32, Missing: -1, Unseen: -1})
	}
	if err := m.Validate(); err != nil {
		t.Fatal(err)
	}
	cert, err := parity.CompareOther(t.Context(), m, &sums{0.7, coef}, true, 1000)
	if err != nil {
		t.Fatal(err)
	}
	if cert.Rows < 256 || cert.Rows > 1000 || cert.Largest == 0 || cert.Largest > 1e-4 || cert.Allowed > 1e-2 {
		t.Errorf("certificate %+v", cert)
	}
	for i := range coef {
		other := slices.Clone(coef)
		other[i] += 1e-3
		var different *parity.DifferenceError
		if _, err := parity.CompareOther(t.Context(), m, &sums{0.7, other}, true, 1000); !errors.As(err, &different) {
			t.Errorf("another coefficient of column %d: %v", i, err)
		}
	}
	if _, err := parity.CompareOther(t.Context(), m, &sums{0.7001, coef}, true, 1000); err == nil {
		t.Error("another start value was not found")
	}
	if cert, err := parity.CompareOther(t.Context(), m, &sums{0.7, coef}, true, 3); err != nil || cert.Rows == 0 {
		t.Errorf("few rows: %+v, %v", cert, err)
	}
	if cert, err := parity.CompareOther(t.Context(), m, &sums{0.7, coef}, true, 1000); err != nil || cert == nil {
		t.Errorf("another model: %+v, %v", cert, err)
	}
	if cert, err := parity.CompareOther(t.Context(), ensemble(), &sums{0.7, coef}, true, 1000); err != nil || cert != nil {
		t.Errorf("a model that is not linear: %+v, %v", cert, err)
	}
	m.Meta.Schema.Fields[2].Kind = data.Categorical
	if _, err := parity.CompareOther(t.Context(), m, &sums{0.7, coef}, true, 1000); err == nil {
		t.Error("a model of categories is compared")
	}
}
