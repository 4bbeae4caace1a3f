// Package traintest owns the tables of benchmarks that come as a training set and a test set.
package traintest

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/csvdata"
	"github.com/coppice-ml/coppice/data/table"
	"github.com/coppice-ml/coppice/tools/bench/exchange"
	"github.com/coppice-ml/coppice/tools/bench/tables/recipe"
)

// Table is a table with the rows to train and those to test on.
type Table struct {
	*data.Dataset
	Train, Test []int32
}

// Write writes the two sets into folders, NAME-train and NAME-test, in the form that peers read.
func (p *Table) Write(name string) error {
	if err := exchange.Write(name+"-train", p.Dataset, p.Train); err != nil {
		return err
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
// in each set.
func Higgs(train, test int) (*Table, error) {
	t := recipe.Tables()[0]
	columns, values := make([]data.NamedColumn, t.Features), make([][]float64, t.Features)
	for j := range columns {
		values[j] = make([]float64, train+test)
		columns[j] = data.NamedColumn{Name: fmt.Sprint("f", j), Values: values[j]}
	}
	class := make([]uint32, train+test)
	x, wide := make([]float32, t.Features), make([]float64, t.Features)
	for i := range class {
		class[i] = uint32(t.Row(i, x, wide))
		for j, v := range x {
			values[j][i] = float64(v)
		}
	}
	frame, err := data.FromColumns(columns...)
	if err != nil {
		return nil, err
	}
	rows := data.AllRows(train + test)
	target := data.Target{Name: "y", Task: data.Binary, Classes: []string{"0", "1"}, Class: class}
	return &Table{&data.Dataset{Frame: frame, Target: target}, rows[:train], rows[train:]}, nil
}

// Mass makes the table Higgs without its classes. The label is the last column, the mass of two W
// bosons and two jets, which others determine but for noise.
func Mass(train, test int) (*Table, error) {
	t, err := Higgs(train, test)
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
	ctx, o := context.Background(), csvdata.Options{Options: table.Options{Missing: []string{"?"}}}
	train, err := csvdata.Read(ctx, o, filepath.Join(folder, "adult", "adult-train.csv.gz"))
	if err != nil {
		return nil, err
	}
	test, err := csvdata.Read(ctx, o, filepath.Join(folder, "adult", "adult-test.csv.gz"))
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
	f, err := csvdata.Read(context.Background(), csvdata.Options{},
		filepath.Join(folder, "letter", "letter.csv.gz"))
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
