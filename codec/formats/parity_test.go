package formats_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/coppice-ml/coppice/codec"
	"github.com/coppice-ml/coppice/codec/formats"
	"github.com/coppice-ml/coppice/codec/parity"
)

// TestSamples compares every model of another tool in testdata/models with its file, on rows at its
// split points: leaves are equal, and scores up to the rounding of sums.
func TestSamples(t *testing.T) {
	compared := map[string]int{}
	err := filepath.WalkDir("../../testdata/models", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		_, format, err := formats.Open(path, codec.Limits{})
		if err != nil {
			return nil // rows and predictions; each reader's tests name the models that it reads
		}
		compared[format.Name]++
		t.Run(filepath.Base(filepath.Dir(path))+"/"+filepath.Base(path), func(t *testing.T) {
			compare(t, path)
		})
		if d.IsDir() {
			return fs.SkipDir
		}
		return nil
	})
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	for _, f := range formats.Table() {
		if (f.Reference != nil || f.ReferenceFS != nil) && compared[f.Name] == 0 {
			t.Logf("no sample of the format %s", f.Name)
		}
	}
	if len(compared) < 4 {
		t.Errorf("samples of the formats %v", compared)
	}
}

func compare(t *testing.T, path string) {
	m, format, err := formats.Open(path, codec.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	e := m.Describe().Ensemble
	if e == nil {
		return // a linear model
	}
	ref, err := formats.OpenReference(path, codec.Limits{})
	if err != nil || ref == nil {
		t.Fatalf("no reference: %v", err)
	}
	cert, err := parity.Compare(e, ref, format.Single, parity.Make(e, 3000))
	if err != nil {
		t.Fatal(err)
	}
	if cert.Largest > cert.Allowed || cert.Rows == 0 {
		t.Errorf("certificate %+v", cert)
	}
}
