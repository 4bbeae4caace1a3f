package onnx_test

import (
	"bytes"
	"math/rand/v2"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/coppice-ml/coppice/codec"
	"github.com/coppice-ml/coppice/codec/codectest"
	"github.com/coppice-ml/coppice/codec/onnx"
)

func TestConformance(t *testing.T) {
	var files [][]byte
	for _, name := range []string{"regressor-equal", "binary-mixed", "ensemble"} {
		files = append(files, read(t, folder+"/"+name+".onnx"))
	}
	codectest.Run(t, onnx.Format(), nil, files...)
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
			b := codectest.Mutate(r, nil, file)
			for _, memory := range []int64{0, 1 << 20, int64(32<<10 + 8*len(b))} {
				l := codec.Limits{Memory: memory}
				var before, after runtime.MemStats
				runtime.ReadMemStats(&before)
				_, _ = onnx.Format().Decode(bytes.NewReader(b), int64(len(b)), l)
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
	f.Fuzz(func(t *testing.T, file []byte) { codectest.Behaves(t, onnx.Format(), file) })
}
