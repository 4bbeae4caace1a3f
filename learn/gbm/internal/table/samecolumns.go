package table

import (
	"fmt"
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/option"
)

// SameColumns checks that the columns of a model are those of the table.
func SameColumns(then, now *data.Schema) error {
	if len(then.Fields) != len(now.Fields) {
		return differentColumns(then, now)
	}
	for i, f := range then.Fields {
		g := &now.Fields[i]
		if f.Name != g.Name || f.Kind != g.Kind {
			return fmt.Errorf("column %d of the model to continue is %s, %s, in the table it is "+
				"%s, %s", i+1, f.Name, f.Kind, g.Name, g.Kind)
		}
		if !f.MadeAs(g) {
			return fmt.Errorf("column %q is another part of its dates or texts than in the "+
				"model to continue: make the table's features like the model's", f.Name)
		}
		if !slices.Equal(f.Levels, g.Levels) {
			return fmt.Errorf("column %q has other categories than in the model to continue: read "+
				"the table by the model's schema", f.Name)
		}
	}
	return nil
}

// differentColumns names a column that only the model or only the table has.
func differentColumns(then, now *data.Schema) error {
	for _, name := range then.Names() {
		if now.Index(name) < 0 {
			return fmt.Errorf("the model to continue has a column %q, which is no feature of the "+
				"table", name)
		}
	}
	for _, name := range now.Names() {
		if then.Index(name) < 0 {
			return fmt.Errorf("the table has a column %q, which is no feature of the model to "+
				option.Expand("continue: leave it out with {ignore}"), name)
		}
	}
	return fmt.Errorf("the model to continue has %d columns, the table has %d", len(then.Fields),
		len(now.Fields))
}
