package learn_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/c45"
	"github.com/coppice-ml/coppice/learn/cart"
	"github.com/coppice-ml/coppice/param"
)

func resolve(name string) (string, learn.Learner, error) {
	switch name {
	case cart.Name, "tree":
		return cart.Name, cart.New(), nil
	case c45.Name, "j48":
		return c45.Name, c45.New(), nil
	}
	return "", nil, fmt.Errorf("unknown learner %q", name)
}

// chosen returns an inner learner whose carts start unpruned, and the set that declares it.
func chosen() (*learn.Choice, param.Set) {
	in := &learn.Choice{Resolve: resolve, Start: func(name string) []string {
		if name == cart.Name {
			return []string{"prune=none"}
		}
		return nil
	}}
	set := param.Set{learn.ChoiceParam(in, "base", cart.Name, "what is bagged")}
	set.Reset()
	return in, set
}

func TestInnerByName(t *testing.T) {
	in, set := chosen()
	if l, ok := in.Learner.(*cart.Learner); !ok || l.Prune != "none" {
		t.Fatalf("starts with %+v", in.Learner)
	}
	if p := set.Lookup("base.prune"); p.Default != "none" {
		t.Errorf("the default of base.prune is %s", p.Default)
	}
	if err := set.Set([]string{"base=c45", "base.confidence=0.1"}); err != nil {
		t.Fatal(err)
	}
	if l, ok := in.Learner.(*c45.Learner); !ok || l.Confidence != 0.1 {
		t.Errorf("chose %+v", in.Learner)
	}
	err := set.Set([]string{"base.confidense=0.1"})
	if err == nil || err.Error() != `unknown parameter "base.confidense": did you mean "base.confidence"?` {
		t.Errorf("error %v", err)
	}
	err = set.Set([]string{"base=c46"})
	if err == nil || err.Error() != `base=c46: unknown learner "c46"` {
		t.Errorf("error %v", err)
	}
}

// TestInnerIsTakenAsItIs: what is done to the learner later does not reach the one that was taken.
func TestInnerIsTakenAsItIs(t *testing.T) {
	in, set := chosen()
	if err := set.Set([]string{"base.depth=3"}); err != nil {
		t.Fatal(err)
	}
	before, err := in.Take(learn.Env{})
	if err != nil {
		t.Fatal(err)
	}
	if err := set.Set([]string{"base.depth=9", "base.prune=cv"}); err != nil {
		t.Fatal(err)
	}
	if l := before.Learner.(*cart.Learner); l.Depth != 3 || l.Prune != "none" {
		t.Errorf("took %+v", l)
	}
	mine := cart.New()
	in.Name, in.Learner = "mine", mine
	if l, err := in.Take(learn.Env{}); l.Learner != mine || err != nil {
		t.Errorf("took %v, %v, want the learner that was given", l, err)
	}
	b, err := json.Marshal(set)
	if err != nil || !strings.HasPrefix(string(b), `{"base":"mine","base.criterion":"auto"`) {
		t.Errorf("%s, %v", b, err)
	}
}

// Without a catalog a name is kept until Prepare brings one.
func TestInnerWithoutCatalog(t *testing.T) {
	in := &learn.Choice{}
	set := param.Set{learn.ChoiceParam(in, "base", cart.Name, "what is bagged")}
	set.Reset()
	if err := set.Set([]string{"base=c45"}); err != nil || in.Name != "c45" || in.Learner != nil {
		t.Fatalf("%+v, %v", in, err)
	}
	if l, err := in.Take(learn.Env{Resolve: resolve}); err != nil ||
		l.Learner.(*c45.Learner).Confidence != 0.25 {
		t.Errorf("took %v, %v", l, err)
	}
	if _, err := in.Take(learn.Env{}); err == nil ||
		err.Error() != `there is no catalog to find the learner "c45" in: give a Learner` {
		t.Errorf("error %v", err)
	}
}

// An alias chooses the learner, starts it as its name does, and is stored as the name.
func TestInnerByAlias(t *testing.T) {
	in, set := chosen()
	if err := set.Set([]string{"base.confidence=0.1", "base=j48"}); err != nil {
		t.Fatal(err)
	}
	if l, ok := in.Learner.(*c45.Learner); !ok || l.Confidence != 0.1 || in.Name != c45.Name {
		t.Errorf("chose %q: %+v", in.Name, in.Learner)
	}
	if err := set.Set([]string{"base=tree"}); err != nil {
		t.Fatal(err)
	}
	if l, ok := in.Learner.(*cart.Learner); !ok || l.Prune != "none" {
		t.Errorf("starts with %+v", in.Learner)
	}
	b, err := json.Marshal(set)
	if err != nil || !strings.HasPrefix(string(b), `{"base":"cart",`) {
		t.Errorf("%s, %v", b, err)
	}
	late := &learn.Choice{Name: "tree"}
	if taken, err := late.Take(learn.Env{Resolve: resolve}); err != nil || taken.Name != cart.Name {
		t.Errorf("took %q, %v", taken.Name, err)
	}
}
