package draw

import (
	"context"
	"io"

	"github.com/coppice-ml/coppice/report/plot"
)

func (*command) history(ctx context.Context, w io.Writer, in *input) error {
	s, err := in.scene()
	if err != nil {
		return err
	}
	return plot.Rounds(ctx, w, s)
}
