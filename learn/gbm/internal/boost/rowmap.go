package boost

import (
	"fmt"
	"slices"

	"github.com/coppice-ml/coppice/internal/invariant"
	"github.com/coppice-ml/coppice/learn/internal/boosting"
)

// rowMap maps between the numbers that a row has:
//
//	frame row    of the table                          0 1 2 3 4 5 6 7 8 9
//	matrix row   among the prepared rows                   0 1 2   3 4
//	position     among the rows of the training set        0   1     2
//
// Scores and what the engine reads are by matrix row; the loss counts by position. Mostly all
// prepared rows are trained on, and both numbers are the same.
type rowMap struct {
	rows int     // number of matrix rows
	at   []int32 // matrix row of each position; nil: the same number
	from []int32 // position of each matrix row, -1 for none; nil: the same number
}

// newRowMap returns the map of a training set, whose frame rows ascend, among prepared ones.
func newRowMap(train, prepared []int32) (rowMap, error) {
	m := rowMap{rows: len(prepared)}
	if slices.Equal(train, prepared) {
		return m, nil
	}
	m.at, m.from = make([]int32, len(train)), slices.Repeat([]int32{-1}, len(prepared))
	for i, r := range train {
		at, found := slices.BinarySearch(prepared, r)
		if !found {
			return m, fmt.Errorf("row %d to train on was not prepared", r)
		}
		m.at[i], m.from[at] = int32(at), int32(i)
	}
	if invariant.On {
		for i, r := range m.at {
			invariant.Check(m.from[r] == int32(i) && prepared[r] == train[i],
				"position %d is matrix row %d, which is position %d", i, r, m.from[r])
		}
	}
	return m, nil
}

// same reports whether positions are matrix rows.
func (m *rowMap) same() bool { return m.at == nil }

// positions returns those of matrix rows of the training set.
func (m *rowMap) positions(rows []int32) []int32 {
	if m.same() {
		return rows
	}
	positions := make([]int32, len(rows))
	for i, row := range rows {
		positions[i] = m.from[row]
	}
	return positions
}

// matrixRows returns those of positions.
func (m *rowMap) matrixRows(positions []int32) []int32 {
	if m.same() {
		return positions
	}
	rows := make([]int32, len(positions))
	for i, p := range positions {
		rows[i] = m.at[p]
	}
	return rows
}

// take copies scores by matrix row to a set whose rows are the matrix rows at.
func (m *rowMap) take(p *boosting.Set, at []int32, raw []float64) {
	n := len(p.Rows)
	for o := range len(raw) / m.rows {
		for i, r := range at {
			p.Raw[o*n+i] = raw[o*m.rows+int(r)]
		}
	}
}

// put copies the scores of a set to its matrix rows at.
func (m *rowMap) put(p *boosting.Set, at []int32, raw []float64) {
	n := len(p.Rows)
	for o := range len(raw) / m.rows {
		for i, r := range at {
			raw[o*m.rows+int(r)] = p.Raw[o*n+i]
		}
	}
}
