package c45_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"testing"

	"github.com/coppice-ml/coppice/codec/native"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/datatest"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/c45"
)

// TestFrozen: a model file has the same bytes for any number of workers, on every machine;
// .ci/arm64 runs this under emulation. A hash changes when the file format, the parameters or the
// arithmetic of growing and pruning change.
func TestFrozen(t *testing.T) {
	for _, c := range []struct{ file, label, hash string }{
		{"weather/weather.numeric.csv", "play", "37fbc83160607c5e"},
		{"adult/adult-train.csv.gz", "income", "1697817832befd74"},
		{"letter/letter.csv.gz", "lettr", "5cf5715b2801af55"},
	} {
		ds := datatest.Read(t, c.file, data.Roles{Label: c.label})
		ds.Target.Weight = make([]float64, ds.Rows())
		for i := range ds.Target.Weight {
			ds.Target.Weight[i] = 0.1 + float64(7*i%5)/3
		}
		rows := data.AllRows(min(ds.Rows(), 5000))
		fitter, err := c45.New().Prepare(t.Context(), ds.Frame, rows, nil, learn.Env{})
		if err != nil {
			t.Fatal(err)
		}
		for _, workers := range []int{1, 2, 7} {
			m, err := fitter.Fit(t.Context(), &ds.Target, learn.Job{Workers: workers})
			if err != nil {
				t.Fatal(err)
			}
			var file bytes.Buffer
			if err := native.Encode(&file, m); err != nil {
				t.Fatal(err)
			}
			sum := sha256.Sum256(file.Bytes())
			if got := hex.EncodeToString(sum[:8]); got != c.hash {
				t.Errorf("%s, %d workers: hash %s, want %s", c.file, workers, got, c.hash)
			}
		}
	}
}
