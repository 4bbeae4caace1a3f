package learntest_test

import (
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/catalog"
	"github.com/coppice-ml/coppice/learn/learntest"
)

// small makes a learner of many trees or epochs, or of members with many, one of few, for the sake of time.
func small(l learn.Learner) learn.Learner {
	for _, p := range l.Params().All() {
		for stem, value := range map[string]string{"trees": "15", "epochs": "15", "learning_rate": "0.3"} { // few trees that are worth something
			if p.Name != stem && !strings.HasSuffix(p.Name, "."+stem) {
				continue
			}
			if err := l.Params().Set([]string{p.Name + "=" + value}); err != nil {
				panic(err) // they are within any range
			}
		}
	}
	return l
}

// TestCatalog runs the suite on every learner there is.
func TestCatalog(t *testing.T) {
	for _, row := range catalog.Table() {
		t.Run(row.Name, func(t *testing.T) {
			for _, p := range row.New().Params() {
				if p.Value() != p.Default {
					t.Errorf("%s is %q at the start, its default is %q", p.Name, p.Value(), p.Default)
				}
			}
			learntest.Run(t, func() learn.Learner { return small(row.New()) }, row.Needs)
		})
	}
}
