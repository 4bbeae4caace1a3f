package gosource

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/tree"
)

// refuses reports whether a value of the field may be an error. The model returns it even where no
// tree uses the column.
func refuses(f *data.Field) bool {
	return f.Missing == data.Refuse || f.Unseen == data.Refuse && f.Kind == data.Categorical
}

// refusal is a value that the model refuses.
type refusal struct {
	condition string // of the row r
	column    string
	what      string // in the words of model.ValueError
}

// refusals are what a model refuses. Most models refuse nothing.
type refusals struct {
	values []refusal // in the order of the columns
	// the errors of the leaves without a prediction, in their order, which name the column of the
	// split above
	leaves []refusal
}

// refusalsOf lists what a model refuses, whose columns have names.
func refusalsOf(m *model.Ensemble, a *names) refusals {
	var all refusals
	for i := range a.columns {
		all.addValues(&a.columns[i])
	}
	for _, r := range m.Refused {
		t := m.Trees[r.Tree]
		f := a.of(t.Feature(t.Parents()[r.Leaf]))
		all.leaves = append(all.leaves, refusal{column: strconv.Quote(f.source.Source()),
			what: "the model has no prediction for rows of this value"})
	}
	return all
}

// addValues adds the values of a column that the model refuses.
func (a *refusals) addValues(c *column) {
	if c.nonzero || c.derived {
		return // the columns that it is made of have them
	}
	name := strconv.Quote(c.source.Source())
	if c.source.Missing == data.Refuse {
		condition := fmt.Sprintf("math.IsNaN(r.%s)", c.field)
		if c.typ != "" {
			condition = fmt.Sprintf("r.%s == %sMissing", c.field, c.typ)
		}
		a.values = append(a.values, refusal{condition, name, "missing value"})
	}
	if c.source.Unseen == data.Refuse && c.typ != "" {
		condition := fmt.Sprintf("r.%s == %sUnseen || r.%s > %d", c.field, c.typ, c.field,
			len(c.levels)+firstLevel-1)
		a.values = append(a.values, refusal{condition, name, "category never seen in training"})
	}
}

// any reports whether the model refuses some rows.
func (a *refusals) any() bool { return len(a.values) > 0 || len(a.leaves) > 0 }

// refusedFunctions writes a function for each tree with leaves that have no prediction: it returns
// the place of the error of the leaf that a row reaches, or -1.
func (f *functions) refusedFunctions() {
	first := len(f.refusals.values)
	for i := range f.model.Refused {
		number := int(f.model.Refused[i].Tree)
		if i > 0 && int(f.model.Refused[i-1].Tree) == number {
			continue
		}
		b := body{functions: f, number: number, tree: f.model.Trees[number], refused: map[int32]int{}}
		for k, r := range f.model.Refused {
			if int(r.Tree) == number {
				b.refused[r.Leaf] = first + k
			}
		}
		f.printf("func refused%d(r *Row) int {\n", number)
		b.node(0)
		f.printf("}\n\n")
	}
}

// check writes Check and its errors, for a model that refuses rows.
func (g *generator) check() {
	if !g.refusals.any() {
		return
	}
	g.WriteString(refusalSource)
	for _, r := range slices.Concat(g.refusals.values, g.refusals.leaves) {
		g.printf("\t{%s, %q},\n", r.column, r.what)
	}
	g.printf("}\n\n// Check returns a *Refusal for a row that the model refuses, nil for any other. Of" +
		" a refused\n// row Raw and Predict are NaN")
	if len(g.classes) > 0 {
		g.printf(", and Label is -1")
	}
	g.printf(".\nfunc Check(r *Row) error {\n")
	if len(g.refusals.values) > 0 {
		g.printf("\tswitch {\n")
		for i, r := range g.refusals.values {
			g.printf("\tcase %s:\n\t\treturn &refusals[%d]\n", r.condition, i)
		}
		g.printf("\t}\n")
	}
	for i, r := range g.model.Refused {
		if i == 0 || g.model.Refused[i-1].Tree != r.Tree {
			g.printf("\tif i := refused%d(r); i >= 0 {\n\t\treturn &refusals[i]\n\t}\n", r.Tree)
		}
	}
	g.printf("\treturn nil\n}\n\n")
}

const refusalSource = `// Refusal is the error of a value that the model refuses.
type Refusal struct{ Column, What string }

// Error names the column.
func (e *Refusal) Error() string { return "column \"" + e.Column + "\": " + e.What }

var refusals = [...]Refusal{
`

// guard writes the start of a function that returns something else for rows which Check refuses.
func (g *generator) guard(otherwise string) {
	if g.refusals.any() {
		g.printf("\tif Check(r) != nil {\n\t\treturn %s\n\t}\n", otherwise)
	}
}

// notNumbers is an expression for so many numbers that are NaN.
func notNumbers(n int) string {
	if n == 1 {
		return "math.NaN()"
	}
	return arrayType(n) + "{" + strings.Join(slices.Repeat([]string{"math.NaN()"}, n), ", ") + "}"
}

// reaching returns a row that reaches a leaf of a tree, and has the values of another row where the
// splits on the way do not decide; nil if it finds none.
func (g *generator) reaching(t *tree.Tree, leaf int32, row []float64) []float64 {
	row = slices.Clone(row)
	parents := t.Parents()
	check := g.model.RowCheck()
	for n := leaf; n > 0; n = parents[n] {
		up := parents[n]
		f := t.Feature(up)
		for _, x := range choices(t, up, len(g.model.Meta.Schema.Fields[f].Levels)) {
			if row[f] = x; check(row) != nil {
				return row
			}
		}
	}
	return nil
}

// choices lists values of a column on both sides of a split.
func choices(t *tree.Tree, n int32, levels int) []float64 {
	if t.Kind(n) == tree.Numeric {
		c := t.SplitPoint(n)
		return []float64{c, math.Nextafter(c, math.Inf(1)), math.NaN()}
	}
	all := []float64{-1, math.NaN()}
	for code := range levels {
		all = append(all, float64(code))
	}
	return all
}

// refusedRows writes the test that the model refuses rows: for each value that it refuses a row
// with that value, else as one that it accepts, and rows that reach leaves without a prediction.
func (g *generator) refusedRows(accepted []float64, outputs int) {
	g.printf("var refused = []Row{\n")
	for f, place := range g.place[:len(accepted)] {
		if place < 0 {
			continue
		}
		row, source := slices.Clone(accepted), g.columns[place].source
		if row[f] = math.NaN(); source.Missing == data.Refuse {
			g.printf("\t%s,\n", strings.TrimPrefix(g.literal(row), "Row"))
		}
		if row[f] = -1; source.Unseen == data.Refuse && source.Kind == data.Categorical {
			g.printf("\t%s,\n", strings.TrimPrefix(g.literal(row), "Row"))
		}
	}
	for _, r := range g.model.Refused {
		if row := g.reaching(g.model.Trees[r.Tree], r.Leaf, accepted); row != nil {
			g.printf("\t%s,\n", strings.TrimPrefix(g.literal(row), "Row"))
		}
	}
	g.printf("}\n\nfunc TestRefused(t *testing.T) {\n\tfor i := range refused {\n\t\tr := &refused[i]\n" +
		"\t\tif Check(r) == nil {\n\t\t\tt.Errorf(\"row %%d is not refused\", i)\n\t\t}\n")
	g.isNaN("Raw", g.scores)
	g.isNaN("Predict", outputs)
	if len(g.classes) > 0 {
		g.printf("\t\tif got := Label(r); got != -1 {\n" +
			"\t\t\tt.Errorf(\"refused row %%d: label %%v, want -1\", i, got)\n\t\t}\n")
	}
	g.printf("\t}\n}\n\n")
}

// isNaN writes the test that what a function returns of a row, so many numbers, is NaN.
func (g *generator) isNaN(function string, n int) {
	before, after := fmt.Sprintf("\t\tif x := %s(r); ", function), ""
	if n > 1 {
		before, after = fmt.Sprintf("\t\tfor _, x := range %s(r) {\nif ", function), "}\n"
	}
	g.printf("%s!math.IsNaN(x) {\n\t\t\tt.Errorf(\"refused row %%d: %s %%v, want NaN\", i, x)\n"+
		"\t\t}\n%s", before, function, after)
}
