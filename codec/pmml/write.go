package pmml

import (
	"fmt"
	"io"

	"github.com/coppice-ml/coppice/codec/parity"
	"github.com/coppice-ml/coppice/model"
)

// encodeModel writes an ensemble of trees as PMML 4.4, of the rounds that predictions use. What
// PMML cannot hold is a *codec.UnsupportedError, as is a file that would predict otherwise.
func encodeModel(w io.Writer, m model.Model) error {
	return parity.EncodeTrees(w, m, Format(), encode)
}

// encode is Encode without the comparison of file and model.
func encode(w io.Writer, e *model.Ensemble) error {
	p, err := newPlan(e.First(0))
	if err != nil {
		return err
	}
	d := &document{plan: p}
	if err := d.write(); err != nil {
		return err
	}
	_, err = w.Write(append(d.out, '\n'))
	return err
}

func cannot(what string, args ...any) error {
	return unsupported("PMML cannot hold %s", fmt.Sprintf(what, args...))
}
