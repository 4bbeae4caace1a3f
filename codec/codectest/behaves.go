package codectest

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"runtime/debug"
	"runtime/metrics"
	"testing"
	"testing/fstest"
	"time"

	"github.com/coppice-ml/coppice/codec"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/model"
)

// Behaves checks what a format makes of a file that may be damaged: an error of one of the types of
// package codec, or a model that validates and predicts. The model reaches the leaves of the
// format's reference, and is written, or refused as unsupported. Neither reader may allocate more
// than codec.Limits allows for the file's size. Behaves reports whether there is a model.
func Behaves(t testing.TB, f codec.Format, b []byte) bool {
	t.Helper()
	c := fileInput(f, b)
	if err := c.check(); err != nil {
		t.Fatal(err)
	}
	return c.decoded
}

// BehavesFS is Behaves for a format whose models are folders.
func BehavesFS(t testing.TB, f codec.Format, files fstest.MapFS) bool {
	t.Helper()
	c := folderInput(f, files)
	if err := c.check(); err != nil {
		t.Fatal(err)
	}
	return c.decoded
}

// damaged is a file or a folder to read.
type damaged struct {
	format    codec.Format
	size      int64
	decode    func(l codec.Limits) (model.Model, error)
	reference func(l codec.Limits) (codec.Reference, error) // nil: there is none
	decoded   bool                                          // found by check: it is a model
	took      time.Duration                                 // of decode
}

func fileInput(f codec.Format, b []byte) *damaged {
	size := int64(len(b))
	d := &damaged{format: f, size: size, decode: func(l codec.Limits) (model.Model, error) {
		return f.Decode(bytes.NewReader(b), size, l)
	}}
	if f.Reference != nil {
		d.reference = func(l codec.Limits) (codec.Reference, error) {
			return f.Reference(bytes.NewReader(b), size, l)
		}
	}
	return d
}

func folderInput(f codec.Format, files fstest.MapFS) *damaged {
	d := &damaged{format: f, decode: func(l codec.Limits) (model.Model, error) {
		return f.DecodeFS(files, l)
	}}
	for _, file := range files {
		d.size += int64(len(file.Data))
	}
	if f.ReferenceFS != nil {
		d.reference = func(l codec.Limits) (codec.Reference, error) {
			return f.ReferenceFS(files, l)
		}
	}
	return d
}

// check returns what is wrong with the readers, nil if nothing is. A panic is an error, so that the
// caller can name the input.
func (d *damaged) check() (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
		}
	}()
	var m model.Model
	start := time.Now()
	if err := d.bounded("decoding", func() { m, err = d.decode(codec.Limits{}) }); err != nil {
		return err
	}
	d.took = time.Since(start)
	if err != nil {
		if m != nil {
			return fmt.Errorf("a model beside the error %w", err)
		}
		return d.typed(err)
	}
	d.decoded = true
	if v, ok := m.(model.Checked); ok {
		if err := v.Validate(); err != nil {
			return fmt.Errorf("accepted, and not valid: %w", err)
		}
	}
	var ref codec.Reference
	if d.reference != nil {
		if err := d.bounded("the reference", func() { ref, err = d.reference(codec.Limits{}) }); err != nil {
			return err
		}
		if err != nil {
			return fmt.Errorf("a model, and a reference with the error %w", err)
		}
	}
	if err := predicts(m, ref); err != nil {
		return err
	}
	if d.format.Encode == nil {
		return nil
	}
	unsupported := (*codec.UnsupportedError)(nil)
	if err := d.format.Encode(io.Discard, m); err != nil && !errors.As(err, &unsupported) {
		return fmt.Errorf("the model is not written: %w", err)
	}
	return nil
}

// bounded runs a reader and checks how many bytes it allocates, live or not.
func (d *damaged) bounded(what string, read func()) error {
	before := allocations()
	read()
	used, limit := allocations()-before, uint64(codec.Limits{}.MemoryFor(d.size))
	if used > limit {
		return fmt.Errorf("%s allocates %d bytes for %d, the limit is %d", what, used, d.size, limit)
	}
	return nil
}

// allocations returns the bytes that the process has allocated so far, but for some small ones of
// late. runtime.ReadMemStats has them, too, and stops all goroutines at each call.
func allocations() uint64 {
	sample := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}

// typed checks that an error is of a type of package codec, and where it is within the file.
func (d *damaged) typed(err error) error {
	var (
		corrupt     *codec.CorruptError
		unsupported *codec.UnsupportedError
		limit       *codec.LimitError
	)
	switch {
	case errors.As(err, &corrupt):
		// files of folders may be compressed, with offsets in what they hold
		inside := corrupt.Offset >= 0 && (corrupt.Offset <= d.size || d.format.DecodeFS != nil)
		if corrupt.Format == "" || corrupt.Section == "" || !inside {
			return fmt.Errorf("the error has no format, section or offset in the file: %#v", corrupt)
		}
	case !errors.As(err, &unsupported) && !errors.As(err, &limit):
		return fmt.Errorf("error of type %T: %w", err, err)
	}
	return nil
}

// wide is a number of columns, or of scores, above which one row is predicted and not several.
const wide = 1000

// predicts predicts rows by a model, and compares its leaves with those of the reference.
func predicts(m model.Model, ref codec.Reference) error {
	s := &m.Spec().Schema
	o := model.Options{Output: model.Raw, Rounds: model.AllRounds, Workers: 1}
	leaves := m.Describe().Ensemble != nil && ref != nil
	if leaves {
		o.Output = model.Leaf
	}
	p, err := m.Bind(s, o)
	if err != nil {
		return fmt.Errorf("the model does not match its own columns: %w", err)
	}
	row, got := make([]float64, len(s.Fields)), make([]float64, p.Width())
	var want []int32
	if ref != nil {
		want = make([]int32, ref.Trees())
	}
	if leaves && len(want) != len(got) {
		return fmt.Errorf("the model has %d trees, its reference %d", len(got), len(want))
	}
	for _, x := range []float64{math.NaN(), 0, -1, 1, 1e300} {
		fill(row, s, x)
		var refused *model.ValueError
		if err := p.PredictRow(got, row); errors.As(err, &refused) {
			continue
		} else if err != nil {
			return fmt.Errorf("prediction of %v: %w", x, err)
		}
		if ref == nil {
			continue
		}
		ref.Leaves(want, row)
		for k := range want {
			if leaves && got[k] != float64(want[k]) {
				return fmt.Errorf("%v ends in leaf %v of tree %d, by the reference in %d", x, got[k], k, want[k])
			}
		}
		ref.Raw(make([]float64, ref.Scores()), row)
		ref.Response(make([]float64, ref.Outputs()), row)
		if len(row) > wide || ref.Scores() > wide {
			return nil
		}
	}
	return nil
}

// fill sets all numbers of a row to x, and each category to the code x, or unseen if there is none.
func fill(row []float64, s *data.Schema, x float64) {
	for k := range row {
		f := &s.Fields[k]
		if row[k] = x; f.Kind == data.Categorical && x >= float64(len(f.Levels)) {
			row[k] = -1
		}
	}
}
