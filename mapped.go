package coppice

import (
	"fmt"
	"io/fs"
	"runtime"
	"sync/atomic"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/outside"
	"github.com/coppice-ml/coppice/model"
)

// Mapped is a model that OpenMapped opened. It predicts as its Model does, until it is closed.
//
// The file stays mapped as long as something may read it: the garbage collector finds out. So it is
// unmapped once Close was called and the program holds neither the model, nor a part of it, nor a
// Predictor or explainer of it. Nothing else ends a Predictor: those that exist when Close is
// called go on to predict, as for requests that are being served.
type Mapped struct {
	model.Model // that the file has, such as a *model.Ensemble, for functions that need its type

	path string
	file *mapping
}

// mapping is a mapped file, whose owner is what all models hold that have arrays in it.
type mapping struct {
	closed atomic.Bool
	unmap  func() // nil: the file was read
}

// owner is held by all that may read a mapped file.
type owner struct{ of *mapping }

// newOwner returns the owner of a mapped file, which unmaps it when nothing holds the owner any
// more, if it was closed before. Without Close it stays mapped.
func newOwner(f *mapping) *owner {
	o := &owner{f}
	runtime.AddCleanup(o, func(f *mapping) {
		if f.closed.Load() {
			f.unmap()
		}
	}, f)
	return o
}

// mapFrom is the size from which on files are mapped: a mapping takes whole pages, and small files
// are read as fast.
const mapFrom = 1 << 20

// load maps a large file where the system can, and reads others.
func (m *mapping) load(f *outside.File, size int64) (contents, error) {
	if size >= mapFrom {
		var b []byte
		if b, m.unmap = f.Map(size); b != nil {
			return contents{bytes: b, owner: newOwner(m), discard: m.unmap}, nil
		}
	}
	return readFile(f, size)
}

// Close gives up the file: see Mapped. It may be called several times, and while others predict. It
// does not wait, and its error is nil.
func (m *Mapped) Close() error {
	m.file.closed.Store(true)
	runtime.KeepAlive(m.Model) // the cleanup sees that it was closed
	return nil
}

// Bind is that of the model. The error of a closed one wraps fs.ErrClosed.
func (m *Mapped) Bind(s *data.Schema, o model.Options) (model.Predictor, error) {
	if m.file.closed.Load() {
		return nil, fmt.Errorf("model %s: %w: open it again", m.path, fs.ErrClosed)
	}
	return m.Model.Bind(s, o)
}

// Inner returns the model that the file has, by which model.Inner finds its type.
func (m *Mapped) Inner() model.Model { return m.Model }
