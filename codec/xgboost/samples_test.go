package xgboost_test

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/codec"
	"github.com/coppice-ml/coppice/codec/xgboost"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/model"
)

// sample is a file that XGBoost wrote, with rows and what XGBoost predicts for them.
type sample struct {
	format   codec.Format
	file     string
	rows     string // a table, and how it is read
	read     func(t *testing.T, path string, fields []data.Field) [][]float64
	expected string // outputs, row after row
	output   model.Output
	rounds   int // 0 = all
}

// models returns the folder of samples of a project. Samples that may be copied are in this
// repository, others where COPPICE_DATA names them.
func models(t testing.TB, project string) string {
	t.Helper()
	own := filepath.Join("..", "..", "testdata", "models", "xgboost", project)
	if _, err := os.Stat(own); err == nil {
		return own
	}
	shared := filepath.Join(os.Getenv("COPPICE_DATA"), "models", project)
	if _, err := os.Stat(shared); err != nil {
		t.Skipf("the samples of %s are not in COPPICE_DATA; their licence keeps them out of here", project)
	}
	return shared
}

// decode reads a file as a model and as a reference.
func decode(t testing.TB, f codec.Format, b []byte) (model.Model, codec.Reference) {
	t.Helper()
	m, err := f.Decode(bytes.NewReader(b), int64(len(b)), codec.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	r, err := f.Reference(bytes.NewReader(b), int64(len(b)), codec.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	return m, r
}

// named reads a CSV file whose header names columns. A field "column=level" of a map of features is
// 1 where the column has the level and missing where it has not.
func named(t *testing.T, path string, fields []data.Field) [][]float64 {
	t.Helper()
	table := readCSV(t, path)
	column := map[string]int{}
	for i, name := range table[0] {
		column[name] = i
	}
	var rows [][]float64
	for _, record := range table[1:] {
		row := make([]float64, len(fields))
		for i, f := range fields {
			name, level, indicator := strings.Cut(f.Name, "=")
			at, ok := column[name]
			if !ok {
				t.Fatalf("no column %q", name)
			}
			text := record[at]
			switch {
			case indicator && text == level:
				row[i] = 1
			case indicator, text == "NA":
				row[i] = math.NaN()
			case f.Kind == data.Categorical:
				row[i] = float64(slices.Index(f.Levels, text))
			default:
				row[i] = float(t, text)
			}
		}
		rows = append(rows, row)
	}
	return rows
}

// mapped is named for files without names, which a map of features beside the table has.
func mapped(t *testing.T, path string, fields []data.Field) [][]float64 {
	t.Helper()
	b, err := os.ReadFile(strings.TrimSuffix(path, ".csv") + ".fmap")
	if err != nil {
		t.Fatal(err)
	}
	fields = slices.Clone(fields)
	for i, line := range strings.Split(strings.TrimSpace(string(b)), "\n") {
		fields[i].Name = strings.Split(line, "\t")[1]
	}
	return named(t, path, fields)
}

// sparse reads LibSVM: the place of a column is its number, and what is absent is missing.
func sparse(t *testing.T, path string, fields []data.Field) [][]float64 {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var rows [][]float64
	for line := range strings.Lines(string(b)) {
		row := make([]float64, len(fields))
		for i := range row {
			row[i] = math.NaN()
		}
		for _, entry := range strings.Fields(line)[1:] {
			at, value, _ := strings.Cut(entry, ":")
			i, err := strconv.Atoi(at)
			if err != nil {
				t.Fatal(err)
			}
			if i < len(row) {
				row[i] = float(t, value)
			}
		}
		rows = append(rows, row)
	}
	return rows
}

// dermatology reads the table of that name; its last column but one is 1 where the age is unknown.
func dermatology(t *testing.T, path string, fields []data.Field) [][]float64 {
	t.Helper()
	var rows [][]float64
	for _, record := range readCSV(t, path) {
		row := make([]float64, len(fields))
		for i := range row {
			if record[i] == "?" || i == 33 {
				if record[i] == "?" {
					row[i] = 1
				}
				continue
			}
			row[i] = float(t, record[i])
		}
		rows = append(rows, row)
	}
	return rows
}

func readCSV(t testing.TB, path string) [][]string {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	table, err := csv.NewReader(bufio.NewReader(file)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return table
}

func float(t testing.TB, text string) float64 {
	t.Helper()
	x, err := strconv.ParseFloat(text, 64)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// outputs reads the numbers of a file of expected outputs. A header is left out, and so is a
// predicted class beside the probabilities.
func outputs(t *testing.T, path string, width int) [][]float64 {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var rows [][]float64
	for line := range strings.Lines(string(b)) {
		if strings.HasPrefix(line, "_target") {
			continue
		}
		var row []float64
		for _, text := range strings.FieldsFunc(line, func(r rune) bool { return strings.ContainsRune(", \t\n", r) }) {
			row = append(row, float(t, text))
		}
		if len(row) == width+1 {
			row = row[1:]
		}
		if len(row) != width {
			t.Fatalf("%d numbers in a row of %s, want %d", len(row), path, width)
		}
		rows = append(rows, row)
	}
	return rows
}

func samples() []sample {
	var all []sample
	jpmml := func(file, set, expected string, rounds int) {
		f, read, csv := xgboost.JSON(), named, set
		switch filepath.Ext(file) {
		case ".ubj":
			f = xgboost.UBJSON()
		case ".model":
			f, read = xgboost.Binary(), mapped
		}
		all = append(all, sample{format: f, file: "jpmml-xgboost/xgboost/" + file, rows: "jpmml-xgboost/csv/" + csv + ".csv",
			read: read, expected: "jpmml-xgboost/csv/" + expected + ".csv", rounds: rounds})
	}
	for _, m := range []struct {
		name string
		sets string
	}{
		{"LinearRegression", "Auto AutoNA"}, {"QuantileRegression", "Auto AutoNA"},
		{"ExpectileRegression", "Auto AutoNA"}, {"MultinomialClassification", "Iris IrisNA"},
		{"PoissonRegression", "Visit"}, {"GammaRegression", "Visit"}, {"TweedieRegression", "Visit"},
		{"MultiDecisionTree", "Auto AutoNA"}, {"MultiLinearRegression", "Auto"}, {"MultiRandomForest", "Auto"},
	} {
		for set := range strings.FieldsSeq(m.sets) {
			name := m.name + set
			for _, suffix := range []string{".json", ".ubj"} {
				if m.name == "MultiRandomForest" && suffix == ".ubj" {
					continue
				}
				jpmml(name+suffix, set, name, 0)
				if m.name == "MultinomialClassification" {
					jpmml(name+suffix, set, name+"@11", 11)
				}
			}
		}
	}
	for _, m := range []string{"LinearRegressionAuto", "MultinomialClassificationIris",
		"PoissonRegressionVisit", "GammaRegressionVisit", "TweedieRegressionVisit"} {
		set := m[strings.LastIndexAny(m, "AIV"):]
		jpmml("legacy/"+m+".model", set, "legacy/"+m, 0)
	}
	binary := func(file, rows, expected string, read func(*testing.T, string, []data.Field) [][]float64, o model.Output) {
		all = append(all, sample{format: xgboost.Binary(), file: file, rows: filepath.Join(filepath.Dir(file), rows),
			read: read, expected: filepath.Join(filepath.Dir(file), expected), output: o})
	}
	binary("leaves/xgagaricus.model", "agaricus_test.libsvm", "xgagaricus_true_predictions.txt", sparse, model.Response)
	binary("leaves/xg_dart_agaricus.model", "agaricus_test.libsvm", "xg_dart_agaricus_true_predictions.txt", sparse, model.Raw)
	all[len(all)-1].rounds = 10 // the expected scores are those of half of the trees
	binary("leaves/xgblin_agaricus.model", "agaricus_test.libsvm", "xgblin_agaricus_true_predictions.txt", sparse, model.Response)
	binary("leaves/xgblin_agaricus.model", "agaricus_test.libsvm", "xgblin_agaricus_true_raw_predictions.txt", sparse, model.Raw)
	binary("leaves/xgdermatology.model", "dermatology_test.libsvm", "xgdermatology_true_predictions.txt", sparse, model.Raw)
	binary("gbdt-rs/xgb_reg_logistic/xgb.model", "agaricus.txt.test", "pred.csv", sparse, model.Response)
	binary("gbdt-rs/xgb_reg_linear/xgb.model", "machine.txt.test", "pred.csv", sparse, model.Response)
	binary("gbdt-rs/xgb_multi_softprob/xgb.model", "dermatology.data.test", "pred.csv", dermatology, model.Response)
	binary("gbdt-rs/xgb_multi_softmax/xgb.model", "dermatology.data.test", "pred.csv", dermatology, model.Label)
	return all
}

// path returns where a file of a project is, "project/...".
func path(t testing.TB, name string) string {
	project, rest, _ := strings.Cut(name, "/")
	return filepath.Join(models(t, project), filepath.FromSlash(rest))
}

func TestSamples(t *testing.T) {
	for _, s := range samples() {
		name := s.file
		if s.rounds > 0 {
			name += "@" + strconv.Itoa(s.rounds)
		}
		t.Run(name+"/"+s.output.String(), func(t *testing.T) { s.test(t) })
	}
}

func (s *sample) test(t *testing.T) {
	b, err := os.ReadFile(path(t, s.file))
	if err != nil {
		t.Fatal(err)
	}
	if !s.format.Sniff(b[:512]) {
		t.Error("the format does not recognise the file")
	}
	m, ref := decode(t, s.format, b)
	fields := m.Spec().Schema.Fields
	rows := s.read(t, path(t, s.rows), fields)
	p, err := m.Bind(&m.Spec().Schema, model.Options{Output: s.output, Rounds: s.rounds})
	if err != nil {
		t.Fatal(err)
	}
	width, from := p.Width(), 0
	if m.Outputs() == 2 && len(m.Spec().Classes) == 2 && s.output == model.Response {
		from = 1
	}
	want := outputs(t, path(t, s.expected), width-from)
	if len(rows) != len(want) {
		t.Fatalf("%d rows and %d expected outputs", len(rows), len(want))
	}
	agree(t, m, ref, rows)
	worst, worstRef := 0.0, 0.0
	got, gotRef := make([]float64, width), make([]float64, max(ref.Outputs(), ref.Scores()))
	for i, row := range rows {
		if err := p.PredictRow(got, row); err != nil {
			t.Fatal(err)
		}
		worst = max(worst, distance(got[from:], want[i]))
		switch {
		case s.rounds > 0 || s.output == model.Label: // the reference has neither
		case s.output == model.Raw:
			ref.Raw(gotRef, row)
			worstRef = max(worstRef, distance(gotRef[:width], want[i]))
		default:
			ref.Response(gotRef, row)
			worstRef = max(worstRef, distance(gotRef[from:width], want[i]))
		}
	}
	if !(worst <= 2e-6) || !(worstRef <= 2e-7) {
		t.Errorf("largest difference %.3g, of the reference %.3g", worst, worstRef)
	}
	t.Logf("%d rows, largest difference %.3g, of the reference %.3g", len(rows), worst, worstRef)
}
