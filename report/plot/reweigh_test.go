package plot_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/learn/adaboost"
	"github.com/coppice-ml/coppice/learn/catalog"
	"github.com/coppice-ml/coppice/model/training"
	"github.com/coppice-ml/coppice/report/plot"
)

// TestWeightsOfPoints: on the ten points the three rows that a stump gets wrong weigh half of all
// in the next round, which is the area of their marks.
func TestWeightsOfPoints(t *testing.T) {
	ds := read(t, "lectures/adaboost_ten_points.csv", "y")
	s := sceneOf(t, ds, nil, "adaboost", "rounds=3", "base.criterion=misclassification")
	l := adaboost.New(catalog.Resolve)
	if err := l.Params().UnmarshalJSON(s.Spec.Params); err != nil {
		t.Fatal(err)
	}
	picture := regions(t, s, plot.RegionOptions{
		Reweigh: func(rounds []int) ([]training.Reweighted, error) {
			return l.Reweigh(t.Context(), s.Model, ds, rounds)
		}})
	if n := strings.Count(picture, "round 2: e 0.214, α 0.65"); n != 1 {
		t.Errorf("%d titles of round 2", n)
	}
	sizes := map[string]int{}
	marks := regexp.MustCompile(`scale\(([0-9.]+)\).* d="([^"]+)"`)
	for _, m := range marks.FindAllStringSubmatch(picture, -1) {
		sizes[m[1]] += strings.Count(m[2], "M")
	}
	// 1.6 times the root of 10 x weight: 1/10, before round 2 1/6 and 1/14
	if sizes["1.60"] < 10 || sizes["2.07"] < 3 || sizes["1.35"] < 7 {
		t.Errorf("sizes of marks: %v", sizes)
	}
}
