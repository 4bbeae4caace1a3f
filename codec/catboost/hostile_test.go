package catboost_test

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/coppice-ml/coppice/codec"
	"github.com/coppice-ml/coppice/codec/catboost"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/codectest"
	"github.com/coppice-ml/coppice/model"
)

// own reads a file of testdata, which was written for these tests.
func own(t testing.TB, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// sample reads a file of the folder of models that COPPICE_DATA names, nil if there is none.
func sample(t testing.TB, name string) []byte {
	t.Helper()
	root := os.Getenv("COPPICE_DATA")
	if root == "" {
		return nil
	}
	b, err := os.ReadFile(filepath.Join(root, "models", filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestConformance(t *testing.T) {
	codectest.Run(t, catboost.FormatJSON(), nil, own(t, "numbers.json"), own(t, "nodes.json"))
	if b := sample(t, "jpmml-catboost/cbm/ClassificationVersicolor.cbm"); b != nil {
		codectest.Run(t, catboost.Format(), nil, b)
	}
}

// try decodes a damaged file. What is no error of package codec must be a model that predicts.
func try(t testing.TB, f codec.Format, b []byte) {
	t.Helper()
	m, err := f.Decode(bytes.NewReader(b), int64(len(b)), codec.Limits{})
	var (
		corrupt     *codec.CorruptError
		unsupported *codec.UnsupportedError
		limit       *codec.LimitError
	)
	switch {
	case err == nil:
	case errors.As(err, &corrupt), errors.As(err, &unsupported), errors.As(err, &limit):
		return
	default:
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
	ref, err := f.Reference(bytes.NewReader(b), int64(len(b)), codec.Limits{})
	if err != nil {
		t.Fatalf("a model without a reference: %v", err)
	}
	row := make([]float64, len(e.Meta.Schema.Fields))
	for i := range row {
		if e.Meta.Schema.Fields[i].Kind == data.Categorical {
			row[i] = -1
		}
	}
	dst := make([]float64, p.Width())
	if err := p.PredictRow(dst, row); err != nil {
		t.Fatal(err)
	}
	ref.Response(make([]float64, ref.Outputs()), row)
}

// Ten thousand mutations of each sample, fewer of large ones: bytes that are changed, removed,
// repeated or moved.
func TestMutations(t *testing.T) {
	for _, s := range []struct {
		name  string
		times int
	}{
		{"jpmml-catboost/cbm/ClassificationIris.cbm", 10000},
		{"jpmml-catboost/cbm/RegressionAuto.cbm", 10000},
		{"catboost-amazon/catboost_model.cbm", 100},
		{"catboost-amazon/catboost_model.json", 100},
	} {
		b := sample(t, s.name)
		if b == nil {
			t.Skip("COPPICE_DATA names no folder; the file's licence does not let it be shipped")
		}
		f := catboost.Format()
		if filepath.Ext(s.name) == ".json" {
			f = catboost.FormatJSON()
		}
		random := rand.New(rand.NewPCG(1, 2))
		for range s.times {
			try(t, f, mutate(random, b))
		}
	}
}

// mutate returns a changed copy.
func mutate(r *rand.Rand, b []byte) []byte {
	b = bytes.Clone(b)
	for range 1 + r.IntN(4) {
		at, n := r.IntN(len(b)), 1+r.IntN(16)
		end := min(len(b), at+n)
		switch r.IntN(4) {
		case 0:
			b[at] ^= 1 << r.IntN(8)
		case 1:
			for i := at; i < end; i++ {
				b[i] = byte(r.Uint32())
			}
		case 2:
			b = append(b[:at:at], b[end:]...)
		default:
			b = append(b[:end:end], b[at:]...)
		}
		if len(b) == 0 {
			return b
		}
	}
	return b
}

func FuzzJSON(f *testing.F) {
	f.Add(own(f, "numbers.json"))
	f.Add(own(f, "nodes.json"))
	f.Fuzz(func(t *testing.T, b []byte) { try(t, catboost.FormatJSON(), b) })
}

func FuzzBinary(f *testing.F) {
	if b := sample(f, "jpmml-catboost/cbm/ClassificationVersicolor.cbm"); b != nil {
		f.Add(b)
	}
	f.Add([]byte("CBM1\x08\x00\x00\x00\x04\x00\x00\x00\x00\x00\x00\x00"))
	f.Fuzz(func(t *testing.T, b []byte) { try(t, catboost.Format(), b) })
}
