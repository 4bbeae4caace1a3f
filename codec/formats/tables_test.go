package formats_test

import (
	"bytes"
	"encoding/csv"
	"errors"
	"io/fs"
	"math"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/codec"
	"github.com/coppice-ml/coppice/codec/formats"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/csvdata"
	"github.com/coppice-ml/coppice/internal/spelling"
	"github.com/coppice-ml/coppice/model"
)

// clientRows is the number of rows of a client's table.
const clientRows = 12

// Models of every reader take a table as pandas writes it once each column misses a value: integers
// as 1.0, truth values of numeric columns as True and False, categories that are integers as 1.0.
// They predict what they predict of the numbers and codes themselves.
func TestTablesOfPandas(t *testing.T) {
	tested := map[string]int{}
	for _, root := range []string{"../../testdata/models", "testdata/tables", "../catboost/testdata", "../h2o/testdata", "../xgboost/testdata"} {
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			m, format, err := formats.Open(path, codec.Limits{})
			if err == nil {
				tested[format.Name]++
				t.Run(filepath.ToSlash(path), func(t *testing.T) { predictsTable(t, m, format) })
			}
			if err == nil && d.IsDir() {
				return fs.SkipDir
			}
			return nil // what is no model is the business of TestSamples
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, f := range formats.Table() {
		reads := f.Decode != nil || f.DecodeFS != nil
		if reads && f.Foreign && tested[f.Name] == 0 && !withoutSample[f.Name] {
			t.Errorf("no sample of the format %s is predicted by a table", f.Name)
		}
	}
}

// withoutSample are the formats of which no folder of this project has a file that can be read.
var withoutSample = map[string]bool{"catboost": true, "xgboost-dump": true}

// predictsTable compares the predictions of a table of texts with those of its values.
func predictsTable(t *testing.T, m model.Model, format *codec.Format) {
	s := m.Spec().Schema
	texts := [][]string{s.Names(), make([]string, len(s.Fields))} // the second row misses all
	for range clientRows {
		texts = append(texts, make([]string, len(s.Fields)))
	}
	columns := make([]data.Column, len(s.Fields))
	for i := range s.Fields {
		values, as := clientColumn(&s.Fields[i], i, strings.HasPrefix(format.Name, "catboost"))
		for row, text := range as {
			texts[row+2][i] = text
		}
		if s.Fields[i].Kind == data.Numeric {
			columns[i] = data.Numbers(values)
			continue
		}
		codes := make([]uint32, clientRows)
		for row, v := range values {
			codes[row] = uint32(v)
		}
		columns[i] = data.Codes(codes)
	}
	direct, err := data.NewFrame(s.Clone(), columns)
	if err != nil {
		t.Fatal(err)
	}
	var file bytes.Buffer
	if err := csv.NewWriter(&file).WriteAll(texts); err != nil {
		t.Fatal(err)
	}
	read, err := csvdata.Open(csvdata.Options{ReadOptions: data.ReadOptions{Bytes: map[string][]byte{"t.csv": file.Bytes()}, Schema: &s}}, "t.csv").Frame(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	want, got := responses(t, m, direct, 0), responses(t, m, read, 1)
	for i := range want {
		if math.Float64bits(want[i]) != math.Float64bits(got[i]) {
			t.Fatalf("value %d: %v of the table, %v of its values", i, got[i], want[i])
		}
	}
}

// responses predicts the rows of a client's table from a row on.
func responses(t *testing.T, m model.Model, f *data.Frame, from int) []float64 {
	t.Helper()
	p, err := m.Bind(&f.Schema, model.Options{Output: model.Response})
	if err != nil {
		t.Fatal(err)
	}
	rows := data.AllRows(f.Rows())[from:]
	values := make([]float64, len(rows)*p.Width())
	var refused *model.ValueError
	if err := p.Predict(values, f, rows); err != nil && !errors.As(err, &refused) {
		t.Fatal(err)
	} else if err != nil {
		t.Logf("refused: %v", err)
	}
	return values
}

// clientColumn returns the values of a column, and the texts that pandas writes for them.
func clientColumn(f *data.Field, place int, byText bool) (values []float64, texts []string) {
	for row := range clientRows {
		v, text := float64(row%2), []string{"False", "True", "FALSE", "true"}[row%4]
		switch {
		case f.Kind == data.Categorical:
			v = float64(row % max(1, len(f.Levels)))
			text = clientLevel(f, int(v), byText)
		case place%3 == 1:
			v = float64(row * 3)
			text = strconv.FormatFloat(v, 'f', 1, 64)
		case place%3 == 2:
			v = float64(row)*0.75 - 2
			text = strconv.FormatFloat(v, 'f', -1, 64)
		}
		values, texts = append(values, v), append(texts, text)
	}
	return values, texts
}

// clientLevel returns what pandas writes for a level: a number with a fraction, or a truth value as
// Python spells it. CatBoost's categories are texts: 1 and 1.0 are two.
func clientLevel(f *data.Field, code int, byText bool) string {
	level := f.Levels[code]
	if byText {
		return level
	}
	if v, err := strconv.ParseFloat(level, 64); err == nil && (f.IntegerLevels() || f.Numbers()) {
		if v == math.Trunc(v) {
			return strconv.FormatFloat(v, 'f', 1, 64)
		}
		return strconv.FormatFloat(v, 'e', -1, 64)
	}
	if spelt := spelling.Truths(level); spelt != nil {
		return spelt[1]
	}
	return level
}
