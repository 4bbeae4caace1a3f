// Command cli is a small program of its own around a model: it trains on a table and predicts
// another, a line for each row.
//
//	go run ./examples/cli species train.csv new.csv
package main

import (
	"context"
	"fmt"
	"io"
	"log"
	"os"

	"github.com/coppice-ml/coppice"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/csvdata"
	"github.com/coppice-ml/coppice/learn/forest"
	"github.com/coppice-ml/coppice/model"
)

func main() {
	log.SetFlags(0)
	if len(os.Args) != 4 {
		log.Fatal("usage: cli LABEL TRAIN.csv NEW.csv")
	}
	if err := run(context.Background(), os.Stdout, os.Args[1], os.Args[2], os.Args[3]); err != nil {
		log.Fatal(err)
	}
}

// run trains on a file and writes the predictions for another.
func run(ctx context.Context, out io.Writer, label, train, fresh string) error {
	ds, err := csvdata.ReadDataset(ctx, train, data.Label(label))
	if err != nil {
		return err
	}
	m, err := coppice.Train(ctx, forest.New(), ds, coppice.Seed(1))
	if err != nil {
		return err
	}
	// the columns of the new table are those of the model, with its kinds and categories
	options := csvdata.Options{ReadOptions: data.ReadOptions{Schema: &m.Spec().Schema}}
	f, err := csvdata.Open(options, fresh).Frame(ctx)
	if err != nil {
		return err
	}
	p, err := m.Bind(&f.Schema, model.Options{Output: model.Label})
	if err != nil {
		return err
	}
	labels := make([]float64, f.Rows())
	if err := p.Predict(labels, f, nil); err != nil {
		return err
	}
	for _, y := range labels {
		if m.Spec().Labels() {
			fmt.Fprintln(out, m.Spec().Classes[int(y)])
		} else {
			fmt.Fprintln(out, y)
		}
	}
	return nil
}
