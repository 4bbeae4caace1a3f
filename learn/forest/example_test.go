package forest_test

import (
	"context"
	"fmt"
	"log"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/csvdata"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/forest"
)

// A forest estimates its error without a test set: each row is predicted by the trees that were not
// grown on it.
func Example_outOfBag() {
	ctx := context.Background()
	table, err := csvdata.Open(csvdata.Options{}, "../../testdata/iris/iris.csv").Frame(ctx)
	if err != nil {
		log.Fatal(err)
	}
	irises, err := data.Roles{Label: "species"}.Apply(table)
	if err != nil {
		log.Fatal(err)
	}
	l := forest.New()
	l.Trees = 100
	f, err := l.Prepare(ctx, irises.Frame, nil, nil, learn.Env{})
	if err != nil {
		log.Fatal(err)
	}
	wrong := 0
	_, err = f.Fit(ctx, &irises.Target, learn.Job{OutOfBag: func(o *learn.HoldOut) error {
		for i, row := range o.Rows {
			probabilities := o.Values[i*o.Width : (i+1)*o.Width]
			for class, fraction := range probabilities {
				if fraction > 0.5 && uint32(class) != irises.Target.Class[row] {
					wrong++
				}
			}
		}
		return nil
	}})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(wrong, "of", irises.Rows(), "irises are taken for others")
	// Output: 7 of 150 irises are taken for others
}
