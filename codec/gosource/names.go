package gosource

import (
	"fmt"
	"go/token"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/spelling"
	"github.com/coppice-ml/coppice/model"
)

// column is a column that predictions use.
type column struct {
	source  *data.Field
	field   string   // of Row
	typ     string   // of its categories; "" = a number
	levels  []string // identifiers of the categories
	nonzero bool     // zeros are missing values: the field is that of another column
	derived bool     // a statistic: the field is none of Row
}

// expression is the column's value for the row r.
func (c *column) expression() string {
	if c.nonzero {
		return "nonzero(r." + c.field + ")"
	}
	return "r." + c.field
}

func (c *column) kind() string {
	if c.typ == "" {
		return "float64"
	}
	return c.typ
}

// Codes of categories in generated programs: 0 is missing and 1 unseen, so that a row's zero value
// has no category.
const firstLevel = 2

// names are the identifiers of columns, categories and classes.
type names struct {
	// those that trees use or that refuse values, then statistics, then those in which
	// zeros are missing
	columns    []column
	place      []int // by feature: its place in columns, -1 = none
	statistics []statistic
	classes    []string
}

// declared are the exported names that the file and its test declare of any model.
var declared = []string{"Row", "Raw", "Predict", "Label", "Classes", "Refusal", "Check",
	"TestPredictions", "TestRefused", "BenchmarkPredict"}

// namesOf chooses the identifiers of a model.
func namesOf(m *model.Ensemble) names {
	used := usedFeatures(m)
	fields, types := identifiers{}, identifiers{}
	for _, name := range declared {
		types[name] = true
	}
	chosen := names{place: make([]int, len(used))}
	for i := range m.Meta.Schema.Fields {
		if chosen.place[i] = -1; !used[i] && !refuses(&m.Meta.Schema.Fields[i]) {
			continue
		}
		f := &m.Meta.Schema.Fields[i]
		c := column{source: f, field: fields.choose(f.Name, "Column")}
		if f.Kind == data.Categorical {
			c.typ = types.choose(f.Name, "Category")
			for _, level := range []string{"Missing", "Unseen"} {
				types[c.typ+level] = true
			}
			types["Parse"+c.typ] = true
			for _, level := range f.Levels {
				c.levels = append(c.levels, types.choose(c.typ+" "+level, c.typ))
			}
		}
		chosen.add(i, c)
	}
	chosen.addStatistics(m, used)
	for k, derived := range m.Inputs.Numbers {
		i := len(m.Meta.Schema.Fields) + len(m.Inputs.Columns) + k
		if chosen.place[i] = -1; used[i] {
			c := *chosen.of(derived.Source)
			c.nonzero = true
			chosen.add(i, c)
		}
	}
	for _, class := range m.Meta.Classes {
		chosen.classes = append(chosen.classes, types.choose("Class "+class, "Class"))
	}
	return chosen
}

// add appends the column of a feature.
func (n *names) add(feature int, c column) {
	n.place[feature] = len(n.columns)
	n.columns = append(n.columns, c)
}

// usedFeatures reports which features splits and equations use. A derived column uses its field.
func usedFeatures(m *model.Ensemble) []bool {
	fields := len(m.Meta.Schema.Fields)
	used := make([]bool, fields+m.Inputs.Len())
	for _, t := range m.Trees {
		for n := range int32(t.Len()) {
			for _, f := range t.Looks(n) {
				used[f] = true
			}
		}
		if s := t.Surrogates; s != nil {
			for _, f := range s.Feature {
				used[f] = true
			}
		}
		if l := t.Leaf.Linear; l != nil {
			for _, f := range l.Feature {
				used[f] = true
			}
		}
	}
	for i := range m.Inputs.Len() {
		for _, source := range m.Inputs.Sources(i) {
			used[source] = used[source] || used[fields+i]
		}
	}
	return used
}

// of returns the column of a feature that trees use.
func (n *names) of(feature int32) *column { return &n.columns[n.place[feature]] }

// identifiers is a set of names that are taken.
type identifiers map[string]bool

// choose returns an exported identifier for a text that no other text has: the letters and digits
// of its words, each with a capital.
func (taken identifiers) choose(text, otherwise string) string {
	var b strings.Builder
	start := true
	for _, r := range text {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			start = true
		case start:
			b.WriteRune(unicode.ToUpper(r))
			start = false
		default:
			b.WriteRune(r)
		}
	}
	name := b.String()
	if !token.IsIdentifier(name) || !token.IsExported(name) {
		name = otherwise + name
	}
	if !token.IsIdentifier(name) || !token.IsExported(name) {
		name = otherwise
	}
	unique := name
	for i := 2; taken[unique]; i++ {
		unique = fmt.Sprintf("%s_%d", name, i)
	}
	taken[unique] = true
	return unique
}

// categoryType writes the type of a column's categories and the function that parses them.
func (g *generator) categoryType(c *column) {
	if c.typ == "" {
		return
	}
	g.printf("// %s is a category of the column %s.\ntype %s uint32\n\n", c.typ,
		comment(c.source.Name), c.typ)
	g.printf("// The categories.\nconst (\n\t%sMissing %s = iota // no value\n"+
		"\t%sUnseen // a category that training did not have\n", c.typ, c.typ, c.typ)
	for i, level := range c.levels {
		g.printf("\t%s // %s\n", level, comment(c.source.Levels[i]))
	}
	what := "text"
	if c.source.IntegerLevels() {
		what = "integer(text)"
	}
	g.printf(")\n\n// Parse%s returns the category of a text.\n"+
		"// It is %sUnseen if there is none. The caller decides which texts are missing.\n"+
		"func Parse%s(text string) %s {\n\tswitch %s {\n", c.typ, c.typ, c.typ, c.typ, what)
	for i, level := range c.levels {
		texts := []string{strconv.Quote(c.source.Levels[i])}
		for _, spelling := range spelling.Truths(c.source.Levels[i]) {
			if !slices.Contains(c.source.Levels, spelling) {
				texts = append(texts, strconv.Quote(spelling))
			}
		}
		g.printf("\tcase %s:\n\t\treturn %s\n", strings.Join(texts, ", "), level)
	}
	g.printf("\t}\n\treturn %sUnseen\n}\n\n", c.typ)
}
