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
	return guarded(w, e, f, func(w io.Writer) error { return encode(w, m) })
}

// EncodeTrees is Encode for a format of ensembles of trees alone, of which encode gets a valid one.
// Any other model is a *codec.UnsupportedError.
func EncodeTrees(
	w io.Writer, m model.Model, f codec.Format, encode func(w io.Writer, e *model.Ensemble) error,
) error {
	e, ok := model.AsTrees(m)
	if !ok || e == nil {
		return &codec.UnsupportedError{Format: f.Name, What: "a model that is no single ensemble of trees"}
	}
	if err := e.Validate(); err != nil {
		return fmt.Errorf("%s model: cannot be stored: %w", f.Name, err)
	}
	if f.Reference == nil {
		return encode(w, e)
	}
	return guarded(w, e, f, func(w io.Writer) error { return encode(w, e) })
}

// guarded writes a file unless it predicts otherwise than the model that it was made of.
func guarded(w io.Writer, e *model.Ensemble, f codec.Format, encode func(w io.Writer) error) error {
	var file bytes.Buffer
	if err := encode(&file); err != nil {
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
