package draw

import (
	"context"
	"fmt"
	"io"

	"github.com/coppice-ml/coppice/model/training"
	"github.com/coppice-ml/coppice/report/plot"
)

func (*command) study(_ context.Context, w io.Writer, in *input) error {
	spec := in.model.Spec()
	f := training.StudyFigure(spec.Study, spec.Label)
	if f == nil {
		return fmt.Errorf("%s: no search chose the parameters of the model: coppice tune makes models "+
			"that store one", in.path)
	}
	figure := plot.Figure(*f)
	return figure.Write(w)
}
