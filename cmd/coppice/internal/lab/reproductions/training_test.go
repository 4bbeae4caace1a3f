package reproductions

import (
	"slices"
	"testing"
)

func TestTrainTestSplit(t *testing.T) {
	ds, err := (&Env{}).Read(t.Context(), "iris/iris.csv", "species", 150)
	if err != nil {
		t.Fatal(err)
	}
	training, holdOut := trainTestSplit(ds, 1.0/3, 30, 1)
	if len(training) != 30 || len(holdOut) != 50 {
		t.Fatalf("%d rows to train on, %d to test on", len(training), len(holdOut))
	}
	perClass := make([]int, 3)
	for _, r := range training {
		if slices.Contains(holdOut, r) {
			t.Errorf("row %d is in both sets", r)
		}
		perClass[ds.Target.Class[r]]++
	}
	if slices.Max(perClass)-slices.Min(perClass) > 4 {
		t.Errorf("rows of the classes: %v", perClass)
	}
}
