package parity

import (
	"bytes"
	"context"
	"fmt"
	"io"

	"github.com/coppice-ml/coppice/codec"
	"github.com/coppice-ml/coppice/model"
)

// guardRows is about the number of rows on which Encode compares a file with its model.
const guardRows = 300

// Encode writes the file that encode makes of a model, once it has read it back by the reference of
// the format and found that it predicts as the model does. A file that would predict otherwise, or
// that cannot be read back, is a *codec.UnsupportedError, and nothing is written. Models that are
// no ensembles of trees are written as they are. Encoders of other tools' formats call it, so that
// no program writes what the command convert would not.
func Encode(
	w io.Writer, m model.Model, f codec.Format, encode func(w io.Writer, m model.Model) error,
) error {
	e, ok := model.AsTrees(m)
	if !ok || f.Reference == nil {
		return encode(w, m)
	}
	var file bytes.Buffer
	if err := encode(&file, m); err != nil {
		return err
	}
	if _, err := File(context.Background(), file.Bytes(), f, e, guardRows); err != nil {
		return &codec.UnsupportedError{Format: f.Name, What: err.Error()}
	}
	_, err := w.Write(file.Bytes())
	return err
}

// File reads a file of a format that was written of a model, and compares the two on about so many
// rows: see Written.
func File(
	ctx context.Context, file []byte, f codec.Format, e *model.Ensemble, rows int,
) (largest float64, err error) {
	ref, err := f.Reference(bytes.NewReader(file), int64(len(file)), codec.Limits{})
	if err != nil {
		return 0, fmt.Errorf("the file for %s cannot be read back: %w", f.Name, err)
	}
	used := e.First(0)
	if largest, err = Written(ctx, used, ref, f.Single, Make(used, rows)); err != nil {
		return 0, fmt.Errorf("the file for %s would predict otherwise: %w", f.Name, err)
	}
	return largest, nil
}
