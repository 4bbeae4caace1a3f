package metric_test

import (
	"fmt"
	"log"

	"github.com/coppice-ml/coppice/metric"
)

// Predictions of four rows: the probabilities of two classes, row after row.
func ExampleOf() {
	s := &metric.Sample{Class: []uint32{0, 0, 1, 1}, Width: 2,
		Pred: []float64{0.9, 0.1, 0.6, 0.4, 0.65, 0.35, 0.2, 0.8}}
	for _, name := range []string{"accuracy", "auc", "logloss"} {
		v, err := metric.Of(name, s)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%s %.3f\n", name, v)
	}
	// Output:
	// accuracy 0.750
	// auc 0.750
	// logloss 0.472
}
