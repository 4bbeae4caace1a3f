package growth

import (
	"fmt"
	"math/bits"
	"slices"

	"github.com/coppice-ml/coppice/learn/internal/exact/internal/sorting"
	"github.com/coppice-ml/coppice/learn/internal/grow"
)

// RowsOf lists the positions of the rows that a tree is grown on, in the memory given if it is
// enough.
func RowsOf(pop *grow.Population, rows []uint32) []uint32 {
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

// Alike reports whether two populations have the same number of rows, and the same kinds of labels,
// weights and multiplicities.
func Alike(a, b *grow.Population) bool {
	return len(a.Rows) == len(b.Rows) && a.Classes == b.Classes &&
		(a.Class == nil) == (b.Class == nil) &&
		(a.Weight == nil) == (b.Weight == nil) && (a.Count == nil) == (b.Count == nil)
}

// FitsEntry reports whether 32 bits hold the number of a row and a class of so many bits.
func FitsEntry(rows int, shift uint) bool { return bits.Len(uint(rows))+int(shift) <= 32 }

// GatherLabels makes the labels and weights of a population those of some rows of another.
func GatherLabels(to, from *grow.Population, rows []uint32) {
	to.Class = Take(to.Class, from.Class, rows)
	to.Count = Take(to.Count, from.Count, rows)
	to.Weight = Take(to.Weight, from.Weight, rows)
	to.Case = Take(to.Case, from.Case, rows)
	to.Y = Take(to.Y, from.Y, rows)
}

// Take copies the values of some rows to dst, nil from nil.
func Take[T any](dst, from []T, rows []uint32) []T {
	if from == nil {
		return nil
	}
	dst = slices.Grow(dst[:0], len(rows))[:len(rows)]
	for i, r := range rows {
		dst[i] = from[r]
	}
	return dst
}

// Spread returns a population whose rows are all prepared rows, of which it leaves those out that
// are missing in the given one.
func Spread(pop *grow.Population, prepared []int32) *grow.Population {
	place := Places(prepared, pop.Rows)
	if place == nil {
		return pop
	}
	n := len(prepared)
	all := &grow.Population{Rows: prepared, Classes: pop.Classes, Count: make([]uint32, n),
		Class:  zerosLike(pop.Class, n),
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

// Places maps the positions of prepared rows to positions in rows, -1 for rows that are left out;
// nil if all are there.
func Places(prepared, rows []int32) []int32 {
	if len(rows) == len(prepared) {
		return nil
	}
	place := make([]int32, len(prepared))
	k := 0
	for i, r := range prepared {
		place[i] = -1
		if k < len(rows) && rows[k] == r {
			place[i] = int32(k)
			k++
		}
	}
	return place
}

// ClassBytes returns classes as bytes, nil if there are too many: in the order of a column's values
// they are looked up all over the table, and what is a quarter of the size stays in the cache for
// longer.
func ClassBytes(class []uint32, classes int) []uint8 {
	if class == nil || classes > 1<<8 {
		return nil
	}
	short := make([]uint8, len(class))
	for i, c := range class {
		short[i] = uint8(c)
	}
	return short
}

// CheckKeys checks that a rank below ranks and a class fit into an entry's 32 bits: beyond 100
// million distinct values of a column with 26 classes they would not.
func CheckKeys(column, ranks int, pop *grow.Population) error {
	if pop.Class == nil {
		return nil
	}
	limit := uint64(sorting.MissingRank) >> bits.Len(uint(pop.Classes-1))
	if uint64(ranks) >= limit {
		return fmt.Errorf("column %d has %d distinct values, with %d classes the limit is %d",
			column, ranks, pop.Classes, limit)
	}
	return nil
}

// CheckTableKeys is CheckKeys for all columns of a sorted table.
func CheckTableKeys(t *sorting.Table, pop *grow.Population) error {
	for i := range t.Columns {
		if err := CheckKeys(i, len(t.Columns[i].Values), pop); err != nil {
			return err
		}
	}
	return nil
}

// Reordered returns values in another order, nil of nil.
func Reordered[T any](values []T, order []int32) []T {
	if values == nil {
		return nil
	}
	out := make([]T, len(values))
	for i, from := range order {
		out[i] = values[from]
	}
	return out
}

// RowsAtOnce is the number of rows that are moved at a time where columns and rows change places,
// so that what lies row by row stays in the nearest cache.
const RowsAtOnce = 64
