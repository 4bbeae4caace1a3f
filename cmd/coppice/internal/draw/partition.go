package draw

import (
	"context"
	"errors"
	"io"

	"github.com/coppice-ml/coppice/report/plot"
)

func (o *command) partition(_ context.Context, w io.Writer, in *input) error {
	s, err := in.subject()
	if err != nil {
		return err
	}
	columns, err := o.find(s.Spec)
	if err != nil {
		return err
	}
	if columns == nil {
		if columns = s.Important(2); columns == nil {
			return errors.New(
				"the tree splits by no numeric column: name one or two with --columns")
		}
	}
	return plot.Partition(w, s, columns)
}
