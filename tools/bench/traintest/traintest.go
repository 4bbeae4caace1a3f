//go:build linux

// Package traintest owns the tables of benchmarks that come as a training set and a test set.
package traintest

import (
	"context"
	"math"
	"path/filepath"
	"time"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/csvdata"
	"github.com/coppice-ml/coppice/metric"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/tools/bench/exchange"
	"github.com/coppice-ml/coppice/tools/bench/tables/recipe"
)

// Table is a table with the rows to train and those to test on.
type Table struct {
	*data.Dataset
	Train, Test []int32
}

// Write writes the two sets into folders, NAME-train and NAME-test, in the form that peers read.
// Without rows to test on there is no second one.
func (p *Table) Write(name string) error {
	if err := exchange.Write(name+"-train", p.Dataset, p.Train); err != nil {
		return err
	}
	if p.Test == nil {
		return nil
	}
	return exchange.Write(name+"-test", p.Dataset, p.Test)
}

// Limit keeps the first rows of each set; 0 = all.
func (p *Table) Limit(rows int) {
	if rows > 0 {
		p.Train, p.Test = p.Train[:min(rows, len(p.Train))], p.Test[:min(rows, len(p.Test))]
	}
}

// Higgs makes a table like that of Higgs bosons, of 28 numbers and two classes, with as many rows
// in each set, of which at most so many are wanted; 0 = all.
func Higgs(train, test, limit int) (*Table, error) {
	if limit > 0 {
		train, test = min(train, limit), min(test, limit)
	}
	ds, err := recipe.ByName("higgs").Dataset(0, train+test, 0)
	if err != nil {
		return nil, err
	}
	rows := data.AllRows(train + test)
	return &Table{ds, rows[:train], rows[train:]}, nil
}

// Mass makes the table Higgs without its classes. The label is the last column, the mass of two W
// bosons and two jets, which others determine but for noise.
func Mass(train, test, limit int) (*Table, error) {
	t, err := Higgs(train, test, limit)
	if err != nil {
		return nil, err
	}
	last := len(t.Columns) - 1
	y := t.Columns[last].Numbers()
	schema := t.Schema
	schema.Fields = schema.Fields[:last]
	if t.Frame, err = data.NewFrame(schema, t.Columns[:last]); err != nil {
		return nil, err
	}
	t.Target = data.Target{Name: "mass", Task: data.Regression, Y: [][]float64{y}}
	return t, nil
}

// Adult reads the census table in its two files; its question marks are missing values.
func Adult(folder string) (*Table, error) {
	ctx, o := context.Background(), csvdata.Options{ReadOptions: data.ReadOptions{Missing: []string{"?"}}}
	train, err := csvdata.Open(o, filepath.Join(folder, "adult", "adult-train.csv.gz")).Frame(ctx)
	if err != nil {
		return nil, err
	}
	test, err := csvdata.Open(o, filepath.Join(folder, "adult", "adult-test.csv.gz")).Frame(ctx)
	if err != nil {
		return nil, err
	}
	both, err := data.Concat(train, test)
	if err != nil {
		return nil, err
	}
	ds, err := data.Roles{Label: "income",
		Rename: map[string]string{"<=50K.": "<=50K", ">50K.": ">50K"}}.Apply(both)
	if err != nil {
		return nil, err
	}
	rows := data.AllRows(ds.Rows())
	return &Table{ds, rows[:train.Rows()], rows[train.Rows():]}, nil
}

// Letters reads the table letter below a folder in its customary split, 16,000 and 4,000 rows.
func Letters(folder string) (*Table, error) {
	f, err := csvdata.Open(csvdata.Options{}, filepath.Join(folder, "letter", "letter.csv.gz")).Frame(context.Background())
	if err != nil {
		return nil, err
	}
	ds, err := data.Roles{Label: "lettr"}.Apply(f)
	if err != nil {
		return nil, err
	}
	rows := data.AllRows(ds.Rows())
	return &Table{ds, rows[:16_000], rows[16_000:]}, nil
}

// Make makes a table of at most so many rows in each set, 0 = all, and writes it: see Write. It
// returns the rows to train on.
func Make(table func() (*Table, error), limit int, name string) (rows int, err error) {
	t, err := table()
	if err != nil {
		return 0, err
	}
	t.Limit(limit)
	return len(t.Train), t.Write(name)
}

// Error returns the seconds of predicting a table, binding not included, and the fraction of wrong
// labels; of numbers the root of the mean squared error.
func Error(m model.Model, ds *data.Dataset, workers int) (seconds, wrong float64, err error) {
	output := model.Label
	if ds.Target.Class == nil {
		output = model.Response
	}
	p, err := m.Bind(&ds.Schema, model.Options{Output: output, Workers: workers})
	if err != nil {
		return 0, 0, err
	}
	predicted := make([]float64, ds.Rows())
	start := time.Now()
	if err := p.Predict(predicted, ds.Frame, nil); err != nil {
		return 0, 0, err
	}
	seconds = time.Since(start).Seconds()
	sum := 0.0
	for i, v := range predicted {
		if ds.Target.Class == nil {
			d := v - ds.Target.Y[0][i]
			sum += d * d
		} else if uint32(v) != ds.Target.Class[i] {
			sum++
		}
	}
	mean := sum / float64(len(predicted))
	if ds.Target.Class == nil {
		mean = math.Sqrt(mean)
	}
	return seconds, mean, nil
}

// AUC returns the area under the ROC curve of probabilities of the second class.
func AUC(probabilities []float64, labels []uint32) (float64, error) {
	both := make([]float64, 0, 2*len(probabilities))
	for _, p := range probabilities {
		both = append(both, 1-p, p)
	}
	return metric.Of("auc", &metric.Sample{Pred: both, Width: 2, Class: labels})
}
