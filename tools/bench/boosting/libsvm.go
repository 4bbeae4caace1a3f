//go:build linux

package main

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/libsvm"
	"github.com/coppice-ml/coppice/data/table"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/metric"
	"github.com/coppice-ml/coppice/tools/bench/pairs"
)

// The files of the case libsvm: rows of so many stored values, each in a random one of the columns.
const (
	libsvmRows    = 20_000
	libsvmColumns = 10_000
	libsvmValues  = 50
)

// libsvm compares the command with LightGBM's, from a file in LibSVM's format to a model.
func (b *bench) libsvm(ctx context.Context) error {
	if b.coppice == "" || b.command == "" {
		return errors.New("want -coppice and -lightgbm-command")
	}
	n := cmp.Or(min(b.rows, libsvmRows), libsvmRows)
	train, test := filepath.Join(b.dir, "train.svm"), filepath.Join(b.dir, "test.svm")
	if err := errors.Join(writeLibSVM(train, 0, n), writeLibSVM(test, n, n)); err != nil {
		return err
	}
	trees := fmt.Sprint(cmp.Or(b.trees, 100))
	same := []string{"trees=" + trees, "leaves=31", "learning_rate=0.1", "min_leaf=20",
		"min_bin=3", "colsample=1", "l2=0", "min_child_weight=0.001"}
	for _, threads := range b.threads {
		for _, settings := range [][]string{same, nil} {
			about := "31 leaves, learning rate 0.1, 20 rows a leaf, 3 rows a bin"
			if settings == nil {
				about = "the defaults of each"
			}
			fmt.Printf("\n### libsvm: %d x %d, %d values a row, from file to model; %s, threads: "+
				"%d\n\n", n, libsvmColumns, libsvmValues, about, threads)
			sides := b.commands(train, test, trees, threads, settings)
			results, err := b.match(ctx, sides, threads)
			if err != nil {
				return err
			}
			wall := func(r pairs.Result) float64 { return r.Seconds }
			pairs.PrintTable(sides, results, seconds("whole", wall), times("whole", wall),
				pairs.Fact("AUC", "metric", "%.5f"), pairs.Fact("peak MB", "peak", "%.0f"))
		}
	}
	return nil
}

// commands returns the two commands as sides. Without settings each has its defaults.
func (b *bench) commands(
	train, test, trees string, threads int, settings []string,
) []pairs.Side {
	n := fmt.Sprint(threads)
	model := filepath.Join(b.programs, "model")
	ours := []string{b.coppice, "train", train, "--label", libsvm.Label, "--learner", "gbm",
		"--threads", n, "-o", model + ".coppice"}
	for _, s := range settings {
		ours = append(ours, "--set", s)
	}
	theirs := []string{b.command, "task=train", "data=" + train, "objective=binary",
		"num_threads=" + n, "output_model=" + model + ".txt", "verbosity=-1",
		"num_trees=" + trees} // the others are its defaults
	job := func(name string, command []string, predict ...string) pairs.Side {
		predicted := model + "-of-" + name
		return pairs.Side{Name: name, Command: slices.Concat([]string{b.own, "-child", "command",
			test, predicted, strconv.Itoa(len(command))}, command, predict, []string{predicted})}
	}
	return []pairs.Side{
		job("coppice", ours, b.coppice, "predict", model+".coppice", test,
			"--output", "proba", "-o"),
		job("LightGBM", theirs, "sh", "-c", b.command+" task=predict verbosity=-1 data="+test+
			" input_model="+model+".txt output_result=$0"),
	}
}

// command is the job of a side of libsvm:
//
//	command TEST PREDICTED N TRAIN... PREDICT...    a command of N words, which is timed, and one
//	                                                that writes predictions
func command(a []string) error {
	if len(a) < 4 {
		return fmt.Errorf("%d arguments of a command", len(a))
	}
	n, err := strconv.Atoi(a[2])
	if err != nil || n >= len(a)-3 {
		return fmt.Errorf("%q arguments of a command", a[2])
	}
	train, predict := a[3:3+n], a[3+n:]
	c := exec.Command(train[0], train[1:]...)
	start := time.Now()
	if out, err := c.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w: %s", train[0], err, out)
	}
	r := pairs.Result{Seconds: time.Since(start).Seconds(), Version: filepath.Base(train[0])}
	usage, ok := c.ProcessState.SysUsage().(*syscall.Rusage)
	if !ok {
		return errors.New("the system does not report the memory of a command")
	}
	if out, err := exec.Command(predict[0], predict[1:]...).CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w: %s", predict[0], err, out)
	}
	auc, err := aucOf(a[0], a[1])
	if err != nil {
		return err
	}
	r.Facts = map[string]float64{"peak": float64(usage.Maxrss) / 1e3, "metric": auc}
	return json.NewEncoder(os.Stdout).Encode(r)
}

// aucOf returns the AUC of predictions of the rows of a file: the last number of each line that
// ends with one.
func aucOf(test, predicted string) (float64, error) {
	f, err := libsvm.Read(context.Background(), table.Options{}, test)
	if err != nil {
		return 0, err
	}
	ds, err := data.Roles{Label: libsvm.Label, Task: data.Binary}.Apply(f)
	if err != nil {
		return 0, err
	}
	text, err := os.ReadFile(predicted)
	if err != nil {
		return 0, err
	}
	s := metric.SampleOf(&ds.Target, data.AllRows(ds.Rows()))
	s.Width = 2
	for line := range strings.Lines(string(text)) {
		last := line[strings.LastIndexByte(line, ',')+1:]
		if p, err := strconv.ParseFloat(strings.TrimSpace(last), 64); err == nil {
			s.Pred = append(s.Pred, 1-p, p)
		}
	}
	if len(s.Pred) != 2*ds.Rows() {
		return 0, fmt.Errorf("%s: %d predictions for %d rows", predicted, len(s.Pred)/2,
			ds.Rows())
	}
	return metric.AUC(s)
}

// writeLibSVM writes rows of a table without end, some from a row on. One column in twenty has an
// effect on the label.
func writeLibSVM(path string, from, rows int) error {
	effect := make([]float64, libsvmColumns)
	s := rng.New(1)
	for j := range effect {
		if u, v := s.Float64(), s.Float64(); u < .05 {
			effect[j] = 4 * (v - .5)
		}
	}
	f, err := os.Create(path)
	if err != nil {
		return err
	}
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
		label := 0
		if score > 0 {
			label = 1
		}
		fmt.Fprint(out, label)
		for _, j := range columns {
			fmt.Fprintf(out, " %d:%g", j, float64(values[j])/1000)
		}
		fmt.Fprintln(out)
	}
	return errors.Join(out.Flush(), f.Close())
}
