package gbm_test

import (
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/coppice-ml/coppice"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/csvdata"
	"github.com/coppice-ml/coppice/data/split"
	"github.com/coppice-ml/coppice/learn/gbm"
	"github.com/coppice-ml/coppice/learn/sample"
	"github.com/coppice-ml/coppice/loss"
	"github.com/coppice-ml/coppice/param"
)

// blocks grows each tree on one random block of consecutive rows.
type blocks struct{ Rows int }

func (b *blocks) Params() param.Set {
	return param.Set{param.Int(&b.Rows, "block", 20, 1, 1000, "rows of a block")}
}

func (b *blocks) Bind(rows int, _ []int64) (sample.GradientSampler, error) {
	return &blockSampler{size: min(b.Rows, rows), rows: rows}, b.Params().Validate()
}

type blockSampler struct{ size, rows int }

func (b *blockSampler) Sample(dst *sample.Sampled, _, _ []float64, seed uint64) {
	first := rand.New(rand.NewPCG(seed, 0)).IntN(b.rows - b.size + 1)
	*dst = sample.Sampled{Rows: dst.Rows[:0]}
	for i := range b.size {
		dst.Rows = append(dst.Rows, int32(first+i))
	}
}

// A program can sample the rows of each round in a way of its own.
func ExampleSampling() {
	ctx := context.Background()
	ds, err := csvdata.ReadDataset(ctx, "../../testdata/shop/shop.csv", data.Label("sales"))
	check(err)
	l := gbm.New()
	l.Trees = 5
	l.Sampling = gbm.Sampling{Way: &blocks{Rows: 30}, Name: "blocks"}
	m, err := coppice.Train(ctx, l, ds, coppice.Seed(1))
	check(err)
	fmt.Println(m.Spec().Learner, "predicts", m.Spec().Label)
	// Output: gbm predicts sales
}

// The three trainings of the package's overview.
func Example() {
	ctx := context.Background()
	ds, err := csvdata.ReadDataset(ctx, "../../testdata/shop/shop.csv", data.Label("sales"))
	check(err)
	train, valid, _, err := split.HoldOut{Valid: .2, Seed: 1}.Dataset(ds)
	check(err)

	l := gbm.New()
	l.Loss = loss.Choice{Name: "poisson"}
	l.Monotone = []param.Named{{Name: "promotion", Value: 1}}
	m, err := coppice.Train(ctx, l, train, coppice.Validation(valid))
	check(err)
	fmt.Println(m.Spec().Task, "of", m.Spec().Label)

	l = gbm.New()
	check(l.Params().Set([]string{"n_estimators=20", "learning_rate=0.05", "num_leaves=7"}))
	fmt.Println(l.Trees, l.LearningRate, l.Leaves)
	// Output:
	// regression of sales
	// 20 0.05 7
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
