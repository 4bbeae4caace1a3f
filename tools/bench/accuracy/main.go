//go:build linux

// Command accuracy compares forests with those of ranger and scikit-learn, with the same settings.
// It compares gradient boosting with that of XGBoost and scikit-learn, defaults against defaults.
// Both run on many sets of data:
//
//	go run ./bench/accuracy [-trees N] [-rows N] [-seed N] [-set NAME=VALUE,...] [-coding CODING]
//		[-cache DIR]
//		[-data FOLDER] [-only COMPARISON,...] [-quick] [SET ...]
//
// All sides are trained and tested on the same rows: two folds, repeated five times, and ten times
// where there are fewer than 2000 rows. A difference is taken in each fold, and its interval is
// Student's over the folds. Ranger gets categories as factors, scikit-learn as a column for each
// or, if that would be too many, as their codes. Where the others require a value, it is the median
// or the most frequent category of the training rows.
//
// Where a set is worse, -seed assigns its rows to other folds and trains with other seeds, to
// separate cause from luck. -set and -coding remove one difference at a time: a parameter, or all
// that the sides do with categories and missing values.
//
// Where a forest of a peer has only codes for a table's categories, ours is compared twice: with
// categories, and with the same codes as numbers. The second counts in the summary.
//
// Boosting takes missing values as they are, and categories also in the peer's encoding.
//
// The comparisons are ranger, sklearn, sklearn-extra, ranger-extra, gbm-xgboost, gbm-sklearn (see
// comparisons), oob, the error out of the bag beside that of cross-validation, and, only if -only
// names it, stacking: a stack beside its members. With -only ordered alone, ordered boosting stands
// beside plain boosting. With -only budget alone, --preset best and coppice tune stand beside
// LightGBM, XGBoost and Optuna at multiples of the default's processor time; -for lets it run in
// pieces. With -only defaults alone, the defaults of gbm stand beside the same without the
// rehearsal, or beside other settings (-settings); generated tables are sets of it, too.
// Predictions of the peers are kept in the cache, by all that they depend
// on. A report in Markdown goes to the standard output. It runs on Linux.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn"
)

func main() {
	b := &bench{known: map[string]*score{}}
	flag.IntVar(&b.trees, "trees", 300, "trees of each forest on the sets that are split into "+
		"folds; letters and spambase in their customary splits get 500")
	flag.IntVar(&b.repeats, "repeats", 0,
		"how often rows are split into two folds; 0 = ten times below 2000 rows, else five")
	flag.IntVar(&b.rows, "rows", usualLimit,
		"rows that large sets are limited to; 0 = all, which takes hours")
	flag.IntVar(&b.threads, "threads", 2, "threads of all sides")
	flag.StringVar(&b.cache, "cache", "",
		"folder for the peers' predictions, kept; empty = one that is removed at the end")
	flag.StringVar(&b.data, "data", shared(), "folder of the sets")
	flag.StringVar(&b.python, "python", "/usr/bin/python3", "Python that has scikit-learn")
	flag.StringVar(&b.r, "r", "Rscript", "R that has ranger")
	flag.Uint64Var(&b.seed, "seed", 0, "seed of the first repetition and of what is trained in "+
		"its first fold; each later one has the next")
	only := flag.String("only", "", "comma-separated comparisons; empty = all")
	set := flag.String("set", "", "comma-separated parameters of ours that differ from the "+
		"comparison's, as NAME=VALUE, to look for causes")
	coding := flag.String("coding", "", "codes or one-hot: give both sides this table of "+
		"numbers, without missing values; empty = categories to ours, and to peers in the coding "+
		"that they have for them")
	flag.StringVar(&b.settings, "settings", "", "with -only defaults: settings of gbm that are compared, "+
		"separated by semicolons; empty = rehearse=false and the defaults")
	flag.BoolVar(&b.best, "best", false, "hand categories to peers in all codings that they "+
		"have, of which the best on the rows of the test counts")
	flag.StringVar(&b.lightgbm, "lightgbm", "", "folder of LightGBM's Python package, for the "+
		"comparison budget; empty = that of Python")
	flag.StringVar(&b.xgboost, "xgboost", "", "folder of XGBoost's Python package, for the "+
		"comparison budget without Optuna, which takes that of Python; empty = that of Python")
	flag.IntVar(&b.most, "train", 0, "rows that each training of the comparison budget has at "+
		"most, while it is tested on all others; 0 = half of the rows")
	flag.DurationVar(&b.lasts, "for", 0, "begin no cell of the comparison budget after so long; 0 = "+
		"compute all")
	sides := flag.String("sides", "", "comma-separated sides of the comparison budget; empty = all")
	quick := flag.Bool("quick", false, "few rows, rounds and trees: shows that everything works")
	flag.Parse()
	if *only != "" {
		b.comparisons = strings.Split(*only, ",")
	}
	if *sides != "" {
		b.sides = strings.Split(*sides, ",")
	}
	if *set != "" {
		b.set = strings.Split(*set, ",")
	}
	if b.coding = *coding; b.coding != "" && b.coding != asCodes && b.coding != oneHot {
		fmt.Fprintf(os.Stderr, "accuracy: -coding %s: want %s or %s\n", b.coding, asCodes, oneHot)
		os.Exit(2)
	}
	if *quick {
		b.trees, b.limit, b.repeats = 20, 200, 2
	}
	if err := b.run(context.Background(), flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "accuracy:", err)
		os.Exit(1)
	}
}

// shared is where the sets are: below COPPICE_DATA, else beside the project.
func shared() string {
	if root := os.Getenv("COPPICE_DATA"); root != "" {
		return filepath.Join(root, "data")
	}
	return filepath.Join("..", "..", "shared", "data")
}

// bench is a run of this program.
type bench struct {
	trees, threads         int
	rows                   int // of large sets
	repeats, limit         int // limit is on the rows of a set; 0 = none
	cache, data, python, r string
	dir                    string // for tables and programs
	comparisons            []string
	seed                   uint64
	settings               string                  // of the comparison defaults
	observe                func(learn.Round) error // of trainings of ours; nil: nobody does
	set                    []string                // parameters of ours besides those of the comparison
	coding                 string                  // of the tables of both sides; empty = none
	known                  map[string]*score       // of ours
	lightgbm, xgboost      string                  // folders of their Python packages
	most                   int                     // rows of a training of the comparison budget; 0 = half
	sides                  []string                // of the comparison budget; nil = all
	lasts                  time.Duration           // of the comparison budget; 0 = no limit
	// of the peer's codings the best on the rows of the test counts
	best bool
}

func (b *bench) run(ctx context.Context, only []string) (err error) {
	if b.dir, err = os.MkdirTemp("", "coppice-bench"); err != nil {
		return err
	}
	defer os.RemoveAll(b.dir)
	if b.cache == "" {
		b.cache = filepath.Join(b.dir, "cache")
	}
	if err := os.MkdirAll(b.cache, 0o755); err != nil {
		return err
	}
	for name, text := range programs() {
		if err := os.WriteFile(filepath.Join(b.dir, name), []byte(text), 0o644); err != nil {
			return err
		}
	}
	switch { // their sets are limited further
	case slices.Equal(b.comparisons, []string{"stacking"}):
		return b.stacking(ctx, only)
	case slices.Equal(b.comparisons, []string{"ordered"}):
		return b.ordered(ctx, only)
	case slices.Equal(b.comparisons, []string{"budget"}):
		return b.budget(ctx, only)
	case slices.Equal(b.comparisons, []string{"defaults"}):
		return b.defaults(ctx, only)
	}
	folded, customary, err := b.problems(only)
	if err != nil {
		return err
	}
	for _, c := range comparisons() {
		if !b.wants(c.key) {
			continue
		}
		if err := b.compare(ctx, &c, folded, customary); err != nil {
			return err
		}
	}
	if b.wants("oob") {
		if err := b.outOfBag(ctx, folded); err != nil {
			return err
		}
	}
	if slices.Contains(b.comparisons, "stacking") { // its sets are limited further
		return b.stacking(ctx, only)
	}
	return nil
}

// repetitions returns how often the rows of a set are split into folds.
func (b *bench) repetitions(rows int) int {
	switch {
	case b.repeats > 0:
		return b.repeats
	case rows < 2000:
		return 10
	}
	return 5
}

func (b *bench) wants(comparison string) bool {
	return b.comparisons == nil || slices.Contains(b.comparisons, comparison)
}

// problems reads the sets, those that are split into folds and those in their customary splits:
// letters and adult by five seeds, and spambase split ten times at random, as in Hastie, Tibshirani
// & Friedman (2009, section 9.2).
func (b *bench) problems(only []string) (folded, customary []*problem, err error) {
	wanted := func(name string) bool { return len(only) == 0 || slices.Contains(only, name) }
	for _, s := range sets(b.rows) {
		if !wanted(s.name) {
			continue
		}
		p, err := b.problem(&s, s.name, func(ds *data.Dataset) ([]round, error) {
			return folds(ds, b.repetitions(ds.Rows()), b.seed)
		})
		if err != nil {
			return nil, nil, err
		}
		folded = append(folded, p)
	}
	for _, s := range sets(0) {
		name, split := "", func(*data.Dataset) ([]round, error) { return nil, nil }
		switch s.name {
		case "letter":
			name, split = "letter 16000/4000",
				func(ds *data.Dataset) ([]round, error) { return headSplit(ds.Rows(), 5, 0.8), nil }
		case "spambase":
			name, split = "spambase 3065/1536",
				func(ds *data.Dataset) ([]round,
					error) {
					return randomSplit(ds.Rows(), 10, 3065./4601), nil
				}
		case "adult":
			s.both = true
			name, split = "adult 32561/16281",
				func(ds *data.Dataset) ([]round,
					error) {
					return headSplit(ds.Rows(), 5, 32561./48842), nil
				}
		}
		if name == "" || !wanted(name) {
			continue
		}
		p, err := b.problem(&s, name, split)
		if err != nil {
			return nil, nil, err
		}
		customary = append(customary, p)
	}
	return folded, customary, nil
}

// problem reads a set and splits its rows.
func (b *bench) problem(
	s *set, name string, split func(*data.Dataset) ([]round, error),
) (*problem, error) {
	ds, err := s.read(b.data, b.limit)
	if err != nil {
		return nil, err
	}
	if b.coding != "" {
		if ds, err = coded(ds, b.coding); err != nil {
			return nil, err
		}
	}
	rounds, err := split(ds)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return b.newProblem(name, ds, rounds)
}
