package coppice_test

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/csvdata"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/cart"
	"github.com/coppice-ml/coppice/learn/gbm"
	"github.com/coppice-ml/coppice/learn/learntest"
	"github.com/coppice-ml/coppice/memory"
)

// irises returns the table of irises in memory, and as one that is read in blocks.
func irises(t *testing.T) (*data.Dataset, *data.BlockDataset) {
	t.Helper()
	const file = "testdata/iris/iris.csv"
	inMemory, err := csvdata.ReadDataset(t.Context(), file, data.Label("species"))
	if err != nil {
		t.Fatal(err)
	}
	table, err := csvdata.Open(csvdata.Options{}, file).Blocks(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	inBlocks, err := data.Label("species").ApplyBlocks(t.Context(), table)
	if err != nil {
		t.Fatal(err)
	}
	return inMemory, inBlocks
}

// A table in blocks makes the model of the table in memory, with the hash of its rows.
func TestTrainInBlocks(t *testing.T) {
	inMemory, inBlocks := irises(t)
	weight := make([]float64, inMemory.Rows())
	for i := range weight {
		weight[i] = 1 + float64(i%3)
	}
	var valid []int32
	for r := int32(0); int(r) < inMemory.Rows(); r += 7 {
		valid = append(valid, r)
	}
	for name, options := range map[string][]coppice.Option{
		"all rows": {coppice.Seed(3)}, "weights": {coppice.Weight(weight)},
		"some rows":        {coppice.Rows([]int32{140, 3, 90, 60, 7, 51, 52, 120, 121, 1, 9, 99})},
		"a validation set": {coppice.Job(learn.Job{Valid: valid})},
	} {
		l := learntest.Made(t, gbm.New(), "trees=4", "min_leaf=1")
		want, err := coppice.Train(t.Context(), l, inMemory, options...)
		if err != nil {
			t.Fatal(err)
		}
		got, err := coppice.Train(t.Context(), l, inBlocks, append(options,
			coppice.Scratch(t.TempDir()))...)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if !reflect.DeepEqual(learntest.Predictions(t, got, inMemory.Frame),
			learntest.Predictions(t, want, inMemory.Frame)) {
			t.Errorf("%s: predictions differ", name)
		}
		on, of := *got.Spec().TrainedOn, *want.Spec().TrainedOn
		if name != "some rows" && on != of { // whose order counts in memory
			t.Errorf("%s: trained on %v, want %v", name, on, of)
		}
	}
	if inBlocks.Target.Weight != nil {
		t.Error("weights of one training became those of the data set")
	}
}

// What a table in blocks does not go with is refused, with what to do.
func TestTrainInBlocksRefuses(t *testing.T) {
	inMemory, inBlocks := irises(t)
	if _, err := coppice.Train(t.Context(), cart.New(), inBlocks); !errors.Is(err, memory.ErrLimit) ||
		!strings.Contains(err.Error(), "read in blocks") {
		t.Errorf("cart: %v", err)
	}
	_, err := coppice.Train(t.Context(), gbm.New(), inBlocks, coppice.Validation(inMemory))
	if err == nil || !strings.Contains(err.Error(), "Job.Valid") {
		t.Errorf("a validation set of its own: %v", err)
	}
	outline := &data.Dataset{Frame: inBlocks.Frame, Target: inBlocks.Target}
	if _, err := coppice.Train(t.Context(), gbm.New(), outline); !errors.Is(err, memory.ErrLimit) {
		t.Errorf("a frame without values: %v", err)
	}
	inBlocks.Features = nil
	_, err = coppice.Train(t.Context(), gbm.New(), inBlocks)
	if err == nil || !strings.Contains(err.Error(), "ApplyBlocks") {
		t.Errorf("labels in blocks: %v", err)
	}
}

// The profile of a table in blocks counts against the limit of memory.
func TestProfileKeepsToMemory(t *testing.T) {
	table, err := csvdata.Open(csvdata.Options{}, "testdata/iris/iris.csv").Blocks(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	ds, err := data.Label("petal_width").ApplyBlocks(t.Context(), table)
	if err != nil {
		t.Fatal(err)
	}
	few := []coppice.Option{coppice.Memory(10_000), coppice.Scratch(t.TempDir())}
	if _, err := coppice.Train(t.Context(), gbm.New(), ds, few...); !errors.Is(err, memory.ErrLimit) ||
		!strings.Contains(err.Error(), "coppice.NoProfile") {
		t.Errorf("a profile beyond the limit: %v", err)
	}
	if _, err := coppice.Train(t.Context(), gbm.New(), ds, append(few, coppice.NoProfile())...); err != nil {
		t.Errorf("without a profile: %v", err)
	}
}
