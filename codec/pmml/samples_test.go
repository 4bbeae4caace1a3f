package pmml_test

import (
	"bytes"
	"encoding/csv"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"github.com/coppice-ml/coppice/codec"
	"github.com/coppice-ml/coppice/codec/parity"
	"github.com/coppice-ml/coppice/codec/pmml"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/model"
)

// shipped is where samples are that are free to ship.
const shipped = "../../testdata/models/pmml"

func load(t testing.TB, path string) []byte {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// decode returns the model and the reference of a file.
func decode(t testing.TB, b []byte) (*model.Ensemble, codec.Reference) {
	t.Helper()
	m, err := pmml.Format().Decode(bytes.NewReader(b), int64(len(b)), codec.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	r, err := pmml.Format().Reference(bytes.NewReader(b), int64(len(b)), codec.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	return m.(*model.Ensemble), r
}

// records returns the lines of a table with commas.
func records(t testing.TB, b []byte) [][]string {
	t.Helper()
	all, err := csv.NewReader(bytes.NewReader(b)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func number(t testing.TB, text string) float64 {
	t.Helper()
	x, err := strconv.ParseFloat(text, 64)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// rows returns the rows of a table with a header, in the order of a schema.
func rows(t testing.TB, table [][]string, s *data.Schema) [][]float64 {
	var all [][]float64
	for _, r := range table[1:] {
		row := make([]float64, len(s.Fields))
		for i := range row {
			f := &s.Fields[i]
			text := r[slices.Index(table[0], f.Name)]
			if f.Kind == data.Categorical {
				row[i] = float64(slices.Index(f.Levels, text))
			} else {
				row[i] = number(t, text)
			}
		}
		all = append(all, row)
	}
	return all
}

// sample is a file with predictions of the tool.
type sample struct {
	name       string
	file, rows string
	want       [][]float64 // of the response
}

func numbers(t testing.TB, table [][]string) [][]float64 {
	var all [][]float64
	for _, r := range table {
		row := make([]float64, len(r))
		for i, text := range r {
			row[i] = number(t, text)
		}
		all = append(all, row)
	}
	return all
}

func (s *sample) check(t *testing.T) {
	e, ref := decode(t, load(t, s.file))
	in := rows(t, records(t, load(t, s.rows)), &e.Meta.Schema)
	if len(in) != len(s.want) {
		t.Fatalf("%d rows and %d predictions", len(in), len(s.want))
	}
	p, err := e.Bind(&e.Meta.Schema, model.Options{Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	got, other, largest := make([]float64, p.Width()), make([]float64, ref.Outputs()), 0.0
	for i, row := range in {
		if err := p.PredictRow(got, row); err != nil {
			t.Fatal(err)
		}
		ref.Response(other, row)
		for k, want := range s.want[i] {
			largest = max(largest, math.Abs(got[k]-want), math.Abs(other[k]-want))
			if !(math.Abs(got[k]-want) <= 1e-12) || !(math.Abs(other[k]-want) <= 1e-12) {
				t.Fatalf("row %d: %v, by the reference %v, want %v", i, got, other, s.want[i])
			}
		}
	}
	compare(t, e, ref)
	t.Logf("%s: %d rows, largest difference %g", s.name, len(in), largest)
}

// shared returns a folder of samples that are not free to ship.
func shared(t testing.TB, name string) string {
	t.Helper()
	root := os.Getenv("COPPICE_DATA")
	if root == "" {
		t.Skip("the file is under AGPL; COPPICE_DATA names no folder that has it")
	}
	return filepath.Join(root, "models", name)
}

// Files have the predictions of the tools that made them.
func TestSamples(t *testing.T) {
	t.Run("rf-cat-pima", func(t *testing.T) {
		s := sample{name: "rf-cat-pima.pmml", file: shipped + "/rf-cat-pima.pmml",
			rows: shipped + "/categorical-test.csv",
			want: numbers(t, records(t, load(t, shipped+"/rf-cat-pima.expected_proba.csv")))}
		s.check(t)
	})
	t.Run("DecisionTreeIris", func(t *testing.T) {
		folder := shared(t, "pmml-iris-rpart")
		want := records(t, load(t, folder+"/DecisionTreeIris.csv"))[1:]
		for i := range want {
			want[i] = want[i][1:]
		}
		s := sample{name: "DecisionTreeIris.pmml", file: folder + "/DecisionTreeIris.pmml",
			rows: folder + "/Iris.csv", want: numbers(t, want)}
		s.check(t)
	})
}

// compare compares a model with its reference at its split points.
func compare(t testing.TB, e *model.Ensemble, ref codec.Reference) {
	t.Helper()
	if _, err := parity.Compare(t.Context(), e, ref, false, parity.Make(e, 3000)); err != nil {
		t.Fatal(err)
	}
}

// Forests of H2O's samples have no predictions; the reference and the model agree.
func TestAgree(t *testing.T) {
	for _, name := range []string{"cars-cater-rf-1tree", "cars-rf-1tree", "iris_rf_1tree"} {
		t.Run(name, func(t *testing.T) {
			e, ref := decode(t, load(t, shipped+"/"+name+".pmml"))
			compare(t, e, ref)
			if e.Origin.Tool != "Rattle/PMML" {
				t.Errorf("origin %q", e.Origin.Tool)
			}
		})
	}
}
