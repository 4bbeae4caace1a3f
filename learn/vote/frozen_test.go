package vote_test

import (
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/catalog"
	"github.com/coppice-ml/coppice/learn/learntest"
	"github.com/coppice-ml/coppice/learn/vote"
)

// TestFrozenModels holds votes of members that are the same everywhere to what they predicted when
// the hashes were taken. A hash may change only with a change of the algorithm that is meant and
// listed in the changelog.
func TestFrozenModels(t *testing.T) {
	members := []string{"members=forest,gbm,knn", "members.forest.trees=5", "members.gbm.trees=5",
		"weights=gbm=1.7"}
	for _, c := range []learntest.Hash{
		{Name: "means of probabilities", File: "letter/letter.csv.gz", Label: "lettr",
			Task: data.Multiclass, Rows: 300, Settings: members, Want: "90e5748417b23959"},
		{Name: "ranks", File: "adult/adult-train.csv.gz", Label: "income", Task: data.Binary,
			Rows: 300, Settings: append(members, "vote=ranks"), Want: "2bc788b5f62d2fdd"},
		{Name: "numbers of a partition", File: "adult/adult-train.csv.gz", Label: "hours-per-week",
			Task: data.Regression, Rows: 300, Settings: append(members, "partition=3"),
			Want: "5840030c44435dc5"},
	} {
		t.Run(c.Name, func(t *testing.T) {
			c.Check(t, catalog.Env,
				func() learn.Learner { return vote.New(catalog.Resolve) })
		})
	}
}
