package param_test

import (
	"encoding/json"
	"testing"

	"github.com/coppice-ml/coppice/param"
)

// inner chooses a learner that has one parameter, with an alias.
type inner struct{ trees *int }

func treesOf(p *int) param.Set {
	return param.Set{param.Int(p, "trees", 1, 1, 9, "").Also("n_estimators")}
}

func (i *inner) Chosen() (string, param.Set) { return "forest", treesOf(i.trees) }

func (i *inner) Choose(string) (param.Set, func(), error) {
	fresh := new(int)
	*fresh = 1
	return treesOf(fresh), func() { i.trees = fresh }, nil
}

func TestAliases(t *testing.T) {
	var depth int
	var l1 float64
	base := &inner{trees: new(int)}
	set := param.Set{
		param.Int(&depth, "depth", 0, 0, 9, "").Also("max_depth", "maxdepth"),
		param.Float(&l1, "l1", 0, 0, 9, "").Also("reg_alpha").Unlike("alpha", "use l1"),
		param.Chosen(base, "base", "forest", "a learner", "").Also("estimator"),
	}
	if err := set.Set([]string{"max_depth=3", "reg_alpha=0.5", "estimator=forest",
		"estimator.n_estimators=7"}); err != nil {
		t.Fatal(err)
	}
	if depth != 3 || l1 != 0.5 || *base.trees != 7 {
		t.Errorf("depth %d, l1 %g, trees %d", depth, l1, *base.trees)
	}
	got, err := json.Marshal(set)
	if want := `{"depth":3,"l1":0.5,"base":"forest","base.trees":7}`; err != nil ||
		string(got) != want {
		t.Errorf("%s, error %v, want %s", got, err, want)
	}
	for _, c := range []struct {
		settings []string
		want     string
	}{
		{[]string{"max_depth=3", "depth=3"}, `parameter "depth" is set twice: "max_depth" is another name of it`},
		{[]string{"depth=3", "max_depth=3"}, `parameter "depth" is set twice: "max_depth" is another name of it`},
		{[]string{"max_depth=3", "max_depth=4"}, `parameter "depth" is set twice: "max_depth" is another name of it`},
		{[]string{"depth=3", "depth=4"}, `parameter "depth" is set twice`},
		{[]string{"maxdepth=30"}, `maxdepth=30: want an integer >= 0 and <= 9`},
		{[]string{"alpha=1"}, `unknown parameter "alpha": use l1`},
		{[]string{"random_state=1"}, `unknown parameter "random_state": the seed belongs to the training: use the flag seed, in Go Job.Seed`},
		{[]string{"base.n_jobs=1"}, `unknown parameter "base.n_jobs": threads belong to the training: use the flag threads, in Go Job.Workers`},
	} {
		if err := set.Set(c.settings); err == nil || err.Error() != c.want {
			t.Errorf("%v: error %v, want %s", c.settings, err, c.want)
		}
	}
}
