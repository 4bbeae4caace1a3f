package catboost

import (
	"cmp"
	"math"
	"slices"
	"strconv"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/input"
	"github.com/coppice-ml/coppice/tree"
)

// column is a column of the model's schema.
type column struct {
	flat  int32
	name  string
	cat   bool
	place int // in file.floats or file.cats
}

// columns returns the columns in the order of the training table.
func (f *file) columns() []column {
	all := make([]column, 0, len(f.floats)+len(f.cats))
	for i, c := range f.floats {
		all = append(all, column{c.flat, c.name, false, i})
	}
	for i, c := range f.cats {
		all = append(all, column{c.flat, c.name, true, i})
	}
	slices.SortFunc(all, func(a, b column) int { return cmp.Compare(a.flat, b.flat) })
	return all
}

// schema returns the schema of columns. A name that the file does not have is "f" and the number of
// the column, as is one that another column has.
func (f *file) schema(in *source, columns []column) data.Schema {
	taken := make(map[string]bool, len(columns))
	var s data.Schema
	for _, c := range columns {
		name := c.name
		if name == "" || taken[name] {
			name = "f" + strconv.Itoa(int(c.flat))
		}
		taken[name] = true
		field := data.Field{Name: name}
		if c.cat {
			field = f.field(in, c.place, name)
		}
		s.Fields = append(s.Fields, field)
	}
	return s
}

// statistics returns the derived columns of the statistics, and for each the number of its column
// among them. Statistics of one table are the outputs of one combination. Combinations have the
// order of their first statistics, which both formats have, and not that of tables.
func (b *building) statistics(in *source) (set input.Set, place []int32) {
	place = make([]int32, len(b.ctrs))
	of := make([][]int32, len(b.tables)) // by table: its statistics
	var tables []int32
	for i := range b.ctrs {
		table := b.ctrs[i].table
		if of[table] == nil {
			tables = append(tables, table)
		}
		of[table] = append(of[table], int32(i))
	}
	next := int32(0)
	for _, table := range tables {
		t := &b.tables[table]
		outputs, n := len(of[table]), len(t.keys)
		in.Need(int64(n)*int64(outputs)*8 + 48*int64(t.base.elements()))
		c := input.Combination{Elements: b.elements(&t.base), Key: t.keys,
			Value: make([]float64, 0, n*outputs)}
		for _, number := range of[table] {
			place[number] = next
			next++
			own := &b.ctrs[number]
			for row := range n {
				c.Value = append(c.Value, float64(t.value(own, row)))
			}
			c.Absent = append(c.Absent, float64(t.value(own, -1)))
		}
		set.Combinations = append(set.Combinations, c)
	}
	return set, place
}

// elements returns the elements of a combination.
func (b *building) elements(base *ctrBase) []input.Element {
	all := make([]input.Element, 0, base.elements())
	for _, number := range base.cats {
		all = append(all, input.Element{Source: b.cat[b.catAt[number]]})
	}
	for _, s := range base.floats {
		at := b.floatAt[s.index]
		e := input.Element{Kind: input.Above, Source: b.float[at],
			Missing: b.floats[at].high && !math.IsInf(float64(s.border), 1)}
		e.SplitPoint, _ = tree.UpTo32(s.border)
		all = append(all, e)
	}
	for _, s := range base.oneHots {
		at := b.catAt[s.cat]
		all = append(all, input.Element{Kind: input.Equal, Source: b.cat[at],
			Code:    uint32(b.dictionaries[at].code(uint32(s.value))),
			Missing: uint32(s.value) == missingHash})
	}
	return all
}
