package onnx_test

import (
	"bytes"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/coppice-ml/coppice/codec"
	"github.com/coppice-ml/coppice/codec/onnx"
	"github.com/coppice-ml/coppice/codec/parity"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/model"
)

const folder = "../../testdata/models/onnx"

// number is a number of a sample: null is NaN, and infinities are texts.
type number float64

func (n *number) UnmarshalJSON(b []byte) error {
	switch s := string(b); s {
	case "null":
		*n = number(math.NaN())
	case `"Infinity"`, `"-Infinity"`:
		*n = number(math.Inf(1 - 2*strings.Count(s, "-")))
	default:
		var x float64
		if err := json.Unmarshal(b, &x); err != nil {
			return err
		}
		*n = number(x)
	}
	return nil
}

// sample is a model with rows and what ONNX Runtime predicts for them, or what scikit-learn did.
type sample struct {
	file []byte
	rows [][]number
	want [][]number
	// of each row, by ONNX Runtime; nil: the sample has none
	labels []string
}

// row returns row i as a predictor of m takes it.
func (s *sample) row(m *model.Ensemble, i int) []float64 {
	row := make([]float64, len(s.rows[i]))
	for k, x := range s.rows[i] {
		row[k] = float64(x)
		if f := m.Meta.Schema.Fields[k]; f.Levels != nil && row[k] >= float64(len(f.Levels)) {
			row[k] = -1
		}
	}
	return row
}

// readSamples calls test for each sample of testdata/models/onnx; tools/onnx has their scripts.
func readSamples(t *testing.T, test func(t *testing.T, s *sample)) {
	paths, err := filepath.Glob(folder + "/*.onnx")
	if err != nil || len(paths) == 0 {
		t.Fatal("no samples")
	}
	for _, path := range paths {
		name := strings.TrimSuffix(path, ".onnx")
		t.Run(filepath.Base(name), func(t *testing.T) {
			b, err := os.ReadFile(name + ".json")
			if err != nil {
				t.Fatal(err)
			}
			var rows struct {
				Rows, Want [][]number
				Labels     []string
			}
			if err := json.Unmarshal(b, &rows); err != nil {
				t.Fatal(err)
			}
			test(t, &sample{read(t, path), rows.Rows, rows.Want, rows.Labels})
		})
	}
}

func read(t testing.TB, path string) []byte {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// decode reads a model and its reference.
func decode(t rapid.TB, file []byte) (*model.Ensemble, codec.Reference) {
	t.Helper()
	m, err := onnx.Format().Decode(bytes.NewReader(file), int64(len(file)), codec.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	ref, err := onnx.Format().Reference(bytes.NewReader(file), int64(len(file)), codec.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	return m.(*model.Ensemble), ref
}

// Models and their references agree at all split points, and with the tool on the rows.
func TestSamples(t *testing.T) {
	readSamples(t, func(t *testing.T, s *sample) {
		m, ref := decode(t, s.file)
		probes := parity.Make(m, 4000)
		double := strings.Contains(t.Name(), "sklearn-") || // in double precision throughout
			strings.HasSuffix(t.Name(), "-double") && !strings.Contains(t.Name(), "scaled")
		cert, err := parity.Compare(t.Context(), m, ref, !double, probes)
		if err != nil {
			t.Fatal(err)
		}
		respond := m.Responder()
		p, err := m.Bind(&m.Meta.Schema, model.Options{Output: model.Raw})
		if err != nil {
			t.Fatal(err)
		}
		worst, slack := 0.0, 2e-6
		switch {
		case strings.HasSuffix(t.Name(), "-probit"):
			slack = 1e-4 // the formula loses digits in single precision
		case strings.Contains(t.Name(), "sklearn-"):
			slack = 1e-14
		}
		raw, got, plain := make([]float64, m.Scores()), make([]float64, m.Outputs()), make([]float64, m.Outputs())
		for i := range s.rows {
			row := s.row(m, i)
			if err := p.PredictRow(raw, row); err != nil {
				t.Fatal(err)
			}
			respond(got, raw)
			ref.Response(plain, row)
			if len(s.want[i]) != len(got) {
				t.Fatalf("%d outputs, want %d", len(got), len(s.want[i]))
			}
			for k, w := range s.want[i] {
				want := float64(w)
				if want == got[k] || math.IsNaN(want) && math.IsNaN(got[k]) {
					continue
				}
				d := math.Abs(got[k]-want) / max(1, math.Abs(want))
				if worst = max(worst, d); !(d < slack) ||
					!(math.Abs(plain[k]-want)/max(1, math.Abs(want)) < slack) {
					t.Fatalf("row %d, output %d: %v, by the reference %v, want %v", i, k, got[k], plain[k], want)
				}
			}
		}
		t.Logf("%d trees, %d probe rows: largest difference of scores from the reference %.2g; %d rows: of responses from the tool %.2g",
			len(m.Trees), probes.Rows(), cert.Largest, len(s.rows), worst)
	})
}

// A table without rows has no predictions, whatever the transform, and is no error.
func TestNoRows(t *testing.T) {
	readSamples(t, func(t *testing.T, s *sample) {
		m, _ := decode(t, s.file)
		columns := make([]data.Column, len(m.Meta.Schema.Fields))
		for i, f := range m.Meta.Schema.Fields {
			if columns[i] = data.Numbers(nil); f.Levels != nil {
				columns[i] = data.Codes(nil)
			}
		}
		f, err := data.NewFrame(m.Meta.Schema, columns)
		if err != nil {
			t.Fatal(err)
		}
		for _, o := range []model.Output{model.Response, model.Raw, model.Label, model.Leaf} {
			p, err := m.Bind(&m.Meta.Schema, model.Options{Output: o})
			if err != nil {
				t.Fatal(err)
			}
			if err := p.Predict(nil, f, nil); err != nil {
				t.Errorf("%v of no rows: %v", o, err)
			}
		}
	})
}
