package catboost

import (
	"bytes"
	"encoding/csv"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/coppice-ml/coppice/codec"
	"github.com/coppice-ml/coppice/codec/parity"
	"github.com/coppice-ml/coppice/model"
)

// shared reads a file of the folder of models that COPPICE_DATA names. None of CatBoost's samples
// has a licence that lets it be shipped.
func shared(t testing.TB, name string) []byte {
	t.Helper()
	root := os.Getenv("COPPICE_DATA")
	if root == "" {
		t.Skip("COPPICE_DATA names no folder; the file's licence does not let it be shipped")
	}
	b, err := os.ReadFile(filepath.Join(root, "models", filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// table reads a table with a header.
func table(t testing.TB, b []byte) (header []string, rows [][]string) {
	t.Helper()
	all, err := csv.NewReader(bytes.NewReader(b)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return all[0], all[1:]
}

// opened is a file with what is made of it.
type opened struct {
	model *model.Ensemble
	ref   codec.Reference
}

func open(t testing.TB, f codec.Format, b []byte) opened {
	t.Helper()
	m, err := f.Decode(bytes.NewReader(b), int64(len(b)), codec.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	ref, err := f.Reference(bytes.NewReader(b), int64(len(b)), codec.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	return opened{m.(*model.Ensemble), ref}
}

// agree compares a model with its reference on rows at its split points.
func (o opened) agree(t testing.TB) {
	t.Helper()
	p := parity.Make(o.model, 20000)
	cert, err := parity.Compare(o.model, o.ref, false, p)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d rows at %d of %d split points: largest difference %.2g", cert.Rows, cert.Probed,
		cert.Splits, cert.Largest)
}

// The reference and the model predict what CatBoost predicted.
func TestExpected(t *testing.T) {
	for _, s := range []struct{ model, rows string }{
		{"ClassificationIris", "Iris"}, {"ClassificationVersicolor", "Versicolor"},
		{"RegressionAuto", "Auto"},
	} {
		t.Run(s.model, func(t *testing.T) {
			o := open(t, Format(), shared(t, "jpmml-catboost/cbm/"+s.model+".cbm"))
			header, rows := table(t, shared(t, "jpmml-catboost/csv/"+s.rows+".csv"))
			_, want := table(t, shared(t, "jpmml-catboost/csv/"+s.model+".csv"))
			at := map[string]int{}
			for i, name := range header {
				at[name] = i
			}
			fields := o.model.Meta.Schema.Fields
			largest := 0.0
			got := make([]float64, o.ref.Outputs())
			for i, r := range rows {
				row := make([]float64, len(fields))
				for c := range fields {
					x, err := strconv.ParseFloat(r[at[fields[c].Name]], 64)
					if err != nil {
						t.Fatal(err)
					}
					row[c] = x
				}
				expected := want[i]
				if len(expected) > 1 {
					expected = expected[1:] // the predicted class stands before the probabilities
				}
				o.ref.Response(got, row)
				for k, text := range expected {
					x, err := strconv.ParseFloat(text, 64)
					if err != nil {
						t.Fatal(err)
					}
					largest = max(largest, math.Abs(got[k]-x))
				}
			}
			t.Logf("%d rows: largest difference %.2g", len(rows), largest)
			if !(largest <= 1e-12) {
				t.Errorf("the largest difference is %g", largest)
			}
			o.agree(t)
		})
	}
}
