package learn_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/c45"
	"github.com/coppice-ml/coppice/learn/cart"
	"github.com/coppice-ml/coppice/param"
)

// members returns inner learners, and the set that declares them.
func members() (*learn.Members, param.Set) {
	m := &learn.Members{Resolve: resolve}
	set := param.Set{learn.MembersParam(m, "members", "cart,c45", "what is combined")}
	set.Reset()
	return m, set
}

// A member that is chosen by an alias has the name of its learner. Its parameters are set below
// either.
func TestMembersByAlias(t *testing.T) {
	m, set := members()
	err := set.Set([]string{"members=j48, deep:tree", "members.j48.confidence=0.1",
		"members.c45.min_leaf=7",
		"members.deep.max_depth=9"})
	if err != nil {
		t.Fatal(err)
	}
	first, second := m.List[0].Learner.Learner.(*c45.Learner),
		m.List[1].Learner.Learner.(*cart.Learner)
	if first.Confidence != 0.1 || first.MinLeaf != 7 || second.Depth != 9 {
		t.Errorf("chose %+v and %+v", first, second)
	}
	b, err := json.Marshal(set)
	if err != nil || !strings.HasPrefix(string(b),
		`{"members":"c45,deep:cart","members.c45.prune":"auto"`) {
		t.Errorf("%s, %v", b, err)
	}
	_, again := members()
	if err := again.UnmarshalJSON(b); err != nil {
		t.Fatal(err)
	}
	if b2, err := json.Marshal(again); err != nil || string(b2) != string(b) {
		t.Errorf("%s is read as %s, %v", b, b2, err)
	}
	for want, settings := range map[string][]string{
		`members=cart,tree: two members are called "cart": give them names, as in a:tree,b:tree`: {"members=cart,tree"},
		`parameter "members.c45.confidence" is set twice: "members.j48.confidence" is another name of it`: {
			"members=j48", "members.c45.confidence=0.1", "members.j48.confidence=0.2"},
	} {
		_, set := members()
		if err := set.Set(settings); err == nil || err.Error() != want {
			t.Errorf("%v: error %v, want %s", settings, err, want)
		}
	}
	late := &learn.Members{List: []learn.Member{{Name: "mine",
		Learner: learn.Choice{Name: "tree"}}}}
	ready, err := late.Take(learn.Env{Resolve: resolve})
	if err != nil || ready[0].Name != "mine" || ready[0].Learned != cart.Name {
		t.Errorf("took %+v, %v", ready, err)
	}
}

// Weights and columns find a member by an alias of its learner as by its name.
func TestWeightsAndColumnsByAlias(t *testing.T) {
	m, set := members()
	if err := set.Set([]string{"members=j48,deep:cart,tree"}); err != nil {
		t.Fatal(err)
	}
	schema := &data.Schema{Fields: []data.Field{{Name: "a"}, {Name: "b"}}}
	for _, text := range []string{"j48=2,deep=3", "c45=2,deep=3", " j48=2, deep=3"} {
		got, err := m.Weights(text)
		if err != nil || !slices.Equal(got, []float64{2, 3, 1}) {
			t.Errorf("weights=%s: %v, %v", text, got, err)
		}
	}
	for _, text := range []string{"tree=b,c45=a+b", "cart=b,j48=a+b"} {
		got, err := m.Columns(text, schema)
		if err != nil || !slices.EqualFunc(got, [][]int{{0, 1}, nil, {1}}, slices.Equal) {
			t.Errorf("columns=%s: %v, %v", text, got, err)
		}
	}
	if got := m.Canonical("tree=b,deep=a"); got != "cart=b,deep=a" {
		t.Errorf("canonical text %q", got)
	}
	for text, want := range map[string]string{
		"j48=2,c45=3":  `member "c45" has two weights`,
		"jjj=2":        `weights: there is no member "jjj": want c45|deep|cart`,
		"deep=1,j48=0": `weight "0" of member "c45" is not a positive number`,
	} {
		if _, err := m.Weights(text); err == nil || err.Error() != want {
			t.Errorf("weights=%s: error %v, want %s", text, err, want)
		}
	}
	if _, err := m.Columns("j48=a,c45=b", schema); err == nil ||
		err.Error() != `member "c45" has columns twice` {
		t.Errorf("error %v", err)
	}
	// A member with a name of its own has no alias, not even that of a learner of this name.
	if err := set.Set([]string{"members=cart:c45"}); err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"j48=2", "tree=2"} {
		if _, err := m.Weights(text); err == nil {
			t.Errorf("weights=%s finds the member cart:c45", text)
		}
	}
}
