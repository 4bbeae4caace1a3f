package bins

import (
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/invariant"
)

// Programs with the tag end where a matrix is not what growers take for granted.
func TestMatrixIsChecked(t *testing.T) {
	if !invariant.On {
		t.Skip("matrices are checked with -tags invariants, as in .ci/run")
	}
	f, err := data.FromColumns(data.NamedColumn{Name: "x", Values: []float64{3, 1, 4, 1, 5}},
		data.NamedColumn{Name: "c", Values: []string{"a", "b", "a", "c", "b"}})
	if err != nil {
		t.Fatal(err)
	}
	for name, fault := range map[string]func(*Matrix){
		"a row is missing":         func(m *Matrix) { m.Blocks[0].Rows-- },
		"a block begins later":     func(m *Matrix) { m.Blocks[0].First++ },
		"split points change":      func(m *Matrix) { p := m.Columns[0].SplitPoints; p[0], p[1] = p[1], p[0] },
		"split points are alike":   func(m *Matrix) { p := m.Columns[0].SplitPoints; p[0] = p[1] },
		"a category has no bin":    func(m *Matrix) { m.Columns[1].Level[0] = -1 },
		"two bins have one code":   func(m *Matrix) { c := m.Columns[1].Code; c[0] = c[1] },
		"a bin has no split point": func(m *Matrix) { m.Columns[0].Values++ },
	} {
		m, err := Make(t.Context(), f, nil, nil, Options{}, 1)
		if err != nil {
			t.Fatal(err)
		}
		fault(m)
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no check finds it", name)
				}
			}()
			checked(m)
		}()
	}
}
