package xgboost_test

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/codec"
	"github.com/coppice-ml/coppice/codec/parity"
	"github.com/coppice-ml/coppice/codec/xgboost"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/model"
)

// formatOf returns the format of a file by its suffix.
func formatOf(file string) codec.Format {
	switch filepath.Ext(file) {
	case ".json":
		return xgboost.JSON()
	case ".ubj":
		return xgboost.UBJSON()
	}
	return xgboost.Binary()
}

// frozen returns the files of testdata that XGBoost 1.7.4 wrote.
func frozen(t testing.TB) []string {
	t.Helper()
	var all []string
	for _, suffix := range []string{"json", "ubj", "model"} {
		found, err := filepath.Glob("testdata/*." + suffix)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, found...)
	}
	if len(all) < 40 {
		t.Fatalf("%d files in testdata", len(all))
	}
	return all
}

// frozenRows reads rows.csv.
func frozenRows(t testing.TB) [][]float64 {
	t.Helper()
	var rows [][]float64
	for _, record := range readCSV(t, "testdata/rows.csv") {
		row := make([]float64, len(record))
		for i, text := range record {
			if row[i] = math.NaN(); text != "" {
				row[i] = float(t, text)
			}
		}
		rows = append(rows, row)
	}
	return rows
}

// expected is what XGBoost predicts for a row.
type expected struct{ raw, response, leaves []float64 }

// frozenOutputs reads the outputs that are beside a file of testdata.
func frozenOutputs(t testing.TB, file string) []expected {
	t.Helper()
	return scoredOutputs(t, strings.TrimSuffix(file, filepath.Ext(file))+".csv")
}

// scoredOutputs reads a file that a script of testdata wrote.
func scoredOutputs(t testing.TB, file string) []expected {
	t.Helper()
	table := readCSV(t, file)
	var all []expected
	for _, record := range table[1:] {
		var e expected
		for i, text := range record {
			x := float(t, text)
			switch table[0][i][0] {
			case 'm':
				e.raw = append(e.raw, x)
			case 'p':
				e.response = append(e.response, x)
			default:
				e.leaves = append(e.leaves, x)
			}
		}
		all = append(all, e)
	}
	return all
}

// TestFrozen compares model and reference with what XGBoost 1.7.4 predicts by the same files. Raw
// scores of the reference are XGBoost's to the bit.
func TestFrozen(t *testing.T) {
	rows := frozenRows(t)
	for _, file := range frozen(t) {
		t.Run(filepath.Base(file), func(t *testing.T) {
			b, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			m, ref := decode(t, formatOf(file), b)
			own := forModel(m, rows)
			agree(t, m, ref, own)
			predict := predictor(t, m)
			worst, worstRef := 0.0, 0.0
			for i, want := range frozenOutputs(t, file) {
				raw, response := predict(own[i])
				refRaw, refResponse := make([]float64, ref.Scores()), make([]float64, max(ref.Outputs(), ref.Scores()))
				ref.Raw(refRaw, own[i])
				ref.Response(refResponse, own[i])
				worst = max(worst, distance(raw, want.raw))
				if !slices.Equal(refRaw, want.raw) {
					t.Fatalf("row %d: scores of the reference %v, want %v", i, refRaw, want.raw)
				}
				if strings.Contains(file, "softmax.") { // the tool's response is the class
					want.response = nil
				}
				if len(want.response) > 0 {
					from := len(response) - len(want.response)
					worst = max(worst, distance(response[from:], want.response))
					worstRef = max(worstRef, distance(refResponse[from:ref.Outputs()], want.response))
				}
				leaves := make([]int32, ref.Trees())
				ref.Leaves(leaves, own[i])
				for tree, leaf := range want.leaves {
					if leaves[tree] != int32(leaf) {
						t.Fatalf("row %d reaches leaf %d of tree %d, want %v", i, leaves[tree], tree, leaf)
					}
				}
			}
			if !(worst <= 2e-6) || !(worstRef <= 1.3e-7) {
				t.Errorf("largest difference %.3g, of the reference %.3g", worst, worstRef)
			}
			t.Logf("%d rows, largest difference %.3g, of the reference %.3g", len(rows), worst, worstRef)
		})
	}
}

// forModel returns rows with -1 for codes that the schema of a model does not have.
func forModel(m model.Model, rows [][]float64) [][]float64 {
	own := make([][]float64, len(rows))
	for i, row := range rows {
		own[i] = slices.Clone(row)
		for c := range m.Spec().Schema.Fields {
			if f := &m.Spec().Schema.Fields[c]; f.Kind == data.Categorical && own[i][c] >= float64(len(f.Levels)) {
				own[i][c] = -1
			}
		}
	}
	return own
}

// predictor returns a function that predicts raw scores and response of a row.
func predictor(t testing.TB, m model.Model) func(row []float64) (raw, response []float64) {
	t.Helper()
	bind := func(o model.Output) model.Predictor {
		p, err := m.Bind(&m.Spec().Schema, model.Options{Output: o, Workers: 1})
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	raws, responses := bind(model.Raw), bind(model.Response)
	raw, response := make([]float64, raws.Width()), make([]float64, responses.Width())
	return func(row []float64) ([]float64, []float64) {
		if err := errors.Join(raws.PredictRow(raw, row), responses.PredictRow(response, row)); err != nil {
			t.Fatal(err)
		}
		return raw, response
	}
}

// distance returns the largest difference, relative where numbers are above 1.
func distance(got, want []float64) float64 {
	if len(got) != len(want) {
		return math.Inf(1)
	}
	worst := 0.0
	for i := range got {
		worst = max(worst, math.Abs(got[i]-want[i])/max(1, math.Abs(want[i])))
	}
	return worst
}

// agree checks that a model decides as its reference does: each row reaches the same leaves, and
// the raw scores differ by the rounding of sums in single precision at most.
func agree(t testing.TB, m model.Model, ref codec.Reference, rows [][]float64) {
	t.Helper()
	e, ok := m.(*model.Ensemble)
	if !ok {
		return // gblinear
	}
	if _, err := parity.Compare(t.Context(), e, ref, true, parity.Make(e, 1000)); err != nil {
		t.Fatal(err)
	}
	leaf, err := m.Bind(&e.Meta.Schema, model.Options{Output: model.Leaf, Rounds: model.AllRounds})
	if err != nil {
		t.Fatal(err)
	}
	predict := predictor(t, m)
	got, want, refRaw := make([]float64, leaf.Width()), make([]int32, ref.Trees()), make([]float64, ref.Scores())
	for i, row := range rows {
		if err := leaf.PredictRow(got, row); err != nil {
			t.Fatal(err)
		}
		ref.Leaves(want, row)
		sum := 0.0
		for tree, number := range want {
			if got[tree] != float64(number) {
				t.Fatalf("row %d %v reaches leaf %v of tree %d, the reference %d", i, row, got[tree], tree, number)
			}
			node := int32(slices.Index(e.Origin.Leaf[tree], number))
			for _, x := range e.Trees[tree].Value(node) {
				if e.Weights != nil {
					x *= e.Weights[tree]
				}
				sum += math.Abs(x)
			}
		}
		for _, b := range e.Bias {
			sum += math.Abs(b)
		}
		raw, _ := predict(row)
		ref.Raw(refRaw, row)
		for k := range raw {
			if d := math.Abs(raw[k] - refRaw[k]); !(d <= float64(ref.Trees()+1)*0x1p-24*sum) {
				t.Fatalf("row %d: score %v, of the reference %v", i, raw[k], refRaw[k])
			}
		}
	}
}
