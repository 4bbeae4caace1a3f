package main

import (
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/coppice-ml/coppice/codec"
	"github.com/coppice-ml/coppice/codec/formats"
	"github.com/coppice-ml/coppice/model"
)

// predictions are what a tool predicts: for each row its scores, and of classes its label.
type predictions struct {
	Scores [][]number `json:"scores"`
	Labels []string   `json:"labels,omitempty"`
	Error  string     `json:"error,omitempty"` // why there are none
}

// number is a float64 that is null or a text in JSON where JSON has no such number.
type number float64

func (n *number) UnmarshalJSON(b []byte) error {
	text := strings.Trim(string(b), `"`)
	if text == "null" {
		text = "NaN"
	}
	x, err := strconv.ParseFloat(text, 64)
	*n = number(x)
	return err
}

func (n number) MarshalJSON() ([]byte, error) {
	x := float64(n)
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return json.Marshal(strconv.FormatFloat(x, 'g', -1, 64))
	}
	return json.Marshal(x)
}

// made is a trained case with what is predicted by it.
type made struct {
	testCase
	base string // of its files
	// finite: its tool takes no missing values; writeNone: it is not written for other tools
	finite, writeNone bool
	model             model.Model
	rows              *rows
	own               *predictions            // by the model itself
	read              map[string]*predictions // by format: by the file that was written
	refused           map[string]string       // by format: why none was written
	by                map[*client]map[string]*predictions
}

// endings are the formats that a client reads, with the ending of their files.
var endings = map[string]string{"onnx": ".onnx", "xgboost-json": ".json", "xgboost-ubjson": ".ubj", "lightgbm": ".txt"}

// errNoTable is that no folder has the table of a case.
var errNoTable = errors.New("no folder of -data has its table")

// find returns the path of a table, which may be compressed; "" if no folder has it.
func (r *run) find(table string) string {
	for folder := range strings.SplitSeq(r.data, ",") {
		for _, ending := range []string{"", ".gz"} {
			path := filepath.Join(folder, table+ending)
			if _, err := os.Stat(path); err == nil {
				return path
			}
		}
	}
	return ""
}

// command runs coppice.
func (r *run) command(args ...string) error {
	c := exec.Command(r.coppice, args...)
	out, err := c.CombinedOutput()
	if err != nil {
		lines := strings.Split(strings.TrimSpace(string(out)), "\n")
		return errors.New(lines[len(lines)-1])
	}
	return nil
}

// train returns the arguments of the training of a case.
func (c *testCase) train(table, out string) []string {
	args := []string{"train", table, "--learner", c.learner, "--seed", "1", "-o", out}
	if c.label != "" {
		args = append(args, "--label", c.label)
	}
	if c.table == "" {
		others := slices.DeleteFunc(slices.Clone(labels), func(l string) bool { return l == c.label })
		args = append(args, "--ignore", strings.Join(others, ","))
	}
	for s := range strings.FieldsSeq(c.set) {
		args = append(args, "--set", s)
	}
	return append(args, strings.Fields(c.flags)...)
}

// make trains a case, writes its files, and predicts by the model and by them.
func (r *run) make(c testCase) (*made, error) {
	m := &made{testCase: c, base: filepath.Join(r.work, c.name)}
	table := filepath.Join(r.work, "table.csv")
	if c.table != "" {
		if table = r.find(c.table); table == "" {
			return nil, errNoTable
		}
	}
	if err := r.command(c.train(table, m.base+".coppice")...); err != nil {
		return nil, err
	}
	return m, r.written(m, m.base+".coppice", r.seed)
}

// written writes a model to all formats that clients read, and predicts.
func (r *run) written(m *made, path string, seed uint64) error {
	m.read, m.refused, m.by = map[string]*predictions{}, map[string]string{}, map[*client]map[string]*predictions{}
	var err error
	if m.model, _, err = formats.Open(path, codec.Limits{}); err != nil {
		return err
	}
	m.rows = makeRows(m.model, r.rows, seed, m.finite)
	if err := m.rows.write(m.base + ".csv"); err != nil {
		return err
	}
	if m.own, err = r.predict(m, path); err != nil {
		return err
	}
	for format, ending := range endings {
		if m.writeNone {
			break
		}
		file := m.base + ending
		if err := r.command("convert", path, file, "--to", format); err != nil {
			m.refused[format] = err.Error()
			continue
		}
		if m.read[format], err = r.predict(m, file); err != nil {
			return fmt.Errorf("%s: %w", format, err)
		}
	}
	b, err := json.Marshal(m.rows.forClients())
	if err != nil {
		return err
	}
	return os.WriteFile(m.base+".rows", b, 0o600)
}

// slack is what scores may differ by whatever the client is: a linear model adds up products, of
// which large ones may cancel.
func (m *made) slack() float64 {
	if _, trees := model.AsTrees(m.model); trees {
		return 0
	}
	return 1e-4
}

// predict predicts the rows by a file, as coppice predict does.
func (r *run) predict(m *made, path string) (*predictions, error) {
	out := path + ".predicted.csv"
	args := []string{"predict", path, m.base + ".csv", "-o", out}
	read, _, err := formats.Open(path, codec.Limits{})
	if err != nil {
		return nil, err
	}
	classes := read.Spec().Task.Classes()
	if classes {
		args = append(args, "--output", "proba")
	}
	if err := r.command(args...); err != nil {
		return nil, err
	}
	f, err := os.Open(out)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	records, err := csv.NewReader(f).ReadAll()
	if err != nil {
		return nil, err
	}
	p := &predictions{}
	for _, record := range records[1:] {
		if classes {
			p.Labels, record = append(p.Labels, record[0]), record[1:]
		}
		scores := make([]number, len(record))
		for k, text := range record {
			x, err := strconv.ParseFloat(text, 64)
			if err != nil {
				return nil, err
			}
			scores[k] = number(x)
		}
		p.Scores = append(p.Scores, scores)
	}
	return p, nil
}
