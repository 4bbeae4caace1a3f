package split

import (
	"cmp"
	"slices"
	"sort"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/rng"
)

// The random streams of this package. A stream's number separates it from all other uses of the
// same seed.
const (
	foldStream  = 0x666f6c64 // "fold"
	splitStream = 0x73706c74 // "splt"
)

// shuffled returns the places 0 ... len(rows)-1 in random order, class by class for a stratified
// plan. A caller that assigns them evenly, one after the other, assigns every class evenly.
func shuffled(kind Kind, t *data.Target, rows []int32, random *rng.Stream) []int32 {
	places, ends := data.AllRows(len(rows)), []int{len(rows)}
	if kind == Stratified {
		places, ends = byClass(t.Class, rows)
	}
	start := 0
	for _, end := range ends {
		class := places[start:end]
		random.Shuffle(len(class), func(i, j int) { class[i], class[j] = class[j], class[i] })
		start = end
	}
	return places
}

// byClass returns the places 0 ... len(rows)-1 in the order of the classes of their rows, equal
// classes in row order, and where each class ends. It sorts by counting: next[c] is the next place
// of a row of class c, and at last the end of class c.
func byClass(class []uint32, rows []int32) (places []int32, ends []int) {
	var next []int
	for _, row := range rows {
		for int(class[row]) >= len(next) {
			next = append(next, 0)
		}
		next[class[row]]++
	}
	start := 0
	for c, size := range next {
		next[c], start = start, start+size
	}
	places = make([]int32, len(rows))
	for place, row := range rows {
		places[next[class[row]]] = int32(place)
		next[class[row]]++
	}
	return places, next
}

// runs returns the places 0 ... len(rows)-1 in the order of the values of their rows, equal values
// in row order, and where each run of equal values ends.
//
//	value   4 2 2 4 9
//	places  1 2 0 3 4
//	ends        2   4 5
func runs(values []int64, rows []int32) (places []int32, ends []int) {
	places = data.AllRows(len(rows))
	slices.SortFunc(places, func(a, b int32) int {
		return cmp.Or(cmp.Compare(values[rows[a]], values[rows[b]]), cmp.Compare(a, b))
	})
	for i, place := range places {
		if i+1 == len(places) || values[rows[place]] != values[rows[places[i+1]]] {
			ends = append(ends, i+1)
		}
	}
	return places, ends
}

// groups returns the places of each group, the groups in random order.
func groups(t *data.Target, rows []int32, random *rng.Stream) [][]int32 {
	places, ends := runs(t.Group, rows)
	found := make([][]int32, 0, len(ends))
	start := 0
	for _, end := range ends {
		found = append(found, places[start:end])
		start = end
	}
	random.Shuffle(len(found), func(i, j int) { found[i], found[j] = found[j], found[i] })
	return found
}

// blocksInTime numbers blocks of rows that follow each other in time: block b ends near the place
// targets[b], at the nearest change of time, and the last block takes the rest. Each block has at
// least one row; it is an error if there are fewer times than blocks.
func blocksInTime(times []int64, rows []int32, targets []int) ([]int32, error) {
	places, ends := runs(times, rows)
	edges := ends[:len(ends)-1]
	if len(edges) < len(targets) {
		return nil, &TooFewError{What: differentTime, Have: len(ends), Sets: len(targets) + 1}
	}
	blocks := make([]int32, len(rows))
	low, start := 0, 0 // the first edge that is free, the place where the block begins
	for b, place := range targets {
		// the last edge that leaves one for each block to come
		high := len(edges) - (len(targets) - b)
		at := low + sort.SearchInts(edges[low:high], place)
		if at > low && place-edges[at-1] <= edges[at]-place {
			at--
		}
		for _, p := range places[start:edges[at]] {
			blocks[p] = int32(b)
		}
		low, start = at+1, edges[at]
	}
	for _, p := range places[start:] {
		blocks[p] = int32(len(targets))
	}
	return blocks, nil
}
