package catboost

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"encoding/csv"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"github.com/coppice-ml/coppice/codec"
	"github.com/coppice-ml/coppice/codec/parity"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/spelling"
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
	cert, err := parity.Compare(t.Context(), o.model, o.ref, false, p)
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

// amazon reads the table that the files in catboost-amazon were trained on, a part of which the
// training left out for validation: the columns, and whether access was given.
func amazon(t testing.TB) (header []string, rows [][]string, label []string) {
	t.Helper()
	root := os.Getenv("COPPICE_DATA")
	if root == "" {
		t.Skip("COPPICE_DATA names no folder; the table is too large for the repository")
	}
	f, err := os.Open(filepath.Join(root, "data", "amazon-access", "train.csv.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	all, err := csv.NewReader(z).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range all[1:] {
		rows, label = append(rows, r[1:]), append(label, r[0])
	}
	return all[0][1:], rows, label
}

// frame makes a table of categories under the names of a schema's fields.
func frame(t testing.TB, s *data.Schema, rows [][]string) *data.Frame {
	t.Helper()
	schema := data.Schema{Fields: make([]data.Field, len(s.Fields))}
	columns := make([]data.Column, len(s.Fields))
	for c := range columns {
		f := &schema.Fields[c]
		f.Name, f.Kind = s.Fields[c].Name, data.Categorical
		code := map[string]uint32{}
		codes := make([]uint32, len(rows))
		for i, r := range rows {
			if _, ok := code[r[c]]; !ok {
				code[r[c]] = uint32(len(f.Levels))
				f.Levels = append(f.Levels, r[c])
			}
			codes[i] = code[r[c]]
		}
		columns[c] = data.Codes(codes)
	}
	f, err := data.NewFrame(schema, columns)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// The JSON and the .cbm of one model predict the same bits for the table that it was trained on.
// Categories are found by their hashes, and the labels are those of the table.
func TestAmazon(t *testing.T) {
	header, rows, label := amazon(t)
	binary := open(t, Format(), shared(t, "catboost-amazon/catboost_model.cbm"))
	text := open(t, FormatJSON(), shared(t, "catboost-amazon/catboost_model.json"))
	if got := binary.model.Meta.Schema.Names(); !slices.Equal(got, header) {
		t.Errorf("columns %q, want %q", got, header)
	}
	for i, f := range text.model.Meta.Schema.Fields {
		if f.Name != "f"+strconv.Itoa(i) || !slices.Equal(f.Levels, binary.model.Meta.Schema.Fields[i].Levels) {
			t.Errorf("column %q of the JSON differs", f.Name)
		}
	}
	predict := func(o opened) []float64 {
		p, err := o.model.Bind(&o.model.Meta.Schema, model.Options{Output: model.Raw})
		if err != nil {
			t.Fatal(err)
		}
		got := make([]float64, len(rows))
		if err := p.Predict(got, frame(t, &o.model.Meta.Schema, rows), nil); err != nil {
			t.Fatal(err)
		}
		return got
	}
	raw, again := predict(binary), predict(text)
	codes := make([]map[string]float64, len(header))
	for c := range codes {
		codes[c] = map[string]float64{}
		for code, level := range binary.model.Meta.Schema.Fields[c].Levels {
			codes[c][level] = float64(code)
		}
	}
	largest, unseen := 0.0, 0
	row, want := make([]float64, len(header)), make([]float64, 1)
	for i, r := range rows {
		if raw[i] != again[i] {
			t.Fatalf("row %d: the .cbm predicts %v, the JSON %v", i, raw[i], again[i])
		}
		for c, text := range r {
			code, ok := codes[c][spelling.HashedLevel(text)]
			if row[c] = code; !ok {
				row[c] = -1
				unseen++
			}
		}
		binary.ref.Raw(want, row)
		largest = max(largest, math.Abs(raw[i]-want[0]))
	}
	y := make([]float64, len(label))
	for i, l := range label {
		y[i], _ = strconv.ParseFloat(l, 64)
	}
	auc := areaUnderCurve(raw, y)
	t.Logf("%d rows, %d unseen categories: largest difference %.2g, area under the curve %.4f", len(rows),
		unseen, largest, auc)
	if !(largest <= 1e-12) || !(auc > 0.85) {
		t.Errorf("the largest difference is %g, the area under the curve %g", largest, auc)
	}
	binary.agree(t)
	text.agree(t)
}

// areaUnderCurve returns the fraction of pairs of a row of 1 and a row of 0 whose scores have that
// order; of equal scores half.
func areaUnderCurve(score, y []float64) float64 {
	order := make([]int, len(y))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(score[a], score[b]) })
	below, pairs, positives := 0.0, 0.0, 0.0
	for i := 0; i < len(order); {
		j, ones := i, 0.0
		for ; j < len(order) && score[order[j]] == score[order[i]]; j++ {
			ones += y[order[j]]
		}
		zeros := float64(j-i) - ones
		pairs += ones * (below + zeros/2)
		below, positives = below+zeros, positives+ones
		i = j
	}
	return pairs / (below * positives)
}
