package quality

import (
	"slices"

	"github.com/coppice-ml/coppice/data"
)

// profile is what several checks need of one column of the training rows.
type profile struct {
	constant   bool    // one value, which may be missing, in all rows
	identifier string  // why the column looks like an identifier, "" if it does not
	misfits    misfits // what keeps it from being one of numbers or dates
	collision  float64 // the probability that two rows have the same value, by the sample
}

func (t *inspected) profile(column int) profile {
	c := &t.Columns[column]
	p := profile{constant: constant(c, t.rows)}
	counts := valueCounts(c, t.sample, t.ascend)
	p.collision = collision(counts, len(t.sample))
	if p.constant {
		return p
	}
	if p.misfits = t.misfits(column); p.misfits.texts == nil { // else nearly all texts may differ
		p.identifier = t.identifier(column, counts)
	}
	return p
}

// valueCounts returns how often each value of some rows occurs. ascend reports whether the rows do.
func valueCounts(c *data.Column, rows []int32, ascend bool) []int {
	if _, _, absent, sparse := c.Stored(); sparse {
		return storedCounts(c, rows, ascend, numberKey(absent))
	}
	keys := keys(c, rows)
	slices.Sort(keys)
	return countRuns(keys)
}

// collision is an estimate without bias: n (n - 1) ordered pairs, of which equal ones are counted.
func collision(counts []int, n int) float64 {
	pairs := 0.0
	for _, k := range counts {
		pairs += float64(float64(k) * float64(k-1))
	}
	return pairs / max(1, float64(n)*float64(n-1))
}

// storedCounts is valueCounts for a sparse column.
func storedCounts(c *data.Column, rows []int32, ascend bool, absent uint64) []int {
	_, value := stored(c, rows, ascend)
	keys := keysOf(value)
	slices.Sort(keys)
	counts := countRuns(keys)
	rest := len(rows) - len(keys)
	if rest == 0 {
		return counts
	}
	if at, found := slices.BinarySearch(keys, absent); found {
		counts[len(slices.Compact(keys[:at]))] += rest
		return counts
	}
	return append(counts, rest)
}

// countRuns returns how often each of sorted keys occurs.
func countRuns(keys []uint64) []int {
	var counts []int
	for i, k := range keys {
		if i == 0 || k != keys[i-1] {
			counts = append(counts, 0)
		}
		counts[len(counts)-1]++
	}
	return counts
}
