package param_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/coppice-ml/coppice/param"
)

// tool has one parameter of each kind.
type tool struct {
	depth     int
	leaf      int
	rate, l2  float64
	fast      bool
	criterion string
	prune     string
}

func (o *tool) params() param.Set {
	return param.Set{
		param.Int(&o.depth, "depth", 0, 2, math.MaxInt, "edges from the root",
			param.Zero("no limit")),
		param.Int(&o.leaf, "min_leaf", 1, 1, 100, "rows in a leaf"),
		param.Float(&o.rate, "learning_rate", 0.1, 0, 1, "factor", param.ExcludeMin),
		param.Float(&o.l2, "l2", 0, 0, math.Inf(1), "ridge"),
		param.Bool(&o.fast, "fast", true, "hurry"),
		param.Choice(&o.criterion, "criterion", "gini", []string{"gini", "entropy"}, "impurity"),
		param.Text(&o.prune, "prune", "auto", "auto|alpha=NUMBER", checkPrune, "how to prune"),
	}
}

func checkPrune(s string) error {
	if s == "auto" || strings.HasPrefix(s, "alpha=") {
		return nil
	}
	return fmt.Errorf("unknown way %q", s)
}

func defaults() (*tool, param.Set) {
	o := &tool{}
	s := o.params()
	s.Reset()
	return o, s
}

func TestDeclarationIsComplete(t *testing.T) {
	_, s := defaults()
	var got []string
	for _, p := range s {
		got = append(got, p.Name+" | "+p.Default+" | "+p.Range+" | "+p.Help)
	}
	want := []string{
		"depth | 0 | an integer >= 2 (0 = no limit) | edges from the root",
		"min_leaf | 1 | an integer >= 1 and <= 100 | rows in a leaf",
		"learning_rate | 0.1 | a number > 0 and <= 1 | factor",
		"l2 | 0 | a number >= 0 | ridge",
		"fast | true | true or false | hurry",
		"criterion | gini | gini or entropy | impurity",
		"prune | auto | auto|alpha=NUMBER | how to prune",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

// TestBoundsForPeople: a range is words, of which a power of two of many digits is one; the value
// still is exact.
func TestBoundsForPeople(t *testing.T) {
	x := 0.5
	for want, p := range map[string]param.Param{
		"a number >= 2^-52 (about 2.2e-16) and <= 0.5": param.Float(&x, "floor", 0.5, 0x1p-52, 0.5, ""),
		"a number >= 0.0078125":                        param.Float(&x, "floor", 0.5, 0x1p-7, math.Inf(1), ""),
		"a number > 1024 and <= 2^40 (about 1.1e+12)":  param.Float(&x, "floor", 0.5, 1024, 0x1p40, "", param.ExcludeMin),
		"a number > 0 and < 1":                         param.Float(&x, "floor", 0.5, 0, 1, "", param.ExcludeMin, param.ExcludeMax),
		"a number >= 0 and < 1 (0 = none)":             param.Float(&x, "floor", 0.5, 0, 1, "", param.ExcludeMax, param.Zero("none")),
		"a number >= 0.123456789":                      param.Float(&x, "floor", 0.5, 0.123456789, math.Inf(1), ""),
	} {
		if p.Range != want {
			t.Errorf("%q, want %q", p.Range, want)
		}
	}
	open := param.Set{param.Float(&x, "fraction", 0.5, 0, 1, "", param.ExcludeMax)}
	if err := open.Set([]string{"fraction=1"}); err == nil ||
		err.Error() != "fraction=1: want a number >= 0 and < 1" {
		t.Error(err)
	}
	if err := open.Set([]string{"fraction=0.9999999999999999"}); err != nil || x >= 1 ||
		open.Validate() != nil {
		t.Errorf("%v, %v", x, err)
	}
	n := 3
	if err := (param.Set{param.Int(&n, "n", 3, 1, 9, "",
		param.ExcludeMax)}).Set([]string{"n=9"}); err == nil ||
		err.Error() != "n=9: want an integer >= 1 and < 9" {
		t.Error(err)
	}
	s := param.Set{param.Float(&x, "floor", 0.5, 0x1p-52, 0.5, "")}
	if err := s.Set([]string{"floor=2.220446049250313e-16"}); err != nil || x != 0x1p-52 {
		t.Errorf("%v, %v", x, err)
	}
	if err := s.Set([]string{"floor=2.2e-16"}); err == nil ||
		err.Error() != "floor=2.2e-16: want a number >= 2^-52 (about 2.2e-16) and <= 0.5" {
		t.Error(err)
	}
}

func TestResetAndValidateAgree(t *testing.T) {
	o, s := defaults()
	if err := s.Validate(); err != nil {
		t.Error(err)
	}
	if want := (tool{0, 1, 0.1, 0, true, "gini", "auto"}); *o != want {
		t.Errorf("defaults are %v, want %v", *o, want)
	}
}

func TestSet(t *testing.T) {
	o, s := defaults()
	err := s.Set([]string{"depth=5", " l2 = 1e-3 ", "fast=false", "criterion=entropy",
		"prune=alpha=0.5", "min_leaf=100", "learning_rate=1"})
	if err != nil {
		t.Fatal(err)
	}
	if want := (tool{5, 100, 1, 1e-3, false, "entropy", "alpha=0.5"}); *o != want {
		t.Errorf("got %v, want %v", *o, want)
	}
}

func TestFaults(t *testing.T) {
	for text, want := range map[string]string{
		"dept=3":                        `unknown parameter "dept": did you mean "depth"?`,
		"max_depth=3":                   `unknown parameter "max_depth": did you mean "depth"?`,
		"colour=red":                    `unknown parameter "colour": use depth, min_leaf, learning_rate, l2, fast, criterion, prune`,
		"depth":                         `"depth" is no setting: write name=value`,
		"=3":                            `"=3" is no setting: write name=value`,
		"depth=":                        `depth=: want an integer >= 2 (0 = no limit)`,
		"depth=1":                       `depth=1: want an integer >= 2 (0 = no limit)`,
		"depth=2.5":                     `depth=2.5: want an integer >= 2 (0 = no limit)`,
		"min_leaf=101":                  `min_leaf=101: want an integer >= 1 and <= 100`,
		"min_leaf=99999999999999999999": `min_leaf=99999999999999999999: want an integer >= 1 and <= 100`,
		"learning_rate=0":               `learning_rate=0: want a number > 0 and <= 1`,
		"learning_rate=nan":             `learning_rate=nan: want a number > 0 and <= 1`,
		"l2=inf":                        `l2=inf: want a number >= 0`,
		"l2=1e999":                      `l2=1e999: want a number >= 0`,
		"l2=-1":                         `l2=-1: want a number >= 0`,
		"fast=yes":                      `fast=yes: want true or false`,
		"criterion=ginni":               `criterion=ginni: want gini or entropy; did you mean "gini"?`,
		"criterion=mse":                 `criterion=mse: want gini or entropy`,
		"prune=no":                      `prune=no: unknown way "no"; want auto|alpha=NUMBER`,
	} {
		_, s := defaults()
		if err := s.Set([]string{text}); err == nil || err.Error() != want {
			t.Errorf("%s:\n got %v\nwant %s", text, err, want)
		}
	}
}

func TestAllFaultsAtOnceAndNothingAssigned(t *testing.T) {
	o, s := defaults()
	before := *o
	err := s.Set([]string{"min_leaf=7", "dept=3", "l2=-1", "min_leaf=8"})
	var faults param.Faults
	if !errors.As(err, &faults) {
		t.Fatalf("error %v is no Faults", err)
	}
	var names []string
	for _, f := range faults {
		names = append(names, f.Param)
	}
	if d := cmp.Diff([]string{"dept", "l2", "min_leaf"}, names); d != "" {
		t.Error(d)
	}
	want := `unknown parameter "dept": did you mean "depth"?; l2=-1: want a number >= 0; parameter "min_leaf" is set twice`
	if err.Error() != want {
		t.Errorf("got %s\nwant %s", err, want)
	}
	if *o != before {
		t.Errorf("a failed Set changed %v to %v", before, *o)
	}
	var one *param.Fault
	if !errors.As(err, &one) || one.Param != "dept" {
		t.Errorf("the first single fault is %v", one)
	}
}

func TestValidateChecksFields(t *testing.T) {
	o, s := defaults()
	o.depth, o.rate, o.l2, o.criterion, o.prune = -1, math.NaN(), math.Inf(1), "", "never"
	want := `depth=-1: want an integer >= 2 (0 = no limit); learning_rate=NaN: want a number > 0 and <= 1; ` +
		`l2=+Inf: want a number >= 0; criterion=: want gini or entropy; prune=never: unknown way "never"; want auto|alpha=NUMBER`
	if err := s.Validate(); err == nil || err.Error() != want {
		t.Errorf("got %v\nwant %s", err, want)
	}
}

func TestJSON(t *testing.T) {
	o, s := defaults()
	o.l2, o.prune = 1e-7, "alpha=<1>"
	got, err := s.MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	want := `{"depth":0,"min_leaf":1,"learning_rate":0.1,"l2":1e-07,"fast":true,"criterion":"gini","prune":"alpha=<1>"}`
	if string(got) != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
	p, q := defaults()
	if err := json.Unmarshal(got, &q); err != nil || *p != *o {
		t.Errorf("read back %v (%v), want %v", *p, err, *o)
	}
	o.l2 = math.Inf(1)
	if b, err := json.Marshal(s); err == nil {
		t.Errorf("an infinite number became %s", b)
	}
}

func TestJSONFaults(t *testing.T) {
	for object, want := range map[string]string{
		`[]`:                             `parameters must be a JSON object, not [`,
		`null`:                           `parameters must be a JSON object, not <nil>`,
		`{"depht":1,"l2":"x","fast":{}}`: `unknown parameter "depht": did you mean "depth"?; l2=x: want a number >= 0; fast: want a number, a boolean or a string`,
		`{"depth":3,"depth":4}`:          `parameter "depth" is set twice`,
		`{"depth":3`:                     `parameters are no valid JSON`,
		`{"depth":`:                      `parameters are no valid JSON`,
		`{"depth":1e1}`:                  `depth=1e1: want an integer >= 2 (0 = no limit)`,
	} {
		o, s := defaults()
		before := *o
		if err := s.UnmarshalJSON([]byte(object)); err == nil || err.Error() != want {
			t.Errorf("%s:\n got %v\nwant %s", object, err, want)
		}
		if *o != before {
			t.Errorf("%s changed values", object)
		}
	}
}

// Whatever is accepted can be shown, set again and stored in JSON without a change.
func TestValuesSurviveTextAndJSON(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		o, s := defaults()
		assignments := []string{
			fmt.Sprint("depth=", rapid.IntRange(2, math.MaxInt).Draw(t, "depth")),
			fmt.Sprint("l2=", rapid.Float64Range(0, math.MaxFloat64).Draw(t, "l2")),
			"prune=alpha=" + rapid.String().Draw(t, "alpha"),
		}
		if s.Set(assignments) != nil {
			t.Skip("not accepted")
		}
		p, again := defaults()
		var texts []string
		for _, q := range s {
			texts = append(texts, q.Name+"="+q.Value())
		}
		if err := again.Set(texts); err != nil || *p != *o {
			t.Fatalf("%v (%v), want %v", *p, err, *o)
		}
		if !validUTF8(o.prune) {
			return
		}
		object, err := s.MarshalJSON()
		if err != nil {
			t.Fatal(err)
		}
		p, again = defaults()
		if err := again.UnmarshalJSON(object); err != nil || *p != *o {
			t.Fatalf("%s read back as %v (%v)", object, *p, err)
		}
	})
}

func validUTF8(s string) bool { return strings.ToValidUTF8(s, "") == s }

func FuzzUnmarshalJSON(f *testing.F) {
	f.Add([]byte(`{"depth":3,"criterion":"entropy"}`))
	f.Add([]byte(`{"l2":1e400}`))
	f.Fuzz(func(t *testing.T, object []byte) {
		_, s := defaults()
		if s.UnmarshalJSON(object) != nil {
			return
		}
		if err := s.Validate(); err != nil {
			t.Errorf("%q was accepted: %v", object, err)
		}
	})
}
