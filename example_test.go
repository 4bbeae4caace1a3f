package coppice_test

import (
	"context"
	"fmt"
	"log"

	"github.com/coppice-ml/coppice"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn/cart"
	"github.com/coppice-ml/coppice/model"
)

// Flower is a row of a table; the tag names the column, and "categorical" is understood for text.
type Flower struct {
	Petal   float64 `coppice:"petal_length"`
	Colour  string
	Species string `coppice:"species"`
}

// Train on Go values, predict another one.
func Example() {
	ctx := context.Background()
	table, err := data.FromStructs([]Flower{{1.4, "blue", "setosa"}, {1.3, "white", "setosa"}, {4.7, "blue", "versicolor"}, {4.5, "white", "versicolor"}})
	if err != nil {
		log.Fatal(err)
	}
	flowers, err := data.Roles{Label: "species"}.Apply(table)
	if err != nil {
		log.Fatal(err)
	}
	m, err := coppice.Train(ctx, cart.New(), flowers)
	if err != nil {
		log.Fatal(err)
	}
	fresh, err := data.FromStructs([]Flower{{Petal: 5.1, Colour: "blue"}})
	if err != nil {
		log.Fatal(err)
	}
	p, err := m.Bind(&fresh.Schema, model.Options{})
	if err != nil {
		log.Fatal(err)
	}
	shares := make([]float64, p.Width())
	if err := p.Predict(shares, fresh, nil); err != nil {
		log.Fatal(err)
	}
	fmt.Println(m.Spec().Classes, shares)
	// Output: [setosa versicolor] [0 1]
}
