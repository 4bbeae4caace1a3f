// Command service answers predictions over HTTP from a model that it trains at its start. A row is
// a JSON object, and the answer has the class, its probability and what is unusual about the row:
//
//	go run ./examples/service testdata/iris/iris.csv &
//	curl -d '{"petal_length": 1.4, "petal_width": 0.2}' localhost:8080/predict
//
// The command coppice serve does more: it reloads models, and speaks the Open Inference Protocol.
package main

import (
	"context"
	"encoding/json"
	"log"
	"net/http"
	"os"

	"github.com/coppice-ml/coppice"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/csvdata"
	"github.com/coppice-ml/coppice/learn/gbm"
)

// Flower is a row. A field that the JSON leaves out is missing.
type Flower struct {
	SepalLength *float64 `coppice:"sepal_length" json:"sepal_length"`
	SepalWidth  *float64 `coppice:"sepal_width" json:"sepal_width"`
	PetalLength *float64 `coppice:"petal_length" json:"petal_length"`
	PetalWidth  *float64 `coppice:"petal_width" json:"petal_width"`
}

// Answer is the prediction for a row. Unusual are columns whose values training had not.
type Answer struct {
	Species     string   `json:"species"`
	Probability float64  `json:"probability"`
	Unusual     []string `json:"unusual,omitempty"`
}

func main() {
	if len(os.Args) != 2 {
		log.Fatal("usage: service TABLE.csv")
	}
	p, err := load(context.Background(), os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	http.Handle("POST /predict", handler(p))
	log.Fatal(http.ListenAndServe("localhost:8080", nil))
}

// load trains a model and binds it to the fields of Flower, once for all requests.
func load(ctx context.Context, table string) (*coppice.Predictor[Flower], error) {
	ds, err := csvdata.ReadDataset(ctx, table, data.Label("species"))
	if err != nil {
		return nil, err
	}
	m, err := coppice.Train(ctx, gbm.New(), ds, coppice.Seed(1))
	if err != nil {
		return nil, err
	}
	return coppice.NewPredictor[Flower](m)
}

// handler predicts the row of a request. A predictor is safe for concurrent use.
func handler(p *coppice.Predictor[Flower]) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var row Flower
		d := json.NewDecoder(http.MaxBytesReader(w, r.Body, 1<<20))
		d.DisallowUnknownFields()
		if err := d.Decode(&row); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		y, err := p.Predict(row)
		if err != nil {
			http.Error(w, err.Error(), http.StatusUnprocessableEntity)
			return
		}
		a := Answer{Species: y.Class, Probability: y.Value}
		for _, f := range y.Flags {
			a.Unusual = append(a.Unusual, f.Column)
		}
		w.Header().Set("Content-Type", "application/json")
		if err := json.NewEncoder(w).Encode(a); err != nil {
			log.Print(err) // the client has gone
		}
	})
}
