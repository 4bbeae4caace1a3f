package gbm_test

import (
	"compress/gzip"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/csvdata"
	"github.com/coppice-ml/coppice/learn/gbm"
	"github.com/coppice-ml/coppice/tree"
)

// frozen is testdata/xgboost.json.gz or lightgbm.json.gz; freeze.py and freeze_lightgbm.py there
// wrote them, and describe their contents.
type frozen struct {
	Tables map[string]frozenTable
	Cases  []frozenCase
}

type frozenTable struct {
	File     string
	Features []string
	Rows     int
}

type frozenCase struct {
	Name, Table, Label, Weight string
	Features, Nominal          []string
	Params                     map[string]any
	Rounds                     int
	Margins                    []float64
	Trees                      []frozenTree

	tables map[string]frozenTable
}

// frozenTree has arrays by node. Of a leaf Left is -1 and SplitPoint its value; a split of
// categories has those of Set go to one side.
type frozenTree struct {
	Feature, Default, Left, Right []int
	SplitPoint                    []float64 `json:"split_point"`
	Gain, Cover                   []float64
	Set                           [][]int
}

// thaw reads what is frozen of a peer.
func thaw(name string) func() (*frozen, error) {
	return sync.OnceValues(func() (*frozen, error) {
		f, err := os.Open(filepath.Join("testdata", name))
		if err != nil {
			return nil, err
		}
		defer f.Close()
		z, err := gzip.NewReader(f)
		if err != nil {
			return nil, err
		}
		all := &frozen{}
		if err := json.NewDecoder(z).Decode(all); err != nil {
			return nil, err
		}
		for i := range all.Cases {
			all.Cases[i].tables = all.Tables
		}
		return all, nil
	})
}

var xgboostCases, lightgbmCases = thaw("xgboost.json.gz"), thaw("lightgbm.json.gz")

// compatible returns the settings of --compat with a peer.
func compatible(t *testing.T, peer string) []string {
	t.Helper()
	for _, p := range gbm.New().Capabilities().Compats {
		if p.Name == peer {
			return p.Settings
		}
	}
	t.Fatalf("nothing is compatible with %s", peer)
	return nil
}

// cases runs a test of each frozen case of a peer for which want is true.
func cases(t *testing.T, peer func() (*frozen, error), want func(*frozenCase) bool,
	test func(*testing.T, *frozenCase)) {
	t.Helper()
	all, err := peer()
	if err != nil {
		t.Fatal(err)
	}
	for i := range all.Cases {
		if c := &all.Cases[i]; want(c) {
			t.Run(c.Name, func(t *testing.T) { test(t, c) })
		}
	}
}

// number returns a number among the parameters.
func (c *frozenCase) number(name string, otherwise float64) float64 {
	if v, ok := c.Params[name].(float64); ok {
		return v
	}
	return otherwise
}

// text returns a text among the parameters.
func (c *frozenCase) text(name string) string {
	s, _ := c.Params[name].(string)
	return s
}

// peerTables are the tables of the cases by their files, which tests share.
var peerTables = map[string]*data.Frame{}

// frame returns the rows of the case's table.
func (c *frozenCase) frame(t *testing.T) *data.Frame {
	t.Helper()
	table := c.tables[c.Table]
	if f := peerTables[table.File]; f != nil {
		return f.Subset(data.AllRows(table.Rows))
	}
	f, err := csvdata.Open(csvdata.Options{}, filepath.Join("testdata", filepath.FromSlash(table.File))).Frame(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	peerTables[table.File] = f
	return f.Subset(data.AllRows(table.Rows))
}

// values returns a column's numbers; texts by their order.
func values(t *testing.T, f *data.Frame, name string) []float64 {
	t.Helper()
	j := slices.IndexFunc(f.Schema.Fields, func(d data.Field) bool { return d.Name == name })
	if j < 0 {
		t.Fatalf("no column %s", name)
	}
	if num := f.Columns[j].Numbers(); num != nil {
		return num
	}
	levels := slices.Clone(f.Schema.Fields[j].Levels)
	slices.Sort(levels)
	v := make([]float64, f.Rows())
	for i, code := range f.Columns[j].Codes() {
		v[i] = float64(slices.Index(levels, f.Schema.Fields[j].Levels[code]))
	}
	return v
}

// comparison walks a tree of ours and a frozen one side by side.
type comparison struct {
	ours     *tree.Tree
	theirs   *frozenTree
	columns  [][]float64 // the case's features
	feature  func(int32) int
	failures []string
	twins    int // nodes where another split partitions the rows in the same way
}

// compare reports how a tree differs from a frozen one: in the splits, by what they do with the
// rows of the table, and in the values of leaves.
func compare(t *testing.T, name string, ours *tree.Tree, theirs *frozenTree, columns [][]float64,
	feature func(int32) int) {
	t.Helper()
	c := &comparison{ours: ours, theirs: theirs, columns: columns, feature: feature}
	c.node(0, 0, data.AllRows(len(columns[0])))
	for i, f := range c.failures {
		if i == 4 {
			t.Errorf("%s: and %d more", name, len(c.failures)-i)
			break
		}
		t.Errorf("%s: %s", name, f)
	}
}

func (c *comparison) failf(node int, format string, args ...any) {
	c.failures = append(c.failures, fmt.Sprintf("frozen node %d: ", node)+fmt.Sprintf(format,
		args...))
}

// alike reports whether a and b differ by no more than 1e-5, absolutely and where they are large
// relatively.
func alike(a, b float64) bool { return math.Abs(a-b) <= 1e-5*max(1, math.Abs(b)) }

// node compares node n of our tree with the frozen node s; the rows reach both.
func (c *comparison) node(n int32, s int, rows []int32) {
	leaf, want := c.ours.Kind(n) == tree.Leaf, c.theirs.Left[s] < 0
	switch {
	case leaf && !want && c.nothing(s, c.ours.Value(n)[0]):
		return
	case leaf != want:
		c.failf(s, "a leaf is %v, want %v; %d rows, cover %v, gain %v", leaf, want, len(rows),
			c.theirs.Cover[s], c.theirs.Gain[s])
		return
	case leaf:
		if v := c.ours.Value(n)[0]; !alike(v, c.theirs.SplitPoint[s]) {
			c.failf(s, "value %v, want %v", v, c.theirs.SplitPoint[s])
		}
		return
	}
	first, last := c.partition(rows, func(r int32) bool { return c.ourSide(n, r) })
	left, right := c.partition(rows, func(r int32) bool { return c.theirSide(s, r) })
	a, b := c.ours.Child(n), c.ours.Child(n)+1
	if slices.Equal(first, right) && slices.Equal(last, left) {
		a, b = b, a // known against missing values, in the other order
	} else if !slices.Equal(first, left) {
		c.failf(s, "column %d at %v, gain %v, %d rows go first; want column %d at %v, gain %v, %d "+
			"rows", c.feature(c.ours.Feature(n)), c.ours.SplitPoint(n),
			c.ours.Stats.Gain[n], len(first), c.theirs.Feature[s], c.theirs.SplitPoint[s],
			c.theirs.Gain[s], len(left))
		return
	}
	if c.feature(c.ours.Feature(n)) != c.theirs.Feature[s] {
		c.twins++
	}
	if got, want := c.ours.Stats.Gain[n], c.theirs.Gain[s]; math.Abs(got-want) > 1e-4*max(1,
		math.Abs(want)) {
		c.failf(s, "gain %v, want %v", got, want)
	}
	c.node(a, c.theirs.Left[s], left)
	c.node(b, c.theirs.Right[s], right)
}

// nothing reports whether a frozen node is split for nothing but rounding: all leaves below it have
// one value.
func (c *comparison) nothing(s int, value float64) bool {
	if c.theirs.Left[s] < 0 {
		return alike(value, c.theirs.SplitPoint[s])
	}
	return c.theirs.Gain[s] < 1e-12 && c.nothing(c.theirs.Left[s], value) &&
		c.nothing(c.theirs.Right[s], value)
}

func (c *comparison) partition(rows []int32, first func(int32) bool) (a, b []int32) {
	for _, r := range rows {
		if first(r) {
			a = append(a, r)
		} else {
			b = append(b, r)
		}
	}
	return a, b
}

func (c *comparison) ourSide(n, row int32) bool {
	x := c.columns[c.feature(c.ours.Feature(n))][row]
	if math.IsNaN(x) {
		return c.ours.NextMissing(n) == c.ours.Child(n)
	}
	if set := c.ours.Set(n); c.ours.Kind(n) == tree.SetFirst {
		code := int(x)
		return code>>6 < len(set) && set[code>>6]>>(code&63)&1 != 0
	}
	return x <= c.ours.SplitPoint(n)
}

func (c *comparison) theirSide(s int, row int32) bool {
	x := c.columns[c.theirs.Feature[s]][row]
	if math.IsNaN(x) {
		return c.theirs.Default[s] == 1
	}
	if set := c.theirs.Set[s]; len(set) > 0 {
		return !slices.Contains(set, int(x))
	}
	return float32(x) < float32(c.theirs.SplitPoint[s])
}

// features returns the columns of the case.
func (c *frozenCase) features(t *testing.T, f *data.Frame) [][]float64 {
	t.Helper()
	columns := make([][]float64, len(c.Features))
	for j, name := range c.Features {
		columns[j] = values(t, f, name)
	}
	return columns
}

// narrow makes a table of these columns alone. Categories are numbers, which are their codes.
func (c *frozenCase) narrow(t *testing.T, columns [][]float64) *data.Frame {
	t.Helper()
	fields, made := make([]data.Field, len(columns)), make([]data.Column, len(columns))
	for j, x := range columns {
		fields[j].Name = c.Features[j]
		if !slices.Contains(c.Nominal, c.Features[j]) {
			made[j] = data.Numbers(x)
			continue
		}
		fields[j].Kind = data.Categorical
		for _, v := range x {
			code := uint32(data.MissingCode)
			if !math.IsNaN(v) {
				code = uint32(v)
				for len(fields[j].Levels) <= int(v) {
					fields[j].Levels = append(fields[j].Levels, fmt.Sprint(len(fields[j].Levels)))
				}
			}
			made[j] = data.Codes(append(made[j].Codes(), code))
		}
	}
	f, err := data.NewFrame(data.Schema{Fields: fields}, made)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func (c *frozenCase) objective() string { return c.text("objective") }

func (c *frozenCase) hasObjective(names ...string) bool {
	return slices.ContainsFunc(names,
		func(s string) bool { return strings.HasPrefix(c.objective(), s) })
}

func (c *frozenCase) ranking() bool { return c.hasObjective("rank:") }
