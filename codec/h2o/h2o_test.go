package h2o_test

import (
	"bytes"
	"encoding/csv"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/codec"
	"github.com/coppice-ml/coppice/codec/codectest"
	"github.com/coppice-ml/coppice/codec/h2o"
	"github.com/coppice-ml/coppice/codec/parity"
	"github.com/coppice-ml/coppice/model"
)

func read(t testing.TB, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// numbers reads a file of numbers; an empty field is missing.
func numbers(t *testing.T, name string, header bool) [][]float64 {
	t.Helper()
	records, err := csv.NewReader(bytes.NewReader(read(t, name))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	if header {
		records = records[1:]
	}
	rows := make([][]float64, len(records))
	for i, record := range records {
		for _, text := range record {
			x := math.NaN()
			if text != "" {
				if x, err = strconv.ParseFloat(text, 64); err != nil {
					t.Fatal(err)
				}
			}
			rows[i] = append(rows[i], x)
		}
	}
	return rows
}

func decode(t *testing.T, b []byte) (*model.Ensemble, codec.Reference) {
	t.Helper()
	m, err := codectest.Decode(h2o.Format(), b)
	if err != nil {
		t.Fatal(err)
	}
	ref, err := h2o.Format().Reference(bytes.NewReader(b), int64(len(b)), codec.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	return m.(*model.Ensemble), ref
}

// Models and their plain evaluations predict what h2o-genmodel does, labels included, and agree on
// rows at all split points.
func TestSamples(t *testing.T) {
	paths, err := filepath.Glob("testdata/*.mojo")
	if err != nil || len(paths) != 8 {
		t.Fatalf("%d samples, %v", len(paths), err)
	}
	for _, path := range paths {
		name := strings.TrimSuffix(path, ".mojo")
		t.Run(filepath.Base(name), func(t *testing.T) {
			m, ref := decode(t, read(t, path))
			if _, err := parity.Compare(t.Context(), m, ref, false, parity.Make(m, 2000)); err != nil {
				t.Fatal(err)
			}
			bind := func(o model.Output) model.Predictor {
				p, err := m.Bind(&m.Meta.Schema, model.Options{Output: o})
				if err != nil {
					t.Fatal(err)
				}
				return p
			}
			response, label := bind(model.Response), bind(model.Label)
			got, plain := make([]float64, m.Outputs()), make([]float64, m.Outputs())
			class := make([]float64, 1)
			want := numbers(t, name+".out", false)
			for i, row := range numbers(t, name+".csv", true) {
				if err := errors.Join(response.PredictRow(got, row), label.PredictRow(class, row)); err != nil {
					t.Fatal(err)
				}
				ref.Response(plain, row)
				expected := want[i][:1]
				if m.Meta.Classes != nil {
					expected = want[i][1:]
					if class[0] != want[i][0] {
						t.Fatalf("row %d: label %v, want %v", i, class[0], want[i][0])
					}
				}
				for k, w := range expected[:len(got)] {
					slack := 1e-14 * max(1, math.Abs(w))
					if math.Abs(got[k]-w) > slack || math.Abs(plain[k]-w) > slack {
						t.Fatalf("row %d: %v, plainly %v, want %v", i, got, plain, expected)
					}
				}
			}
		})
	}
}

// What cannot be read is named.
func TestRefused(t *testing.T) {
	for _, c := range []struct{ file, from, to, want string }{
		{"gbm-gaussian", "algo = gbm", "algo = glm", `the algorithm "glm"`},
		{"gbm-gaussian", "mojo_version = 1.20", "mojo_version = 1.00", "MOJO version 1:"},
		{"gbm-gaussian", "distribution = gaussian", "distribution = custom", `the distribution "custom"`},
		{"gbm-gaussian", "offset_column = null", "offset_column = AGE", `the offset column "AGE"`},
		{"gbm-gaussian", "init_f = 66.25", "init_f = x66", "init_f is"},
		{"gbm-gaussian", "n_trees = 8", "n_trees = 9", "lacks the file"},
		{"gbm-gaussian", "n_features = 7", "n_features = 99", "99 features of"},
		{"gbm-multinomial", "n_trees_per_class = 3", "n_trees_per_class = 1", "trees for each class"},
		{"gbm-multinomial", "algo = gbm", "algo = drf", "a leaf has the fraction -"},
		{"drf-binomial", "balance_classes = false", "balance_classes = true", "balanced classes"},
	} {
		b := replaced(t, read(t, "testdata/"+c.file+".mojo"), c.from, c.to)
		_, err := codectest.Decode(h2o.Format(), b)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.to, err, c.want)
		}
	}
}

func TestConformance(t *testing.T) {
	codectest.Run(t, h2o.Format(), nil, small(t))
}

func FuzzRead(f *testing.F) {
	f.Add(small(f))
	f.Fuzz(func(t *testing.T, b []byte) { codectest.Behaves(t, h2o.Format(), b) })
}
