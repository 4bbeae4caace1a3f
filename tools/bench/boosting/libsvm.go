//go:build linux

package boosting

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"

	"github.com/coppice-ml/coppice/data/libsvm"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/tools/bench/exchange"
	"github.com/coppice-ml/coppice/tools/bench/pairs"
	"github.com/coppice-ml/coppice/tools/bench/traintest"
)

// The files of the case libsvm: rows of so many stored values, each in a random one of the columns.
const (
	libsvmRows    = 20_000
	libsvmColumns = 10_000
	libsvmValues  = 50
)

// libsvm compares the command with LightGBM's, from a file in LibSVM's format to a model.
func (b *bench) libsvm(ctx context.Context) error {
	if b.LightGBMCommand == "" {
		return errors.New("want -lightgbm-command")
	}
	n := cmp.Or(min(b.Rows, libsvmRows), libsvmRows)
	train, test := filepath.Join(b.Dir, "train.svm"), filepath.Join(b.Dir, "test.svm")
	_, err := writeLibSVM(train, 0, n)
	labels, more := writeLibSVM(test, n, n)
	if err := errors.Join(err, more); err != nil {
		return err
	}
	trees := fmt.Sprint(cmp.Or(b.Trees, 100))
	same := []string{"trees=" + trees, "leaves=31", "learning_rate=0.1", "min_leaf=20",
		"min_bin=3", "colsample=1", "l2=0", "min_child_weight=0.001"}
	for _, threads := range b.Threads {
		for _, settings := range [][]string{same, nil} {
			about := "31 leaves, learning rate 0.1, 20 rows a leaf, 3 rows a bin"
			if settings == nil {
				about = "the defaults of each"
			}
			fmt.Printf("\n### libsvm: %d x %d, %d values a row, from file to model; %s, threads: "+
				"%d\n\n", n, libsvmColumns, libsvmValues, about, threads)
			sides := b.commands(train, test, trees, threads, settings, labels)
			sides, results, err := b.Alternate(ctx, sides, threads)
			if err != nil {
				return err
			}
			pairs.PrintTable(sides, results, seconds("whole", pairs.Wall),
				times("whole", pairs.Wall),
				pairs.Fact("AUC", "metric", "%.5f"), pairs.Fact("peak MB", "peak", "%.0f"))
		}
	}
	return nil
}

// commands returns the two commands as sides. Without settings each has its defaults.
func (b *bench) commands(
	train, test, trees string, threads int, settings []string, labels []uint32,
) []pairs.Side {
	n := fmt.Sprint(threads)
	model := filepath.Join(b.Scratch, "model")
	ours := []string{b.Coppice, "train", train, "--label", libsvm.Label, "--learner", "gbm",
		"--threads", n, "-o", model + ".coppice"}
	for _, s := range settings {
		ours = append(ours, "--set", s)
	}
	theirs := []string{b.LightGBMCommand, "task=train", "data=" + train, "objective=binary",
		"num_threads=" + n, "output_model=" + model + ".txt", "verbosity=-1",
		"num_trees=" + trees} // the others are its defaults
	predicted := model + "-predicted"
	side := func(name string, command []string, predict ...string) pairs.Side {
		s := b.Command(name, command...)
		s.After = func(r *pairs.Result) error {
			if out, err := exec.Command(predict[0], predict[1:]...).CombinedOutput(); err != nil {
				return fmt.Errorf("%w: %s", err, out)
			}
			auc, err := aucOf(labels, predicted)
			r.Facts["metric"] = auc
			return err
		}
		return s
	}
	return []pairs.Side{
		side("coppice", ours, b.Coppice, "predict", model+".coppice", test, "--output", "proba", "-o",
			predicted),
		side("LightGBM", theirs, b.LightGBMCommand, "task=predict", "verbosity=-1", "data="+test,
			"input_model="+model+".txt", "output_result="+predicted),
	}
}

// aucOf returns the AUC of the predictions in a file.
func aucOf(labels []uint32, predicted string) (float64, error) {
	text, err := os.ReadFile(predicted)
	if err != nil {
		return 0, err
	}
	probabilities, err := exchange.Probabilities(string(text), len(labels))
	if err != nil {
		return 0, err
	}
	return traintest.AUC(probabilities, labels)
}

// writeLibSVM writes rows of a table without end, some from a row on. One column in twenty has an
// effect on the label. It returns the labels.
func writeLibSVM(path string, from, rows int) ([]uint32, error) {
	effect := make([]float64, libsvmColumns)
	s := rng.New(1)
	for j := range effect {
		if u, v := s.Float64(), s.Float64(); u < .05 {
			effect[j] = 4 * (v - .5)
		}
	}
	f, err := os.Create(path)
	if err != nil {
		return nil, err
	}
	labels := make([]uint32, rows)
	out := bufio.NewWriter(f)
	for i := range rows {
		s := rng.New(2, uint64(from+i))
		values := map[int]int{}
		for len(values) < libsvmValues {
			values[1+s.Intn(libsvmColumns)] = 1 + s.Intn(1000)
		}
		score := s.Float64() - .5
		columns := slices.Sorted(maps.Keys(values))
		for _, j := range columns {
			score += effect[j-1] * float64(values[j]) / 1000
		}
		if score > 0 {
			labels[i] = 1
		}
		fmt.Fprint(out, labels[i])
		for _, j := range columns {
			fmt.Fprintf(out, " %d:%g", j, float64(values[j])/1000)
		}
		fmt.Fprintln(out)
	}
	return labels, errors.Join(out.Flush(), f.Close())
}
