package split

import (
	"cmp"
	"slices"
)

// classBalance assigns whole groups to sets so that each set gets its share of every class. It is
// greedy, as StratifiedGroupKFold of scikit-learn: each group goes where its classes are fewest.
type classBalance struct {
	groups []classGroup
	rows   int
	total  []int // rows of each class
}

// classGroup is the places of a group, with its rows by class.
type classGroup struct {
	places  []int32
	classes []classRows
	// the largest fraction of a class that the group has, by which the hardest to place is found
	largest float64
}

type classRows struct{ class, rows int }

// balance counts the classes of groups, of which each is the places of some rows.
func balance(class []uint32, rows []int32, groups [][]int32) *classBalance {
	b := &classBalance{rows: len(rows)}
	for _, row := range rows {
		for int(class[row]) >= len(b.total) {
			b.total = append(b.total, 0)
		}
		b.total[class[row]]++
	}
	for _, places := range groups {
		g := classGroup{places: places}
		own := make([]int, 0, len(places))
		for _, place := range places {
			own = append(own, int(class[rows[place]]))
		}
		slices.Sort(own)
		for i, c := range own {
			if i == 0 || c != own[i-1] {
				g.classes = append(g.classes, classRows{class: c})
			}
			g.classes[len(g.classes)-1].rows++
		}
		for _, c := range g.classes {
			g.largest = max(g.largest, float64(c.rows)/float64(b.total[c.class]))
		}
		b.groups = append(b.groups, g)
	}
	return b
}

// largestFirst puts the groups in order that have the largest fraction of a class; equal ones stay
// in the order given.
func (b *classBalance) largestFirst() {
	slices.SortStableFunc(b.groups, func(x, y classGroup) int {
		return cmp.Or(cmp.Compare(y.largest, x.largest),
			cmp.Compare(len(y.places), len(x.places)))
	})
}

// assign gives each group, in their order, to a set, and returns the set of each place. Sets get
// rows in proportion to size; those of size 0 get none. A group goes where the fractions of its
// classes, it included, are least; of equal sets to the one that is furthest below its size. No set
// stays empty where there are as many groups as sets.
func (b *classBalance) assign(size []int) []int32 {
	setOf := make([]int32, b.rows)
	have := make([][]int, len(size)) // rows of each class
	all, empty := make([]int, len(size)), 0
	for p := range size {
		have[p] = make([]int, len(b.total))
		if size[p] > 0 {
			empty++
		}
	}
	for i := range b.groups {
		g := &b.groups[i]
		scarce := len(b.groups)-i <= empty // each empty set needs one of the groups that are left
		best, least := -1, 0.0
		for p := range size {
			if size[p] == 0 || scarce && all[p] > 0 {
				continue
			}
			cost := b.cost(g, have[p], size[p])
			if best < 0 || cost < least || cost == least && all[p]*size[best] < all[best]*size[p] {
				best, least = p, cost
			}
		}
		if all[best] == 0 {
			empty--
		}
		all[best] += len(g.places)
		for _, c := range g.classes {
			have[best][c.class] += c.rows
		}
		for _, place := range g.places {
			setOf[place] = int32(best)
		}
	}
	return setOf
}

// cost is how full a set of some size would be of the classes of a group, by their fractions in it.
func (b *classBalance) cost(g *classGroup, have []int, size int) float64 {
	sum := 0.0
	for _, c := range g.classes {
		total := float64(b.total[c.class])
		sum += float64(float64(have[c.class]+c.rows) / total * (float64(c.rows) / total))
	}
	return sum / float64(size)
}
