// Package exchange owns the folders in which benchmarks hand one table to programs in Go, Python
// and R. Reading one costs a single pass and hardly more memory than the table itself. So time and
// peak memory measured afterwards are those of the program and not of its reader.
//
//	columns.tsv   rows TAB columns TAB classes (0 = regression), then a line for each column: its levels (0 = numeric)
//	x.f64         column after column, little-endian float64: numbers, or codes of categories from 0; NaN = missing
//	y.f64         codes of classes, or numbers
package exchange

import (
	"bufio"
	_ "embed"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/coppice-ml/coppice/data"
)

// Python is the program text that reads a folder into arrays; Python programs begin with it.
//
//go:embed read.py
var Python string

// R is the program text that reads a folder into a matrix or a data frame; R programs begin with
// it.
//
//go:embed read.R
var R string

const (
	columnsFile = "columns.tsv"
	xFile       = "x.f64"
	yFile       = "y.f64"
)

// Write writes rows of a table, in that order, into a folder, which it makes. The label must be
// classes or one number.
func Write(dir string, ds *data.Dataset, rows []int32) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	head := fmt.Sprintf("%d\t%d\t%d\n", len(rows), len(ds.Columns), ds.Target.NumClasses())
	for i := range ds.Columns {
		head += fmt.Sprintln(len(ds.Schema.Fields[i].Levels))
	}
	if err := os.WriteFile(filepath.Join(dir, columnsFile), []byte(head), 0o644); err != nil {
		return err
	}
	err := write(filepath.Join(dir, xFile), func(put func(float64)) {
		for j := range ds.Columns {
			for _, r := range rows {
				put(cell(&ds.Columns[j], r))
			}
		}
	})
	return errors.Join(err, write(filepath.Join(dir, yFile), func(put func(float64)) {
		for _, r := range rows {
			if ds.Target.Class != nil {
				put(float64(ds.Target.Class[r]))
			} else {
				put(ds.Target.Y[0][r])
			}
		}
	}))
}

// cell returns a value as x.f64 holds it.
func cell(c *data.Column, row int32) float64 {
	switch {
	case c.Codes() == nil:
		return c.Number(int(row))
	case c.Code(int(row)) >= data.UnseenCode:
		return math.NaN()
	}
	return float64(c.Code(int(row)))
}

// write makes a file of the numbers that each puts.
func write(path string, each func(put func(float64))) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	out := bufio.NewWriterSize(f, 1<<20)
	var b [8]byte
	each(func(v float64) {
		binary.LittleEndian.PutUint64(b[:], math.Float64bits(v))
		out.Write(b[:]) // Flush returns its error
	})
	return errors.Join(out.Flush(), f.Close())
}

// Read reads a folder that Write wrote. Columns are called x1, x2, ..., their levels and the
// classes by their codes. Numbers are stored in single precision where that holds them, as the
// peers' programs store them.
func Read(dir string) (*data.Dataset, error) { return read(dir, false) }

// ReadSparse is Read with columns that are sparse where few of their values are not zero.
func ReadSparse(dir string) (*data.Dataset, error) { return read(dir, true) }

func read(dir string, sparse bool) (*data.Dataset, error) {
	text, err := os.ReadFile(filepath.Join(dir, columnsFile))
	if err != nil {
		return nil, err
	}
	numbers := strings.Fields(string(text))
	sizes := make([]int, len(numbers))
	for i, n := range numbers {
		if sizes[i], err = strconv.Atoi(n); err != nil {
			return nil, fmt.Errorf("%s: %w", columnsFile, err)
		}
	}
	if len(sizes) < 3 || len(sizes) != 3+sizes[1] {
		return nil, fmt.Errorf("%s does not describe a table", columnsFile)
	}
	rows, classes, levels := sizes[0], sizes[2], sizes[3:]
	ds := &data.Dataset{Target: data.Target{Name: "y", Task: data.Regression}}
	if ds.Frame, err = readFrame(filepath.Join(dir, xFile), rows, levels,
		sparse); err != nil {
		return nil, err
	}
	return ds, readLabel(filepath.Join(dir, yFile), &ds.Target, rows, classes)
}

func readFrame(path string, rows int, levels []int, sparse bool) (*data.Frame, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	schema, columns := data.Schema{Fields: make([]data.Field, len(levels))},
		make([]data.Column, len(levels))
	in := bufio.NewReaderSize(f, 1<<20)
	for j, n := range levels {
		schema.Fields[j] = data.Field{Name: fmt.Sprint("x", j+1)}
		values, err := ReadNumbers(in, rows)
		if err != nil {
			return nil, err
		}
		if n == 0 {
			if columns[j] = data.Numbers(values).Narrow(); sparse {
				columns[j] = data.Numbers(values).Compact()
			}
			continue
		}
		schema.Fields[j].Kind, schema.Fields[j].Levels = data.Categorical, codes(n)
		columns[j] = data.Codes(make([]uint32, rows))
		for i, v := range values {
			columns[j].Codes()[i] = data.MissingCode
			if !math.IsNaN(v) {
				columns[j].Codes()[i] = uint32(v)
			}
		}
	}
	return data.NewFrame(schema, columns)
}

func readLabel(path string, t *data.Target, rows, classes int) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	values, err := ReadNumbers(bufio.NewReader(f), rows)
	if err != nil || classes == 0 {
		t.Y = [][]float64{values}
		return err
	}
	t.Task, t.Classes, t.Class = data.Multiclass, codes(classes), make([]uint32, rows)
	if classes == 2 {
		t.Task = data.Binary
	}
	for i, v := range values {
		t.Class[i] = uint32(v)
	}
	return nil
}

// ReadNumbers reads n little-endian float64.
func ReadNumbers(in io.Reader, n int) ([]float64, error) {
	values := make([]float64, n)
	block := make([]byte, 8<<10)
	for i := 0; i < n; {
		b := block[:min(len(block), 8*(n-i))]
		if _, err := io.ReadFull(in, b); err != nil {
			return nil, err
		}
		for ; len(b) > 0; b = b[8:] {
			values[i] = math.Float64frombits(binary.LittleEndian.Uint64(b))
			i++
		}
	}
	return values, nil
}

// WriteNumbers writes a file of little-endian numbers.
func WriteNumbers[T float32 | float64](path string, values []T) error {
	b, err := binary.Append(nil, binary.LittleEndian, values)
	if err != nil {
		return err
	}
	return os.WriteFile(path, b, 0o644)
}

// ReadAll reads such a file.
func ReadAll[T float32 | float64](path string) ([]T, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var one T
	values := make([]T, len(b)/binary.Size(one))
	_, err = binary.Decode(b, binary.LittleEndian, values)
	return values, err
}

// Probabilities returns the last number of each line that ends with one: what commands print for
// the second class of so many rows.
func Probabilities(text string, rows int) ([]float64, error) {
	var all []float64
	for line := range strings.Lines(text) {
		last := line[strings.LastIndexByte(line, ',')+1:]
		if p, err := strconv.ParseFloat(strings.TrimSpace(last), 64); err == nil {
			all = append(all, p)
		}
	}
	if len(all) != rows {
		return nil, fmt.Errorf("%d predictions for %d rows", len(all), rows)
	}
	return all, nil
}

// codes are the texts "0", "1", ..., n of them.
func codes(n int) []string {
	texts := make([]string, n)
	for i := range texts {
		texts[i] = strconv.Itoa(i)
	}
	return texts
}
