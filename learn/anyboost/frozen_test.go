package anyboost_test

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"math"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/model"
)

// made makes a table of two numeric columns and a categorical one, with missing values, and a label
// for a task.
func made(t testing.TB, n int, task data.Task) *data.Dataset {
	t.Helper()
	r := rng.New(4)
	a, b, code := make([]float64, n), make([]float64, n), make([]uint32, n)
	ds := &data.Dataset{Target: data.Target{Name: "y", Task: task}}
	if task == data.Regression {
		ds.Target.Y = [][]float64{make([]float64, n)}
	} else {
		ds.Target.Classes = []string{"low", "middle",
			"high"}[:map[data.Task]int{data.Binary: 2, data.Multiclass: 3}[task]]
	}
	for i := range n {
		a[i], b[i], code[i] = r.Float64(), r.Float64(), uint32(r.Intn(3))
		y := 4*a[i]*a[i] + b[i]*float64(code[i]) + r.Float64()
		if r.Intn(20) == 0 {
			b[i] = math.NaN()
		}
		if task == data.Regression {
			ds.Target.Y[0][i] = y
		} else {
			ds.Target.Class = append(ds.Target.Class,
				uint32(min(len(ds.Target.Classes)-1, int(y/2.2))))
		}
	}
	var err error
	ds.Frame, err = data.NewFrame(data.Schema{Fields: []data.Field{{Name: "a"}, {Name: "b"},
		{Name: "c", Kind: data.Categorical, Levels: []string{"p", "q", "r"}}}},
		[]data.Column{data.Numbers(a), data.Numbers(b), data.Codes(code)})
	if err != nil {
		t.Fatal(err)
	}
	return ds
}

// TestFrozen holds the bits of scores, on every architecture.
func TestFrozen(t *testing.T) {
	for _, c := range []struct {
		task data.Task
		set  []string
		want string
	}{
		{data.Regression, []string{"rounds=20"}, "01e6a9d0c1e3f0a0"},
		{data.Regression, []string{"loss=absolute", "base.depth=2", "subsample=0.6", "rounds=20"},
			"53d304e0ecda9300"},
		{data.Binary, []string{"step=line", "base.depth=2", "rounds=20"}, "a728083e06e4f525"},
		{data.Multiclass, []string{"base=forest", "base.trees=3", "rounds=4"}, "6f0d374e9cec4ed4"},
	} {
		ds := made(t, 300, c.task)
		m := fit(t, newLearner(t, c.set...), ds, learn.Job{Seed: 9})
		h := sha256.New()
		for _, v := range predict(t, m, ds.Frame, model.Options{Output: model.Raw}) {
			if err := binary.Write(h, binary.LittleEndian, math.Float64bits(v)); err != nil {
				t.Fatal(err)
			}
		}
		if got := hex.EncodeToString(h.Sum(nil))[:16]; got != c.want {
			t.Errorf("%s %v: scores have the hash %s, want %s", c.task, c.set, got, c.want)
		}
	}
}
