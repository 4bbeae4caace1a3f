package stack_test

import (
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/testing/tier"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/catalog"
	"github.com/coppice-ml/coppice/learn/learntest"
	"github.com/coppice-ml/coppice/learn/stack"
)

// TestFrozenModels holds stacks of members that are the same everywhere to what they predicted when
// the hashes were taken. A hash may change only with a change of the algorithm that is meant and
// listed in the changelog.
func TestFrozenModels(t *testing.T) {
	tier.NotShort(t, "trains several learners in folds")
	members := []string{"members=forest,gbm,knn", "members.forest.trees=5", "members.gbm.trees=5",
		"folds=3"}
	for _, c := range []learntest.Hash{
		{Name: "tempered pool", File: "adult/adult-train.csv.gz", Label: "income",
			Task: data.Binary, Rows: 300, Settings: members, Want: "c8305734d4687635"},
		{Name: "tempered pool of many classes", File: "letter/letter.csv.gz", Label: "lettr",
			Task: data.Multiclass, Rows: 300, Settings: members, Want: "df6939d1d517f33c"},
		{Name: "logarithmic pool", File: "adult/adult-train.csv.gz", Label: "income",
			Task: data.Binary, Rows: 300, Settings: append(members, "meta_learner.pool=log"),
			Want: "9342c442027493b7"},
		{Name: "logarithmic pool of many classes", File: "letter/letter.csv.gz", Label: "lettr",
			Task: data.Multiclass, Rows: 300, Settings: append(members, "meta_learner.pool=log"),
			Want: "1d48a317aaad7c4f"},
		{Name: "linear pool", File: "adult/adult-train.csv.gz", Label: "income", Task: data.Binary,
			Rows: 300, Settings: append(members, "meta_learner.pool=linear"),
			Want: "4f10bf76a6357f3a"},
		{Name: "sum of numbers", File: "adult/adult-train.csv.gz", Label: "hours-per-week",
			Task: data.Regression, Rows: 300, Settings: members, Want: "ae9196284be2a6d1"},
		{Name: "combined by trees", File: "spambase/spambase.csv", Label: "spam", Task: data.Binary,
			Rows:     300,
			Settings: append(members, "meta_learner=gbm", "meta_learner.trees=5", "outputs=raw"),
			Want:     "e799cee2dd74b5b6"},
	} {
		t.Run(c.Name, func(t *testing.T) {
			c.Check(t, catalog.Env,
				func() learn.Learner { return stack.New(catalog.Resolve) })
		})
	}
}
