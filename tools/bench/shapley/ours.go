//go:build linux

package main

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/coppice-ml/coppice"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/explain"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/tools/bench/tables/recipe"
)

// job measures one of our ways in a process of its own: path, background or row. The arguments are
// the model, the rows, their number, threads, the number of background rows, and the file for the
// contributions.
func job(what string, args []string) error {
	m, err := coppice.Open(args[0])
	if err != nil {
		return err
	}
	var n [3]int
	for i := range n {
		if n[i], err = strconv.Atoi(args[2+i]); err != nil {
			return err
		}
	}
	rows, threads := n[0], n[1]
	runtime.GOMAXPROCS(threads)
	b, err := os.ReadFile(args[1])
	if err != nil {
		return err
	}
	x := make([]float32, rows*columns)
	if _, err := binary.Decode(b, binary.LittleEndian, x); err != nil {
		return err
	}
	o := explain.ShapleyOptions{Workers: threads}
	if what == "background" {
		if o.Background, err = backgroundOf(n[2]); err != nil {
			return err
		}
	}
	ctx := context.Background()
	start := time.Now()
	f, err := data.FromMatrix(data.RowMajor[float32]{Values: x, Columns: columns}, nil)
	if err != nil {
		return err
	}
	if what == "row" {
		return single(ctx, m, f, o)
	}
	c, err := explain.Shapley(ctx, m, f, nil, o)
	if err != nil {
		return err
	}
	seconds := time.Since(start).Seconds()
	all := make([]float64, 0, rows*(columns+1))
	for row := range rows {
		all = append(append(all, c.Row(row, 0)...), c.Bias[0])
	}
	if err := os.WriteFile(args[5], bytesOf(all), 0o644); err != nil {
		return err
	}
	return report(seconds)
}

// backgroundOf returns rows that come before those of the training.
func backgroundOf(n int) (*data.Frame, error) {
	t := recipe.Tables()[0]
	x, wide := make([]float32, t.Features), make([]float64, t.Features)
	values := make([]float32, 0, n*t.Features)
	for i := range n {
		t.Row(i, x, wide)
		values = append(values, x...)
	}
	return data.FromMatrix(data.RowMajor[float32]{Values: values, Columns: t.Features}, nil)
}

// single explains rows one by one, after tables were made.
func single(ctx context.Context, m model.Model, f *data.Frame, o explain.ShapleyOptions) error {
	e, err := explain.NewShapleyExplainer(ctx, m, &f.Schema, o)
	if err != nil {
		return err
	}
	row, dst := make([]float64, columns), make([]float64, e.Scores*columns)
	start := time.Now()
	for i := range f.Rows() {
		for c := range row {
			row[c] = f.Columns[c].Number(i)
		}
		if err := e.Row(dst, row); err != nil {
			return err
		}
	}
	return report(time.Since(start).Seconds())
}

func report(seconds float64) error {
	b, err := json.Marshal(result{Seconds: seconds, Megabytes: peak()})
	fmt.Println(string(b))
	return err
}

// peak returns the most memory that this process had, in MB. Unlike the figure of getrusage, that
// of the program that started it does not count.
func peak() float64 {
	text, _ := os.ReadFile("/proc/self/status")
	for line := range strings.Lines(string(text)) {
		if rest, is := strings.CutPrefix(line, "VmHWM:"); is {
			kilobytes, _ := strconv.ParseFloat(strings.Fields(rest)[0], 64)
			return kilobytes / 1024
		}
	}
	return 0
}

// bytesOf returns little-endian numbers.
func bytesOf[T float32 | float64](values []T) []byte {
	b, err := binary.Append(nil, binary.LittleEndian, values)
	if err != nil {
		panic(err) // the type has a fixed size
	}
	return b
}

// float64s reads a file of numbers.
func float64s(path string) ([]float64, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	values := make([]float64, len(b)/8)
	for i := range values {
		values[i] = math.Float64frombits(binary.LittleEndian.Uint64(b[8*i:]))
	}
	return values, nil
}
