package lightgbm_test

import (
	"bytes"
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/codec"
	"github.com/coppice-ml/coppice/codec/lightgbm"
	"github.com/coppice-ml/coppice/internal/codectest"
	"github.com/coppice-ml/coppice/model"
)

// shipped reads a sample of testdata/models.
func shipped(t testing.TB, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("..", "..", "testdata", "models", "lightgbm", name))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestConformance(t *testing.T) {
	codectest.Run(t, lightgbm.Format(), nil, shipped(t, "model_simple.txt"))
	codectest.Run(t, lightgbm.FormatJSON(), nil, shipped(t, "lg_1tree.json"),
		shipped(t, "lg_1tree_1leaf.json"))
}

// short returns a text with the first trees of a sample alone, and without their sizes.
func short(t testing.TB, name string, trees int) []byte {
	t.Helper()
	blocks := strings.SplitAfter(string(shipped(t, name)), "\n\n")
	kept := slices.DeleteFunc(blocks, func(block string) bool {
		is := strings.HasPrefix(strings.TrimLeft(block, "\n"), "Tree=")
		if is {
			trees--
		}
		return is && trees < 0 || strings.Contains(block, "[boosting")
	})
	head, sizes, ok := strings.Cut(kept[0], "tree_sizes=")
	if !ok {
		t.Fatalf("%s has no sizes", name)
	}
	kept[0] = head + strings.TrimLeft(sizes, " 0123456789")
	return []byte(strings.Join(kept, ""))
}

// linear is a linear tree with a category, and zeros and NaN as missing values.
const linear = `tree
version=v4
num_class=1
num_tree_per_iteration=1
label_index=0
max_feature_idx=2
objective=regression sqrt
feature_names=a b c
feature_infos=[0:1] 0:1:40 [0:1]
tree_sizes=347

Tree=0
num_leaves=4
num_cat=1
split_feature=0 1 2
split_gain=3 2 1
threshold=0.5 0 -1
decision_type=4 9 10
left_child=1 -1 -2
right_child=2 -3 -4
leaf_value=1 2 3 4
leaf_weight=1 1 1 1
leaf_count=5 6 7 8
internal_count=26 12 14
cat_boundaries=0 2
cat_threshold=3 256
is_linear=1
leaf_const=1 2 3 4
num_features=2 0 1 0
leaf_features=0 2  2
leaf_coeff=0.5 -1  2
shrinkage=0.1


end of trees

parameters:
[categorical_feature: 1]
end of parameters

pandas_categorical:null
`

// texts are small files of all kinds.
func texts(t testing.TB) map[string][]byte {
	return map[string][]byte{
		"linear":     []byte(linear),
		"simple":     shipped(t, "model_simple.txt"),
		"rf":         short(t, "lg_rf_iris.model", 3),
		"multiclass": short(t, "lgmulticlass.model", 5),
		"poisson":    short(t, "genlin_fmtp_poisson_Frequency.model", 1),
		"dart":       short(t, "lg_dart_breast_cancer.model", 2),
		"toy":        short(t, "toy_categorical.txt", 4),
	}
}

// dumps are small JSON dumps.
func dumps(t testing.TB) map[string][]byte {
	return map[string][]byte{
		"tree": shipped(t, "lg_1tree.json"),
		"leaf": shipped(t, "lg_1tree_1leaf.json"),
		"all": []byte(`{"version":"v4","num_class":2,"num_tree_per_iteration":2,"max_feature_idx":1,
"objective":"multiclassova num_class:2 sigmoid:0.5","average_output":true,
"feature_names":["a","b\u00e9"],"feature_infos":{"b\u00e9":{"values":[0,3]}},
"pandas_categorical":[["x",true,2.0,"y"]],
"tree_info":[{"num_leaves":2,"tree_structure":{"split_feature":1,"threshold":"0||3",
"decision_type":"==","left_child":{"leaf_index":1,"leaf_value":1},
"right_child":{"leaf_index":0,"leaf_value":-1}}},
{"num_leaves":1,"tree_structure":{"leaf_value":1e-300,"leaf_const":2,"leaf_features":[0],
"leaf_coeff":[1.5]}}]}`),
	}
}

// behaves decodes a file that may be damaged: the result is a model that predicts, as its reference
// does, and can be written, or an error of package codec, and memory is bounded.
func behaves(t testing.TB, f codec.Format, b []byte) {
	t.Helper()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	m, err := f.Decode(bytes.NewReader(b), int64(len(b)), codec.Limits{})
	runtime.ReadMemStats(&after)
	if used := int64(after.TotalAlloc - before.TotalAlloc); used > (codec.Limits{}).MemoryFor(int64(len(b))) {
		t.Fatalf("%d bytes for a file of %d", used, len(b))
	}
	r, err2 := f.Reference(bytes.NewReader(b), int64(len(b)), codec.Limits{})
	if err != nil {
		var (
			corrupt     *codec.CorruptError
			unsupported *codec.UnsupportedError
			limit       *codec.LimitError
		)
		if m != nil || !errors.As(err, &corrupt) && !errors.As(err, &unsupported) && !errors.As(err, &limit) {
			t.Fatalf("a model %v, error of type %T: %v", m, err, err)
		}
		return
	}
	if err2 != nil {
		t.Fatalf("a model, and a reference with the error %v", err2)
	}
	e := m.(*model.Ensemble)
	if err := e.Validate(); err != nil {
		t.Fatal(err)
	}
	agree(t, e, r)
	var text bytes.Buffer
	unsupported := (*codec.UnsupportedError)(nil)
	if err := lightgbm.Encode(&text, e); err != nil && !errors.As(err, &unsupported) {
		t.Fatal(err)
	}
}

// agree compares the leaves of a model and its reference.
func agree(t testing.TB, e *model.Ensemble, r codec.Reference) {
	t.Helper()
	p, err := e.Bind(&e.Meta.Schema, model.Options{Output: model.Leaf, Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	got, want := make([]float64, p.Width()), make([]int32, r.Trees())
	raw, response := make([]float64, r.Scores()), make([]float64, r.Outputs())
	for _, x := range []float64{math.NaN(), 0, -1, 1} {
		row := make([]float64, len(e.Meta.Schema.Fields))
		for k := range row {
			if row[k] = x; x > float64(len(e.Meta.Schema.Fields[k].Levels)-1) &&
				e.Meta.Schema.Fields[k].Kind != 0 {
				row[k] = -1
			}
		}
		if err := p.PredictRow(got, row); err != nil {
			t.Fatal(err)
		}
		r.Leaves(want, row)
		r.Raw(raw, row)
		r.Response(response, row)
		for k := range got {
			if got[k] != float64(want[k]) {
				t.Fatalf("%v ends in leaf %v of tree %d, by the reference in %d", x, got[k], k, want[k])
			}
		}
	}
}

// Every prefix of a file is an error or a model that predicts, and so are files with random
// changes.
func TestDamagedFiles(t *testing.T) {
	for name, b := range texts(t) {
		t.Run(name, func(t *testing.T) { damage(t, lightgbm.Format(), b, nil) })
	}
	for name, b := range dumps(t) {
		t.Run(name+" dump", func(t *testing.T) {
			damage(t, lightgbm.FormatJSON(), b, func(r *rand.Rand) []byte { return codectest.Mutant(r, b, b) })
		})
	}
}

// changes is the number of random changes of each file.
const changes = 500

func damage(t *testing.T, f codec.Format, b []byte, more func(r *rand.Rand) []byte) {
	if _, err := f.Decode(bytes.NewReader(b), int64(len(b)), codec.Limits{}); err != nil {
		t.Fatal(err)
	}
	for n := range b {
		behaves(t, f, b[:n])
	}
	r := rand.New(rand.NewPCG(3, 4))
	for i := range changes {
		if more != nil && i%2 == 0 {
			behaves(t, f, more(r))
			continue
		}
		behaves(t, f, changed(r, b))
	}
}

// changed returns a file with a random change: of a number, a byte, a line, or a part of it.
func changed(r *rand.Rand, b []byte) []byte {
	b = bytes.Clone(b)
	from := r.IntN(len(b))
	to := min(len(b), from+1+r.IntN(40))
	switch r.IntN(6) {
	case 0:
		b[from] ^= 1 << r.IntN(8)
	case 1:
		b = slices.Delete(b, from, to)
	case 2:
		b = slices.Insert(b, r.IntN(len(b)), b[from:to]...)
	case 3: // a line in another place
		lines := bytes.SplitAfter(b, []byte("\n"))
		at := r.IntN(len(lines))
		line := lines[at]
		lines = slices.Insert(slices.Delete(lines, at, at+1), r.IntN(len(lines)), line)
		b = bytes.Join(lines, nil)
	default: // a number
		for from > 0 && !isDigit(b[from]) {
			from--
		}
		to = from
		for to < len(b) && isDigit(b[to]) {
			to++
		}
		numbers := []string{"0", "-1", "1", "2", "9", "31", "32", "255", "65536", "2147483647", "-2147483648",
			"4294967296", "1e308", "inf", "nan", "-0", "1e-36", "99999999999999999999", ""}
		b = slices.Replace(b, from, to, []byte(numbers[r.IntN(len(numbers))])...)
	}
	return b
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func FuzzText(f *testing.F) {
	for _, b := range texts(f) {
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) { behaves(t, lightgbm.Format(), b) })
}

func FuzzJSON(f *testing.F) {
	for _, b := range dumps(f) {
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) { behaves(t, lightgbm.FormatJSON(), b) })
}
