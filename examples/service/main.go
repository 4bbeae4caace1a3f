// Command service answers predictions over HTTP from a model that it trains at its start. A row is
// a JSON object, and the answer has the class, the probabilities and what is unusual about the row;
// with ?reasons=2 also the two columns with the largest effects:
//
//	go run ./examples/service testdata/iris/iris.csv &
//	curl -d '{"petal_length": 1.4, "petal_width": 0.2}' localhost:8080/predict
//
// The command coppice serve does more: it reloads models, and speaks the Open Inference Protocol.
package main

import (
	"context"
	"log"
	"net/http"
	"os"

	"github.com/coppice-ml/coppice"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/csvdata"
	"github.com/coppice-ml/coppice/learn/gbm"
	"github.com/coppice-ml/coppice/serve"
)

// Flower is a row. A field that the JSON leaves out is missing.
type Flower struct {
	SepalLength *float64 `coppice:"sepal_length" json:"sepal_length"`
	SepalWidth  *float64 `coppice:"sepal_width" json:"sepal_width"`
	PetalLength *float64 `coppice:"petal_length" json:"petal_length"`
	PetalWidth  *float64 `coppice:"petal_width" json:"petal_width"`
}

func main() {
	if len(os.Args) != 2 {
		log.Fatal("usage: service TABLE.csv")
	}
	h, err := handler(context.Background(), os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	http.Handle("POST /predict", h)
	log.Fatal(http.ListenAndServe("localhost:8080", nil))
}

// handler trains a model and serves it for the fields of Flower.
func handler(ctx context.Context, table string) (http.Handler, error) {
	ds, err := csvdata.ReadDataset(ctx, table, data.Label("species"))
	if err != nil {
		return nil, err
	}
	m, err := coppice.Train(ctx, gbm.New(), ds, coppice.Seed(1))
	if err != nil {
		return nil, err
	}
	iris, err := serve.NewModel("iris", m, serve.ModelOptions{})
	if err != nil {
		return nil, err
	}
	return serve.HandlerOf[Flower](iris, serve.Options{Strict: true})
}
