package cart_test

import (
	"encoding/csv"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/testing/reference"
	"github.com/coppice-ml/coppice/learn/cart"
	"github.com/coppice-ml/coppice/learn/learntest"
	"github.com/coppice-ml/coppice/tree"
)

// frozenCase is what testdata/sklearn/freeze.py wrote of one scikit-learn tree; see there.
type frozenCase struct {
	Name, File, Label string
	Features          []string
	Rows              int
	Settings          map[string]any
	Weighted          bool
	Holdout           int
	Score             float64
	Classes           []string // nil for regression
	Tree              frozenTree
	HeldOut           []float64 `json:"held_out"`
	Path              struct {
		Alpha, Impurity []float64
		Leaves          []*int // nil for steps that differ from the next one by rounding only
	}
}

// frozenTree is scikit-learn's node arrays; a leaf has Left -1. Value holds the weight of each
// class, or the mean, node after node.
type frozenTree struct {
	Left, Right, Feature []int32
	Threshold            []float64
	Rows                 []int
	Weight               []float64
	Impurity             []float64
	Value                []float64
}

func frozenCases(t *testing.T) []frozenCase {
	return reference.Read[struct{ Cases []frozenCase }](t, "testdata/sklearn/trees.json.gz").Cases
}

// readTable returns the header and the first n records of a table, without the blanks around
// fields.
func readTable(t *testing.T, name string, n int) (header []string, records [][]string) {
	t.Helper()
	r := csv.NewReader(reference.Open(t, reference.Table(t, name)))
	r.TrimLeadingSpace = true
	for range n + 1 {
		record, err := r.Read()
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for i := range record {
			record[i] = strings.TrimSpace(strings.TrimPrefix(record[i], "\ufeff"))
		}
		records = append(records, record)
	}
	return records[0], records[1:]
}

// problem reads the table of a case: its features, rounded to float32 as scikit-learn rounds them,
// and its target. freeze.py checked that the rounding merges no values, so the candidate splits are
// the same as without it, and split points agree exactly.
func (c *frozenCase) problem(t *testing.T) (*data.Frame, *data.Target) {
	t.Helper()
	header, records := readTable(t, c.File, c.Rows)
	var schema data.Schema
	var columns []data.Column
	for _, name := range c.Features {
		at := slices.Index(header, name)
		values := make([]float64, c.Rows)
		for i, record := range records {
			values[i] = float64(float32(parse(t, record[at])))
		}
		schema.Fields = append(schema.Fields, data.Field{Name: name})
		columns = append(columns, data.Numbers(values))
	}
	frame, err := data.NewFrame(schema, columns)
	if err != nil {
		t.Fatal(err)
	}
	at := slices.Index(header, c.Label)
	labels := make([]string, c.Rows)
	for i, record := range records {
		labels[i] = record[at]
	}
	return frame, c.target(t, labels)
}

func (c *frozenCase) target(t *testing.T, labels []string) *data.Target {
	t.Helper()
	target := &data.Target{Name: c.Label, Task: c.task(), Classes: c.Classes}
	y := make([]float64, c.Rows)
	for i, label := range labels {
		if c.Classes == nil {
			y[i] = parse(t, label)
			continue
		}
		k := slices.Index(c.Classes, label)
		if k < 0 {
			t.Fatalf("%s, row %d: label %q", c.File, i+1, label)
		}
		target.Class = append(target.Class, uint32(k))
	}
	if c.Classes == nil {
		target.Y = [][]float64{y}
	}
	if c.Weighted {
		for i := range c.Rows {
			target.Weight = append(target.Weight, 0.5+float64(7*i%5)/2)
		}
	}
	return target
}

func (c *frozenCase) task() data.Task {
	switch len(c.Classes) {
	case 0:
		return data.Regression
	case 2:
		return data.Binary
	}
	return data.Multiclass
}

func parse(t *testing.T, text string) float64 {
	t.Helper()
	x, err := strconv.ParseFloat(text, 64)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// trainingRows returns the rows that the case trained on, and those it held out.
func (c *frozenCase) trainingRows() (train, rest []int32) {
	for i := range int32(c.Rows) {
		if c.Holdout > 0 && int(i)%c.Holdout == 0 {
			rest = append(rest, i)
		} else {
			train = append(train, i)
		}
	}
	return train, rest
}

// criterion returns scikit-learn's name of the impurity.
func (c *frozenCase) criterion() string { return c.Settings["criterion"].(string) }

// local reports whether the settings mean the same for a subtree as for the whole, so that the rows
// of a node alone determine what grows below it.
func (c *frozenCase) local() bool {
	for name := range c.Settings {
		if name != "criterion" && name != "min_samples_leaf" && name != "min_samples_split" {
			return false
		}
	}
	return true
}

// learner returns cart with the settings of the case, without pruning.
func (c *frozenCase) learner(t *testing.T) *cart.Learner {
	t.Helper()
	names := map[string]string{
		"criterion": "criterion", "max_depth": "depth", "max_leaf_nodes": "leaves",
		"min_samples_leaf":  "min_leaf",
		"min_samples_split": "min_split", "min_impurity_decrease": "min_gain",
		"class_weight": "class_weight",
	}
	ours := map[string]string{
		"prune": "none", "depth": "0", "leaves": "0", "min_leaf": "1", "min_split": "2",
		"min_gain": "0",
	}
	for name, value := range c.Settings {
		ours[names[name]] = fmt.Sprint(value)
	}
	if ours["criterion"] == "log_loss" { // scikit-learn's other name of it
		ours["criterion"] = "entropy"
	}
	var assignments []string
	for _, name := range slices.Sorted(maps.Keys(ours)) {
		assignments = append(assignments, name+"="+ours[name])
	}
	l := learntest.Made(t, cart.New(), assignments...)
	return l
}

// build makes the frozen tree one of ours, node by node. numbers[s] is our number of the frozen
// node s.
func (c *frozenCase) build(t *testing.T) (built *tree.Tree, numbers []int32) {
	t.Helper()
	from, kind, width := &c.Tree, tree.Scalar, 1
	if c.Classes != nil {
		kind, width = tree.Counts, len(c.Classes)
	}
	b := tree.NewBuilder(kind, width, true)
	numbers = make([]int32, len(from.Left))
	var add func(n int32, s int32)
	add = func(n, s int32) {
		numbers[s] = n
		b.SetValue(n, from.Value[int(s)*width:(int(s)+1)*width])
		b.SetStats(n, from.Rows[s], from.Weight[s], from.Impurity[s])
		if from.Left[s] < 0 {
			return
		}
		first := b.Split(n, tree.Split{Kind: tree.Numeric, Feature: from.Feature[s],
			SplitPoint: from.Threshold[s]})
		add(first, from.Left[s])
		add(first+1, from.Right[s])
	}
	add(0, 0)
	built, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return built, numbers
}
