package quality_test

import (
	"context"
	"fmt"
	"log"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/csvdata"
	"github.com/coppice-ml/coppice/data/quality"
)

// What makes a model of a table look better than it is.
func ExampleCheck() {
	ctx := context.Background()
	ds, err := csvdata.ReadDataset(ctx, "../../testdata/iris/iris.csv", data.Label("species"))
	if err != nil {
		log.Fatal(err)
	}
	found, err := quality.Check(ctx, ds, nil, nil, 0)
	if err != nil {
		log.Fatal(err)
	}
	for _, w := range found {
		fmt.Println(w.Check+":", w.Message)
	}
	// Output:
	// duplicate_rows: 3 of 150 training rows repeat an earlier row
}
