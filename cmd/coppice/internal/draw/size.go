package draw

import (
	"context"
	"io"

	"github.com/coppice-ml/coppice/report/plot"
)

func (*command) size(_ context.Context, w io.Writer, in *input) error {
	s, err := in.subject()
	if err != nil {
		return err
	}
	return plot.Size(w, s)
}
