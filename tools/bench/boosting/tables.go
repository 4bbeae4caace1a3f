//go:build linux

package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/tools/bench/exchange"
	"github.com/coppice-ml/coppice/tools/bench/tables/recipe"
)

// made is a benchmark table: rows to train on and rows to test on behind them.
type made struct {
	recipe      string
	first       int // row of the recipe's table that it starts with
	train, test int
	columns     int // the first columns, over and over if there are not so many; 0 = all
	classes     int // the label is one of so many classes; 0 = a number
	query       int // so many rows, one after the other, are ranked together; 0 = no ranking
	levels      []int
	sparse      bool // mostly zero
}

// metric returns the name of what predictions are compared by, and whether more of it is better.
func (m *made) metric() (name string, greater bool) {
	switch {
	case m.query > 0:
		return "NDCG@10", true
	case m.classes == 2:
		return "AUC", true
	case m.classes > 2:
		return "log loss", false
	}
	return "RMSE", false
}

// name identifies a table.
func (m *made) name() string {
	return fmt.Sprintf("%s-%d-%d-%d-%d", m.recipe, m.first, m.train, m.test, m.columns)
}

// write writes the training and the test set of the table below a folder, if they are not there
// yet, and returns where they are.
func (m *made) write(dir string) (train, test string, err error) {
	path := filepath.Join(dir, m.name())
	train, test = path+"-train", path+"-test"
	done := path + "-done"
	if _, err := os.Stat(done); err == nil {
		return train, test, nil
	}
	ds, err := m.make()
	if err != nil {
		return "", "", err
	}
	rows := data.AllRows(ds.Rows())
	if err := exchange.Write(train, ds, rows[:m.train]); err != nil {
		return "", "", err
	}
	if err := exchange.Write(test, ds, rows[m.train:]); err != nil {
		return "", "", err
	}
	return train, test, os.WriteFile(done, nil, 0o644)
}

// remove removes what write wrote.
func (m *made) remove(dir string) error {
	path := filepath.Join(dir, m.name())
	return errors.Join(os.RemoveAll(path+"-train"), os.RemoveAll(path+"-test"),
		os.Remove(path+"-done"))
}

// make makes the table. Columns after the recipe's last are its columns again, the values those of
// other rows.
func (m *made) make() (*data.Dataset, error) {
	all := recipe.Tables()
	t := all[slices.IndexFunc(all, func(t recipe.Table) bool { return t.Name == m.recipe })]
	n := m.train + m.test
	width := m.columns
	if width == 0 {
		width = t.Features
	}
	ds := &data.Dataset{Target: data.Target{Name: "y", Task: data.Regression,
		Y: [][]float64{make([]float64, n)}}}
	schema, columns := data.Schema{Fields: make([]data.Field, width)}, make([]data.Column, width)
	for j := range columns {
		schema.Fields[j].Name = "x" + strconv.Itoa(j)
		if j < len(m.levels) && m.levels[j] > 0 {
			schema.Fields[j].Kind = data.Categorical
			for code := range m.levels[j] {
				schema.Fields[j].Levels = append(schema.Fields[j].Levels, strconv.Itoa(code))
			}
			columns[j] = data.Codes(make([]uint32, n))
			continue
		}
		columns[j] = data.Numbers(make([]float64, n))
	}
	x, wide := make([]float32, t.Features), make([]float64, t.Features)
	for i := range n {
		for from := 0; from < width; from += t.Features {
			y := t.Row(m.first+i+from*n, x, wide)
			if from == 0 {
				ds.Target.Y[0][i] = float64(y)
			}
			for j, v := range x[:min(t.Features, width-from)] {
				if c := &columns[from+j]; c.Codes() != nil {
					c.Codes()[i] = uint32(v)
				} else {
					c.Numbers()[i] = float64(v)
				}
			}
		}
	}
	if m.classes > 0 {
		ds.Target.Task, ds.Target.Class = data.Multiclass, make([]uint32, n)
		for k := range m.classes {
			ds.Target.Classes = append(ds.Target.Classes, strconv.Itoa(k))
		}
		for i, y := range ds.Target.Y[0] {
			ds.Target.Class[i] = uint32(y)
		}
		ds.Target.Y = nil
	}
	var err error
	ds.Frame, err = data.NewFrame(schema, columns)
	return ds, err
}
