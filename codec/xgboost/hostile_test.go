package xgboost_test

import (
	"errors"
	"fmt"
	"math"
	"os"
	"runtime"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/codec"
	"github.com/coppice-ml/coppice/codec/codectest"
	"github.com/coppice-ml/coppice/codec/xgboost"
	"github.com/coppice-ml/coppice/internal/testing/tier"
)

// small are files on which every prefix and every changed byte is tried. The tests of codec/formats
// damage all files of testdata.
var small = []string{"linear.json", "linear.ubj", "linear.model", "tiny.json", "tiny.ubj", "ndcg.model"}

func TestConformance(t *testing.T) {
	for _, name := range small {
		b := readFile(t, "testdata/"+name)
		t.Run(name, func(t *testing.T) {
			f := formatOf(name)
			f.Encode = nil // the writers have tests of their own
			codectest.Run(t, f, nil, b)
		})
	}
}

func readFile(t testing.TB, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// Boosters within each other end at a limit, not with the stack.
func TestDeep(t *testing.T) {
	const levels = 1 << 20
	name := func(s string) string { return "L\x00\x00\x00\x00\x00\x00\x00" + string(rune(len(s))) + s }
	for _, c := range []struct {
		format codec.Format
		file   string
	}{
		{xgboost.JSON(), `{"learner":{"gradient_booster":` + strings.Repeat(`{"gbtree":`, levels)},
		{xgboost.UBJSON(), "{" + name("learner") + "{" + name("gradient_booster") +
			strings.Repeat("{"+name("gbtree"), levels)},
	} {
		_, err := c.format.Decode(strings.NewReader(c.file), int64(len(c.file)), codec.Limits{})
		var corrupt *codec.CorruptError
		if !errors.As(err, &corrupt) || !strings.HasSuffix(corrupt.Section, "gbtree.gbtree") ||
			!strings.Contains(err.Error(), "more than 10000 values") {
			t.Errorf("%s: %v", c.format.Name, err)
		}
	}
}

// TestLimit decodes files that are small and want much memory: none allocates more than the limit.
func TestLimit(t *testing.T) {
	tier.NotShort(t, "reads models at many limits")
	head := `{"learner":{"learner_model_param":{"base_score":"0","num_feature":"%d","num_class":"%d","num_target":"1"},` +
		`"objective":{"name":"reg:squarederror"},"gradient_booster":{"name":"gbtree","model":{"gbtree_model_param":{},"trees":[%s],"tree_info":[%s]}}},"version":[1,7,4]}`
	leaf := `{"left_children":[-1],"right_children":[-1],"split_indices":[0],"split_conditions":[1],"default_left":[0]}`
	set := `{"left_children":[1,-1,-1],"right_children":[2,-1,-1],"split_indices":[0,0,0],"split_conditions":[1,1,1],"default_left":[0,0,0],` +
		`"split_type":[1,0,0],"categories_nodes":[0],"categories_segments":[0],"categories_sizes":[1],"categories":[16777215]}`
	times := func(s string, n int) string { return strings.TrimSuffix(strings.Repeat(s+",", n), ",") }
	for name, text := range map[string]string{
		"empty trees": fmt.Sprintf(head, 1, 0, times("{}", 300_000), "0"),
		"leaves":      fmt.Sprintf(head, 1, 0, times(leaf, 20_000), times("0", 20_000)),
		"columns":     fmt.Sprintf(head, math.MaxInt32, 0, leaf, "0"),
		"classes":     strings.Replace(fmt.Sprintf(head, 1, math.MaxInt32, leaf, "0"), "reg:squarederror", "multi:softprob", 1),
		"categories":  fmt.Sprintf(head, 1, 0, times(set, 100), times("0", 100)),
		"infinities":  fmt.Sprintf(head, 1, 0, strings.Replace(leaf, "[1]", "["+times("9e99", 300_000)+"]", 1), "0"),
		"names":       strings.Replace(fmt.Sprintf(head, 1, 0, leaf, "0"), `"objective"`, `"feature_names":[`+times(`""`, 300_000)+`],"objective"`, 1),
		"nested":      fmt.Sprintf(head, 1, 0, strings.Repeat("[", 100_000), "0"),
	} {
		for _, limit := range []int64{0, 1 << 20} {
			l := codec.Limits{Memory: limit}
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			m, err := xgboost.JSON().Decode(strings.NewReader(text), int64(len(text)), l)
			runtime.ReadMemStats(&after)
			if used := int64(after.TotalAlloc - before.TotalAlloc); used > l.MemoryFor(int64(len(text)))+1<<16 {
				t.Errorf("%s: %d bytes of memory for %d of the file, limit %d (%v)", name, used, len(text), l.MemoryFor(int64(len(text))), err)
			}
			if (name != "leaves" || limit > 0) && err == nil {
				t.Errorf("%s: read as a model of %d outputs", name, m.Outputs())
			}
		}
	}
}

// XGBoost reads no file whose numbers of trees and nodes are not those that it states.
func TestCounts(t *testing.T) {
	whole := strings.Replace(text{trees: strings.Replace(stump, "{", `{"tree_param":{"num_nodes":"3"},`, 1)}.String(),
		`"num_parallel_tree":"1"`, `"num_parallel_tree":"1","num_trees":"1"`, 1)
	decode := func(text string) error {
		_, err := xgboost.JSON().Decode(strings.NewReader(text), int64(len(text)), codec.Limits{})
		return err
	}
	if err := decode(whole); err != nil {
		t.Error(err)
	}
	for _, c := range [][3]string{{`"num_trees":"1"`, `"num_trees":"2"`, "1 trees, and num_trees is 2"},
		{`"num_trees":"1"`, `"num_trees":"0"`, "1 trees, and num_trees is 0"},
		{`"num_nodes":"3"`, `"num_nodes":"4"`, "3 nodes, and num_nodes is 4"}} {
		var corrupt *codec.CorruptError
		if err := decode(strings.Replace(whole, c[0], c[1], 1)); !errors.As(err, &corrupt) || !strings.Contains(err.Error(), c[2]) {
			t.Errorf("%s: %v", c[1], err)
		}
	}
}

func fuzz(f *testing.F, format codec.Format, suffix string) {
	for _, name := range frozen(f) {
		if strings.HasSuffix(name, suffix) {
			if b := readFile(f, name); len(b) < 9000 {
				f.Add(b)
			}
		}
	}
	f.Fuzz(func(t *testing.T, b []byte) { codectest.Behaves(t, format, b) })
}

func FuzzJSON(f *testing.F)   { fuzz(f, xgboost.JSON(), ".json") }
func FuzzUBJSON(f *testing.F) { fuzz(f, xgboost.UBJSON(), ".ubj") }
func FuzzBinary(f *testing.F) { fuzz(f, xgboost.Binary(), ".model") }

// A version says how old files are read, so one that no program has is damage.
func TestNegativeVersion(t *testing.T) {
	file := strings.Replace(string(readFile(t, "testdata/tiny.json")), `"version":[1,`, `"version":[1,-`, 1)
	_, err := xgboost.JSON().Decode(strings.NewReader(file), int64(len(file)), codec.Limits{})
	var corrupt *codec.CorruptError
	if !errors.As(err, &corrupt) || !strings.Contains(err.Error(), "version") {
		t.Errorf("%v", err)
	}
}
