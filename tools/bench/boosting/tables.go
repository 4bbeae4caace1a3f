//go:build linux

package boosting

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/tools/bench/exchange"
	"github.com/coppice-ml/coppice/tools/bench/tables/recipe"
)

// made is a benchmark table: rows to train on and rows to test on behind them.
type made struct {
	recipe      string
	first       int // row of the recipe's table that it starts with
	train, test int
	columns     int  // the first columns, over and over if there are not so many; 0 = all
	query       int  // so many rows, one after the other, are ranked together; 0 = no ranking
	sparse      bool // mostly zero
}

// metric returns the name of what predictions are compared by, and whether more of it is better.
func (m *made) metric() (name string, greater bool) {
	classes := recipe.ByName(m.recipe).Classes
	switch {
	case m.query > 0:
		return "NDCG@10", true
	case classes == 2:
		return "AUC", true
	case classes > 2:
		return "log loss", false
	}
	return "RMSE", false
}

// path is where files of a table are.
func (m *made) path(dir string) string {
	return filepath.Join(dir, fmt.Sprintf("%s-%d-%d-%d-%d", m.recipe, m.first, m.train, m.test,
		m.columns))
}

// limited returns the table with so many rows in each set at most; 0 = all.
func (m made) limited(rows int) made {
	if rows > 0 {
		m.train, m.test = min(m.train, rows), min(m.test, rows)
	}
	return m
}

// write writes the training and the test set of the table below a folder, if they are not there
// yet, and returns where they are.
func (m *made) write(dir string) (train, test string, err error) {
	path := m.path(dir)
	train, test = path+"-train", path+"-test"
	done := path + "-done"
	if _, err := os.Stat(done); err == nil {
		return train, test, nil
	}
	ds, err := recipe.ByName(m.recipe).Dataset(m.first, m.train+m.test, m.columns)
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
	path := m.path(dir)
	return errors.Join(os.RemoveAll(path+"-train"), os.RemoveAll(path+"-test"),
		os.Remove(path+"-done"))
}
