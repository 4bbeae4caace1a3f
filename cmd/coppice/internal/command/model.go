package command

import (
	"errors"
	"fmt"

	"github.com/coppice-ml/coppice"
	"github.com/coppice-ml/coppice/model"
)

// openModel opens a model. Where a table follows it on the command line, the two are easily swapped; the error then
// says so.
func openModel(path string, table bool) (model.Model, error) {
	m, err := coppice.Open(path)
	if table && errors.Is(err, coppice.ErrNotModel) && looksLikeTable(path) {
		return nil, fmt.Errorf("%w: the model comes first, then the table", err)
	}
	return m, err
}

func looksLikeTable(path string) bool { return formatByName(path) != nil }
