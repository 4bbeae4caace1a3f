//go:build linux

package main

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// peers are the other programs and where they put files.
type peers struct {
	python   string // one that has xgboost 3; "" = leave XGBoost out
	lightgbm string // the command; "" = leave it out
	folder   string // of files that are made for a run
}

// sides returns the sides of peers that are there. XGBoost reads a binary file of float32, which is
// made here, so that its seconds hold no reading of text.
func (p *peers) sides(file string, trees, threads int) ([]*side, error) {
	folder := p.folder
	if folder == "" {
		folder = os.TempDir()
	}
	var all []*side
	if p.python != "" {
		binary := filepath.Join(folder, "beyond.f32")
		if err := convert(file, binary); err != nil {
			return nil, err
		}
		all = append(all, &side{name: "XGBoost, external memory",
			logloss: regexp.MustCompile(`logloss:([0-9.]+)`),
			command: []string{p.python, "-c", external, binary, strconv.Itoa(trees), folder,
				strconv.Itoa(threads)}})
	}
	if p.lightgbm != "" {
		all = append(all, &side{name: "LightGBM, two_round",
			logloss: regexp.MustCompile(`(?s).*binary_logloss : ([0-9.]+)`),
			command: []string{p.lightgbm, "task=train", "data=" + file, "header=true",
				"label_column=0", "two_round=true", "objective=binary", "num_leaves=31",
				"learning_rate=0.1", "feature_fraction=0.5", "metric=binary_logloss",
				"is_provide_training_metric=true", fmt.Sprintf("metric_freq=%d", trees),
				fmt.Sprintf("num_trees=%d", trees), fmt.Sprintf("num_threads=%d", threads),
				"output_model=" + filepath.Join(folder, "beyond.lightgbm")}})
	}
	return all, nil
}

// external trains XGBoost on rows of eleven float32, the label first, that it caches itself.
const external = `
import os, sys, numpy, xgboost
file, trees, folder, threads = sys.argv[1], int(sys.argv[2]), sys.argv[3], int(sys.argv[4])
batch, columns = 1 << 20, 11
rows = os.path.getsize(file) // (4 * columns)

class Rows(xgboost.DataIter):
    def __init__(self):
        self.at = 0
        super().__init__(cache_prefix=os.path.join(folder, 'beyond.xgb'))
    def next(self, input_data):
        if self.at >= rows:
            return False
        n = min(batch, rows - self.at)
        table = numpy.fromfile(file, numpy.float32, n * columns, offset=4 * columns * self.at)
        table = table.reshape(n, columns)
        self.at += n
        input_data(data=table[:, 1:], label=table[:, 0])
        return True
    def reset(self):
        self.at = 0

table = xgboost.ExtMemQuantileDMatrix(Rows(), max_bin=255, nthread=threads)
model = xgboost.train({'objective': 'binary:logistic', 'tree_method': 'hist', 'nthread': threads,
  'grow_policy': 'lossguide', 'max_leaves': 31, 'max_depth': 0, 'eta': 0.1,
  'colsample_bytree': 0.5, 'max_bin': 255, 'eval_metric': 'logloss'}, table, trees)
print('version', xgboost.__version__, model.eval(table))
`

// convert writes the numbers of a table as float32.
func convert(file, to string) error {
	in, err := os.Open(file)
	if err != nil {
		return err
	}
	defer in.Close()
	f, err := os.Create(to)
	if err != nil {
		return err
	}
	defer f.Close()
	from, out := bufio.NewReaderSize(in, 1<<20), bufio.NewWriterSize(f, 1<<20)
	if _, err := from.ReadString('\n'); err != nil { // the header
		return err
	}
	for {
		line, err := from.ReadString('\n')
		if errors.Is(err, io.EOF) && line == "" {
			break
		}
		if err != nil {
			return err
		}
		for text := range strings.SplitSeq(strings.TrimSpace(line), ",") {
			v, err := strconv.ParseFloat(text, 32)
			if err != nil {
				return err
			}
			var b [4]byte
			binary.LittleEndian.PutUint32(b[:], math.Float32bits(float32(v)))
			if _, err := out.Write(b[:]); err != nil {
				return err
			}
		}
	}
	return errors.Join(out.Flush(), f.Close())
}
