package weighting_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn/internal/weighting"
	"github.com/coppice-ml/coppice/param"
)

// TestCostMatrix: the parameter takes a file, and its value holds the costs themselves.
func TestCostMatrix(t *testing.T) {
	const costTable = "true \\ predicted, good, bad\nbad,5,0\ngood,0,1\n"
	path := filepath.Join(t.TempDir(), "costs.csv")
	if err := os.WriteFile(path, []byte(costTable), 0o600); err != nil {
		t.Fatal(err)
	}
	var costs, again data.NamedCosts
	set := param.Set{weighting.Costs(&costs)}
	if err := set.Set([]string{"costs=" + path}); err != nil {
		t.Fatal(err)
	}
	if got, want := set[0].Value(), `{"classes":["good","bad"],"cost":[[0,1],[5,0]]}`; got != want {
		t.Errorf("value %s, want %s", got, want)
	}
	written, err := set.MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	if err := (param.Set{weighting.Costs(&again)}).UnmarshalJSON(written); err != nil ||
		!cmp.Equal(again, costs) {
		t.Errorf("%s comes back as %+v, %v", written, again, err)
	}
	for value, want := range map[string]string{
		path + ".": "no such file", `{"classes":["a"],"cost":[]}`: "costs of 0 classes for 1 names",
		`{"classes":3}`: "cannot unmarshal",
	} {
		if err := set.Set([]string{"costs=" + value}); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %s", value, err, want)
		}
	}
	if costs.Cost[1][0] != 5 {
		t.Error("a refused value changed the costs")
	}
	costs.Cost[1][1] = 1
	if err := set.Validate(); err == nil || !strings.Contains(err.Error(), "costs 1, want 0") {
		t.Errorf("error %v", err)
	}
	if set.Reset(); costs.Classes != nil || set[0].Value() != "" || set.Validate() != nil {
		t.Errorf("reset to %+v", costs)
	}
}
