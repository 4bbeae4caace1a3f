package exact

import (
	"cmp"
	"math"
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/grow"
	"github.com/coppice-ml/coppice/grow/criterion"
	"github.com/coppice-ml/coppice/tree"
)

// exhaustiveUpTo is the number of categories up to which all two-sided partitions are tried where
// no order of the categories is known to hold the best one: 2^9 - 1 subsets.
const exhaustiveUpTo = 10

// cellsPerRow is the size of a table of class counts, per row of the node, up to which clearing it
// is cheap.
const cellsPerRow = 4

// groups holds the categories that occur in a node with their statistics.
type groups struct {
	stats  []float64 // by code, levels x width; zero outside the walk of a node
	rows   []int     // by code
	counts []uint32  // count
	// codes that occur, first in order of rows, then as the walk wants them; of those put together
	// the first
	present []uint32
	merged  []uint32  // codes that are put together, see merge; empty = none are
	score   []float64 // by index in present
	order   []int     // indices of present
}

// codes is a categorical column of the rows of a tree.
type codes struct {
	feature int
	code    []uint32 // by position
	few     []uint8  // the same in bytes, levels if it is missing; nil = there are too many levels
	cell    []uint16 // where all rows weigh 1: place of code and class in a table of counts
	levels  int
}

// branch returns the child that a split of the column sends a row to, -1 if its category is
// missing.
func (c *codes) branch(b *split, pos uint32) int {
	code := c.code[pos]
	switch {
	case code == data.MissingCode:
		return -1
	case b.kind == tree.ByCode:
		return int(code)
	case tree.InSet(b.set, code) == (b.kind == tree.SetFirst):
		return 0
	}
	return 1
}

// scanCategories finds the best partition of the categories of a node into two sets.
//
// For two classes, squared error and Poisson deviance the best partition is a prefix of the
// categories in order of their mean (Fisher 1958; Breiman et al. 1984, theorem 4.5; Chou 1991), so
// it is found exactly, unless MinLeaf or an infinite impurity forbids it: of the sets that may be
// children the best need not be a prefix, and only prefixes are tried. For more classes, and for
// ratios of gains, which the theorem does not cover, all partitions are tried up to exhaustiveUpTo
// categories; beyond, the categories are ordered by the first principal component of their class
// shares (Coppersmith, Hong & Hosking 1999), which is a heuristic. So is the order of medians that
// is used for values.
func (s *scanner) scanCategories(nd *node, c *codes) split {
	missingRows := s.begin(nd, s.collect(nd, c))
	defer s.release()
	k := &s.groups
	if len(k.present) == 0 || len(k.present) == 1 && missingRows == 0 {
		return split{feature: -1, constant: true}
	}
	slices.Sort(k.present)
	if s.t.merges(c.levels) {
		s.merge(nd, c.feature)
	}
	byCode := s.t.byCode(c.levels)
	exhaustive := !byCode && s.exhaustive()
	switch {
	case byCode:
		s.orderByCode()
		if s.t.values != nil {
			s.walkCategories(nd, c, missingRows)
			break
		}
		s.tryPrefixes(missingRows)
		s.judge()
	case s.t.values != nil:
		s.orderByMedian(nd, c)
		s.walkCategories(nd, c, missingRows)
	case exhaustive:
		s.trySubsets(missingRows)
		s.judge()
	default:
		s.orderGroups()
		s.tryPrefixes(missingRows)
		s.judge()
	}
	if s.best.at == noMark {
		return split{feature: -1}
	}
	return s.categorySplit(c.feature, s.chosen(exhaustive), missingRows)
}

// exhaustive reports whether all partitions of the node's categories are tried.
func (s *scanner) exhaustive() bool {
	return s.t.family == criterion.Classes && (s.t.width > 2 || s.t.ratio != nil) && len(s.groups.present) <= exhaustiveUpTo
}

// collect sums the statistics of each category of the node and returns the number of rows without
// one. A text that the dictionary does not hold counts as missing in training.
func (s *scanner) collect(nd *node, c *codes) int {
	t, k, levels := s.t, &s.groups, c.levels
	if len(k.rows) < levels {
		k.rows = make([]int, levels)
		k.stats = make([]float64, levels*t.width)
	}
	k.present, k.merged = k.present[:0], k.merged[:0]
	s.forget()
	if t.counts && levels*t.width <= cellsPerRow*len(nd.list) {
		return s.count(s.crossTable(c, nd.list), levels)
	}
	missingRows := 0
	for _, pos := range nd.list {
		code := c.code[pos]
		if code >= uint32(levels) {
			s.stale = true
			missingRows += t.add(s.missing, pos, nd.origin)
			continue
		}
		if k.rows[code] == 0 {
			k.present = append(k.present, code)
		}
		k.rows[code] += t.add(k.stats[int(code)*t.width:(int(code)+1)*t.width], pos, nd.origin)
	}
	return missingRows
}

// crossTable counts the classes of each category; the last line is for rows without one.
func (s *scanner) crossTable(c *codes, rows []uint32) []uint32 {
	t, k, levels := s.t, &s.groups, c.levels
	size := (levels + 1) * t.width
	if cap(k.counts) < 2*size {
		k.counts = make([]uint32, 2*size)
	}
	if c.cell != nil {
		return countCells(k.counts[:2*size], c.cell, rows)
	}
	counts, last, w := k.counts[:size], uint32(levels), uint32(t.width)
	clear(counts)
	class, count := t.pop.Class, t.pop.Count
	if c.few != nil && count != nil {
		few := c.few
		for _, pos := range rows {
			counts[uint32(few[pos])*w+class[pos]] += count[pos]
		}
		return counts
	}
	for _, pos := range rows {
		n := uint32(1)
		if count != nil {
			n = count[pos]
		}
		counts[min(c.code[pos], last)*w+class[pos]] += n
	}
	return counts
}

// count is collect for rows that weigh what their multiplicities are, from a table of the classes
// of each category.
func (s *scanner) count(counts []uint32, levels int) (missingRows int) {
	k, w := &s.groups, s.t.width
	for c := range levels {
		line, n := counts[c*w:(c+1)*w], uint32(0)
		for _, v := range line {
			n += v
		}
		if n == 0 {
			continue
		}
		for j, v := range line {
			k.stats[c*w+j] = float64(v)
		}
		k.rows[c] = int(n)
		k.present = append(k.present, uint32(c))
	}
	s.stale = true
	for j, v := range counts[levels*w:] {
		s.missing[j] = float64(v)
		missingRows += int(v)
	}
	return missingRows
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

// release clears what collect wrote, so that the next node finds zeros without a pass over all
// levels.
func (s *scanner) release() {
	k, w := &s.groups, s.t.width
	for _, code := range k.present {
		k.rows[code] = 0
		clear(k.stats[int(code)*w : (int(code)+1)*w])
	}
}

// merge draws which of the categories of a node are parted from each other: each with the
// probability subsets.share. The others go the same way, so they count as one, the first of them.
// Of many categories, each of few rows, some have labels that look unlike the others by luck; in
// the sets of a part of them less of that luck is found, and trees have less of it in common.
func (s *scanner) merge(nd *node, feature int) {
	k, w, share := &s.groups, s.t.width, s.t.subsets.share
	s.draws.Reset(nd.key, levelDraws, uint64(feature))
	apart := k.present[:0]
	for _, code := range k.present {
		if s.draws.Float64() < share {
			apart = append(apart, code)
			continue
		}
		if k.merged = append(k.merged, code); len(k.merged) == 1 {
			apart = append(apart, code)
			continue
		}
		first := int(k.merged[0])
		sum, own := k.stats[first*w:(first+1)*w], k.stats[int(code)*w:(int(code)+1)*w]
		for i, v := range own {
			sum[i] += v
		}
		k.rows[first] += k.rows[code]
		k.rows[code] = 0
		clear(own)
	}
	k.present = apart
}

// unmerge adds the categories that were put together to a list that has the first of them.
func (k *groups) unmerge(codes []uint32) []uint32 {
	if len(k.merged) > 1 && slices.Contains(codes, k.merged[0]) {
		codes = append(codes, k.merged[1:]...)
	}
	return codes
}

func (s *scanner) group(i int) (stats []float64, rows int) {
	k, w := &s.groups, s.t.width
	code := int(k.present[i])
	return k.stats[code*w : (code+1)*w], k.rows[code]
}

// orderGroups sorts the categories by score, equal scores by code.
func (s *scanner) orderGroups() {
	k := &s.groups
	n := len(k.present)
	k.score = slices.Grow(k.score[:0], n)[:n]
	k.order = slices.Grow(k.order[:0], n)[:n]
	switch {
	case s.t.pop.Class == nil:
		for i := range k.score {
			stats, _ := s.group(i)
			k.score[i] = stats[1] / stats[0]
		}
	case s.t.width <= 2:
		for i := range k.score {
			stats, _ := s.group(i)
			k.score[i] = stats[len(stats)-1] / s.t.weightOf(stats)
		}
	default:
		s.principalScores()
	}
	for i := range k.order {
		k.order[i] = i
	}
	slices.SortFunc(k.order, func(a, b int) int {
		return cmp.Or(cmp.Compare(k.score[a], k.score[b]), cmp.Compare(k.present[a], k.present[b]))
	})
}

// powerSteps is the number of steps of the power iteration; a fixed number keeps the result
// reproducible, and an order needs no more than a few digits.
const powerSteps = 30

// orderByCode leaves the categories in the order of their codes.
func (s *scanner) orderByCode() {
	k := &s.groups
	if l := &s.lineup; s.t.values != nil && len(l.start) < len(k.rows) {
		n := len(k.rows)
		l.start, l.below, l.median, l.mean = make([]int, n), make([]float64, n), make([]float64, n), make([]float64, n)
	}
	k.order = k.order[:0]
	for i := range k.present {
		k.order = append(k.order, i)
	}
}

// principalScores projects the class shares p_c of each category on the first eigenvector v of
// sum_c n_c (p_c - p)(p_c - p)', found by power iteration without forming the matrix.
func (s *scanner) principalScores() {
	k, w := &s.groups, s.t.width
	mean := make([]float64, w)
	total := 0.0
	shares := make([]float64, len(k.present)*w)
	weight := make([]float64, len(k.present))
	for i := range k.present {
		stats, _ := s.group(i)
		weight[i] = s.t.weightOf(stats)
		total += weight[i]
		for j, v := range stats {
			shares[i*w+j] = v / weight[i]
			mean[j] += v
		}
	}
	for i := range shares {
		shares[i] -= mean[i%w] / total
	}
	v := farthest(shares, weight, w)
	next := make([]float64, w)
	for range powerSteps {
		clear(next)
		for i := range k.present {
			row := shares[i*w : (i+1)*w]
			t := float64(weight[i] * dot(row, v))
			for j := range next {
				next[j] += float64(t * row[j])
			}
		}
		length := math.Sqrt(dot(next, next))
		if length == 0 {
			break
		}
		for j := range v {
			v[j] = next[j] / length
		}
	}
	for i := range k.present {
		k.score[i] = dot(shares[i*w:(i+1)*w], v)
	}
}

// farthest returns a copy of the row that lies farthest from zero by weight: a start that is not
// orthogonal to the first principal component.
func farthest(rows, weight []float64, w int) []float64 {
	best, at := -1.0, 0
	for i := range weight {
		row := rows[i*w : (i+1)*w]
		if d := weight[i] * dot(row, row); d > best {
			best, at = d, i
		}
	}
	return slices.Clone(rows[at*w : (at+1)*w])
}

func dot(a, b []float64) float64 {
	sum := 0.0
	for i := range a {
		sum += float64(a[i] * b[i])
	}
	return sum
}

// tryPrefixes offers every prefix of the ordered categories, and all of them against the missing
// values.
func (s *scanner) tryPrefixes(missingRows int) {
	k := &s.groups
	rows := 0
	clear(s.prefix)
	for i, at := range k.order {
		if i > 0 {
			s.offerBoth(s.prefix, rows, missingRows, i)
		}
		stats, r := s.group(at)
		for j, v := range stats {
			s.prefix[j] += v
		}
		rows += r
	}
	if missingRows > 0 {
		s.offer(s.prefix, rows, mark{len(k.order), tree.MissingLast})
	}
}

// trySubsets offers every partition once: bit i of a mask sends category i first; the lowest always
// goes first.
func (s *scanner) trySubsets(missingRows int) {
	n := len(s.groups.present)
	for mask := 1; mask < 1<<n; mask += 2 {
		clear(s.prefix)
		rows := 0
		for i := range n {
			if mask>>i&1 == 1 {
				stats, r := s.group(i)
				for j, v := range stats {
					s.prefix[j] += v
				}
				rows += r
			}
		}
		if mask != 1<<n-1 {
			s.offerBoth(s.prefix, rows, missingRows, mask)
		} else if missingRows > 0 {
			s.offer(s.prefix, rows, mark{mask, tree.MissingLast})
		}
	}
}

// chosen returns the codes that the best mark sends first, and those it sends last.
func (s *scanner) chosen(exhaustive bool) (sides [2][]uint32) {
	k := &s.groups
	for i := range k.present {
		code, first := k.present[i], s.best.at>>min(i, 62)&1 == 1
		if !exhaustive {
			code, first = k.present[k.order[i]], i < s.best.at
		}
		if first {
			sides[0] = append(sides[0], code)
		} else {
			sides[1] = append(sides[1], code)
		}
	}
	return sides
}

// categorySplit stores the lighter side's codes as the set, so that every code outside it, absent
// from the node or from the dictionary, goes with the heavier child.
func (s *scanner) categorySplit(feature int, sides [2][]uint32, missingRows int) split {
	b := split{gain: s.gain, per: s.per, feature: int32(feature), missing: s.best.missing}
	s.place(&b, missingRows)
	b.kind = tree.SetFirst
	codes := sides[0]
	if s.heavier() == tree.MissingFirst {
		b.kind, codes = tree.SetLast, sides[1]
	}
	b.set = bitSet(s.groups.unmerge(codes))
	return b
}

// compactCodes copies the codes of the given frame rows; whatever is not a level becomes missing.
func compactCodes(code []uint32, rows []int32, levels int) []uint32 {
	out := make([]uint32, len(rows))
	for i, r := range rows {
		if out[i] = code[r]; out[i] >= uint32(levels) {
			out[i] = data.MissingCode
		}
	}
	return out
}

// cells returns where in a table of levels + 1 lines, one column per class, each row is counted.
func cells(code []uint32, pop *grow.Population, levels int) []uint16 {
	cell := make([]uint16, len(code))
	for i, c := range code {
		cell[i] = uint16(min(c, uint32(levels))*uint32(pop.Classes) + pop.Class[i])
	}
	return cell
}
