package catboost

import (
	"cmp"
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/spelling"
)

// dictionary is the categories of a column that training had: the hashes of their texts, by code.
type dictionary struct {
	hashes   []uint32 // ascending
	complete bool     // they are those of a table of statistics, not only some that splits compare
}

// code returns the code of a hash, -1 if there is none.
func (d *dictionary) code(hash uint32) int {
	code, ok := slices.BinarySearch(d.hashes, hash)
	if !ok {
		return -1
	}
	return code
}

// missingHash is the hash of the empty text, which a missing category counts as.
var missingHash = (&data.Field{}).Hash("")

// signed returns a hash as CatBoost mixes it: an int32 in 64 bits.
func signed(hash uint32) uint64 { return uint64(int64(int32(hash))) }

// makeDictionaries finds the categories of all columns. Those that splits compare are in the file.
// Those of statistics are not: a table has only the hashes of combinations. But such a hash is a
// sum, in which each element is multiplied by a power of an odd number. So it shows the hash of one
// category if those of all others are known:
//
//	key = M^(n+1) x0 + M^n x1 + ... + M^2 x(n-1)   modulo 2^64; |x| < 2^31
//
// Tables of a single column come first, then those in which all columns but one are known.
func (f *file) makeDictionaries(in *source) {
	f.dictionaries = make([]dictionary, len(f.cats))
	known := make([][]uint32, len(f.cats))
	add := func(cat int32, value int32) {
		at := f.catAt[cat]
		known[at] = push(in, known[at], uint32(value))
	}
	for _, o := range f.oneHots {
		for _, v := range o.values {
			add(o.cat, v)
		}
	}
	order := make([]int, len(f.tables))
	for i := range f.tables {
		order[i] = i
		for _, o := range f.tables[i].base.oneHots {
			add(o.cat, o.value)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Compare(len(f.tables[a].base.cats), len(f.tables[b].base.cats))
	})
	for cat := range f.dictionaries {
		f.dictionaries[cat].hashes = ascendingHashes(known[cat])
	}
	for more := true; more; {
		more = false
		found := make([][]uint32, len(f.cats))
		for _, i := range order {
			cat, at := f.unknown(&f.tables[i].base)
			if at < 0 {
				continue
			}
			found[cat] = f.decode(in, &f.tables[i], at, found[cat])
		}
		for cat, hashes := range found {
			if d := &f.dictionaries[cat]; hashes != nil {
				d.hashes = ascendingHashes(append(hashes, d.hashes...))
				d.complete, more = true, true
			}
		}
	}
	f.checkDictionaries(in)
}

func ascendingHashes(hashes []uint32) []uint32 {
	slices.Sort(hashes)
	return slices.Compact(hashes)
}

// checkDictionaries checks that the categories of all statistics were found.
func (f *file) checkDictionaries(in *source) {
	for i := range f.ctrs {
		for _, number := range f.ctrs[i].base.cats {
			if at := f.catAt[number]; !f.dictionaries[at].complete {
				in.unsupported("the categories of column %d occur in statistics of several "+
					"columns alone: the file does not show which there are", f.cats[at].flat)
			}
		}
	}
}

// unknown returns the only column of a combination whose categories are unknown, as a place in
// file.cats and as one in the combination; -1 if there is none, or another.
func (f *file) unknown(b *ctrBase) (cat int32, at int) {
	at = -1
	for i, number := range b.cats {
		place := f.catAt[number]
		switch {
		case f.dictionaries[place].complete:
		case at >= 0:
			return -1, -1
		default:
			cat, at = place, i
		}
	}
	return cat, at
}

// mostSums bounds the sums of the known elements of a combination.
const mostSums = 1 << 20

// decode appends the hashes that the keys of a table show of its category at a place.
func (f *file) decode(in *source, t *ctrTable, at int, hashes []uint32) []uint32 {
	sums := f.knownSums(in, &t.base, at)
	if sums == nil {
		return hashes
	}
	inverse := inverseOf(coefficient(t.base.elements(), at))
	for i := range sums {
		sums[i] *= inverse
	}
	slices.Sort(sums)
	if hashes == nil {
		hashes = []uint32{} // the table is known to have been decoded
	}
	for _, key := range t.keys {
		// x = y - sum lies in [-2^31, 2^31), modulo 2^64
		y := key * inverse
		low := y - (1<<31 - 1)
		next, _ := slices.BinarySearch(sums, low)
		for range sums {
			if next == len(sums) {
				next = 0
			}
			if sums[next]-low >= 1<<32 {
				break
			}
			hashes = push(in, hashes, uint32(y-sums[next]))
			next++
		}
	}
	return hashes
}

// knownSums returns what the elements of a combination but one may add up to, nil if that is too
// much.
func (f *file) knownSums(in *source, b *ctrBase, but int) []uint64 {
	n := b.elements()
	sums := []uint64{0}
	for i := range n {
		if i == but {
			continue
		}
		factor := coefficient(n, i)
		values := []uint64{0, 1} // of a condition
		if i < len(b.cats) {
			hashes := f.dictionaries[f.catAt[b.cats[i]]].hashes
			in.Need(8 * int64(len(hashes)))
			values = make([]uint64, len(hashes))
			for k, h := range hashes {
				values[k] = signed(h)
			}
		}
		size := int64(len(sums)) * int64(len(values))
		if size > mostSums {
			return nil
		}
		in.Need(8 * size)
		next := make([]uint64, 0, size)
		for _, sum := range sums {
			for _, v := range values {
				next = append(next, sum+factor*v)
			}
		}
		sums = next
	}
	return sums
}

// coefficient returns what element i of n is multiplied by in a hash.
func coefficient(n, i int) uint64 {
	c := uint64(multiplier)
	for range n - i {
		c *= multiplier
	}
	return c
}

// inverseOf returns the inverse of an odd number modulo 2^64, by Newton's iteration: each doubles
// the number of right bits, of which x itself has three.
func inverseOf(x uint64) uint64 {
	inverse := x
	for range 5 {
		inverse *= 2 - x*inverse
	}
	return inverse
}

// field returns the field of the schema of a categorical column. Levels are the texts that the file
// has, hashes elsewhere. A text that does not have its hash is left out.
func (f *file) field(in *source, place int, name string) data.Field {
	field := data.Field{Name: name, Kind: data.Categorical}
	hashes := f.dictionaries[place].hashes
	in.Need(int64(len(hashes)) * textCost)
	field.Levels = make([]string, len(hashes))
	plain := &data.Field{}
	all := len(hashes) > 0
	for code, hash := range hashes {
		text, ok := f.texts[hash]
		if ok = ok && plain.Hash(text) == hash; !ok {
			text, all = spelling.HashLevel(hash), false
		}
		field.Levels[code] = text
	}
	if !all {
		field.Format = data.HashedLevels
	}
	return field
}
