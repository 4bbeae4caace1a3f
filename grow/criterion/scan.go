package criterion

import "math"

// Entry is one row in the sorted order of a column.
type Entry struct {
	Key uint32 // rank of the value << Column.Shift | class; ranks order the distinct values of the column
	Pos uint32 // position of the row
}

// Column is one column of a node, as a Scanner sees it. All rows have weight 1 and multiplicity 1.
type Column struct {
	Known   []Entry   // rows with a value, by ascending Key >> Shift
	Shift   uint      // bits of the class in Key; 0 for Moments
	Start   []float64 // statistics of rows that are on the first side whatever the cut (missing values)
	Rows    int       // number of those rows
	Total   []float64 // statistics of the whole node
	Node    int       // number of rows of the node
	MinLeaf int       // rows that each side needs, at least 1
	Y       []float64 // Moments: values by Pos
	Origin  float64   // Moments: what the values are taken about
	Tie     float64   // gains closer than this are equal; the lower cut wins
}

// Best is the best cut of a column: Known[:At] goes first. Used again, it brings its memory along.
type Best struct {
	At    int       // 0: there is no cut that leaves MinLeaf rows on both sides
	First []float64 // statistics of the first side, Start included

	counts []int32 // see sides
	sizes  []int32 // misclassification: number of classes by their count
}

// sides returns the number of rows of each class on the first and on the last side before any row is moved.
func (b *Best) sides(c *Column) (first, last []int32) {
	k := len(c.Total)
	b.counts = resize(b.counts, 2*k)
	first, last = b.counts[:k], b.counts[k:]
	for j := range first {
		first[j] = int32(c.Start[j])
		last[j] = int32(c.Total[j]) - first[j]
	}
	return first, last
}

// count sets First by counting classes anew, which costs less than a copy of the counts whenever a candidate is the best
// so far. The rows that go last are counted if they are fewer, unless some of them are not Known.
func (b *Best) count(c *Column) {
	mask := uint32(1)<<c.Shift - 1
	if b.At <= len(c.Known)/2 || c.Rows+len(c.Known) < c.Node {
		b.First = append(b.First[:0], c.Start...)
		for _, e := range c.Known[:b.At] {
			b.First[e.Key&mask]++
		}
		return
	}
	b.First = append(b.First[:0], c.Total...)
	for _, e := range c.Known[b.At:] {
		b.First[e.Key&mask]--
	}
}

// Scanner is a criterion that finds the best cut of a column itself, updating its sums from row to row. It is
// optional: its plain twin judges batches of candidates by Impurity, and must find the same cuts.
type Scanner interface {
	Scan(c *Column, b *Best)
}

// window returns the cuts that leave enough rows on both sides: from <= At <= to.
func (c *Column) window() (from, to int) {
	return max(1, c.MinLeaf-c.Rows), min(len(c.Known)-1, c.Node-c.MinLeaf-c.Rows)
}

// searcher keeps the best of candidates whose worth is a fraction num / den, den > 0, without a division for the
// others.
type searcher struct {
	limit float64 // what a candidate must exceed: the best worth plus the tie
	at    int
}

func newSearcher() searcher { return searcher{limit: math.Inf(-1)} }

// better reports whether num / den beats the best so far by more than the tie.
func (s *searcher) better(num, den float64) bool { return num > float64(s.limit*den) }

// take makes the candidate the best.
func (s *searcher) take(at int, num, den, tie float64) {
	s.limit, s.at = num/den+tie, at
}
