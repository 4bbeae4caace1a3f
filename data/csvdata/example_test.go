package csvdata_test

import (
	"context"
	"fmt"
	"log"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/csvdata"
)

// A file becomes columns of numbers, categories and dates, and these become features and a label.
func ExampleReadDataset() {
	ds, err := csvdata.ReadDataset(context.Background(), "../../testdata/iris/iris.csv",
		data.Label("species"))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(ds.Rows(), "rows of", ds.Schema.Names())
	fmt.Println(ds.Target.Task, ds.Target.Classes)
	// Output:
	// 150 rows of [sepal_length sepal_width petal_length petal_width]
	// multiclass [Iris-setosa Iris-versicolor Iris-virginica]
}
