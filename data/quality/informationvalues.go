package quality

import (
	"slices"
	"sort"
	"strconv"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/humanize"
)

const missing = "missing"

// values returns the names of a column's values, and the place of a row's value among them.
func values(ds *data.Dataset, column int, rows []int32,
	bins int) (names []string, place func(row int32) int, binned bool) {
	c, f := &ds.Columns[column], &ds.Schema.Fields[column]
	if f.Kind == data.Categorical {
		names = append(slices.Clone(f.Levels), missing)
		return names, func(row int32) int {
			if code := c.Code(int(row)); int(code) < len(f.Levels) {
				return int(code)
			}
			return len(f.Levels)
		}, false
	}
	var known []float64
	for _, r := range rows {
		if x := c.Number(int(r)); x == x {
			known = append(known, x)
		}
	}
	slices.Sort(known)
	distinct := slices.Compact(slices.Clone(known))
	if len(distinct) <= bins {
		for _, x := range distinct {
			names = append(names, strconv.FormatFloat(x, 'g', -1, 64))
		}
		names = append(names, missing)
		return names, func(row int32) int {
			x := c.Number(int(row))
			if x != x {
				return len(distinct)
			}
			at, _ := slices.BinarySearch(distinct, x)
			return at
		}, false
	}
	tops := topsOf(known, bins)
	names = append(binNames(tops), missing)
	return names, func(row int32) int {
		x := c.Number(int(row))
		if x != x {
			return len(tops) + 1
		}
		return sort.SearchFloat64s(tops, x)
	}, true
}

// topsOf returns the greatest value of each bin but the last, of sorted values: about the same
// number of them in each. Equal values stay in one bin.
func topsOf(known []float64, bins int) []float64 {
	var tops []float64
	for k := 1; k < bins; k++ {
		x := known[max(0, k*len(known)/bins-1)]
		if x < known[len(known)-1] && (tops == nil || x > tops[len(tops)-1]) {
			tops = append(tops, x)
		}
	}
	return tops
}

// binNames names bins by their greatest values.
func binNames(tops []float64) []string {
	text := func(x float64) string { return humanize.Number(x, 6) }
	var names []string
	for k, x := range tops {
		name := "<= " + text(x)
		if k > 0 {
			name = "> " + text(tops[k-1]) + ", " + name
		}
		names = append(names, name)
	}
	if tops == nil {
		return []string{"all"}
	}
	return append(names, "> "+text(tops[len(tops)-1]))
}
