package scan

import (
	"math"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn/internal/exact/internal/growth"
	"github.com/coppice-ml/coppice/learn/internal/grow"
	"github.com/coppice-ml/coppice/tree"
)

// Codes is a categorical column of the rows of a tree.
type Codes struct {
	Feature int
	Code    []uint32 // by position
	Few     []uint8  // the same in bytes, levels if it is missing; nil = there are too many levels
	cell    []uint16 // where all rows weigh 1: place of code and class in a table of counts
	Levels  int
}

// NewCodes returns a categorical column of the rows of a tree, whose codes are levels or missing.
func NewCodes(feature int, code []uint32, levels int, pop *grow.Population) *Codes {
	c := &Codes{Feature: feature, Code: code, Levels: levels}
	if pop.Class != nil && pop.Weight == nil && pop.Count == nil &&
		(levels+1)*pop.Classes <= math.MaxUint16 {
		c.cell = cells(code, pop, levels)
	}
	return c
}

// Branch returns the child that a split of the column sends a row to, -1 if its category is
// missing.
func (c *Codes) Branch(b *growth.Split, pos uint32) int {
	code := c.Code[pos]
	switch {
	case code == data.MissingCode:
		return -1
	case b.Kind == tree.ByCode:
		return int(code)
	case tree.InSet(b.Set, code) == (b.Kind == tree.SetFirst):
		return 0
	}
	return 1
}

// cells returns where in a table of levels + 1 lines, one column per class, each row is counted.
func cells(code []uint32, pop *grow.Population, levels int) []uint16 {
	cell := make([]uint16, len(code))
	for i, c := range code {
		cell[i] = uint16(min(c, uint32(levels))*uint32(pop.Classes) + pop.Class[i])
	}
	return cell
}

// countCells counts the cells of rows in the first half of a table. Large nodes use both halves by
// turns: where one cell is frequent, each increment would wait for the one before.
func countCells(table []uint32, cell []uint16, rows []uint32) []uint32 {
	half := len(table) / 2
	a, b := table[:half], table[half:]
	clear(a)
	if len(rows) < 2*half {
		for _, pos := range rows {
			a[cell[pos]]++
		}
		return a
	}
	clear(b)
	for len(rows) >= 2 {
		a[cell[rows[0]]]++
		b[cell[rows[1]]]++
		rows = rows[2:]
	}
	for _, pos := range rows {
		a[cell[pos]]++
	}
	for i, n := range b {
		a[i] += n
	}
	return a
}
