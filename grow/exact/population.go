package exact

import (
	"math/bits"
	"slices"

	"github.com/coppice-ml/coppice/grow"
	"github.com/coppice-ml/coppice/grow/exact/internal/sorting"
)

// rowsOf lists the positions of the rows that a tree is grown on, in the memory given if it is
// enough.
func rowsOf(pop *grow.Population, rows []uint32) []uint32 {
	n := 0
	for i := range pop.Rows {
		if pop.Multiplicity(i) > 0 {
			n++
		}
	}
	if rows = rows[:0]; cap(rows) < n {
		rows = make([]uint32, 0, min(sorting.WithSlack(n), len(pop.Rows)))
	}
	for i := range pop.Rows {
		if pop.Multiplicity(i) > 0 {
			rows = append(rows, uint32(i))
		}
	}
	return rows
}

// alike reports whether two populations have as many rows, and labels, weights and multiplicities
// of the same kind.
func alike(a, b *grow.Population) bool {
	return len(a.Rows) == len(b.Rows) && a.Classes == b.Classes && (a.Class == nil) == (b.Class == nil) &&
		(a.Weight == nil) == (b.Weight == nil) && (a.Count == nil) == (b.Count == nil)
}

// fitsEntry reports whether 32 bits hold the number of a row and a class of so many bits.
func fitsEntry(rows int, shift uint) bool { return bits.Len(uint(rows))+int(shift) <= 32 }

// gather makes a population of some rows of another.
func gather(to, from *grow.Population, rows []uint32) {
	to.Rows = take(to.Rows, from.Rows, rows)
	to.Class = take(to.Class, from.Class, rows)
	to.Count = take(to.Count, from.Count, rows)
	to.Weight = take(to.Weight, from.Weight, rows)
	to.Case = take(to.Case, from.Case, rows)
	to.Y = take(to.Y, from.Y, rows)
}

// take copies the values of some rows to dst, nil from nil.
func take[T any](dst, from []T, rows []uint32) []T {
	if from == nil {
		return nil
	}
	dst = slices.Grow(dst[:0], len(rows))[:len(rows)]
	for i, r := range rows {
		dst[i] = from[r]
	}
	return dst
}

// spread returns a population whose rows are all prepared rows, of which it leaves those out that
// the given one lacks.
func (p *Prepared) spread(pop *grow.Population) *grow.Population {
	place := p.places(pop.Rows)
	if place == nil {
		return pop
	}
	n := len(p.rows)
	all := &grow.Population{Rows: p.rows, Classes: pop.Classes, Count: make([]uint32, n), Class: zerosLike(pop.Class, n),
		Weight: zerosLike(pop.Weight, n), Case: zerosLike(pop.Case, n), Y: zerosLike(pop.Y, n)}
	for to, from := range place {
		if from < 0 {
			continue
		}
		all.Count[to] = uint32(pop.Multiplicity(int(from)))
		move(all.Class, pop.Class, to, from)
		move(all.Weight, pop.Weight, to, from)
		move(all.Case, pop.Case, to, from)
		move(all.Y, pop.Y, to, from)
	}
	return all
}

// zerosLike returns n zeros, nil where there are no values.
func zerosLike[T any](values []T, n int) []T {
	if values == nil {
		return nil
	}
	return make([]T, n)
}

func move[T any](dst, src []T, to int, from int32) {
	if dst != nil {
		dst[to] = src[from]
	}
}
