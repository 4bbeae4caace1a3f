package describe

import (
	"fmt"
	"strings"

	"github.com/coppice-ml/coppice/cmd/coppice/internal/cli"
	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/model"
)

// derivedNames returns the names of the columns that a model makes of categories.
func derivedNames(m model.Model) []string {
	e, ok := m.(*model.Ensemble)
	if !ok {
		return nil
	}
	return e.Features().Names()[len(e.Meta.Schema.Fields):]
}

// DerivedFacts lists the derived columns that the trees use besides those of the table.
func DerivedFacts(m model.Model) []cli.Fact {
	const listed = 4
	names := derivedNames(m)
	if len(names) == 0 {
		return nil
	}
	text := humanize.Name(strings.Join(names[:min(listed, len(names))], ", "))
	if more := len(names) - listed; more > 0 {
		text += fmt.Sprintf(", and %d more", more)
	}
	return []cli.Fact{{Name: "derived", Text: text + "; importances list those of several columns as a combination"}}
}
