//go:build linux

package forests

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/coppice-ml/coppice/tools/bench/pairs"
	"github.com/coppice-ml/coppice/tools/bench/traintest"
)

// stored makes a forest of a side for each of the sides and stores it, with the table that it is
// used on.
func (b *bench) stored(
	ctx context.Context, name string, table func() (*traintest.Table, error), trees, mtry int,
) (model, test string, err error) {
	path := filepath.Join(b.Dir, name)
	if _, err := traintest.Make(table, b.Rows, path); err != nil {
		return "", "", err
	}
	threads := b.Threads[0]
	arguments := []string{"save", path + "-train", path, fmt.Sprint(trees), fmt.Sprint(mtry),
		fmt.Sprint(threads)}
	for _, s := range b.Others([]pairs.Side{b.Own("coppice", "save", arguments[1:]...),
		b.sklearn("scikit-learn", arguments...), b.ranger("ranger", arguments...)}) {
		if _, err := s.Run(ctx, threads); err != nil {
			return "", "", err
		}
	}
	return path, path + "-test", nil
}

// labelling is a table whose rows forests of full depth label.
type labelling struct {
	name, about string
	table       func() (*traintest.Table, error)
	trees, mtry int
}

func (b *bench) labellings() []labelling {
	return []labelling{
		{"predict", "100,000 rows of 28 numbers, trees grown on as many",
			func() (*traintest.Table, error) { return traintest.Higgs(100_000, 100_000, b.Rows) }, 100, 5},
		{"labeladult",
			"the test file of adult, 16,281 rows, of whose 14 columns 8 are categories; " +
				"scikit-learn and ranger have codes, and gaps filled",
			func() (*traintest.Table, error) { return traintest.Adult(b.Data) }, 200, 3},
	}
}

// predict compares the labelling of rows.
func (b *bench) predict(ctx context.Context, l *labelling) error {
	trees := cmp.Or(b.Trees, l.trees)
	model, test, err := b.stored(ctx, l.name, l.table, trees, l.mtry)
	if err != nil {
		return err
	}
	for _, threads := range b.Threads {
		n := fmt.Sprint(threads)
		sides := []pairs.Side{b.Own("coppice", "predict", model+".coppice", test, n),
			b.sklearn("scikit-learn", "predict", model+".pickle", test, n),
			b.ranger("ranger", "predict", model+"-plain.rds", test, n)}
		sides, results, err := b.Alternate(ctx, sides, threads)
		if err != nil {
			return err
		}
		fmt.Printf("\n### %s: labels of %s; %d trees of full depth, threads: %d\n\n", l.name,
			l.about, trees, threads)
		rate := pairs.Figure("rows a second", "%.0f",
			func(r pairs.Result) float64 { return r.Facts["rows"] / r.Seconds })
		pairs.PrintTable(sides, results, pairs.Fact("rows", "rows", "%.0f"),
			pairs.Fact("first call, seconds", "first", "%.3f"), pairs.Seconds(), rate, pairs.TimesOurs(),
			pairs.Fact("error", "error", "%.4f"))
	}
	return nil
}

// store compares files of forests of 500 trees of full depth on 100,000 rows: size, time to load,
// memory.
func (b *bench) store(ctx context.Context) error {
	trees := cmp.Or(b.Trees, 500)
	model, test, err := b.stored(ctx, "store",
		func() (*traintest.Table, error) { return traintest.Higgs(100_000, 10_000, b.Rows) }, trees, 5)
	if err != nil {
		return err
	}
	n := fmt.Sprint(b.Threads[0])
	sides := []pairs.Side{b.Own("coppice", "load", model+".coppice", test, n),
		b.sklearn("scikit-learn, pickle", "load", model+".pickle", test, n),
		b.sklearn("scikit-learn, joblib", "load", model+".joblib", test, n),
		b.ranger("ranger, RDS", "load", model+".rds", test, n),
		b.ranger("ranger, RDS not compressed", "load", model+"-plain.rds", test, n)}
	for _, s := range sides {
		err := warm(s.Command[len(s.Command)-3])
		if err != nil && !errors.Is(err, fs.ErrNotExist) { // of a peer that takes no part
			return err
		}
	}
	sides, results, err := b.Alternate(ctx, sides, b.Threads[0])
	if err != nil {
		return err
	}
	fmt.Printf("\n### store: %d trees of full depth grown on 100,000 x 28, the file in the "+
		"system's cache\n\n", trees)
	pairs.PrintTable(sides, results, pairs.Fact("file MB", "file", "%.1f"), pairs.Seconds(), pairs.TimesOurs(),
		pairs.Fact("before MB", "before", "%.0f"),
		pairs.Fact("resident after load MB", "resident", "%.0f"),
		pairs.Fact("after labelling 10,000 rows MB", "used", "%.0f"),
		pairs.Fact("error", "error", "%.4f"))
	return nil
}

// warm reads a file so that the system has it in its cache.
func warm(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = io.Copy(io.Discard, f)
	return err
}
