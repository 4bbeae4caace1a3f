package pmml_test

import (
	"bytes"
	"errors"
	"math"
	"math/rand/v2"
	"regexp"
	"runtime"
	"slices"
	"testing"

	"github.com/coppice-ml/coppice/codec"
	"github.com/coppice-ml/coppice/codec/pmml"
	"github.com/coppice-ml/coppice/internal/codectest"
	"github.com/coppice-ml/coppice/model"
)

func TestConformance(t *testing.T) {
	codectest.Run(t, pmml.Format(), nil, load(t, shipped+"/iris_rf_1tree.pmml"))
}

// behaves decodes a file that may be damaged: the result is a model that predicts as its reference
// does, or an error of package codec, and memory is bounded.
func behaves(t testing.TB, b []byte) {
	t.Helper()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	m, err := pmml.Decode(bytes.NewReader(b), int64(len(b)), codec.Limits{})
	runtime.ReadMemStats(&after)
	most := codec.Limits{}.MemoryFor(int64(len(b)))
	if used := int64(after.TotalAlloc - before.TotalAlloc); used > most {
		t.Fatalf("%d bytes for a file of %d", used, len(b))
	}
	var (
		corrupt *codec.CorruptError
		feature *codec.UnsupportedError
		limit   *codec.LimitError
	)
	switch {
	case errors.As(err, &corrupt) && corrupt.Section != "" && corrupt.Offset >= 0 &&
		corrupt.Offset <= int64(len(b)), errors.As(err, &feature), errors.As(err, &limit):
		return
	case err != nil:
		t.Fatalf("error of type %T: %v", err, err)
	}
	e := m.(*model.Ensemble)
	if err := e.Validate(); err != nil {
		t.Fatal(err)
	}
	ref, err := pmml.Reference(bytes.NewReader(b), int64(len(b)), codec.Limits{})
	if err != nil {
		t.Fatalf("a model, and a reference with the error %v", err)
	}
	agree(t, e, ref)
}

// agree compares the leaves of a model and its reference on some rows.
func agree(t testing.TB, e *model.Ensemble, ref codec.Reference) {
	t.Helper()
	p, err := e.Bind(&e.Meta.Schema, model.Options{Output: model.Leaf, Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	got, want := make([]float64, p.Width()), make([]int32, ref.Trees())
	for _, x := range []float64{math.NaN(), 0, -1, 1, 100} {
		row := make([]float64, len(e.Meta.Schema.Fields))
		for k := range row {
			f := &e.Meta.Schema.Fields[k]
			if row[k] = x; f.Kind != 0 && x > float64(len(f.Levels)-1) {
				row[k] = -1
			}
		}
		if err := p.PredictRow(got, row); err != nil {
			t.Fatal(err)
		}
		ref.Leaves(want, row)
		for k := range got {
			if got[k] != float64(want[k]) {
				t.Fatalf("%v ends in leaf %v of tree %d, by the reference in %d", x, got[k], k, want[k])
			}
		}
	}
	raw := make([]float64, ref.Scores())
	ref.Raw(raw, make([]float64, len(e.Meta.Schema.Fields)))
	ref.Response(make([]float64, ref.Outputs()), make([]float64, len(e.Meta.Schema.Fields)))
}

// smallFiles are files of all kinds.
func smallFiles(t testing.TB) map[string][]byte {
	all := map[string][]byte{}
	for _, name := range []string{"iris_rf_1tree", "cars-cater-rf-1tree"} {
		all[name] = load(t, shipped+"/"+name+".pmml")
	}
	for name, text := range handmade {
		all[name] = []byte(text)
	}
	return all
}

// Every prefix of a file is an error or a model that predicts, and so are files with random
// changes.
func TestDamagedFiles(t *testing.T) {
	for name, b := range smallFiles(t) {
		t.Run(name, func(t *testing.T) {
			for n := 0; n < len(b); n += 1 + len(b)/2000 {
				behaves(t, b[:n])
			}
			r := rand.New(rand.NewPCG(1, 2))
			for range 500 {
				behaves(t, changed(r, b))
			}
		})
	}
}

var quoted = regexp.MustCompile(`"[^"<>]*"`)

// changed returns a file with random changes: of a byte, a part, or the value of an attribute.
func changed(r *rand.Rand, b []byte) []byte {
	b = bytes.Clone(b)
	for range 1 + r.IntN(3) {
		if len(b) == 0 {
			return b
		}
		from := r.IntN(len(b))
		to := min(len(b), from+1+r.IntN(80))
		switch r.IntN(6) {
		case 0:
			b[from] ^= 1 << r.IntN(8)
		case 1:
			b = slices.Delete(b, from, to)
		case 2:
			b = slices.Insert(b, r.IntN(len(b)), slices.Clone(b[from:to])...)
		default: // an attribute gets the value of another, or one at the end of a range
			places := quoted.FindAllIndex(b, -1)
			if len(places) == 0 {
				continue
			}
			at, other := places[r.IntN(len(places))], places[r.IntN(len(places))]
			value := bytes.Clone(b[other[0]:other[1]])
			if r.IntN(3) == 0 {
				values := []string{"", "0", "-1", "1e308", "-1.7976931348623157e308", "4294967296", "NaN",
					"INF", "defaultChild", "isMissing", "xor", "surrogate", "float", "categorical"}
				value = []byte(`"` + values[r.IntN(len(values))] + `"`)
			}
			b = slices.Replace(b, at[0], at[1], value...)
		}
	}
	return b
}

func FuzzDecode(f *testing.F) {
	for _, b := range smallFiles(f) {
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) { behaves(t, b) })
}
