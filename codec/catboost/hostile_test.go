package catboost

import (
	"bytes"
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/codec"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/codectest"
	"github.com/coppice-ml/coppice/model"
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

// sample reads a file of the folder of models that COPPICE_DATA names, nil if there is none.
func sample(t testing.TB, name string) []byte {
	t.Helper()
	root := os.Getenv("COPPICE_DATA")
	if root == "" {
		return nil
	}
	b, err := os.ReadFile(filepath.Join(root, "models", filepath.FromSlash(name)))
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

// try decodes a damaged file. What is no error of package codec must be a model that predicts.
func try(t testing.TB, f codec.Format, b []byte) {
	t.Helper()
	m, err := f.Decode(bytes.NewReader(b), int64(len(b)), codec.Limits{})
	var (
		corrupt     *codec.CorruptError
		unsupported *codec.UnsupportedError
		limit       *codec.LimitError
	)
	switch {
	case err == nil:
	case errors.As(err, &corrupt), errors.As(err, &unsupported), errors.As(err, &limit):
		return
	default:
		t.Fatalf("error of type %T: %v", err, err)
	}
	e := m.(*model.Ensemble)
	if err := e.Validate(); err != nil {
		t.Fatal(err)
	}
	p, err := e.Bind(&e.Meta.Schema, model.Options{})
	if err != nil {
		t.Fatal(err)
	}
	ref, err := f.Reference(bytes.NewReader(b), int64(len(b)), codec.Limits{})
	if err != nil {
		t.Fatalf("a model without a reference: %v", err)
	}
	row := make([]float64, len(e.Meta.Schema.Fields))
	for i := range row {
		if e.Meta.Schema.Fields[i].Kind == data.Categorical {
			row[i] = -1
		}
	}
	dst := make([]float64, p.Width())
	if err := p.PredictRow(dst, row); err != nil {
		t.Fatal(err)
	}
	ref.Response(make([]float64, ref.Outputs()), row)
}

// Mutations of files of both formats that have everything.
func TestMutationsOfRandomFiles(t *testing.T) {
	stream := rand.New(rand.NewPCG(3, 4))
	for seed := range 20 {
		text, binary := random(t, seed)
		for range 300 {
			try(t, FormatJSON(), mutate(stream, text))
			try(t, Format(), mutate(stream, binary))
		}
	}
}

// Every prefix and ten thousand mutations of each sample, fewer of large ones: bytes that are
// changed, removed or repeated.
func TestMutations(t *testing.T) {
	for _, s := range []struct {
		name  string
		times int
	}{
		{"jpmml-catboost/cbm/ClassificationIris.cbm", 10000},
		{"jpmml-catboost/cbm/RegressionAuto.cbm", 10000},
		{"catboost-amazon/catboost_model.cbm", 100},
		{"catboost-amazon/catboost_model.json", 100},
	} {
		b := sample(t, s.name)
		if b == nil {
			t.Skip("COPPICE_DATA names no folder; the file's licence does not let it be shipped")
		}
		f := Format()
		if filepath.Ext(s.name) == ".json" {
			f = FormatJSON()
		}
		for n := 0; n < len(b); n += 1 + len(b)/20000*400 {
			try(t, f, b[:n])
		}
		stream := rand.New(rand.NewPCG(1, 2))
		for range s.times {
			try(t, f, mutate(stream, b))
		}
	}
}

// mutate returns a changed copy.
func mutate(r *rand.Rand, b []byte) []byte {
	b = bytes.Clone(b)
	for range 1 + r.IntN(4) {
		at, n := r.IntN(len(b)), 1+r.IntN(16)
		end := min(len(b), at+n)
		switch r.IntN(4) {
		case 0:
			b[at] ^= 1 << r.IntN(8)
		case 1:
			for i := at; i < end; i++ {
				b[i] = byte(r.Uint32())
			}
		case 2:
			b = append(b[:at:at], b[end:]...)
		default:
			b = append(b[:end:end], b[at:]...)
		}
		if len(b) == 0 {
			return b
		}
	}
	return b
}

func FuzzJSON(f *testing.F) {
	f.Add(own(f, "numbers.json"))
	f.Add(own(f, "nodes.json"))
	for seed := range 5 {
		text, _ := random(f, seed)
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, b []byte) { try(t, FormatJSON(), b) })
}

func FuzzBinary(f *testing.F) {
	for seed := range 5 {
		_, binary := random(f, seed)
		f.Add(binary)
	}
	f.Fuzz(func(t *testing.T, b []byte) { try(t, Format(), b) })
}
