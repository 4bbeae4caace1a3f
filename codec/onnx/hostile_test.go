package onnx_test

import (
	"bytes"
	"errors"
	"flag"
	"math"
	"math/rand/v2"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/codec"
	"github.com/coppice-ml/coppice/codec/onnx"
	"github.com/coppice-ml/coppice/internal/codectest"
	"github.com/coppice-ml/coppice/model"
)

func TestConformance(t *testing.T) {
	var files [][]byte
	for _, name := range []string{"regressor-equal", "binary-mixed", "ensemble"} {
		files = append(files, read(t, folder+"/"+name+".onnx"))
	}
	codectest.Run(t, onnx.Format(), nil, files...)
}

// behaves checks what comes of a damaged file: an error of the right type, or a model that is valid
// and predicts. It reports whether there is a model.
func behaves(t testing.TB, file []byte) bool {
	m, err := onnx.Decode(bytes.NewReader(file), int64(len(file)), codec.Limits{})
	var (
		corrupt *codec.CorruptError
		feature *codec.UnsupportedError
		limit   *codec.LimitError
	)
	switch {
	case errors.As(err, &corrupt) && corrupt.Section != "" && corrupt.Offset >= 0 &&
		corrupt.Offset <= int64(len(file)), errors.As(err, &feature), errors.As(err, &limit):
		return false
	case err != nil:
		t.Fatalf("error of type %T: %v", err, err)
	}
	e := m.(*model.Ensemble)
	if err := e.Validate(); err != nil {
		t.Fatal(err)
	}
	p, err := e.Bind(&e.Meta.Schema, model.Options{})
	if err != nil {
		t.Fatal(err)
	}
	row := make([]float64, len(e.Meta.Schema.Fields))
	dst := make([]float64, p.Width())
	for _, x := range []float64{0, 1, -1, math.NaN()} {
		for i := range row {
			row[i] = x
		}
		if err := p.PredictRow(dst, row); err != nil {
			t.Fatal(err)
		}
	}
	ref, err := onnx.Reference(bytes.NewReader(file), int64(len(file)), codec.Limits{})
	if err != nil {
		t.Fatalf("a reference of a file with a model: %v", err)
	}
	ref.Response(make([]float64, max(ref.Outputs(), ref.Scores())), row)
	ref.Leaves(make([]int32, ref.Trees()), row)
	return true
}

// mutated returns a copy of a file with some bytes changed, inserted or taken away.
func mutated(r *rand.Rand, file []byte) []byte {
	b := bytes.Clone(file)
	for range 1 + r.IntN(4) {
		at := r.IntN(len(b))
		switch r.IntN(5) {
		case 0:
			b[at] ^= 1 << r.IntN(8)
		case 1:
			b[at] = []byte{0, 1, 0x7f, 0x80, 0xff}[r.IntN(5)]
		case 2:
			b[at] = byte(r.Uint32())
		case 3:
			b = append(b[:at], b[min(len(b), at+1+r.IntN(8)):]...)
		default:
			from := r.IntN(len(b))
			b = append(b[:at:at], append(bytes.Clone(b[from:min(len(b), from+1+r.IntN(20))]), b[at:]...)...)
		}
		if len(b) == 0 {
			return []byte{0}
		}
	}
	return b
}

var mutations = flag.Int("mutations", 500, "mutations of each sample that TestMutations tries")

// Prefixes and mutations of each sample give an error of the right type, or a model that predicts.
func TestMutations(t *testing.T) {
	paths, err := filepath.Glob(folder + "/*.onnx")
	if err != nil || len(paths) == 0 {
		t.Fatal("no samples")
	}
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".onnx"), func(t *testing.T) {
			t.Parallel()
			file := read(t, path)
			for n := range file {
				behaves(t, file[:n])
			}
			r := rand.New(rand.NewPCG(1, uint64(len(file))))
			models := 0
			for range *mutations {
				if behaves(t, mutated(r, file)) {
					models++
				}
			}
			t.Logf("%d of %d mutations are models", models, *mutations)
		})
	}
}

// Decoding allocates no more than the limit, whatever the file has.
func TestMemory(t *testing.T) {
	paths, err := filepath.Glob(folder + "/*.onnx")
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(2, 0))
	for _, path := range paths {
		file := read(t, path)
		for range 50 {
			b := mutated(r, file)
			for _, memory := range []int64{0, 1 << 20, int64(32<<10 + 8*len(b))} {
				l := codec.Limits{Memory: memory}
				var before, after runtime.MemStats
				runtime.ReadMemStats(&before)
				_, _ = onnx.Decode(bytes.NewReader(b), int64(len(b)), l)
				runtime.ReadMemStats(&after)
				if got, limit := int64(after.TotalAlloc-before.TotalAlloc), l.MemoryFor(int64(len(b))); got > limit {
					t.Fatalf("%s: %d bytes allocated, the limit is %d", path, got, limit)
				}
			}
		}
	}
}

func FuzzDecode(f *testing.F) {
	paths, err := filepath.Glob(folder + "/*.onnx")
	if err != nil {
		f.Fatal(err)
	}
	for _, path := range paths {
		f.Add(read(f, path))
	}
	f.Fuzz(func(t *testing.T, file []byte) { behaves(t, file) })
}
