package toolparams

import (
	"compress/gzip"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/csvdata"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/catalog"
	"github.com/coppice-ml/coppice/model"
)

// frozenModels are trees of a tool with the parameters that it had. The tests of gbm compare all of
// them node by node, with parameters that they write themselves.
const frozenModels = "../../../../learn/gbm/testdata"

// frozenModel is one of them.
type frozenModel struct {
	Name, Table, Label, Weight string
	Features                   []string
	Params                     map[string]any
	Rounds                     int
	Trees                      []frozenTree
}

// frozenTree has arrays by node. Of a leaf Left is -1 and SplitPoint its value.
type frozenTree struct {
	Left, Right []int
	SplitPoint  []float64 `json:"split_point"`
	Gain        []float64
}

// leaves counts the leaves below a node. A node that is split for nothing but rounding, as the tool
// does in single precision, is a leaf: all leaves below it have one value.
func (t *frozenTree) leaves(node int) int {
	if t.Left[node] < 0 || t.Gain[node] < 1e-12 && t.flat(node, t.first(node)) {
		return 1
	}
	return t.leaves(t.Left[node]) + t.leaves(t.Right[node])
}

func (t *frozenTree) flat(node int, value float64) bool {
	if t.Left[node] < 0 {
		return math.Abs(t.SplitPoint[node]-value) <= 1e-5*max(1, math.Abs(value))
	}
	return t.flat(t.Left[node], value) && t.flat(t.Right[node], value)
}

// first returns the value of the leftmost leaf.
func (t *frozenTree) first(node int) float64 {
	for t.Left[node] >= 0 {
		node = t.Left[node]
	}
	return t.SplitPoint[node]
}

// TestSameTreeCounts trains by what the parameters of a tool become, and compares how many leaves
// each tree has with the tool's own trees.
func TestSameTreeCounts(t *testing.T) {
	for tool, want := range map[string]int{"lightgbm": 55, "xgboost": 77} {
		compared := 0
		for _, c := range thaw(t, tool) {
			given, ok := c.given(tool)
			if !ok {
				continue
			}
			got := Of(tool).Translate(given)
			if got.Faults != nil {
				continue // constraints by the order of columns
			}
			var leaves []int
			for i := range c.Trees {
				leaves = append(leaves, c.Trees[i].leaves(0))
			}
			if diff := cmp.Diff(leaves, c.leaves(t, got)); diff != "" {
				t.Errorf("%s %s: %s", tool, c.Name, diff)
			}
			compared++
		}
		if compared != want {
			t.Errorf("%s: %d models were compared, want %d", tool, compared, want)
		}
	}
}

func thaw(t *testing.T, tool string) []frozenModel {
	t.Helper()
	f, err := os.Open(filepath.Join(frozenModels, tool+".json.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	var all struct{ Cases []frozenModel }
	if err := json.NewDecoder(z).Decode(&all); err != nil {
		t.Fatal(err)
	}
	return all.Cases
}

// given returns the parameters of a case, if its table is read as it is.
func (c *frozenModel) given(tool string) ([]Given, bool) {
	objective, _ := c.Params["objective"].(string)
	if !slices.Contains([]string{"made", "iris"}, c.Table) || objective == "" ||
		strings.HasPrefix(objective, "survival:") || strings.HasPrefix(objective, "rank:") {
		return nil, false
	}
	given := []Given{{Name: "n_estimators", Value: Value{Text: fmt.Sprint(c.Rounds)}}}
	if tool == "lightgbm" {
		given = append(given, Given{Name: "min_data_in_bin", Value: Value{Text: "1"}})
	}
	for name, value := range c.Params {
		v := Value{Text: fmt.Sprint(value)}
		if list, ok := value.([]any); ok {
			v = Value{List: strings.Fields(strings.Trim(fmt.Sprint(list), "[]"))}
		}
		given = append(given, Given{Name: name, Value: v})
	}
	return given, true
}

// leaves trains by a translation and counts the leaves of each tree.
func (c *frozenModel) leaves(t *testing.T, by *Translation) []int {
	t.Helper()
	var settings []string
	var task data.Task
	row, err := catalog.Find(catalog.Default)
	l := row.New()
	for _, item := range by.Items {
		switch name, ok := strings.CutPrefix(item.Key, "set."); {
		case ok:
			settings = append(settings, name+"="+item.Text)
		case item.Key == "compat":
			_, l, err = catalog.WithPreset(row, item.Text, true)
		case item.Key == "task":
			err = task.UnmarshalText([]byte(item.Text))
		default:
			t.Fatalf("unexpected item %v", item)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := l.Params().Set(settings); err != nil {
		t.Fatal(err)
	}
	ds := c.dataset(t, task)
	fitted, err := l.Prepare(t.Context(), ds.Frame, nil, ds.Target.Weight, learn.Env{})
	if err != nil {
		t.Fatalf("%s: %v", c.Name, err)
	}
	m, err := fitted.Fit(t.Context(), &ds.Target, learn.Job{Seed: 1})
	if err != nil {
		t.Fatalf("%s: %v", c.Name, err)
	}
	var leaves []int
	for _, tree := range m.(*model.Ensemble).Trees {
		leaves = append(leaves, tree.NumLeaves())
	}
	return leaves
}

// dataset reads the table of a case.
func (c *frozenModel) dataset(t *testing.T, task data.Task) *data.Dataset {
	t.Helper()
	file := filepath.Join(frozenModels, "made.csv")
	if c.Table == "iris" {
		file = "../../../../testdata/iris/iris.csv"
	}
	f, err := csvdata.Open(csvdata.Options{}, file).Frame(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	roles := data.Roles{Label: c.Label, Weight: c.Weight, Task: task, Log: func(string, ...any) {}}
	for _, name := range f.Schema.Names() {
		if name != c.Label && name != c.Weight && !slices.Contains(c.Features, name) {
			roles.Ignore = append(roles.Ignore, name)
		}
	}
	ds, err := roles.Apply(f)
	if err != nil {
		t.Fatalf("%s: %v", c.Name, err)
	}
	return ds
}
