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
	part  holder
}

func (m *machine) Params() param.Set {
	return param.Set{
		param.Int(&m.speed, "speed", 3, 0, 9, "turns per second"),
		param.Chosen(&m.part, "part", "wheel", "a gear", "what is turned"),
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
		{nil, []string{"speed=3", "part=wheel", "part.teeth=12"}},
		{[]string{"part.teeth=7"}, []string{"speed=3", "part=wheel", "part.teeth=7 not 12"}},
		{[]string{"part=rod"}, []string{"speed=3", "part=rod not wheel", "part.length=1", "part.round=true"}},
		{[]string{"part.length=2", "part.round=false", "speed=4", "part=rod"},
			[]string{"speed=4 not 3", "part=rod not wheel", "part.length=2 not 1", "part.round=false not true"}},
		{[]string{"part.part.part.length=5", "part.part.part=rod", "part.part=machine", "part=machine", "part.speed=1"},
			[]string{"speed=3", "part=machine not wheel", "part.speed=1 not 3", "part.part=machine not wheel",
				"part.part.speed=3", "part.part.part=rod not wheel", "part.part.part.length=5 not 1", "part.part.part.round=true"}},
		// A name that two choices have below, with different defaults.
		{[]string{"part=machine", "part.part=brake"}, []string{"speed=3", "part=machine not wheel", "part.speed=3", "part.part=brake not wheel", "part.part.teeth=1"}},
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
	for _, settings := range [][]string{{"part=rod", "part.length=2"}, {"part=wheel", "part.teeth=5"}, {"part=rod"}} {
		if err := m.Params().Set(settings); err != nil {
			t.Fatal(err)
		}
	}
	if d := cmp.Diff([]string{"speed=3", "part=rod not wheel", "part.length=1", "part.round=true"}, values(m)); d != "" {
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
		{[]string{"part.teet=1"}, `unknown parameter "part.teet": did you mean "part.teeth"?`},
		{[]string{"teeth=1"}, `unknown parameter "teeth": did you mean "part.teeth"?`},
		{[]string{"part.x=1"}, `unknown parameter "part.x": use part.teeth`},
		{[]string{"part.colour=red", "part=rod"}, `unknown parameter "part.colour": use part.length, part.round`},
		{[]string{"part.other.colour=red"}, `unknown parameter "part.other.colour": part=wheel has none of that name`},
		{[]string{"q.z=1"}, `unknown parameter "q.z": use speed, part`},
		{[]string{"part.teeth=0", "part.length=1", "part=wheel"},
			`part.teeth=0: want an integer >= 1; unknown parameter "part.length": use part.teeth`},
		// Of what a choice that failed would have below it nothing is said.
		{[]string{"speed=10", "part=pulley", "part.teeth=0"}, `speed=10: want an integer >= 0 and <= 9; part=pulley: there is no gear "pulley"`},
		{[]string{"part="}, `part=: want a gear`},
		{[]string{"part=rod", "part=rod"}, `parameter "part" is set twice`},
		{[]string{"part.length=2", "speed=-1", "part=rod"}, `speed=-1: want an integer >= 0 and <= 9`},
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
	m.part = holder{"own", &wheel{teeth: -1}}
	if err := m.Params().Validate(); err == nil || err.Error() != "part.teeth=-1: want an integer >= 1" {
		t.Errorf("error %v", err)
	}
	// What no text stands for has the defaults that it declares.
	if p := m.Params().Lookup("part.teeth"); p == nil || p.Default != "12" || p.Value() != "-1" {
		t.Errorf("part.teeth is %v", p)
	}
	m.part = holder{}
	if err := m.Params().Validate(); err == nil || err.Error() != "part=: want a gear" {
		t.Errorf("error %v", err)
	}
}
