package ensembles_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/learn/internal/ensembles"
	"github.com/coppice-ml/coppice/learn/internal/grow"
	"github.com/coppice-ml/coppice/learn/sample"
	"github.com/coppice-ml/coppice/param"
)

// TestBagsByClass: each class has the samples of its fraction.
func TestBagsByClass(t *testing.T) {
	target := &data.Target{Task: data.Binary, Classes: []string{"no", "yes"},
		Class: make([]uint32, 20)}
	for i := 15; i < 20; i++ {
		target.Class[i] = 1
	}
	pop, err := grow.Gather(target, data.AllRows(20))
	if err != nil {
		t.Fatal(err)
	}
	bags, err := ensembles.NewBags(sample.Settings{}, []param.Named{{Name: "yes", Value: 0.5}, {Name: "no", Value: 0.2}}, target, pop)
	if err != nil {
		t.Fatal(err)
	}
	count := make([]uint32, 20)
	bags.Sample(count, rng.Seed(1))
	no, yes := 0, 0
	for i, n := range count {
		if i < 15 {
			no += int(n)
		} else {
			yes += int(n)
		}
	}
	if no != 4 || yes != 10 || !bags.LeavesOut() {
		t.Errorf("%d and %d samples", no, yes)
	}
	for text, want := range map[string]string{
		"yes=0.5":           `class_fractions: class "no" has none: give one to every class`,
		"yes=0.5,nope=0.5":  `class_fractions: there is no class "nope": want no|yes`,
		"yes=1.5,no=0.5":    `fraction 1.5 of class "yes" is more than 1`,
		"yes=0.01,no=0.001": "the fractions of the classes round to no row at all: raise them",
	} {
		var of []param.Named
		set := param.Set{ensembles.ClassFractions(&of)}
		err := set.Set([]string{"class_fractions=" + text})
		if err == nil {
			_, err = ensembles.NewBags(sample.Settings{}, of, target, pop)
		}
		if !strings.Contains(fmt.Sprint(err), want) {
			t.Errorf("%s: error %v, want %s", text, err, want)
		}
	}
	numbers := &data.Target{Task: data.Regression}
	if _, err := ensembles.NewBags(sample.Settings{}, []param.Named{{Name: "yes", Value: 1}}, numbers, pop); err == nil {
		t.Error("numbers have fractions of classes")
	}
}

// TestBagsOfCopies: the copies of a row are sampled one by one; groups keep them together.
func TestBagsOfCopies(t *testing.T) {
	target := &data.Target{Task: data.Regression, Y: [][]float64{{1, 2, 3}},
		Group: []int64{7, 7, 8}, Weight: []float64{1, 1, 2}}
	pop, err := grow.Gather(target, []int32{0, 0, 0, 1, 2, 2})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		set  sample.Settings
		want string // that a bag may be
	}{
		{sample.Settings{Method: sample.All}, "[3 1 2]"},
		{sample.Settings{Method: sample.Subsample, Fraction: 0.5, Grouped: true}, "[3 1 0] or [0 0 2]"},
		{sample.Settings{Method: sample.Subsample, Fraction: 0.17}, "[1 0 0] or [0 1 0] or [0 0 1]"},
		{sample.Settings{Weighted: true, Fraction: 0.17}, "[1 0 0] or [0 1 0] or [0 0 1]"},
	} {
		bags, err := ensembles.NewBags(c.set, nil, target, pop)
		if err != nil {
			t.Fatal(err)
		}
		seen := map[string]bool{}
		for i := range uint64(60) {
			count := []uint32{9, 9, 9}
			bags.Sample(count, rng.Seed(5, i))
			seen[fmt.Sprint(count)] = true
		}
		for bag := range seen {
			if !strings.Contains(c.want, bag) {
				t.Errorf("%+v: bag %s, want %s", c.set, bag, c.want)
			}
		}
		if want := 1 + len(c.want)/len("[1 0 0] or "); len(seen) != want {
			t.Errorf("%+v: %d different bags, want %d", c.set, len(seen), want)
		}
	}
}
