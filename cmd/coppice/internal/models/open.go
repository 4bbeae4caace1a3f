// Package models opens the models that commands name. It owns the flags that change how a model
// predicts, --rounds and --threshold, the flag that limits the memory for decoding them, and the
// lists of learners for messages about models.
package models

import (
	"errors"
	"fmt"
	"strings"

	"github.com/coppice-ml/coppice"
	"github.com/coppice-ml/coppice/cmd/coppice/internal/tables"
	"github.com/coppice-ml/coppice/codec"
	"github.com/coppice-ml/coppice/codec/formats"
	"github.com/coppice-ml/coppice/internal/outside"
	"github.com/coppice-ml/coppice/learn/catalog"
	"github.com/coppice-ml/coppice/model"
)

// Open opens a model, of Coppice or of another tool, and checks its training summary, so that
// commands can print it. table reports that a table follows the model on the command line. The
// error then suggests that the two were swapped.
func (o *LimitFlag) Open(path string, table bool) (model.Model, error) {
	l, err := o.Limits()
	if err != nil {
		return nil, err
	}
	m, err := openBy(l, path)
	if table && errors.Is(err, errTable) {
		return nil, fmt.Errorf("%w: the model comes first, then the table", err)
	}
	if err != nil {
		return nil, Raisable(path, err)
	}
	if err := catalog.CheckSummaries(m); err != nil {
		return nil, fmt.Errorf("cannot open model %s: %w", path, err)
	}
	return m, nil
}

// openBy opens a model of any tool within limits. A table that is none has the error of a file that
// is no model of Coppice.
func openBy(l codec.Limits, path string) (model.Model, error) {
	own := func() (model.Model, error) { return coppice.Open(path) } // reads files in place
	if l.Memory == 0 {
		m, err := own()
		info, there := outside.FileInfo(path)
		if !errors.Is(err, coppice.ErrNotModel) && (there != nil || !info.IsDir()) {
			return m, err
		}
	}
	m, _, err := formats.Open(path, l)
	if errors.Is(err, formats.ErrUnknown) && tables.LooksLikeTable(path) {
		_, before := own()
		if errors.Is(before, coppice.ErrNotModel) {
			before = fmt.Errorf("%s%w",
				strings.TrimSuffix(before.Error(), coppice.ErrNotModel.Error()), errTable)
		}
		return nil, before
	}
	return m, err
}

// errTable takes the place of coppice.ErrNotModel for a table, of which other packages read
// nothing.
var errTable = errors.New("it is not a Coppice model file")

// Foreign returns the format of a model that Open opened, nil if it is Coppice's own.
func Foreign(path string) *codec.Format {
	f, err := formats.Of(path)
	if err != nil || !f.Foreign {
		return nil
	}
	return f
}
