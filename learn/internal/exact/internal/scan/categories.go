package scan

import (
	"cmp"
	"slices"

	"github.com/coppice-ml/coppice/internal/criterion"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/learn/internal/exact/internal/growth"
	"github.com/coppice-ml/coppice/tree"
)

// exhaustiveUpTo is the number of categories up to which all two-sided partitions are tried where
// no order of the categories is known to hold the best one: 2^9 - 1 subsets.
const exhaustiveUpTo = 10

// cellsPerRow is the size of a table of class counts, per row of the node, up to which clearing it
// is cheap.
const cellsPerRow = 4

// Categories holds the categories that occur in a node with their statistics, and compares the
// partitions of them into two sets.
type Categories struct {
	*Judge
	lineup *Lineup
	random rng.Stream // merge
	stats  []float64  // by code, levels x width; zero outside the walk of a node
	rows   []int      // by code
	counts []uint32   // count
	// codes that occur, by code or by their rows; of those put together the first
	Present []uint32
	inRows  bool // Present is in the order of first rows, until something sorts it
	// by code: 1 + the number of categories whose first row is before its; zero between calls
	appeared []uint32
	merged   []uint32  // codes that are put together, see merge; empty = none are
	score    []float64 // by index in present
	order    []int     // indices of present
}

// Scan finds the best partition of the categories of a node into two sets.
//
// For two classes, squared error and Poisson deviance the best partition is a prefix of the
// categories in order of their mean (Fisher 1958; Breiman et al. 1984, theorem 4.5; Chou 1991), so
// it is found exactly. MinLeaf or an infinite impurity may forbid it: of the sets that may be
// children the best need not be a prefix, and only prefixes are tried.
//
// The theorem does not cover more classes and ratios of gains. For them all partitions are tried up
// to exhaustiveUpTo categories. Beyond, the categories are ordered by the first principal component
// of their class probabilities (Coppersmith, Hong & Hosking 1999), which is a heuristic. So is the
// order of medians that is used for values.
func (k *Categories) Scan(nd *growth.Node, c *Codes) growth.Split {
	missingRows := k.Begin(nd, k.Collect(nd, c))
	defer k.Release()
	if len(k.Present) == 0 || len(k.Present) == 1 && missingRows == 0 {
		return growth.Split{Feature: -1, Constant: true}
	}
	byCode, merges := k.Task.ByCode(c.Levels), k.Task.Merges(c.Levels)
	if merges || !byCode && k.Task.Width > 2 {
		k.SortByRows(nd, c)
	} else {
		slices.Sort(k.Present)
	}
	if merges {
		k.merge(nd, c.Feature)
	}
	exhaustive := !byCode && k.exhaustive()
	switch {
	case byCode:
		k.orderByCode()
		if k.Task.Values != nil {
			k.lineup.walkCategories(k, nd, c, missingRows)
			break
		}
		k.tryPrefixes(missingRows)
		k.Decide()
	case k.Task.Values != nil:
		k.lineup.orderByMedian(k, nd, c)
		k.lineup.walkCategories(k, nd, c, missingRows)
	case exhaustive:
		k.trySubsets(missingRows)
		k.Decide()
	default:
		k.orderGroups(nd, c)
		k.tryPrefixes(missingRows)
		k.Decide()
	}
	if k.Best.At == NoMark {
		return growth.Split{Feature: -1}
	}
	return k.CategorySplit(c.Feature, k.chosen(exhaustive), missingRows)
}

// findFirstRows numbers the categories of a node in the order of their first rows, in appeared.
func (k *Categories) findFirstRows(nd *growth.Node, c *Codes) {
	if len(k.appeared) < c.Levels {
		k.appeared = make([]uint32, c.Levels)
	}
	n, levels := 0, uint32(c.Levels)
	for _, pos := range nd.Rows {
		code := c.Code[pos]
		if code >= levels || k.appeared[code] > 0 {
			continue
		}
		n++
		k.appeared[code] = uint32(n)
		if n == len(k.Present)+max(0, len(k.merged)-1) {
			break
		}
	}
}

// clearFirstRows makes appeared zero.
func (k *Categories) clearFirstRows() {
	for _, codes := range [][]uint32{k.Present, k.merged} {
		for _, code := range codes {
			k.appeared[code] = 0
		}
	}
}

// SortByRows puts the categories of a node into an order that does not change with their names: by
// the number of rows, then by the first row.
func (k *Categories) SortByRows(nd *growth.Node, c *Codes) {
	if k.inRows { // as they are found
		sortStably(k.Present, k.rows)
		return
	}
	slices.SortFunc(k.Present, func(a, b uint32) int { return cmp.Compare(k.rows[a], k.rows[b]) })
	for i := 1; i < len(k.Present); i++ {
		if k.rows[k.Present[i]] != k.rows[k.Present[i-1]] {
			continue
		}
		k.findFirstRows(nd, c)
		slices.SortFunc(k.Present, func(a, b uint32) int {
			return cmp.Or(cmp.Compare(k.rows[a], k.rows[b]),
				cmp.Compare(k.appeared[a], k.appeared[b]))
		})
		k.clearFirstRows()
		return
	}
}

// insertedUpTo is the number of categories up to which they are sorted by insertion.
const insertedUpTo = 24

// sortStably sorts codes by their rows.
func sortStably(codes []uint32, rows []int) {
	if len(codes) > insertedUpTo {
		slices.SortStableFunc(codes, func(a, b uint32) int { return cmp.Compare(rows[a], rows[b]) })
		return
	}
	for i := 1; i < len(codes); i++ {
		code, n, j := codes[i], rows[codes[i]], i
		for ; j > 0 && rows[codes[j-1]] > n; j-- {
			codes[j] = codes[j-1]
		}
		codes[j] = code
	}
}

// exhaustive reports whether all partitions of the node's categories are tried.
func (k *Categories) exhaustive() bool {
	return k.Task.Family == criterion.Classes && (k.Task.Width > 2 || k.Task.ratio != nil) &&
		len(k.Present) <= exhaustiveUpTo
}

// Collect sums the statistics of each category of the node and returns the number of rows without
// one. A text that the dictionary does not hold counts as missing in training.
func (k *Categories) Collect(nd *growth.Node, c *Codes) int {
	t, levels := k.Task, c.Levels
	if len(k.rows) < levels {
		k.rows = make([]int, levels)
		k.stats = make([]float64, levels*t.Width)
	}
	k.Present, k.merged, k.inRows = k.Present[:0], k.merged[:0], true
	k.ClearMissing()
	if t.Counts && levels*t.Width <= cellsPerRow*len(nd.Rows) {
		return k.count(k.crossTable(c, nd.Rows), levels)
	}
	missingRows := 0
	for _, pos := range nd.Rows {
		code := c.Code[pos]
		if code >= uint32(levels) {
			k.Stale = true
			missingRows += t.Add(k.Missing, pos, nd.Origin)
			continue
		}
		if k.rows[code] == 0 {
			k.Present = append(k.Present, code)
		}
		k.rows[code] += t.Add(k.stats[int(code)*t.Width:(int(code)+1)*t.Width], pos, nd.Origin)
	}
	return missingRows
}

// crossTable counts the classes of each category; the last line is for rows without one.
func (k *Categories) crossTable(c *Codes, rows []uint32) []uint32 {
	t, levels := k.Task, c.Levels
	size := (levels + 1) * t.Width
	if cap(k.counts) < 2*size {
		k.counts = make([]uint32, 2*size)
	}
	if c.cell != nil {
		return countCells(k.counts[:2*size], c.cell, rows)
	}
	counts, last, w := k.counts[:size], uint32(levels), uint32(t.Width)
	clear(counts)
	class, count := t.Pop.Class, t.Pop.Count
	if c.Few != nil && count != nil {
		few := c.Few
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
		counts[min(c.Code[pos], last)*w+class[pos]] += n
	}
	return counts
}

// count is Collect for rows that weigh what their multiplicities are, from a table of the classes
// of each category.
func (k *Categories) count(counts []uint32, levels int) (missingRows int) {
	k.inRows = false
	w := k.Task.Width
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
		k.Present = append(k.Present, uint32(c))
	}
	k.Stale = true
	for j, v := range counts[levels*w:] {
		k.Missing[j] = float64(v)
		missingRows += int(v)
	}
	return missingRows
}

// Release clears what Collect wrote, so that the next node finds zeros without a pass over all
// levels.
func (k *Categories) Release() {
	w := k.Task.Width
	for _, code := range k.Present {
		k.rows[code] = 0
		clear(k.stats[int(code)*w : (int(code)+1)*w])
	}
}

// merge samples the categories of a node that are split from each other: each with the probability
// subsets.fraction. The others go the same way, so they count as one, the first of them. Of many
// categories of few rows each, some have labels that differ from the others by chance. Sets of
// sampled categories fit less of that chance, and trees have less of it in common.
func (k *Categories) merge(nd *growth.Node, feature int) {
	w, fraction := k.Task.Width, k.Task.Subsets.Fraction
	k.random.Reset(nd.Key, growth.LevelStream, uint64(feature))
	others := k.Present[:0]
	for _, code := range k.Present {
		if k.random.Float64() < fraction {
			others = append(others, code)
			continue
		}
		if k.merged = append(k.merged, code); len(k.merged) == 1 {
			others = append(others, code)
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
	k.Present = others
}

// unmerge adds the categories that were put together to a list that has the first of them.
func (k *Categories) unmerge(codes []uint32) []uint32 {
	if len(k.merged) > 1 && slices.Contains(codes, k.merged[0]) {
		codes = append(codes, k.merged[1:]...)
	}
	return codes
}

// Group returns the statistics and rows of the i-th category of Present.
func (k *Categories) Group(i int) (stats []float64, rows int) {
	w := k.Task.Width
	code := int(k.Present[i])
	return k.stats[code*w : (code+1)*w], k.rows[code]
}

// tryPrefixes offers every prefix of the ordered categories, and all of them against the missing
// values.
func (k *Categories) tryPrefixes(missingRows int) {
	rows := 0
	clear(k.Prefix)
	for i, at := range k.order {
		if i > 0 {
			k.OfferBoth(k.Prefix, rows, missingRows, i)
		}
		stats, r := k.Group(at)
		for j, v := range stats {
			k.Prefix[j] += v
		}
		rows += r
	}
	if missingRows > 0 {
		k.Offer(k.Prefix, rows, Mark{len(k.order), tree.MissingLast})
	}
}

// trySubsets offers every partition once: bit i of a mask sends category i first; that of the
// fewest rows always goes first.
func (k *Categories) trySubsets(missingRows int) {
	n := len(k.Present)
	for mask := 1; mask < 1<<n; mask += 2 {
		clear(k.Prefix)
		rows := 0
		for i := range n {
			if mask>>i&1 == 1 {
				stats, r := k.Group(i)
				for j, v := range stats {
					k.Prefix[j] += v
				}
				rows += r
			}
		}
		if mask != 1<<n-1 {
			k.OfferBoth(k.Prefix, rows, missingRows, mask)
		} else if missingRows > 0 {
			k.Offer(k.Prefix, rows, Mark{mask, tree.MissingLast})
		}
	}
}

// chosen returns the codes that the best mark sends first, and those it sends last.
func (k *Categories) chosen(exhaustive bool) (sides [2][]uint32) {
	for i := range k.Present {
		code, first := k.Present[i], k.Best.At>>min(i, 62)&1 == 1
		if !exhaustive {
			code, first = k.Present[k.order[i]], i < k.Best.At
		}
		if first {
			sides[0] = append(sides[0], code)
		} else {
			sides[1] = append(sides[1], code)
		}
	}
	return sides
}

// CategorySplit stores the lighter side's codes as the set, so that every code outside it, absent
// from the node or from the dictionary, goes with the heavier child.
func (k *Categories) CategorySplit(feature int, sides [2][]uint32, missingRows int) growth.Split {
	b := growth.Split{Gain: k.Gain, Per: k.Per, Feature: int32(feature), Missing: k.Best.Missing}
	k.Place(&b, missingRows)
	b.Kind = tree.SetFirst
	codes := sides[0]
	if k.heavier() == tree.MissingFirst {
		b.Kind, codes = tree.SetLast, sides[1]
	}
	b.Set = growth.BitSet(k.unmerge(codes))
	// Where missing values go may change which child is heavier.
	if b.Turns = growth.Tied(k.weight, k.heavy-k.weight) || k.Task.Rule >= growth.Surrogate; b.Turns {
		if b.Kind == tree.SetFirst {
			codes = sides[1]
		} else {
			codes = sides[0]
		}
		b.Others = growth.BitSet(k.unmerge(codes))
	}
	return b
}
