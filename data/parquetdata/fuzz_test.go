package parquetdata_test

import (
	"path/filepath"
	"testing"

	"github.com/coppice-ml/coppice/data/parquetdata"
	"github.com/coppice-ml/coppice/data/tabletest"
)

// FuzzRead begins with files of every encoding and codec without checksums, and with files that
// claim too much.
func FuzzRead(f *testing.F) {
	files := encodings(f)
	add(f, files, filepath.Join("testdata", "*.parquet"))
	for _, b := range files {
		f.Add(unchecked(f, b))
	}
	for _, b := range claims(f) {
		f.Add(b)
	}
	r := tabletest.Reader{Open: parquetdata.Open, Name: "t.parquet"}
	f.Fuzz(func(t *testing.T, b []byte) { r.Damaged(t, b) })
}
