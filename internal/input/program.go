package input

import (
	"math"
	"math/bits"
	"slices"

	"github.com/coppice-ml/coppice/data"
)

// Program computes derived columns. It is immutable and safe for concurrent use.
type Program struct {
	sources []int32
	tables  []lookup
	numbers []number

	combinations []combined
}

// lookup finds the keys of one table, and the numbers of the columns made of it.
//
//	dense    at[key]              where there are not many more keys than the table has
//	hashed   key[h], at[h]        open addressing from h = the key times an odd number, its high bits
type lookup struct {
	place []int32  // of each digit: its place in sources
	radix []uint64 // of each digit
	key   []uint64 // by place of the hash table, free if it has none; nil: dense
	// the number of the key in the table; that of keys that it has not is their number
	at    []int32
	shift uint8

	columns []values
}

// values are the numbers of a column.
type values struct {
	column int       // its place among those compiled
	value  []float64 // by number of the key
}

const (
	free   = math.MaxUint64 // no key
	spread = 0x9e3779b97f4a7c15
	few    = 1 << 12 // dense tables are at least so long
)

// Compile prepares the columns with the given numbers; fields are those of the schema that the set
// is valid for.
func (s *Set) Compile(fields []data.Field, columns []int32) *Program {
	p := &Program{}
	of := make(map[int32]int, len(s.Tables)) // table -> place in p.tables
	compiled := map[int]int{}                // combination -> place in p.combinations
	for place, c := range columns {
		if k := int(c) - len(s.Columns) - len(s.Numbers); k >= 0 {
			number, output := s.output(k)
			combination := &s.Combinations[number]
			at, ok := compiled[number]
			if !ok {
				at = len(p.combinations)
				compiled[number] = at
				p.combinations = append(p.combinations, p.combined(combination, fields))
			}
			to := &p.combinations[at]
			to.columns = append(to.columns, values{place, combination.values(output)})
			continue
		}
		if k := int(c) - len(s.Columns); k >= 0 {
			n := &s.Numbers[k]
			p.numbers = append(p.numbers, number{n, place, p.source(n.Source)})
			continue
		}
		column := &s.Columns[c]
		at, ok := of[column.Table]
		if !ok {
			at = len(p.tables)
			of[column.Table] = at
			p.tables = append(p.tables, p.lookup(&s.Tables[column.Table], fields))
		}
		t := &s.Tables[column.Table]
		v := make([]float64, len(t.Key)+1)
		for k := range t.Key {
			sum := 0.0
			if column.Kind == Target {
				sum = t.Sum[int(column.Output)*len(t.Key)+k]
			}
			v[k] = column.Value(t.Count[k], sum)
		}
		v[len(t.Key)] = column.Unseen()
		p.tables[at].columns = append(p.tables[at].columns, values{place, v})
	}
	return p
}

// lookup prepares to find the keys of a table.
func (p *Program) lookup(t *Table, fields []data.Field) lookup {
	l := lookup{}
	for _, f := range t.Source {
		l.place = append(l.place, int32(p.source(f)))
		l.radix = append(l.radix, uint64(len(fields[f].Levels))+1)
	}
	if n, _ := Keys(fields, t.Source); n <= max(few, 4*uint64(len(t.Key))) {
		l.at = make([]int32, n)
		for i := range l.at {
			l.at[i] = int32(len(t.Key))
		}
		for i, k := range t.Key {
			l.at[k] = int32(i)
		}
		return l
	}
	l.hash(t.Key)
	return l
}

// source returns the place of a field in sources, and appends it if it is not there.
func (p *Program) source(f int32) int {
	at := slices.Index(p.sources, f)
	if at < 0 {
		at = len(p.sources)
		p.sources = append(p.sources, f)
	}
	return at
}

// hash makes the hash table, at most half full.
func (l *lookup) hash(keys []uint64) {
	width := bits.Len(uint(2*max(1, len(keys)) - 1))
	l.shift = uint8(64 - width)
	l.key, l.at = make([]uint64, 1<<width), make([]int32, 1<<width)
	for i := range l.key {
		l.key[i], l.at[i] = free, int32(len(keys))
	}
	for i, k := range keys {
		h := k * spread >> l.shift
		for l.key[h] != free {
			h = (h + 1) & uint64(len(l.key)-1)
		}
		l.key[h], l.at[h] = k, int32(i)
	}
}

// Sources returns the fields of the schema whose values the columns are made of, without
// repetition.
func (p *Program) Sources() []int32 { return p.sources }

// find returns the number of a key.
func (l *lookup) find(key uint64) int32 {
	if l.key == nil {
		return l.at[key]
	}
	h := key * spread >> l.shift
	for l.key[h] != key {
		if l.key[h] == free {
			return l.at[h]
		}
		h = (h + 1) & uint64(len(l.key)-1)
	}
	return l.at[h]
}

// Row computes the columns of one row. from holds the row's values in Sources: numbers, and codes
// as numbers, with NaN for missing and -1 for a category that the dictionary does not hold. store
// is called with each column's place among those compiled.
func (p *Program) Row(from []float64, store func(column int, x float64)) {
	for i := range p.tables {
		l := &p.tables[i]
		at := l.row(from)
		for _, v := range l.columns {
			store(v.column, v.value[at])
		}
	}
	for i := range p.numbers {
		n := &p.numbers[i]
		store(n.column, n.valueOf(from[n.from]))
	}
	for i := range p.combinations {
		c := &p.combinations[i]
		at := c.row(from)
		for _, v := range c.columns {
			store(v.column, v.value[at])
		}
	}
}

func (l *lookup) row(from []float64) int32 {
	key := uint64(0)
	for i, place := range l.place {
		x := from[place]
		if x < 0 {
			return l.unseen()
		}
		key *= l.radix[i]
		if !math.IsNaN(x) {
			key += uint64(x) + 1
		}
	}
	return l.find(key)
}

// unseen returns the number of all keys that the table has not.
func (l *lookup) unseen() int32 { return int32(len(l.columns[0].value) - 1) }

// Scratch is what Rows needs for its sums, used again.
type Scratch struct {
	key []uint64
	at  []int32
}

// Rows computes the columns of several rows: from holds each source's values of all rows, as in
// Row, and column returns where the numbers of a column go.
func (p *Program) Rows(from [][]float64, column func(column int) []float64, s *Scratch) {
	for i := range p.numbers {
		n := &p.numbers[i]
		n.rows(column(n.column), from[n.from])
	}
	if len(p.tables)+len(p.combinations) == 0 {
		return
	}
	n := len(from[0])
	s.key, s.at = slices.Grow(s.key[:0], n)[:n], slices.Grow(s.at[:0], n)[:n]
	for i := range p.tables {
		l := &p.tables[i]
		l.rows(s.at, s.key, from)
		l.store(s.at, column)
	}
	for i := range p.combinations {
		c := &p.combinations[i]
		c.rows(s.at, s.key, from)
		c.store(s.at, column)
	}
}

// store writes the columns of rows whose keys have the numbers at.
func (l *lookup) store(at []int32, column func(column int) []float64) {
	for _, v := range l.columns {
		dst := column(v.column)
		for r, number := range at {
			dst[r] = v.value[number]
		}
	}
}

// rows finds the numbers of the keys of several rows. key is overwritten.
func (l *lookup) rows(at []int32, key []uint64, from [][]float64) {
	clear(key)
	for i, place := range l.place {
		radix := l.radix[i]
		for r, x := range from[place] {
			switch {
			case x < 0 || key[r] == free:
				key[r] = free
			case !math.IsNaN(x):
				key[r] = key[r]*radix + uint64(x) + 1
			default:
				key[r] *= radix
			}
		}
	}
	for r, k := range key {
		if k == free {
			at[r] = l.unseen()
		} else {
			at[r] = l.find(k)
		}
	}
}
