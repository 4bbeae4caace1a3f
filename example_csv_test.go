package coppice_test

import (
	"context"
	"fmt"
	"log"

	"github.com/coppice-ml/coppice"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/csvdata"
	"github.com/coppice-ml/coppice/learn/cart"
	"github.com/coppice-ml/coppice/model"
)

// check ends the program on an error.
func check[T any](v T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return v
}

// Ten lines from a file to predictions: the program of the README.
func Example_csv() {
	ctx := context.Background()
	table := check(csvdata.Read(ctx, csvdata.Options{}, "testdata/iris/iris.csv"))
	flowers := check(data.Roles{Label: "species"}.Apply(table))
	learner := cart.New()
	learner.Depth = 2
	m := check(coppice.Train(ctx, learner, flowers, coppice.Seed(1)))
	p := check(m.Bind(&flowers.Schema, model.Options{Output: model.Label}))
	labels := make([]float64, flowers.Rows())
	if err := p.Predict(labels, flowers.Frame, nil); err != nil {
		log.Fatal(err)
	}
	fmt.Println(m.Spec().Classes[int(labels[0])], m.Spec().Classes[int(labels[149])])
	// Output: Iris-setosa Iris-virginica
}
