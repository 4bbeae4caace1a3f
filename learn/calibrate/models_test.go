package calibrate_test

import (
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/calibrate"
	"github.com/coppice-ml/coppice/learn/catalog"
	"github.com/coppice-ml/coppice/learn/learntest"
)

// TestFrozenModels holds calibrated models, of bases that are the same everywhere, to what they
// predicted when the hashes were taken. A hash may change only with an intended change of the
// algorithm, which the changelog lists.
func TestFrozenModels(t *testing.T) {
	adult := learntest.Hash{File: "adult/adult-train.csv.gz", Label: "income", Task: data.Binary,
		Rows: 400}
	letter := learntest.Hash{File: "letter/letter.csv.gz", Label: "lettr", Task: data.Multiclass,
		Rows: 400}
	for _, c := range []struct {
		of             learntest.Hash
		base, settings []string
		want           string
	}{
		{adult, []string{"base=gbm", "base.trees=5"}, []string{"method=platt"}, "ebb351e8c0f7302c"},
		{adult, []string{"base=forest", "base.trees=5"},
			[]string{"method=isotonic", "threshold_for=f1"}, "e112861f2ea97def"},
		{letter, []string{"base=forest", "base.trees=5"}, []string{"method=temperature"},
			"84d1140f6dc07188"},
		{letter, []string{"base=cart"}, []string{"method=isotonic"}, "8020c7c09b95ec1d"},
	} {
		c.of.Settings, c.of.Want = append(c.base, c.settings...), c.want
		t.Run(c.base[0]+" "+c.settings[0], func(t *testing.T) {
			c.of.Check(t, catalog.Env, func() learn.Learner { return calibrate.New(catalog.Resolve) })
		})
	}
}
