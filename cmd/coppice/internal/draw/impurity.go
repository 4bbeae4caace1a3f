package draw

import (
	"context"
	"io"

	"github.com/coppice-ml/coppice/report/plot"
)

func (*command) impurity(_ context.Context, w io.Writer, _ *input) error {
	return plot.Impurity(w)
}
