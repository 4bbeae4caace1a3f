package c45

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/datatest"
	"github.com/coppice-ml/coppice/internal/models/rules"
	"github.com/coppice-ml/coppice/learn"
)

// TestFrozenRules: rules have the same bits on every machine; .ci/arm64 runs this under emulation.
func TestFrozenRules(t *testing.T) {
	for _, c := range []struct {
		file, label string
		weighted    bool
		rules       int
		hash        string
	}{
		{"weather/weather.numeric.csv", "play", false, 5, "bee9e452ee74fd5b"},
		{"iris/iris.csv", "species", false, 6, "a55855fd945a0e6e"},
		{"iris/iris.csv", "species", true, 5, "fd2b9bd718c28509"},
		{"spambase/spambase.csv", "spam", true, 26, "5e8f0289f0eba3bf"},
	} {
		ds := datatest.Read(t, c.file, data.Roles{Label: c.label})
		if c.weighted {
			ds.Target.Weight = make([]float64, ds.Rows())
			for i := range ds.Target.Weight {
				ds.Target.Weight[i] = 0.1 + float64(7*i%5)/3
			}
		}
		m := fit(t, ds, NewRules(), nil)
		if len(m.List) != c.rules || hash(m) != c.hash {
			t.Errorf("%s: %d rules, hash %s; want %d and %s", c.file, len(m.List), hash(m), c.rules,
				c.hash)
		}
	}
}

// hash sums all numbers of a list of rules.
func hash(m *rules.Rules) string {
	h := sha256.New()
	bits := func(numbers ...float64) {
		for _, x := range numbers {
			h.Write(binary.LittleEndian.AppendUint64(nil, math.Float64bits(x)))
		}
	}
	for _, r := range m.List {
		for _, c := range r.If {
			fmt.Fprint(h, c.Kind, c.Feature, c.Set)
			bits(c.SplitPoint)
		}
		bits(r.Value...)
		bits(r.Decided, r.Covered, r.Right)
	}
	return hex.EncodeToString(h.Sum(nil)[:8])
}

// TestWorkers: the tree is grown by any number of workers, with the same rules.
func TestWorkers(t *testing.T) {
	ds := datatest.Read(t, "spambase/spambase.csv", data.Roles{Label: "spam"})
	fitter, err := NewRules().Prepare(t.Context(), ds.Frame, nil, nil, learn.Env{Workers: 2})
	if err != nil {
		t.Fatal(err)
	}
	var want string
	for _, workers := range []int{1, 2, 7} {
		m, err := fitter.Fit(t.Context(), &ds.Target, learn.Job{Workers: workers})
		if err != nil {
			t.Fatal(err)
		}
		if got := hash(m.(*rules.Rules)); want == "" {
			want = got
		} else if got != want {
			t.Errorf("%d workers: hash %s, with one %s", workers, got, want)
		}
	}
}
