package draw

import (
	"context"
	"io"

	"github.com/coppice-ml/coppice/report/plot"
)

func (o *command) margins(_ context.Context, w io.Writer, in *input) error {
	s, err := in.scene()
	if err != nil {
		return err
	}
	return plot.Margins(w, s, o.rounds)
}
