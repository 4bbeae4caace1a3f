package xgboost_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice"
	"github.com/coppice-ml/coppice/codec"
	"github.com/coppice-ml/coppice/codec/xgboost"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/datatest"
	"github.com/coppice-ml/coppice/internal/testing/tier"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/gbm"
	"github.com/coppice-ml/coppice/model"
)

// trained is a model to write: what it is trained on, and how.
type trained struct {
	name    string
	file    string
	roles   data.Roles
	learner func() learn.Learner
}

func boosted(loss string, change func(l *gbm.Learner)) func() learn.Learner {
	return func() learn.Learner {
		l := gbm.New()
		l.Trees, l.LearningRate, l.Categories = 15, 0.1, gbm.CategoriesNative
		l.Loss.Name = loss
		if change != nil {
			change(l)
		}
		return l
	}
}

// scored are models on five tables with missing values and categories, and one of numbers. Where a
// table has few missing values, some more are made.
var scored = []trained{
	{"adult", "adult/adult-train.csv", data.Roles{Label: "income"}, boosted("", nil)},
	{"titanic", "titanic/titanic.csv", data.Roles{Label: "Survived", Ignore: []string{"PassengerId", "Name", "Ticket"}, Task: data.Binary}, boosted("", nil)},
	{"ames", "ames/ames_housing.csv.gz", data.Roles{Label: "Sale_Price"}, boosted("", nil)},
	{"soybean", "soybean/soybean.csv", data.Roles{Label: "class"}, boosted("", nil)},
	{"mushroom", "mushroom/mushroom.csv", data.Roles{Label: "edibility"}, boosted("", nil)},
	{"bike", "bike/hour.csv.gz", data.Roles{Label: "cnt", Task: data.Regression, Ignore: []string{"instant", "dteday", "casual", "registered"}}, boosted("poisson", nil)},
}

// TestScoredByXGBoost writes models and compares their predictions with those of XGBoost on the
// files: rows reach the same leaves, and scores differ by rounding.
func TestScoredByXGBoost(t *testing.T) {
	tier.NotShort(t, "starts Python")
	program := python(t)
	for _, s := range scored {
		t.Run(s.name, func(t *testing.T) {
			ds := datatest.Read(t, s.file, s.roles)
			ds.Columns = withMissing(ds.Columns)
			m, err := coppice.Train(t.Context(), s.learner(), ds, coppice.Seed(1), coppice.Workers(2))
			if err != nil {
				t.Fatal(err)
			}
			rows := rowsOf(ds.Frame, 500)
			missing, categories := contents(ds.Columns, rows)
			if missing == 0 || categories == 0 && s.name != "bike" {
				t.Errorf("%d missing values and %d columns of categories", missing, categories)
			}
			t.Logf("%s: %d missing values, %d columns of categories", s.name, missing, categories)
			compareScored(t, program, m, rows)
		})
	}
}

// contents returns how many values of rows are missing, and how many columns have categories.
func contents(columns []data.Column, rows [][]float64) (missing, categories int) {
	for c := range columns {
		if columns[c].Codes() != nil {
			categories++
		}
		for _, row := range rows {
			if math.IsNaN(row[c]) {
				missing++
			}
		}
	}
	return missing, categories
}

// withMissing returns columns whose numbers and codes are missing in places.
func withMissing(columns []data.Column) []data.Column {
	r := rand.New(rand.NewPCG(1, 2))
	own := make([]data.Column, len(columns))
	for i := range columns {
		if codes := columns[i].Codes(); codes != nil {
			codes = slices.Clone(codes)
			for k := range codes {
				if r.IntN(50) == 0 {
					codes[k] = data.MissingCode
				}
			}
			own[i] = data.Codes(codes)
			continue
		}
		numbers := slices.Clone(columns[i].Numbers())
		for k := range numbers {
			if r.IntN(50) == 0 {
				numbers[k] = math.NaN()
			}
		}
		own[i] = data.Numbers(numbers)
	}
	return own
}

// rowsOf returns rows of a table as a predictor takes them; numbers are those that single precision
// holds. Each tenth row has unseen categories.
func rowsOf(f *data.Frame, most int) [][]float64 {
	rows := make([][]float64, min(most, f.Rows()))
	for i := range rows {
		row := make([]float64, len(f.Columns))
		for c := range row {
			if f.Columns[c].Codes() == nil {
				row[c] = float64(float32(f.Columns[c].Number(i)))
				continue
			}
			switch code := f.Columns[c].Code(i); {
			case code == data.MissingCode:
				row[c] = math.NaN()
			case code == data.UnseenCode || i%10 == 9:
				row[c] = -1
			default:
				row[c] = float64(code)
			}
		}
		rows[i] = row
	}
	return rows
}

// writeRows writes rows as score.py reads them.
func writeRows(t *testing.T, dir string, rows [][]float64) (file string) {
	t.Helper()
	var table strings.Builder
	for _, row := range rows {
		for c, x := range row {
			if c > 0 {
				table.WriteByte(',')
			}
			if !math.IsNaN(x) {
				table.WriteString(strconv.FormatFloat(x, 'g', -1, 64))
			}
		}
		table.WriteByte('\n')
	}
	file = filepath.Join(dir, "rows.csv")
	if err := os.WriteFile(file, []byte(table.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// compareScored writes a model in both encodings, has XGBoost predict, and compares.
func compareScored(t *testing.T, program *interpreter, m model.Model, rows [][]float64) {
	t.Helper()
	dir := t.TempDir()
	csv := writeRows(t, dir, rows)
	bytesOf, files := map[string][]byte{}, []string{csv}
	for suffix, f := range written {
		file := filepath.Join(dir, "model"+suffix)
		bytesOf[suffix], files = encoded(t, f, m), append(files, file)
		if err := os.WriteFile(file, bytesOf[suffix], 0o600); err != nil {
			t.Fatal(err)
		}
	}
	program.score(t, files...)
	predict := predictor(t, m)
	for suffix, f := range written {
		again, ref := decode(t, f, bytesOf[suffix])
		agree(t, again, ref, rows)
		worst, leaves := 0.0, make([]int32, ref.Trees())
		for i, want := range scoredOutputs(t, filepath.Join(dir, "model"+suffix+".csv")) {
			raw, response := predict(rows[i])
			worst = max(worst, distance(raw, want.raw), distance(response[len(response)-len(want.response):], want.response))
			ref.Leaves(leaves, rows[i])
			for tree, leaf := range want.leaves {
				if leaves[tree] != int32(leaf) {
					t.Fatalf("row %d reaches leaf %d of tree %d, by XGBoost %v", i, leaves[tree], tree, leaf)
				}
			}
		}
		size := fmt.Sprintf("%s: %d rows, %d columns, %d trees", suffix, len(rows), len(rows[0]), ref.Trees())
		if !(worst <= 5e-6) {
			t.Errorf("%s: largest difference %.3g", size, worst)
		}
		t.Logf("%s: largest difference %.3g", size, worst)
	}
}

// written are the formats with a writer, by the suffixes that XGBoost needs.
var written = map[string]codec.Format{".json": xgboost.JSON(), ".ubj": xgboost.UBJSON()}

// Models of gblinear come back as they were, and XGBoost reads what is written of them.
func TestWrittenLinear(t *testing.T) {
	tier.NotShort(t, "starts Python")
	rows := frozenRows(t)
	program := python(t)
	dir := t.TempDir()
	args := []string{writeRows(t, dir, rows)}
	for _, name := range []string{"linear", "linearclass"} {
		b := readFile(t, "testdata/"+name+".json")
		m, _ := decode(t, xgboost.JSON(), b)
		for suffix, f := range written {
			again, _ := decode(t, f, encoded(t, f, m))
			one, other := predictor(t, m), predictor(t, again)
			for i, want := range frozenOutputs(t, "testdata/"+name+".json") {
				raw, _ := other(rows[i])
				was, _ := one(rows[i])
				if distance(raw, was) > 1e-7 || distance(raw, want.raw) > 2e-6 {
					t.Fatalf("%s row %d: scores %v became %v, by XGBoost %v", name, i, was, raw, want.raw)
				}
			}
			file := filepath.Join(dir, name+suffix)
			if err := os.WriteFile(file, encoded(t, f, m), 0o600); err != nil {
				t.Fatal(err)
			}
			args = append(args, file)
		}
	}
	program.score(t, args...)
	for _, file := range args[1:] {
		name := strings.TrimSuffix(filepath.Base(file), filepath.Ext(file))
		want := frozenOutputs(t, "testdata/"+name+".json")
		for i, got := range scoredOutputs(t, file+".csv") {
			if distance(got.raw, want[i].raw) > 2e-6 {
				t.Fatalf("%s row %d: XGBoost predicts %v, before %v", file, i, got.raw, want[i].raw)
			}
		}
	}
}
