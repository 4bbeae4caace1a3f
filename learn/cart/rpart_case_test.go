package cart

import (
	"context"
	"encoding/csv"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/testing/reference"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/internal/grow"
	"github.com/coppice-ml/coppice/param"
	"github.com/coppice-ml/coppice/tree"
	"github.com/coppice-ml/coppice/tree/prune"
)

// rpartSet is a table of testdata/rpart; README.md there describes the fields.
type rpartSet struct {
	File, Label, Missing string
	Rows                 int
	Regression           bool
	Classes              []string
	Columns              []struct {
		Name, Kind, From string
		First            bool
		ZeroMissing      bool `json:"zero_missing"`
		Levels           []string
		Values           []any
	}
	Labels []string
}

// rpartCase is a frozen tree.
type rpartCase struct {
	Set     string
	Control struct {
		MinSplit, MinBucket, MaxCompete, MaxSurrogate, UseSurrogate, SurrogateStyle, MaxDepth int
		CP                                                                                    float64
	}
	Parms struct {
		Prior []float64
		Loss  [][]float64
		Split string
	}
	Cost           []float64
	Weighted, Xval bool
	Train          int
	CP             [][]float64
	Nodes          struct {
		Node       []int
		Column     []*int
		N          []int
		Wt         []float64
		Dev        []float64
		Yval       []float64
		NCompete   []int
		Complexity []float64
		NSurrogate []int
	}
	Splits struct {
		Column, Ncat        []int
		Improve, Index, Adj []float64
	}
	Csplit        [][]int
	Where, Routed []*int
}

func readRpart(t *testing.T) (sets map[string]*rpartSet, cases []*rpartCase) {
	t.Helper()
	all := reference.Read[struct {
		Sets  map[string]*rpartSet
		Cases []*rpartCase
	}](t, "testdata/rpart/trees.json.gz")
	return all.Sets, all.Cases
}

// texts returns the table as texts, a column for each of the set's and then the label; missing ones
// are nil.
func (s *rpartSet) texts(t *testing.T) [][]*string {
	columns := make([][]*string, len(s.Columns)+1)
	if s.File == "" {
		for i, c := range s.Columns {
			for _, v := range c.Values {
				columns[i] = append(columns[i], textOf(v))
			}
		}
		for i := range s.Labels {
			columns[len(s.Columns)] = append(columns[len(s.Columns)], &s.Labels[i])
		}
		return columns
	}
	lines := csv.NewReader(reference.Open(t, reference.Table(t, s.File)))
	header, err := lines.Read()
	if err != nil {
		t.Fatal(err)
	}
	for range s.Rows {
		fields, err := lines.Read()
		if err != nil {
			t.Fatal(err)
		}
		field := func(name string) *string {
			text := strings.TrimSpace(fields[slices.Index(header, name)])
			if text == s.Missing {
				return nil
			}
			return &text
		}
		for i, c := range s.Columns {
			from := c.From // of categorical columns
			if from == "" {
				from = c.Name
			}
			text := field(from)
			if c.First && text != nil {
				first := (*text)[:1]
				text = &first
			}
			columns[i] = append(columns[i], text)
		}
		columns[len(s.Columns)] = append(columns[len(s.Columns)], field(s.Label))
	}
	return columns
}

func textOf(v any) *string {
	if v == nil {
		return nil
	}
	text := fmt.Sprint(v)
	return &text
}

// dataset makes the table of a set, and returns which rows have a label.
func (s *rpartSet) dataset(t *testing.T) (*data.Dataset, []bool) {
	t.Helper()
	texts := s.texts(t)
	number := func(text string) float64 {
		x, err := strconv.ParseFloat(text, 64)
		if err != nil {
			t.Fatal(err)
		}
		return x
	}
	var schema data.Schema
	var columns []data.Column
	for i, c := range s.Columns {
		field, column := data.Field{Name: c.Name}, data.Column{}
		if c.Kind == "categorical" {
			field.Kind, field.Levels = data.Categorical, c.Levels
		}
		for _, text := range texts[i] {
			switch {
			case text == nil && c.Kind == "categorical":
				column = data.Codes(append(column.Codes(), data.MissingCode))
			case text == nil:
				column = data.Numbers(append(column.Numbers(), math.NaN()))
			case c.Kind == "categorical":
				column = data.Codes(append(column.Codes(), uint32(slices.Index(c.Levels, *text))))
			case c.ZeroMissing && number(*text) == 0:
				column = data.Numbers(append(column.Numbers(), math.NaN()))
			default:
				column = data.Numbers(append(column.Numbers(), number(*text)))
			}
		}
		schema.Fields, columns = append(schema.Fields, field), append(columns, column)
	}
	frame, err := data.NewFrame(schema, columns)
	if err != nil {
		t.Fatal(err)
	}
	ds := &data.Dataset{Frame: frame,
		Target: data.Target{Task: data.Multiclass, Classes: s.Classes}}
	if len(s.Classes) == 2 {
		ds.Target.Task = data.Binary
	}
	if s.Regression {
		ds.Target.Task, ds.Target.Y = data.Regression, [][]float64{nil}
	}
	var labelled []bool
	for _, text := range texts[len(s.Columns)] {
		labelled = append(labelled, text != nil)
		switch {
		case s.Regression && text != nil:
			ds.Target.Y[0] = append(ds.Target.Y[0], number(*text))
		case s.Regression:
			ds.Target.Y[0] = append(ds.Target.Y[0], 0)
		case text == nil:
			ds.Target.Class = append(ds.Target.Class, 0)
		default:
			ds.Target.Class = append(ds.Target.Class, uint32(slices.Index(s.Classes, *text)))
		}
	}
	return ds, labelled
}

// rpartRun is a frozen case beside what the learner makes of it.
type rpartRun struct {
	*rpartCase
	t      *testing.T
	ds     *data.Dataset
	rows   []int32 // training rows
	job    *job
	pop    *grow.Population
	full   *tree.Tree // grown with cp = 0, splits that save no cost included
	path   *prune.Path
	root   float64 // cost of the root as a leaf, per unit of weight
	weight float64 // of all training rows
	risk   float64 // root x weight
}

// run grows the tree of a case with the parameters that mean the same.
func (c *rpartCase) run(t *testing.T, s *rpartSet) *rpartRun {
	t.Helper()
	r := &rpartRun{rpartCase: c, t: t}
	var labelled []bool
	r.ds, labelled = s.dataset(t)
	for i := range int32(c.Train) {
		known := c.Weighted
		for _, column := range r.ds.Columns {
			known = known || column.Codes() != nil && column.Code(int(i)) != data.MissingCode ||
				column.Codes() == nil && !math.IsNaN(column.Number(int(i)))
		}
		if labelled[i] && known {
			r.rows = append(r.rows, i)
		}
	}
	if c.Weighted {
		for i := range r.ds.Rows() {
			r.ds.Target.Weight = append(r.ds.Target.Weight, 0.5+float64(7*i%5)/2)
		}
	}
	f, err := c.learner(s).Prepare(context.Background(), r.ds.Frame, nil, nil, learn.Env{})
	if err != nil {
		t.Fatal(err)
	}
	if r.job, r.pop, err = f.(*fitter).begin(&r.ds.Target,
		learn.Job{Rows: r.rows, Workers: 1}); err != nil {
		t.Fatal(err)
	}
	if r.full, err = r.job.grow(context.Background(), r.pop, 0, 1); err != nil {
		t.Fatal(err)
	}
	cost, err := r.job.cost(r.full)
	if err != nil {
		t.Fatal(err)
	}
	// Rows that stop at an inner node cost nothing there in rpart.
	r.path, r.root = prune.NewPath(r.full, cost, nil), cost[0]
	for _, row := range r.rows {
		r.weight += r.ds.Target.WeightAt(row)
	}
	r.risk = r.root * r.weight
	return r
}

// learner has the parameters of a case.
func (c *rpartCase) learner(s *rpartSet) *Learner {
	l := New()
	l.Prune, l.MinSplit, l.MinLeaf, l.Depth, l.MinGain = "none", c.Control.MinSplit,
		c.Control.MinBucket, c.Control.MaxDepth, 1e-10
	if c.Parms.Split == "information" {
		l.Criterion = learn.CriterionEntropy
	}
	l.Surrogates = c.Control.MaxSurrogate
	switch {
	case c.Control.UseSurrogate == 0 || c.Control.MaxSurrogate == 0:
		l.Missing = MissingStop
	case c.Control.UseSurrogate == 1:
		l.Missing = MissingSurrogateStop
	default:
		l.Missing = MissingSurrogate
	}
	for k, p := range c.Parms.Prior {
		l.Priors = append(l.Priors, param.Named{Name: s.Classes[k], Value: p})
	}
	if c.Parms.Loss != nil {
		l.Costs = data.NamedCosts{Classes: s.Classes, Cost: c.Parms.Loss}
	}
	return l
}
