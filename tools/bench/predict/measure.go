//go:build linux

package predict

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"time"

	"github.com/coppice-ml/coppice/tools/bench/exchange"
	"github.com/coppice-ml/coppice/tools/bench/pairs"
)

// engine is a model of a program that is timed. Matrices are float32, row after row.
type engine interface {
	version() string
	// many writes the probability of the second class of each row; one returns that of a row.
	many(dst []float64, x []float32) error
	one(x []float32) (float64, error)
}

// measure is the job of an engine in Go, with the arguments that the peers' program takes for it
// too, in their order:
//
//	coppice  MODEL ROWS COLUMNS THREADS LIMIT SPEND OUT    predict with our engine
//	whole    the same                                      and with tables of all rows too
//	loop     the same                                      with a plain loop over the trees
//	leaves   the same                                      with github.com/dmitryikh/leaves
//
// It writes the probabilities of all rows to OUT.
func measure(name string, a []string) (*pairs.Result, error) {
	threads, err := strconv.Atoi(a[3])
	if err != nil {
		return nil, err
	}
	var m measuring
	if m.limit, err = time.ParseDuration(a[4] + "s"); err != nil {
		return nil, err
	}
	if m.spend, err = time.ParseDuration(a[5] + "s"); err != nil {
		return nil, err
	}
	switch name {
	case "coppice", "whole":
		m.engine, err = openOurs(a[0], threads)
	case "loop":
		m.engine, err = openLoop(a[0], threads)
	case "leaves":
		m.engine, err = openLeaves(a[0], threads)
	}
	if err != nil {
		return nil, err
	}
	if m.x, err = exchange.ReadAll[float32](a[1]); err != nil {
		return nil, err
	}
	predicted, err := m.run()
	if err != nil {
		return nil, err
	}
	if o, ok := m.engine.(*ours); ok && name == "whole" {
		if err := o.whole(m.facts, m.x[:len(predicted)*columns]); err != nil {
			return nil, err
		}
	}
	return &pairs.Result{Version: m.engine.version(), Seconds: m.facts["all"] / 1e3,
		Facts: m.facts}, exchange.WriteNumbers(a[6], predicted)
}

// measuring is what one process measures of an engine. Times are nanoseconds of a row.
//
//	rows             that were predicted at once
//	all              of these
//	of 1024 ... of 1 medians of batches of so many rows
//	p99              the 99th percentile of single rows
//	unlike           largest difference of a probability in a batch from that of all rows
//	matrix, columns  see whole
type measuring struct {
	engine
	x            []float32
	limit, spend time.Duration
	facts        map[string]float64
}

// batchSizes are the numbers of rows of batches.
var batchSizes = []int{1024, 64, 8, 1}

// run measures everything, and returns the probabilities of the rows that were predicted at once.
func (m *measuring) run() ([]float64, error) {
	rows := len(m.x) / columns
	warm := min(rows, 5000)
	if _, err := m.allAtOnce(make([]float64, warm)); err != nil {
		return nil, err
	}
	expected, err := m.allAtOnce(make([]float64, warm))
	if err != nil {
		return nil, err
	}
	var use int
	for _, part := range []int{1, 2, 5, 10, 20, 50, 100} {
		use = max(rows/part, warm)
		if float64(use)*expected <= float64(m.limit.Nanoseconds()) {
			break
		}
	}
	predicted := make([]float64, use)
	all, err := m.allAtOnce(predicted)
	if err != nil {
		return nil, err
	}
	m.facts = map[string]float64{"rows": float64(use), "all": all}
	for _, size := range batchSizes {
		if err := m.batches(size, predicted); err != nil {
			return nil, err
		}
	}
	return predicted, nil
}

// allAtOnce predicts rows from the first on, and returns the nanoseconds of a row.
func (m *measuring) allAtOnce(dst []float64) (float64, error) {
	start := time.Now()
	err := m.many(dst, m.x[:len(dst)*columns])
	return perRow(start, len(dst)), err
}

// batches measures batches of one size.
func (m *measuring) batches(size int, predicted []float64) error {
	number := min(min(65536, len(predicted))/size, 4096)
	dst := make([]float64, size)
	call := func(i int) error { return m.many(dst, m.x[i*size*columns:(i+1)*size*columns]) }
	if size == 1 {
		call = func(i int) (err error) {
			dst[0], err = m.one(m.x[i*columns : (i+1)*columns])
			return err
		}
	}
	if _, err := latencies(call, number, m.spend/10); err != nil {
		return err
	}
	taken, err := latencies(call, number, m.spend)
	if err != nil {
		return err
	}
	slices.Sort(taken)
	m.facts[fmt.Sprint("of ", size)] = float64(taken[len(taken)/2]) / float64(size)
	if size == 1 {
		m.facts["p99"] = float64(taken[len(taken)*99/100])
	}
	for i := range min(number, 8192/size, 100) {
		if err := call(i); err != nil {
			return err
		}
		m.facts["unlike"] = max(m.facts["unlike"], largest(dst, predicted[i*size:(i+1)*size]))
	}
	return nil
}

// latencies returns the nanoseconds of calls, as many as can be made in a time.
func latencies(call func(i int) error, number int, spend time.Duration) ([]int64, error) {
	var taken []int64
	for begin, i := time.Now(), 0; ; i = (i + 1) % number {
		start := time.Now()
		err := call(i)
		stop := time.Now()
		if err != nil {
			return nil, err
		}
		taken = append(taken, stop.Sub(start).Nanoseconds())
		if stop.Sub(begin) > spend && len(taken) >= 3 {
			return taken, nil
		}
	}
}

// perRow returns the nanoseconds of a row since a time.
func perRow(start time.Time, rows int) float64 {
	return float64(time.Since(start).Nanoseconds()) / float64(rows)
}

// largest returns the largest difference of two lists of numbers.
func largest(a, b []float64) float64 {
	most := 0.0
	for i := range min(len(a), len(b)) {
		if d := math.Abs(a[i] - b[i]); !(d <= most) { // NaN too
			most = d
		}
	}
	return most
}
