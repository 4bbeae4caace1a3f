package criterion

import "math"

// Entry is one row in the sorted order of a column.
type Entry struct {
	// rank of the value << Column.Shift | class; ranks order the distinct values of the column
	Key uint32
	Pos uint32 // position of the row
}

// Column is one column of a node, for a Scanner. Rows weigh what their multiplicity is.
type Column struct {
	Known []Entry // rows with a value, by ascending Key >> Shift
	Shift uint    // bits of the class in Key; 0 for Moments
	// statistics of rows that are on the first side whatever the split point (missing values)
	Start   []float64
	Rows    int       // number of those rows, with multiplicity as all numbers of rows here
	Total   []float64 // statistics of the whole node
	Node    int       // number of rows of the node
	MinLeaf int       // rows that each side needs, at least 1
	Y       []float64 // Moments: values by Pos
	Count   []uint32  // multiplicities by Pos, at least 1; nil = all 1
	// WeighedScanner: weights by Pos, multiplicity included; of two classes those of the first are
	// negative
	Weight  []float64
	Origin  float64  // Moments: what the values are taken about
	Classes []uint32 // classes that the statistics are of; nil = all in order
	Tie     float64  // gains closer than this are equal; the lower split point wins
	Whole   bool     // Start and Known are all rows of the node
}

// Best is the best split point of a column: Known[:At] goes first. Used again, it keeps its memory.
type Best struct {
	At    int       // 0: there is no split point that leaves MinLeaf rows on both sides
	Rows  int       // of the first side, Start included
	First []float64 // statistics of the first side, Start included

	classCounts []classCounts
}

// classCounts counts the rows of one class.
type classCounts struct{ first, all int64 }

// begin returns the score of each class before any row is moved. Classes that the column does not
// have hold any number.
func (b *Best) begin(c *Column) []classCounts {
	b.classCounts = resize(b.classCounts, 1<<c.Shift)
	for j, n := range c.Total {
		b.classCounts[c.class(j)] = classCounts{int64(c.Start[j]), int64(n)}
	}
	return b.classCounts
}

// class returns the class of statistic j.
func (c *Column) class(j int) uint32 {
	if c.Classes == nil {
		return uint32(j)
	}
	return c.Classes[j]
}

// end sets the split point and First, for which it counts classes again: that costs less than a
// copy of the counts whenever a candidate is the best so far. The rows that go last are counted if
// they are fewer, unless some of them are not Known.
func (b *Best) end(c *Column, at int) {
	b.At = at
	known, sign, base := c.Known[:at], int64(1), c.Start
	if at > len(c.Known)/2 && c.Whole {
		known, sign, base = c.Known[at:], -1, c.Total
	}
	for j, n := range base {
		b.classCounts[c.class(j)].first = int64(n)
	}
	mask := uint32(1)<<c.Shift - 1
	for _, e := range known {
		b.classCounts[e.Key&mask].first += sign * c.count(e)
	}
	b.First, b.Rows = b.First[:0], 0
	for j := range base {
		n := b.classCounts[c.class(j)].first
		b.First = append(b.First, float64(n))
		b.Rows += int(n)
	}
}

// count returns the multiplicity of a row.
func (c *Column) count(e Entry) int64 {
	if c.Count == nil {
		return 1
	}
	return int64(c.Count[e.Pos])
}

// Scanner is a criterion that finds the best split point of a column itself, updating its sums from
// row to row. It is optional: its plain twin judges batches of candidates by Impurity, and must
// find the same split points.
type Scanner interface {
	Scan(c *Column, b *Best)
}

// window returns how many rows the first side may have. There is no such split point if to < from.
func (c *Column) window() (from, to int) { return c.MinLeaf, c.Node - c.MinLeaf }

// searcher keeps the best of candidates whose worth is a fraction num / den, den > 0, without a
// division for the others.
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
