//go:build linux

package forests

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"

	"github.com/coppice-ml/coppice/tools/bench/pairs"
	"github.com/coppice-ml/coppice/tools/bench/traintest"
)

// training is a table and the forest that all sides grow on it: mtry columns per node, full depth,
// bootstrap samples, or all rows and random thresholds.
type training struct {
	name, about string
	table       func() (*traintest.Table, error)
	trees, mtry int
	categories  bool   // the table has categories, which the peers take in several ways
	learner     string // forest or extratrees
}

// The learners, by their names in the catalog.
const (
	forest     = "forest"
	extratrees = "extratrees"
)

func (b *bench) trainings() []training {
	higgs := func() (*traintest.Table, error) { return traintest.Higgs(100_000, 100_000, b.Rows) }
	million := func() (*traintest.Table, error) { return traintest.Higgs(1_000_000, 100_000, b.Rows) }
	mass := func() (*traintest.Table, error) { return traintest.Mass(100_000, 100_000, b.Rows) }
	adult := func() (*traintest.Table, error) { return traintest.Adult(b.Data) }
	letter := func() (*traintest.Table, error) { return traintest.Letters(b.Data) }
	const letters, masses = "letters, 16,000 x 16, 26 classes", "a mass of higgs-like from the other " +
		"columns, 100,000 x 27, regression"
	return []training{
		{"higgs", "higgs-like, 100,000 x 28", higgs, 100, 5, false, forest},
		{"million", "higgs-like, 1,000,000 x 28", million, 20, 5, false, forest},
		{"adult", "adult, 32,561 x 14 of which 8 are categories, missing values", adult, 500, 3, true,
			forest},
		{"letter", letters, letter, 500, 4, false, forest},
		{"mass", masses, mass, 20, 9, false, forest},
		{"extratrees", "higgs-like, 100,000 x 28, random thresholds", higgs, 20, 5, false, extratrees},
		{"extraletter", letters + ", random thresholds", letter, 100, 4, false, extratrees},
		{"extramass", masses + ", random thresholds", mass, 20, 27, false, extratrees},
	}
}

// train compares the fits of a table and prints a report for each number of threads.
func (b *bench) train(ctx context.Context, t *training) error {
	name := filepath.Join(b.Dir, t.name)
	rows, err := traintest.Make(t.table, b.Rows, name)
	if err != nil {
		return err
	}
	trees := cmp.Or(b.Trees, t.trees)
	for _, threads := range b.Threads {
		arguments := []string{"fit", name + "-train", name + "-test", fmt.Sprint(trees),
			fmt.Sprint(t.mtry), fmt.Sprint(threads)}
		with := func(variant string) []string {
			return append(arguments[:len(arguments):len(arguments)], t.learner, variant)
		}
		ours := traintest.Side(b.Run, name, threads, t.learner, fmt.Sprint("trees=", trees),
			fmt.Sprint("mtry=", t.mtry), "node_size=1")
		sides := []pairs.Side{ours, b.sklearn("scikit-learn", with("")...),
			b.ranger("ranger", with("ignore")...)}
		if t.categories {
			sides[1].Name, sides[2].Name = "scikit-learn, codes", "ranger (default)"
			sides = append(sides, b.sklearn("scikit-learn, one-hot", with("one-hot")...),
				b.ranger("ranger, ordered levels", with("order")...))
		}
		fmt.Printf("\n### %s: %s; %d trees of full depth, mtry %d, threads: %d\n\n", t.name,
			t.about, trees, t.mtry, threads)
		if b.Rows > 0 {
			fmt.Printf("Only %d rows of it.\n\n", rows)
		}
		sides, results, err := b.Alternate(ctx, sides, threads)
		if err != nil {
			return err
		}
		pairs.PrintTable(sides, results, pairs.Seconds(), pairs.TimesOurs(),
			pairs.Fact("test error", "error", "%.4f"),
			pairs.Fact("leaves a tree", "leaves", "%.0f"),
			pairs.Fact("interpreter MB", "interpreter", "%.0f"),
			pairs.Fact("with the table MB", "loaded", "%.0f"),
			pairs.Fact("peak of training MB", "peak", "%.0f"))
	}
	return nil
}
