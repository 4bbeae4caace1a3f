package xgboost_test

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"runtime"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/codec"
	"github.com/coppice-ml/coppice/codec/xgboost"
	"github.com/coppice-ml/coppice/internal/codectest"
	"github.com/coppice-ml/coppice/model"
)

// small are files on which every prefix and every changed byte is tried.
var small = []string{"linear.json", "linear.ubj", "linear.model", "tiny.json", "tiny.ubj", "ndcg.model"}

// mutations is the number of mutations of each small file; 10,000 take a minute.
var mutations = flag.Int("mutations", 500, "mutations of each small file")

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

// behaves checks what comes of bytes that may be anything: an error of package codec and no model,
// or a model and a reference that predict.
func behaves(t testing.TB, f codec.Format, b []byte) {
	t.Helper()
	m, err := f.Decode(bytes.NewReader(b), int64(len(b)), codec.Limits{})
	ref, refErr := f.Reference(bytes.NewReader(b), int64(len(b)), codec.Limits{})
	for _, err := range []error{err, refErr} {
		var (
			corrupt     *codec.CorruptError
			unsupported *codec.UnsupportedError
			limit       *codec.LimitError
		)
		if err != nil && !errors.As(err, &corrupt) && !errors.As(err, &unsupported) && !errors.As(err, &limit) {
			t.Fatalf("an error of type %T: %v", err, err)
		}
	}
	if m != nil && ref != nil && ref.Scores() < 1000 && len(m.Spec().Schema.Fields) < 1000 {
		predictReference(ref, make([]float64, len(m.Spec().Schema.Fields)))
	}
	if err != nil {
		if m != nil {
			t.Fatal("a model beside an error")
		}
		return
	}
	if refErr != nil {
		t.Fatalf("a model without a reference: %v", refErr)
	}
	if err := m.(model.Checked).Validate(); err != nil {
		t.Fatal(err)
	}
	if m.Outputs() > 1000 || len(m.Spec().Schema.Fields) > 1000 {
		return
	}
	row := make([]float64, len(m.Spec().Schema.Fields))
	for _, x := range []float64{0, 1, math.NaN(), -1} {
		for i := range row {
			row[i] = x
			if x == 1 && len(m.Spec().Schema.Fields[i].Levels) == 1 {
				row[i] = -1
			}
		}
		if e, ok := m.(*model.Ensemble); ok && refErr == nil {
			sameLeaves(t, e, ref, row)
		}
	}
}

func predictReference(ref codec.Reference, row []float64) {
	ref.Raw(make([]float64, ref.Scores()), row)
	ref.Response(make([]float64, max(ref.Outputs(), ref.Scores())), row)
	ref.Leaves(make([]int32, ref.Trees()), row)
}

// sameLeaves checks that model and reference agree on the leaves of a row.
func sameLeaves(t testing.TB, e *model.Ensemble, ref codec.Reference, row []float64) {
	t.Helper()
	for i := range row { // a code that the dictionary does not have is none
		if f := &e.Meta.Schema.Fields[i]; len(f.Levels) == 0 && f.Kind != 0 && row[i] >= 0 {
			row[i] = -1
		}
	}
	p, err := e.Bind(&e.Meta.Schema, model.Options{Output: model.Leaf, Rounds: model.AllRounds, Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	got, want := make([]float64, p.Width()), make([]int32, ref.Trees())
	if err := p.PredictRow(got, row); err != nil {
		t.Fatal(err)
	}
	ref.Leaves(want, row)
	for i := range got {
		if got[i] != float64(want[i]) {
			t.Fatalf("row %v reaches leaf %v of tree %d, the reference %d", row, got[i], i, want[i])
		}
	}
}

// mutated changes a few bytes: to others, to those of another place, or away.
func mutated(r *rand.Rand, b []byte) []byte {
	b = bytes.Clone(b)
	for range 1 + r.IntN(4) {
		at, n := r.IntN(len(b)), 1+r.IntN(8)
		n = min(n, len(b)-at)
		from := r.IntN(len(b) - n + 1)
		switch r.IntN(5) {
		case 0:
			b[at] ^= 1 << r.IntN(8)
		case 1:
			b[at] = byte(r.IntN(256))
		case 2:
			copy(b[at:at+n], b[from:from+n])
		case 3:
			b = append(b[:at:at], b[min(len(b), at+n):]...)
		default:
			b = append(b[:at:at], append(bytes.Clone(b[from:from+n]), b[at:]...)...)
		}
		if len(b) == 0 {
			return b
		}
	}
	return b
}

func TestMutations(t *testing.T) {
	for _, name := range small {
		b := readFile(t, "testdata/"+name)
		f := formatOf(name)
		r := rand.New(rand.NewPCG(1, uint64(len(b))))
		for range *mutations {
			behaves(t, f, mutated(r, b))
		}
		for range *mutations {
			if !strings.HasSuffix(name, ".json") {
				break
			}
			behaves(t, f, codectest.Mutant(r, b, b))
		}
	}
}

// TestLimit decodes files that are small and want much memory: none allocates more than the limit.
func TestLimit(t *testing.T) {
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

func fuzz(f *testing.F, format codec.Format, suffix string) {
	for _, name := range frozen(f) {
		if strings.HasSuffix(name, suffix) {
			if b := readFile(f, name); len(b) < 9000 {
				f.Add(b)
			}
		}
	}
	f.Fuzz(func(t *testing.T, b []byte) { behaves(t, format, b) })
}

func FuzzJSON(f *testing.F)   { fuzz(f, xgboost.JSON(), ".json") }
func FuzzUBJSON(f *testing.F) { fuzz(f, xgboost.UBJSON(), ".ubj") }
func FuzzBinary(f *testing.F) { fuzz(f, xgboost.Binary(), ".model") }
