//go:build linux

package main

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/coppice-ml/coppice/tools/bench/pairs"
)

// holdOut writes every fifth row of all.csv to valid.csv, and the others to train.csv.
func holdOut(dir string) error {
	text, err := os.ReadFile(filepath.Join(dir, "all.csv"))
	if err != nil {
		return err
	}
	lines := bytes.SplitAfter(text, []byte("\n"))
	train, valid := bytes.Clone(lines[0]), bytes.Clone(lines[0])
	for i, line := range lines[1:] {
		if i%5 == 0 {
			valid = append(valid, line...)
		} else {
			train = append(train, line...)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "train.csv"), train, 0o600); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "valid.csv"), valid, 0o600)
}

// report trains with one side's command, and prints its time and the log loss on the test rows. The
// arguments are the program, the folder of the tables, and flags.
func report(side string, arguments []string) error {
	program, dir, flags := arguments[0], arguments[1], arguments[2:]
	threads := os.Getenv("OMP_NUM_THREADS")
	at := func(file string) string { return filepath.Join(dir, file) }
	model := at(side + ".model")
	train := []string{"train", at("all.csv"), "--label", "y", "--threads", threads, "-o", model}
	predict := []string{"predict", model, at("test.csv"), "--output", "proba"}
	if side == "lightgbm" {
		train = []string{"objective=binary", "data=" + at("train.csv"), "valid=" + at("valid.csv"),
			"header=true", "label_column=name:y", "metric=binary_logloss", "early_stopping_round=50",
			"num_iterations=10000", "num_threads=" + threads, "output_model=" + model}
		predict = []string{"task=predict", "data=" + at("test.csv"), "header=true",
			"label_column=name:y", "input_model=" + model, "output_result=/dev/stdout", "verbosity=-1"}
	}
	train = append(train, flags...)
	start := time.Now()
	if out, err := exec.Command(program, train...).CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w: %s", program, err, out)
	}
	r := pairs.Result{Version: side, Seconds: time.Since(start).Seconds()}
	out, err := exec.Command(program, predict...).Output()
	if err != nil {
		return fmt.Errorf("%s: %w", program, err)
	}
	loss, err := logLoss(at("test.csv"), string(out))
	if err != nil {
		return err
	}
	r.Facts = map[string]float64{"log loss": loss}
	return json.NewEncoder(os.Stdout).Encode(r)
}

// logLoss compares predictions, of which the last field of a line is the probability of class 1,
// with the first column of a file. Lines that hold no numbers are left out.
func logLoss(file, predictions string) (float64, error) {
	f, err := os.Open(file)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	records, err := csv.NewReader(f).ReadAll()
	if err != nil {
		return 0, err
	}
	rows := records[1:]
	sum, n := 0.0, 0
	for line := range strings.Lines(predictions) {
		fields := strings.Split(strings.TrimSpace(line), ",")
		p, err := strconv.ParseFloat(fields[len(fields)-1], 64)
		if err != nil {
			continue
		}
		if n == len(rows) {
			return 0, fmt.Errorf("more than %d predictions", n)
		}
		if rows[n][0] == "0" {
			p = 1 - p
		}
		sum -= math.Log(p)
		n++
	}
	if n != len(rows) {
		return 0, fmt.Errorf("%d predictions of %d rows", n, len(rows))
	}
	return sum / float64(n), nil
}
