//go:build linux

package main

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/csvdata"
	"github.com/coppice-ml/coppice/tools/bench/exchange"
	"github.com/coppice-ml/coppice/tools/bench/tables/recipe"
)

// parted is a table with the rows to train and to test on.
type parted struct {
	*data.Dataset
	train, test []int32
}

// write writes the two parts into folders that begin with a name.
func (p *parted) write(name string) error {
	if err := exchange.Write(name+"-train", p.Dataset, p.train); err != nil {
		return err
	}
	return exchange.Write(name+"-test", p.Dataset, p.test)
}

// limit keeps the first rows of each part; 0 = all.
func (p *parted) limit(rows int) {
	if rows > 0 {
		p.train, p.test = p.train[:min(rows, len(p.train))], p.test[:min(rows, len(p.test))]
	}
}

// higgs makes a higgs-like table.
func higgs(train, test int) (*parted, error) {
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
	return &parted{&data.Dataset{Frame: frame, Target: target}, rows[:train], rows[train:]}, nil
}

// letters reads the letters in their customary parts.
func letters(folder string) (*parted, error) {
	f, err := csvdata.Read(context.Background(), csvdata.Options{}, filepath.Join(folder, "letter", "letter.csv.gz"))
	if err != nil {
		return nil, err
	}
	ds, err := data.Roles{Label: "lettr"}.Apply(f)
	if err != nil {
		return nil, err
	}
	rows := data.AllRows(ds.Rows())
	return &parted{ds, rows[:16_000], rows[16_000:]}, nil
}
