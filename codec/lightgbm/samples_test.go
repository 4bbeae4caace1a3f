package lightgbm

import (
	"bytes"
	"encoding/csv"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/coppice-ml/coppice/codec"
	"github.com/coppice-ml/coppice/codec/internal/foreign"
)

// sample is a file that LightGBM wrote, with rows and what it predicts for them.
type sample struct {
	model string
	rows  string // table of the rows
	skip  int    // columns of the table before the first feature
	want  string // table of predictions: "" for none
	raw   bool   // want has raw scores, else responses
	label int    // columns of want before the first prediction
	// iterations that want was computed with; 0: all
	rounds int
	leaves bool // want has leaf numbers
}

// shipped are the samples in testdata/models/lightgbm.
var shipped = []sample{
	{model: "lg_breast_cancer.txt", rows: "lg_breast_cancer_data.txt",
		want: "lg_breast_cancer_data_pred_leaves.txt", leaves: true},
	{model: "lg_dart_breast_cancer.model", rows: "breast_cancer_test.tsv",
		want: "lg_dart_breast_cancer_true_predictions.txt"},
	{model: "lg_dart_breast_cancer.json", rows: "breast_cancer_test.tsv"},
	{model: "lg_kddcup99.model", rows: "kddcup99_test.tsv",
		want: "lg_kddcup99_true_predictions.txt", raw: true},
	{model: "lg_rf_iris.model", rows: "iris_test.libsvm",
		want: "lg_rf_iris_true_predictions.txt"},
	{model: "lgmulticlass.model", rows: "multiclass_test.tsv", skip: 1,
		want: "lgmulticlass_true_predictions.txt"},
	{model: "lgmulticlass.model", rows: "multiclass_test.tsv", skip: 1,
		want: "lgmulticlass_true_raw_predictions.txt", raw: true},
	{model: "genlin_fmtp_gamma_AvgClaimAmount.model",
		rows: "genlin_fmtp_gamma_AvgClaimAmount_features.tsv",
		want: "genlin_fmtp_gamma_AvgClaimAmount_true_predictions.txt"},
	{model: "genlin_fmtp_poisson_Frequency.model",
		rows: "genlin_fmtp_poisson_Frequency_features.tsv",
		want: "genlin_fmtp_poisson_Frequency_true_predictions.txt"},
	{model: "genlin_fmtp_tweedie_PurePremium.model",
		rows: "genlin_fmtp_poisson_Frequency_features.tsv",
		want: "genlin_fmtp_tweedie_PurePremium_true_predictions.txt"},
	{model: "toy_categorical.txt", rows: "toy_categorical.libsvm",
		want: "toy_categorical_true_predictions.txt"},
	{model: "model_simple.txt"},
	{model: "lg_1tree.json"},
	{model: "lg_1tree_1leaf.json"},
}

// shared are those that are not free to ship, in jpmml-lightgbm of the folder that COPPICE_DATA
// names.
var shared = []sample{
	{model: "ClassificationAudit.txt", rows: "Audit.csv", want: "ClassificationAudit.csv"},
	{model: "ClassificationAudit.txt", rows: "Audit.csv", want: "ClassificationAudit@17.csv"},
	{model: "ClassificationIris.txt", rows: "Iris.csv", want: "ClassificationIris.csv"},
	{model: "ClassificationIris.txt", rows: "Iris.csv", want: "ClassificationIris@7.csv"},
	{model: "ClassificationIrisNA.txt", rows: "IrisNA.csv", want: "ClassificationIrisNA.csv"},
	{model: "ClassificationIrisNA.txt", rows: "IrisNA.csv", want: "ClassificationIrisNA@7.csv"},
	{model: "ClassificationVersicolor.txt", rows: "Versicolor.csv",
		want: "ClassificationVersicolor.csv"},
	{model: "ClassificationVersicolor.txt", rows: "Versicolor.csv",
		want: "ClassificationVersicolor@9.csv"},
	{model: "LinearTreeRegressionAuto.txt", rows: "Auto.csv", want: "LinearTreeRegressionAuto.csv"},
	{model: "LinearTreeRegressionAutoNA.txt", rows: "AutoNA.csv",
		want: "LinearTreeRegressionAutoNA.csv"},
	{model: "RFClassificationIris.txt", rows: "Iris.csv", want: "RFClassificationIris.csv"},
	{model: "RFRegressionAuto.txt", rows: "Auto.csv", want: "RFRegressionAuto.csv"},
	{model: "RegressionAuto.txt", rows: "Auto.csv", want: "RegressionAuto.csv"},
	{model: "RegressionAuto.txt", rows: "Auto.csv", want: "RegressionAuto@17.csv"},
	{model: "RegressionAutoNA.txt", rows: "AutoNA.csv", want: "RegressionAutoNA.csv"},
	{model: "RegressionAutoNA.txt", rows: "AutoNA.csv", want: "RegressionAutoNA@17.csv"},
}

// name names the sample in the list of results.
func (s *sample) name() string { return strings.TrimSuffix(s.model+" "+s.want, " ") }

// found is a sample with its files read.
type found struct {
	*sample
	bytes []byte
	rows  [][]float64 // in the order of the model's columns
	want  [][]float64
}

// samples calls test for each sample, whose files it reads.
func samples(t *testing.T, test func(t *testing.T, s *found)) {
	for i := range shipped {
		s := &shipped[i]
		t.Run(s.name(), func(t *testing.T) {
			folder := filepath.Join("..", "..", "testdata", "models", "lightgbm")
			test(t, s.read(t, func(name string) string { return filepath.Join(folder, name) }))
		})
	}
	for i := range shared {
		s := &shared[i]
		if _, rounds, ok := strings.Cut(strings.TrimSuffix(s.want, ".csv"), "@"); ok {
			s.rounds, _ = strconv.Atoi(rounds)
			s.label = 0
		}
		t.Run(s.name(), func(t *testing.T) {
			root := os.Getenv("COPPICE_DATA")
			if root == "" {
				t.Skip("COPPICE_DATA names no folder; the file's licence does not let it be shipped")
			}
			folder := filepath.Join(root, "models", "jpmml-lightgbm")
			test(t, s.read(t, func(name string) string {
				if strings.HasSuffix(name, ".csv") {
					return filepath.Join(folder, "csv", name)
				}
				return filepath.Join(folder, "lgbm", name)
			}))
		})
	}
}

// read reads the files of a sample.
func (s *sample) read(t *testing.T, path func(name string) string) *found {
	t.Helper()
	load := func(name string) []byte {
		b, err := os.ReadFile(path(name))
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	f := &found{sample: s, bytes: load(s.model)}
	columns := mustRead(t, s.model, f.bytes)
	switch ext := filepath.Ext(s.rows); {
	case s.rows == "":
	case ext == ".csv":
		f.rows = commaRows(t, load(s.rows), columns)
	default:
		f.rows = numberRows(t, load(s.rows), len(columns.columns), s.skip)
	}
	if s.want == "" {
		return f
	}
	if filepath.Ext(s.want) != ".csv" {
		f.want = numberRows(t, load(s.want), 0, 0)
		return f
	}
	records, err := csv.NewReader(bytes.NewReader(load(s.want))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	if len(records[0]) > 1 {
		s.label = 1 // the predicted class
	}
	for _, r := range records[1:] {
		f.want = append(f.want, floats(t, r[s.label:]))
	}
	return f
}

func mustRead(t rapid.TB, name string, b []byte) *file {
	t.Helper()
	read, format := readText, textName
	if strings.HasSuffix(name, ".json") {
		read, format = readDump, jsonName
	}
	f, err := read(bytes.NewReader(b), int64(len(b)), foreign.NewBudget(format, int64(len(b)), codec.Limits{}))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// floats reads texts as numbers.
func floats(t *testing.T, texts []string) []float64 {
	t.Helper()
	row := make([]float64, len(texts))
	for i, text := range texts {
		x, err := strconv.ParseFloat(text, 64)
		if err != nil {
			t.Fatal(err)
		}
		row[i] = x
	}
	return row
}

// numberRows reads rows of numbers, or of places and numbers such as 3:0.5, of so many columns; 0
// for as many as there are. Where a row has no number it is 0.
func numberRows(t *testing.T, b []byte, columns, skip int) [][]float64 {
	t.Helper()
	var rows [][]float64
	for line := range strings.Lines(string(b)) {
		words := strings.Fields(line)
		if len(words) == 0 {
			continue
		}
		if !strings.Contains(line, ":") {
			rows = append(rows, floats(t, words[skip:]))
			continue
		}
		row := make([]float64, columns)
		for _, w := range words[1:] {
			place, x, _ := strings.Cut(w, ":")
			i, err := strconv.Atoi(place)
			if err != nil {
				t.Fatal(err)
			}
			row[i] = floats(t, []string{x})[0]
		}
		rows = append(rows, row)
	}
	return rows
}

// commaRows reads a table with a header, whose categories are texts, in the order of a model's
// columns.
func commaRows(t *testing.T, b []byte, f *file) [][]float64 {
	t.Helper()
	records, err := csv.NewReader(bytes.NewReader(b)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	frame := f.frame
	levels := make([][]string, len(f.columns))
	for i := range f.columns {
		if f.columns[i].codes {
			levels[i], frame = frame[0].levels, frame[1:]
		}
	}
	var rows [][]float64
	for _, r := range records[1:] {
		row := make([]float64, len(f.columns))
		for i := range f.columns {
			text := r[slices.Index(records[0], f.columns[i].name)]
			switch {
			case text == "N/A" || text == "NA":
				row[i] = math.NaN()
			case levels[i] == nil:
				row[i] = floats(t, []string{text})[0]
			default:
				row[i] = float64(slices.IndexFunc(levels[i], func(l string) bool {
					return strings.EqualFold(l, text)
				}))
			}
		}
		rows = append(rows, row)
	}
	return rows
}
