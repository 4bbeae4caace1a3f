package param_test

import (
	"encoding/json"
	"fmt"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/coppice-ml/coppice/param"
)

// gear is a thing that a machine holds: a wheel with a number of teeth, a rod with a length, or
// another machine.
type gear interface{ Params() param.Set }

type wheel struct{ teeth int }

func (w *wheel) Params() param.Set {
	return param.Set{param.Int(&w.teeth, "teeth", 12, 1, math.MaxInt, "teeth")}
}

type rod struct {
	length float64
	round  bool
}

func (r *rod) Params() param.Set {
	return param.Set{
		param.Float(&r.length, "length", 1, 0, math.Inf(1), "metres", param.ExcludeMin),
		param.Bool(&r.round, "round", false, "has no edges"),
	}
}

// brake is a wheel of one tooth.
type brake struct{ teeth int }

func (b *brake) Params() param.Set {
	return param.Set{param.Int(&b.teeth, "teeth", 1, 1, math.MaxInt, "teeth")}
}

// holder chooses a gear. Rods start round.
type holder struct {
	name string
	gear gear
}

func (h *holder) Chosen() (string, param.Set) {
	if h.gear == nil {
		return h.name, nil
	}
	return h.name, h.gear.Params()
}

func (h *holder) Choose(name string) (param.Set, func(), error) {
	var g gear
	switch name {
	case "wheel":
		g = &wheel{}
	case "rod":
		g = &rod{}
	case "brake":
		g = &brake{}
	case "machine":
		g = &machine{}
	default:
		return nil, nil, fmt.Errorf("there is no gear %q", name)
	}
	set := g.Params()
	set.Reset()
	if r, ok := g.(*rod); ok {
		r.round = true
	}
	return set, func() { *h = holder{name, g} }, nil
}

// machine has a parameter of its own and a choice.
type machine struct {
	speed int
	gear  holder
}

func (m *machine) Params() param.Set {
	return param.Set{
		param.Int(&m.speed, "speed", 3, 0, 9, "turns per second"),
		param.Chosen(&m.gear, "gear", "wheel", "a gear", "what is turned"),
	}
}

func newMachine() *machine {
	m := &machine{}
	m.Params().Reset()
	return m
}

// values lists the values of all parameters, and their defaults where they differ.
func values(m *machine) []string {
	var all []string
	for _, p := range m.Params().All() {
		text := p.Name + "=" + p.Value()
		if p.Value() != p.Default {
			text += " not " + p.Default
		}
		all = append(all, text)
	}
	return all
}

func TestChoiceBringsItsParameters(t *testing.T) {
	for _, c := range []struct{ given, want []string }{
		{nil, []string{"speed=3", "gear=wheel", "gear.teeth=12"}},
		{[]string{"gear.teeth=7"}, []string{"speed=3", "gear=wheel", "gear.teeth=7 not 12"}},
		{[]string{"gear=rod"}, []string{"speed=3", "gear=rod not wheel", "gear.length=1", "gear.round=true"}},
		{[]string{"gear.length=2", "gear.round=false", "speed=4", "gear=rod"},
			[]string{"speed=4 not 3", "gear=rod not wheel", "gear.length=2 not 1",
				"gear.round=false not true"}},
		{[]string{"gear.gear.gear.length=5", "gear.gear.gear=rod", "gear.gear=machine", "gear=machine", "gear.speed=1"},
			[]string{"speed=3", "gear=machine not wheel", "gear.speed=1 not 3",
				"gear.gear=machine not wheel",
				"gear.gear.speed=3", "gear.gear.gear=rod not wheel",
				"gear.gear.gear.length=5 not 1", "gear.gear.gear.round=true"}},
		// A name that two choices have below, with different defaults.
		{[]string{"gear=machine", "gear.gear=brake"}, []string{"speed=3", "gear=machine not wheel", "gear.speed=3", "gear.gear=brake not wheel", "gear.gear.teeth=1"}},
	} {
		m := newMachine()
		if err := m.Params().Set(c.given); err != nil {
			t.Errorf("%v: %v", c.given, err)
		}
		if d := cmp.Diff(c.want, values(m)); d != "" {
			t.Errorf("%v: %s", c.given, d)
		}
		b, err := json.Marshal(m.Params())
		if err != nil {
			t.Fatal(err)
		}
		again := newMachine()
		if err := again.Params().UnmarshalJSON(b); err != nil {
			t.Errorf("%s: %v", b, err)
		}
		if d := cmp.Diff(values(m), values(again)); d != "" {
			t.Errorf("%s: %s", b, d)
		}
	}
}

func TestAnotherChoiceStartsAnew(t *testing.T) {
	m := newMachine()
	for _, settings := range [][]string{{"gear=rod", "gear.length=2"},
		{"gear=wheel", "gear.teeth=5"}, {"gear=rod"}} {
		if err := m.Params().Set(settings); err != nil {
			t.Fatal(err)
		}
	}
	if d := cmp.Diff([]string{"speed=3", "gear=rod not wheel", "gear.length=1", "gear.round=true"},
		values(m)); d != "" {
		t.Error(d)
	}
	m.Params().Reset()
	if d := cmp.Diff(values(newMachine()), values(m)); d != "" {
		t.Error(d)
	}
}

func TestFaultsBelowChoices(t *testing.T) {
	for _, c := range []struct {
		given []string
		want  string
	}{
		{[]string{"gear.teet=1"}, `unknown parameter "gear.teet": did you mean "gear.teeth"?`},
		{[]string{"teeth=1"}, `unknown parameter "teeth": did you mean "gear.teeth"?`},
		{[]string{"gear.x=1"}, `unknown parameter "gear.x": use gear.teeth`},
		{[]string{"gear.colour=red", "gear=rod"}, `unknown parameter "gear.colour": use gear.length, gear.round`},
		{[]string{"gear.other.colour=red"}, `unknown parameter "gear.other.colour": gear=wheel has none of that name`},
		{[]string{"q.z=1"}, `unknown parameter "q.z": use speed, gear`},
		{[]string{"gear.teeth=0", "gear.length=1", "gear=wheel"},
			`gear.teeth=0: want an integer >= 1; unknown parameter "gear.length": use gear.teeth`},
		// What a choice that failed would have below it is not reported.
		{[]string{"speed=10", "gear=pulley", "gear.teeth=0"}, `speed=10: want an integer >= 0 and <= 9; gear=pulley: there is no gear "pulley"`},
		{[]string{"gear="}, `gear=: want a gear`},
		{[]string{"gear=rod", "gear=rod"}, `parameter "gear" is set twice`},
		{[]string{"gear.length=2", "speed=-1", "gear=rod"}, `speed=-1: want an integer >= 0 and <= 9`},
	} {
		m := newMachine()
		if err := m.Params().Set(c.given); err == nil || err.Error() != c.want {
			t.Errorf("%v:\n got %v\nwant %s", c.given, err, c.want)
		}
		if d := cmp.Diff(values(newMachine()), values(m)); d != "" {
			t.Errorf("%v changed something: %s", c.given, d)
		}
	}
}

func TestValidateLooksBelowChoices(t *testing.T) {
	m := newMachine()
	m.gear = holder{"own", &wheel{teeth: -1}}
	if err := m.Params().Validate(); err == nil ||
		err.Error() != "gear.teeth=-1: want an integer >= 1" {
		t.Errorf("error %v", err)
	}
	// What no text stands for has the defaults that it declares.
	if p := m.Params().Lookup("gear.teeth"); p == nil || p.Default != "12" || p.Value() != "-1" {
		t.Errorf("gear.teeth is %v", p)
	}
	m.gear = holder{}
	if err := m.Params().Validate(); err == nil || err.Error() != "gear=: want a gear" {
		t.Errorf("error %v", err)
	}
}
