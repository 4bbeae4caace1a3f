package gosource

import (
	"fmt"
	"strings"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/model"
)

// statistic is a column that is made of a table of categories: a target statistic or a count.
type statistic struct {
	field  string // of the generated struct derived
	table  int32
	column int // of the model's derived columns
}

// addStatistics adds the columns of tables that trees use. Their fields are not those of Row.
func (n *names) addStatistics(m *model.Ensemble, used []bool) {
	fields := len(m.Meta.Schema.Fields)
	for k := range m.Inputs.Columns {
		if n.place[fields+k] = -1; !used[fields+k] {
			continue
		}
		s := statistic{fmt.Sprintf("statistic%d", k), m.Inputs.Columns[k].Table, k}
		n.statistics = append(n.statistics, s)
		named := &data.Field{Name: m.Inputs.Name(k, m.Meta.Schema.Fields, m.Meta.Classes)}
		n.add(fields+k, column{source: named, field: s.field, derived: true})
	}
}

// rowOfTrees is the type of the rows that trees get.
func (n *names) rowOfTrees() string {
	if len(n.statistics) > 0 {
		return "*derived"
	}
	return "*Row"
}

// derive writes the type of rows with statistics, and the function that makes one.
func (g *generator) derive() {
	if len(g.statistics) == 0 {
		return
	}
	g.printf("// columns is Row under a name that no field of it has.\ntype columns = Row\n\n" +
		"// derived is a row with the statistics of its categories.\ntype derived struct {\n\t*columns\n")
	for _, s := range g.statistics {
		feature := int32(len(g.model.Meta.Schema.Fields) + s.column)
		g.printf("\t%s float64 // %s\n", s.field, comment(g.of(feature).source.Name))
	}
	g.printf("}\n\nfunc derive(r *Row) derived {\n\td := derived{columns: r}\n")
	written := map[int32]bool{}
	for _, s := range g.statistics {
		if !written[s.table] {
			g.printf("\tplace%d := r.place%d()\n", s.table, s.table)
		}
		written[s.table] = true
		g.printf("\td.%s = %sOf[place%d]\n", s.field, s.field, s.table)
	}
	g.printf("\treturn d\n}\n\n")
	for table := range g.model.Inputs.Tables {
		if written[int32(table)] {
			g.table(table)
		}
	}
	for _, s := range g.statistics {
		g.statistic(s)
	}
	g.WriteString(searchSource)
}

// table writes the keys of a table, and the function that finds a row's.
func (g *generator) table(table int) {
	t := &g.model.Inputs.Tables[table]
	texts := make([]string, len(t.Key))
	for i, k := range t.Key {
		texts[i] = fmt.Sprint(k)
	}
	g.printf("// keys%d are the combinations of categories that training rows had.\n"+
		"var keys%d = [...]uint64{%s}\n\n", table, table, strings.Join(texts, ", "))
	g.printf("// place%d returns the place of a row among keys%d, the one behind the last if it is not "+
		"there.\nfunc (r *Row) place%d() int {\n\tkey, ok := uint64(0), true\n", table, table, table)
	for _, f := range t.Source {
		c := g.of(f)
		g.printf("\tkey, ok = combined(key, ok, uint32(r.%s), %d)\n", c.field, len(c.levels))
	}
	g.printf("\tif !ok {\n\t\treturn len(keys%d)\n\t}\n\treturn search(keys%d[:], key)\n}\n\n", table, table)
}

// statistic writes the numbers of a column by place.
func (g *generator) statistic(s statistic) {
	c := &g.model.Inputs.Columns[s.column]
	t := &g.model.Inputs.Tables[s.table]
	values := make([]float64, len(t.Key)+1)
	for i, count := range t.Count {
		sum := 0.0
		if t.Outputs() > 0 {
			sum = t.Sum[int(c.Output)*len(t.Key)+i]
		}
		values[i] = c.Value(count, sum)
	}
	values[len(t.Key)] = c.Unseen()
	g.printf("// %sOf has the numbers of keys%d, and last that of other rows.\nvar %sOf = [...]float64{%s}\n\n",
		s.field, s.table, s.field, joined(values))
}

const searchSource = `// combined returns a key with the digit of one more category, and whether all are known.
func combined(key uint64, ok bool, code, levels uint32) (uint64, bool) {
	switch key *= uint64(levels) + 1; {
	case code == 0: // missing
		return key, ok
	case code == 1 || code > levels+1: // unseen
		return 0, false
	}
	return key + uint64(code) - 1, ok
}

// search returns the place of a key in ascending keys, their number if it is not there.
func search(keys []uint64, key uint64) int {
	from, to := 0, len(keys)
	for from < to {
		if middle := (from + to) / 2; keys[middle] < key {
			from = middle + 1
		} else {
			to = middle
		}
	}
	if from < len(keys) && keys[from] == key {
		return from
	}
	return len(keys)
}

`
