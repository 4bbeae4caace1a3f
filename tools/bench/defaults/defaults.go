//go:build linux

// Package defaults is the case of coppice train beside LightGBM's command, both with their
// defaults, on a table of 10,000 x 20: the time that a user waits for the model, and its log loss
// on a test file.
package defaults

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/coppice-ml/coppice/tools/bench/exchange"
	"github.com/coppice-ml/coppice/tools/bench/pairs"
	"github.com/coppice-ml/coppice/tools/bench/tables/recipe"
)

// Case lets both commands read the same rows from CSV files. Coppice trains on all of them, and
// chooses the number of rounds by cross-validation, once with the parameters as they are and once
// after a rehearsal of candidates for them. LightGBM stops early, after 50 rounds without
// improvement, by a validation set of every fifth row. The time is that of the whole process, from
// its start to the end of the model file.
var Case = pairs.Case{Name: "defaults", About: "the command train beside LightGBM's command, with " +
	"the defaults of each", Example: "-coppice PROGRAM -lightgbm-command PROGRAM",
	Takes: "rounds threads quick busy rows coppice lightgbm-command",
	Set: func(r *pairs.Run) func(context.Context) error {
		return func(ctx context.Context) error { return compare(ctx, r) }
	}}

func compare(ctx context.Context, r *pairs.Run) error {
	t := recipe.ByName("small")
	if r.Quick {
		r.Rows = 500
	}
	if r.Rows > 0 {
		t.Train = min(t.Train, r.Rows)
	}
	labels, err := makeTables(r.Scratch, t)
	if err != nil {
		return err
	}
	at := func(file string) string { return filepath.Join(r.Scratch, file) }
	for _, n := range r.Threads {
		side := func(name string, train, predict []string) pairs.Side {
			s := r.Command(name, train...)
			s.After = func(result *pairs.Result) error {
				out, err := exec.Command(predict[0], predict[1:]...).Output()
				if err != nil {
					return err
				}
				result.Facts["log loss"], err = logLoss(labels, string(out))
				return err
			}
			return s
		}
		ours := func(name string, flags ...string) pairs.Side {
			return side(name, append([]string{r.Coppice, "train", at("all.csv"), "--label", "y",
				"--threads", strconv.Itoa(n), "-o", at("ours")}, flags...),
				[]string{r.Coppice, "predict", at("ours"), at("test.csv"), "--output", "proba"})
		}
		sides := []pairs.Side{ours("coppice train --set rehearse=false", "--set", "rehearse=false"),
			ours("coppice train")}
		if r.LightGBMCommand != "" {
			common := []string{r.LightGBMCommand, "header=true", "label_column=name:y"}
			sides = append(sides, side("LightGBM's command",
				append(slices.Clone(common), "objective=binary", "data="+at("train.csv"),
					"valid="+at("valid.csv"), "metric=binary_logloss", "early_stopping_round=50",
					"num_iterations=10000", "num_threads="+strconv.Itoa(n), "output_model="+at("theirs")),
				append(common, "task=predict", "data="+at("test.csv"), "input_model="+at("theirs"),
					"output_result=/dev/stdout", "verbosity=-1")))
		}
		sides, results, err := r.Alternate(ctx, sides, n)
		if err != nil {
			return err
		}
		fmt.Printf("\n### %d x %d from CSV to a model file, threads: %d\n\n", t.Train, t.Features, n)
		pairs.PrintTable(sides, results, pairs.Seconds(), pairs.TimesOurs(),
			pairs.Fact("log loss", "log loss", "%.4f"), pairs.Fact("peak MB", "peak", "%.0f"))
	}
	return nil
}

// makeTables writes all rows to train on, every fifth of them and the others, and the test rows,
// whose labels it returns.
func makeTables(dir string, t *recipe.Table) (labels []float32, err error) {
	var all, test bytes.Buffer
	_, err = t.WriteCSV(&all, 0, t.Train)
	if _, more := t.WriteCSV(&test, t.Train, t.Test); err != nil || more != nil {
		return nil, errors.Join(err, more)
	}
	lines := bytes.SplitAfter(all.Bytes(), []byte("\n"))
	train, valid := bytes.Clone(lines[0]), bytes.Clone(lines[0])
	for i, line := range lines[1:] {
		if i%5 == 0 {
			valid = append(valid, line...)
		} else {
			train = append(train, line...)
		}
	}
	for name, text := range map[string][]byte{"all.csv": all.Bytes(), "test.csv": test.Bytes(),
		"train.csv": train, "valid.csv": valid} {
		err = errors.Join(err, os.WriteFile(filepath.Join(dir, name), text, 0o600))
	}
	_, labels = t.Matrix(t.Train, t.Test)
	return labels, err
}

// logLoss compares labels with what a command prints.
func logLoss(labels []float32, predictions string) (float64, error) {
	probabilities, err := exchange.Probabilities(predictions, len(labels))
	sum := 0.0
	for i, p := range probabilities {
		if labels[i] == 0 {
			p = 1 - p
		}
		sum -= math.Log(p)
	}
	return sum / float64(len(labels)), err
}
