//go:build linux

// Package beyond is the case of training in blocks (docs/scale.md) beside training in memory, the
// external memory of XGBoost (ExtMemQuantileDMatrix) and LightGBM's two_round, on one table.
package beyond

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/coppice-ml/coppice/tools/bench/exchange"
	"github.com/coppice-ml/coppice/tools/bench/pairs"
)

// Case has the part train, which is run without a name: the seconds of the whole command, the peak
// of resident memory, and the log loss on the training set. The part stream has the peaks of memory
// of the commands that read tables in blocks, on a table of so many rows and on one of ten times
// them. Tables are made, and stay in the folder of -dir.
//
// With -cgroup all sides but the one in memory run in a control group (version 1) of the limit, in
// which pages of files count too. It needs root then. PYTHONPATH names the folder of xgboost 3.
var Case = pairs.Case{Name: "beyond", About: "training and other commands on tables beyond memory, " +
	"beside XGBoost and LightGBM", Example: "-rows 10000000 -memory 1GB -threads 1 -dir FOLDER",
	Takes: "rounds rows trees threads quick dir coppice python lightgbm-command",
	Set: func(r *pairs.Run) func(context.Context) error {
		r.Rounds, r.Rows, r.Trees, r.Python = 1, 20_000_000, 20, ""
		r.Threads = []int{runtime.NumCPU()}
		b := &bench{Run: r}
		r.StringVar(&b.limit, "memory", "2GB", "`limit` of the side in blocks")
		r.BoolVar(&b.cgroup, "cgroup", false, "enforce the limit by a control group, too")
		r.StringVar(&b.only, "only", "", "of stream: this `command` alone")
		return b.run
	}}

// bench is a run of the case.
type bench struct {
	*pairs.Run
	limit, only string
	cgroup      bool
}

func (b *bench) run(ctx context.Context) error {
	if b.Quick {
		b.Rows = 2000
	}
	chosen, err := b.Chosen("train", "stream")
	if err != nil {
		return err
	}
	if b.NArg() == 0 || slices.Contains(chosen, "train") {
		if err := b.train(ctx); err != nil {
			return err
		}
	}
	if b.NArg() > 0 && slices.Contains(chosen, "stream") {
		return b.stream(ctx)
	}
	return nil
}

// table makes a table of a label and ten numbers, one of which has few values, and returns its
// file. The label follows from some of them, with noise. With groups a column more has the groups
// of a ranking, of about 20 rows that do not stand together. The numbers are written as float32 too
// where another file is named.
func (b *bench) table(name string, rows int, groups bool, numbers string) (string, error) {
	path := filepath.Join(b.Dir, fmt.Sprintf("%s-%d.csv", name, rows))
	if _, err := os.Stat(path); err == nil && numbers == "" {
		return path, nil
	}
	f, err := os.Create(path)
	if err != nil {
		return "", err
	}
	out := bufio.NewWriterSize(f, 1<<20)
	header := "y,a,b,c,d,e,f,g,h,i,few"
	if groups {
		header += ",group"
	}
	fmt.Fprintln(out, header)
	r := rand.New(rand.NewPCG(1, 2))
	var line []byte
	var binary []float32
	for range rows {
		var x [10]float64
		for k := range x {
			x[k] = math.Round(r.NormFloat64()*1e4) / 1e4
		}
		x[9] = float64(r.IntN(20))
		score := x[0] + x[1]*x[2] + 0.5*x[3]*x[3] - 0.5 + math.Sin(3*x[4]) + 0.2*math.Mod(x[9], 3)
		y := 0
		if r.Float64() < 1/(1+math.Exp(-score)) {
			y = 1
		}
		line = strconv.AppendInt(line[:0], int64(y), 10)
		if numbers != "" {
			binary = append(binary, float32(y))
		}
		for _, v := range x {
			line = strconv.AppendFloat(append(line, ','), v, 'g', -1, 64)
			if numbers != "" {
				binary = append(binary, float32(v))
			}
		}
		if groups {
			line = strconv.AppendInt(append(line, ','), int64(r.IntN(rows/20+1)), 10)
		}
		out.Write(append(line, '\n')) // Flush returns its error
	}
	err = errors.Join(out.Flush(), f.Close())
	if numbers != "" {
		err = errors.Join(err, exchange.WriteNumbers(numbers, binary))
	}
	return path, err
}

// train compares the ways to train.
func (b *bench) train(ctx context.Context) error {
	numbers := ""
	if b.Python != "" { // XGBoost's seconds hold no reading of text
		numbers = filepath.Join(b.Scratch, "beyond.f32")
	}
	file, err := b.table("beyond", b.Rows, false, numbers)
	if err != nil {
		return err
	}
	for _, threads := range b.Threads {
		sides := b.sides(file, numbers, threads)
		results := make([][]pairs.Result, len(sides))
		for range b.Rounds {
			for i, s := range sides {
				r, err := s.Run(ctx, threads)
				if err != nil { // such as of a side that its control group has killed
					fmt.Fprintln(os.Stderr, err)
					continue
				}
				results[i] = append(results[i], r)
			}
		}
		for i := len(sides) - 1; i >= 0; i-- {
			if len(results[i]) == 0 {
				sides, results = slices.Delete(sides, i, i+1), slices.Delete(results, i, i+1)
			}
		}
		if len(sides) == 0 {
			return errors.New("no side has trained")
		}
		fmt.Printf("\n### %d rows, %d trees, threads: %d\n\n", b.Rows, b.Trees, threads)
		pairs.PrintTable(sides, results, pairs.Seconds(), pairs.TimesOurs(),
			pairs.Fact("seconds of CPU", "cpu", "%.1f"), pairs.Fact("peak MB", "peak", "%.0f"),
			pairs.Fact("log loss", "log loss", "%.4f"))
	}
	return nil
}

// sides returns the ways to train, in memory first.
func (b *bench) sides(file, numbers string, threads int) []pairs.Side {
	t, n := strconv.Itoa(b.Trees), strconv.Itoa(threads)
	ours := []string{b.Coppice, "train", file, "--label", "y", "--task", "binary", "--set", "trees=" + t,
		"--set", "learning_rate=0.1", "--quiet-checks", "--threads", n, "-o",
		filepath.Join(b.Scratch, "model"), "--memory"}
	const logloss = `logloss\s+([0-9.]+)`
	sides := []pairs.Side{
		b.side("in memory", logloss, false, append(slices.Clone(ours), "95%")...),
		b.side("in blocks, "+b.limit, logloss, b.cgroup, append(ours, b.limit, "--scratch",
			b.Scratch)...)}
	if b.Python != "" {
		sides = append(sides, b.side("XGBoost, external memory", `logloss:([0-9.]+)`, b.cgroup, b.Python,
			"-c", external, numbers, t, b.Scratch, n))
	}
	if b.LightGBMCommand != "" {
		sides = append(sides, b.side("LightGBM, two_round", `(?s).*binary_logloss : ([0-9.]+)`, b.cgroup,
			b.LightGBMCommand, "task=train", "data="+file, "header=true", "label_column=0",
			"two_round=true", "objective=binary", "num_leaves=31", "learning_rate=0.1",
			"feature_fraction=0.5", "metric=binary_logloss", "is_provide_training_metric=true",
			"metric_freq="+t, "num_trees="+t, "num_threads="+n,
			"output_model="+filepath.Join(b.Scratch, "beyond.lightgbm")))
	}
	return sides
}

// side is a command, which prints its log loss, in a control group if it is limited.
func (b *bench) side(name, logloss string, limited bool, command ...string) pairs.Side {
	group := "/sys/fs/cgroup/memory/coppice-beyond"
	if limited {
		command = append([]string{"sh", "-c", fmt.Sprintf(`mkdir -p %s && echo %s > `+
			`%[1]s/memory.limit_in_bytes && echo $$ > %[1]s/cgroup.procs && exec "$@"`, group,
			strings.TrimSuffix(b.limit, "B")), "sh"}, command...)
	}
	s := b.Command(name, command...)
	s.After = func(r *pairs.Result) error {
		if limited {
			defer os.Remove(group)
		}
		found := regexp.MustCompile(logloss).FindStringSubmatch(r.Output)
		if found == nil {
			return errors.New("it printed no log loss")
		}
		var err error
		r.Facts["log loss"], err = strconv.ParseFloat(found[1], 64)
		return err
	}
	return s
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
