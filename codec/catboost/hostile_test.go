package catboost

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/codec"
	"github.com/coppice-ml/coppice/codec/codectest"
)

// own reads a file of testdata, which was written for these tests.
func own(t testing.TB, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// random returns the file of a seed in both formats.
func random(t testing.TB, seed int) (text, binary []byte) {
	f := randomFile().Example(seed)
	return asJSON(t, f), asBinary(t, f)
}

func TestConformance(t *testing.T) {
	text, binary := random(t, 1)
	codectest.Run(t, FormatJSON(), nil, own(t, "numbers.json"), own(t, "nodes.json"), text)
	codectest.Run(t, Format(), nil, binary)
}

// The files of testdata predict what their nodes show.
func TestOwn(t *testing.T) {
	o := open(t, FormatJSON(), own(t, "numbers.json"))
	o.agree(t)
	nan := math.NaN()
	for _, c := range []struct {
		row  []float64 // low, f1, f2
		want float64   // of -1 + 0.5 (leaf + 0.125)
		leaf int32
	}{
		{[]float64{1, 0, -3}, -1 + 0.5*(0.1+0.125), 0},
		{[]float64{1.1, 0, -3}, -1 + 0.5*(0.1+0.125), 0}, // float32(1.1) is the border
		{[]float64{1.2, 0, -3}, -1 + 0.5*(-0.2+0.125), 1},
		{[]float64{1, 0, -1}, -1 + 0.5*(0.30000000000000004+0.125), 2},
		{[]float64{2, 0, nan}, -1 + 0.5*(1+0.125), 3}, // missing is above
		{[]float64{nan, nan, -2}, -1 + 0.5*(0.1+0.125), 0},
	} {
		raw, leaves := make([]float64, 1), make([]int32, 2)
		o.ref.Raw(raw, c.row)
		o.ref.Leaves(leaves, c.row)
		if math.Abs(raw[0]-c.want) > 1e-15 || leaves[0] != c.leaf || leaves[1] != 0 {
			t.Errorf("%v: raw %v and leaves %v, want %v and %d", c.row, raw, leaves, c.want, c.leaf)
		}
	}
	m := o.model.Meta
	if got := m.Schema.Names(); !slices.Equal(got, []string{"low", "f1", "f2"}) ||
		!slices.Equal(m.Classes, []string{"no", "yes"}) || m.Decision.Threshold != 0.25 {
		t.Errorf("columns %q, classes %q, threshold %v", got, m.Classes, m.Decision.Threshold)
	}
	open(t, FormatJSON(), own(t, "nodes.json")).agree(t)
}

// What cannot be predicted with is refused by its name.
func TestUnsupported(t *testing.T) {
	f := randomFile().Example(1)
	f.tables = nil
	for what, b := range map[string][]byte{
		"no table of statistics": asJSON(t, f),
		"RMSEWithUncertainty": []byte(`{"model_info": {"loss_function": {"type": "RMSEWithUncertainty"}},
			"oblivious_trees": [{"splits": [], "leaf_values": [1, 2]}]}`),
		"text_features":  []byte(`{"features_info": {"text_features": [{}]}}`),
		"kind \"Other\"": []byte(`{"features_info": {"ctrs": [{"ctr_type": "Other"}]}}`),
		"several columns alone": []byte(`{"features_info": {"categorical_features": [
			{"feature_index": 0, "flat_feature_index": 0}, {"feature_index": 1, "flat_feature_index": 1}],
			"ctrs": [{"ctr_type": "Counter", "borders": [1], "elements": [
				{"combination_element": "cat_feature_value", "cat_feature_index": 0},
				{"combination_element": "cat_feature_value", "cat_feature_index": 1}]}]},
			"ctr_data": {"{\"type\": \"Counter\", \"identifier\": [` +
			`{\"combination_element\": \"cat_feature_value\", \"cat_feature_index\": 0}, ` +
			`{\"combination_element\": \"cat_feature_value\", \"cat_feature_index\": 1}]}": ` + `
				{"hash_map": ["7", 1], "hash_stride": 2, "counter_denominator": 3}}}`),
	} {
		_, err := FormatJSON().Decode(bytes.NewReader(b), int64(len(b)), codec.Limits{})
		if unsupported := (*codec.UnsupportedError)(nil); !errors.As(err, &unsupported) ||
			!strings.Contains(unsupported.What, what) {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// Files of both formats that have everything behave when they are damaged, and so do those of
// testdata. The tests of codec/formats damage samples of CatBoost itself.
func TestDamagedFiles(t *testing.T) {
	for _, name := range []string{"numbers.json", "nodes.json"} {
		t.Run(name, func(t *testing.T) { codectest.Damage(t, FormatJSON(), own(t, name)) })
	}
	for seed := range 20 {
		t.Run(fmt.Sprintf("seed %d", seed), func(t *testing.T) {
			text, binary := random(t, seed)
			codectest.Damage(t, FormatJSON(), text)
			codectest.Damage(t, Format(), binary)
		})
	}
}

func FuzzJSON(f *testing.F) {
	f.Add(own(f, "numbers.json"))
	f.Add(own(f, "nodes.json"))
	for seed := range 5 {
		text, _ := random(f, seed)
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, b []byte) { codectest.Behaves(t, FormatJSON(), b) })
}

func FuzzBinary(f *testing.F) {
	for seed := range 5 {
		_, binary := random(f, seed)
		f.Add(binary)
	}
	f.Fuzz(func(t *testing.T, b []byte) { codectest.Behaves(t, Format(), b) })
}
