package formats_test

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/coppice-ml/coppice/codec"
	"github.com/coppice-ml/coppice/codec/formats"
	"github.com/coppice-ml/coppice/codec/native"
	"github.com/coppice-ml/coppice/codec/parity"
	"github.com/coppice-ml/coppice/model"
)

// Models of every reader get golden rows, which a Coppice file verifies. Where the format has a
// plain evaluation of its files, it predicts the same.
func TestImportsHaveGoldenRows(t *testing.T) {
	roots, err := filepath.Glob("../*/testdata")
	if err != nil {
		t.Fatal(err)
	}
	roots = append(roots, "../../testdata/models")
	without := "catboost" // whose files the tests of its reader make
	if shared := os.Getenv("COPPICE_DATA"); shared != "" {
		roots, without = append(roots, filepath.Join(shared, "models/catboost-amazon")), ""
	}
	const each = 4 // models of a reader and a type
	seen, compared := map[string]int{}, map[string]int{}
	for _, root := range roots {
		for _, s := range samples(t, root) {
			path := filepath.Join(filepath.Dir(filepath.Dir(root)), s.name)
			if !s.format.Foreign {
				continue
			}
			m, _, err := formats.Open(path, codec.Limits{})
			if err != nil {
				t.Fatal(err)
			}
			kind := fmt.Sprintf("%s %T", s.format.Name, m)
			if seen[kind]++; seen[kind] > each {
				continue
			}
			if goldenOf(t, path, m) {
				compared[kind]++
			}
		}
	}
	for _, f := range formats.Table() {
		if f.Foreign && (f.Decode != nil || f.DecodeFS != nil) && f.Name != without && f.Name != "xgboost-dump" && seen[f.Name+" *model.Ensemble"] == 0 {
			t.Errorf("no sample of %s", f.Name)
		}
	}
	linear := 0 // XGBoost's, in two formats or more
	for kind, n := range seen {
		if n > 0 && compared[kind] == 0 {
			t.Errorf("no golden rows of %s are compared with the file", kind)
		}
		if kind[len(kind)-len("*dense.Linear"):] == "*dense.Linear" {
			linear++
		}
	}
	if linear < 2 {
		t.Errorf("linear models of %d readers: %v", linear, seen)
	}
}

// goldenOf checks the golden rows of a model, and reports whether they were compared with its file.
func goldenOf(t *testing.T, path string, m model.Model) (compared bool) {
	t.Helper()
	g := parity.Golden(m)
	if g == nil {
		t.Errorf("%s: no golden rows", path)
		return false
	}
	m.Spec().Golden = g
	var file bytes.Buffer
	if err := native.Encode(&file, m); err != nil {
		t.Errorf("%s: %v", path, err)
		return false
	}
	again, err := native.Decode(bytes.NewReader(file.Bytes()), int64(file.Len()), codec.Limits{})
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	if err := model.Verify(again); err != nil {
		t.Errorf("%s: %v", path, err)
	}
	ref, err := formats.OpenReference(path, nil, codec.Limits{})
	if err != nil || ref == nil || ref.Outputs() != m.Outputs() {
		return false
	}
	width := m.Outputs()
	for r := range g.Rows {
		want := make([]float64, width)
		ref.Response(want, g.Values[r*len(m.Spec().Schema.Fields):][:len(m.Spec().Schema.Fields)])
		for k, w := range want {
			if got := g.Predictions[r*width+k]; !(math.Abs(got-w) <= 1e-4*max(1, math.Abs(w))) {
				t.Fatalf("%s, row %d: %v, the file has %v", path, r, got, w)
			}
		}
	}
	return true
}
