package gosource

import (
	"fmt"
	"go/token"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/tree"
)

// column is a column that predictions use.
type column struct {
	source *data.Field
	field  string   // of Row
	typ    string   // of its categories; "" = a number
	levels []string // identifiers of the categories
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

// name chooses the identifiers of columns, categories and classes. Columns that no tree tests are
// left out.
func (g *generator) name() {
	used := map[int32]bool{}
	for _, t := range g.model.Trees {
		for n := range int32(t.Len()) {
			for _, f := range t.Looks(n) {
				used[f] = true
			}
		}
	}
	// what the file declares itself
	fields, types := identifiers{}, identifiers{"Row": true, "Classes": true}
	place := make([]int, len(g.model.Meta.Schema.Fields))
	for i := range g.model.Meta.Schema.Fields {
		if place[i] = -1; !used[int32(i)] {
			continue
		}
		f := &g.model.Meta.Schema.Fields[i]
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
		place[i] = len(g.columns)
		g.columns = append(g.columns, c)
	}
	g.place = place
	for _, class := range g.model.Meta.Classes {
		g.classes = append(g.classes, types.choose("Class "+class, "Class"))
	}
}

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
	g.printf("// The categories.\nconst (\n\t%sMissing %s = iota // no value\n\t%sUnseen // a category that "+
		"training did not have\n", c.typ, c.typ, c.typ)
	for i, level := range c.levels {
		g.printf("\t%s // %s\n", level, comment(c.source.Levels[i]))
	}
	g.printf(")\n\n// Parse%s returns the category of a text.\n// It is %sUnseen if there is none. The caller "+
		"decides which texts are missing.\nfunc Parse%s(text string) %s {\n\tswitch text {\n", c.typ, c.typ,
		c.typ, c.typ)
	for i, level := range c.levels {
		texts := []string{strconv.Quote(c.source.Levels[i])}
		for _, spelling := range data.Spellings(c.source.Levels[i]) {
			if !slices.Contains(c.source.Levels, spelling) {
				texts = append(texts, strconv.Quote(spelling))
			}
		}
		g.printf("\tcase %s:\n\t\treturn %s\n", strings.Join(texts, ", "), level)
	}
	g.printf("\t}\n\treturn %sUnseen\n}\n\n", c.typ)
}

// check returns an error that names what the translation cannot express.
func (g *generator) check() error {
	for i := range g.model.Meta.Schema.Fields {
		if f := &g.model.Meta.Schema.Fields[i]; f.Hashed() {
			return unsupported("column %q, whose categories are hashes", f.Name)
		}
	}
	for i, t := range g.model.Trees {
		if t.Leaf.Linear != nil {
			return unsupported("equations in leaves: tree %d has some", i)
		}
		for n := range int32(t.Len()) {
			switch kind := t.Kind(n); {
			case kind == tree.Oblique || kind == tree.Sphere:
				return unsupported("splits along directions: node %d of tree %d is one", n, i)
			case kind != tree.Leaf && t.NextMissing(n) < 0:
				return unsupported("rows that are divided or stop: node %d of tree %d", n, i)
			case kind != tree.Leaf && t.Missing(n) == tree.MissingSurrogate:
				return unsupported("surrogate splits: node %d of tree %d has some", n, i)
			}
		}
	}
	return nil
}
