package param

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// assignment is a name and the text that it is to become, or why it cannot.
type assignment struct {
	name, value string
	fault       string // not empty: an error of the name, before the parameter is searched
}

// assigner collects assignments and faults, so that values change only when nothing is wrong.
type assigner struct {
	declared Set
	set      Set // with what choices have below them; choices that are assigned change it
	given    []assignment
	// what the names below choices that failed start with: they are not checked
	lost   []string
	seen   map[string]string // by parameter, the name that was given
	stores []func()
	faults []placed
}

// placed is a fault with the place of its assignment among those given.
type placed struct {
	*Fault
	at int
}

func newAssigner(s Set) *assigner {
	return &assigner{declared: s, set: s.All(), seen: map[string]string{}}
}

func (a *assigner) add(name, value string) {
	a.given = append(a.given, assignment{name: name, value: value})
}

func (a *assigner) refuse(name, fault string) {
	a.given = append(a.given, assignment{name: name, fault: fault})
}

// finish makes all assignments, or none and returns the faults in the order of what was given. A
// choice comes before what is below it, wherever it was given.
func (a *assigner) finish() error {
	order := make([]int, len(a.given))
	for i := range order {
		order[i] = i
	}
	dots := func(i int) int { return strings.Count(a.given[i].name, ".") }
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(dots(i), dots(j)) })
	for _, i := range order {
		if message := a.assign(&a.given[i]); message != "" {
			a.faults = append(a.faults, placed{&Fault{a.given[i].name, message}, i})
		}
	}
	if len(a.faults) == 0 {
		for _, store := range a.stores {
			store()
		}
		return nil
	}
	slices.SortFunc(a.faults, func(f, g placed) int { return cmp.Compare(f.at, g.at) })
	faults := make(Faults, len(a.faults))
	for i, f := range a.faults {
		faults[i] = f.Fault
	}
	return faults
}

// assign checks one assignment and returns what is wrong with it, "" if nothing is.
func (a *assigner) assign(g *assignment) string {
	if g.fault != "" {
		return g.fault
	}
	if slices.ContainsFunc(a.lost,
		func(stem string) bool { return strings.HasPrefix(a.set.canonical(g.name), stem) }) {
		return ""
	}
	name := a.set.canonical(g.name)
	p := a.set.find(name)
	switch {
	case p == nil:
		return a.unknown(g.name)
	case a.seen[name] != "":
		return twice(name, a.seen[name], g.name)
	}
	a.seen[name] = g.name
	store, err := a.choose(p, g.value)
	if err != nil {
		return fmt.Sprintf("%s=%s: %v", g.name, g.value, err)
	}
	a.stores = append(a.stores, store)
	return ""
}

// chosenBy returns what a parameter chooses once all is assigned, "" if it does not choose.
func (a *assigner) chosenBy(name string) string {
	p := a.set.find(name)
	if p == nil {
		return ""
	}
	if _, ok := p.value.(*chosen); !ok {
		return ""
	}
	for _, g := range a.given {
		if a.set.canonical(g.name) == name && g.fault == "" {
			return g.value
		}
	}
	return p.Value()
}

// isNear reports whether the rest of a name after its root, such as the member of
// members.MEMBER.KEY, is or may be meant for one that there is.
func (a *assigner) isNear(name, root string) bool {
	second := func(name string) string {
		part, _, _ := strings.Cut(strings.TrimPrefix(name, root+"."), ".")
		return part
	}
	var parts []string
	for _, n := range a.set.Names() {
		if strings.HasPrefix(n, root+".") {
			parts = append(parts, second(n))
		}
	}
	return Nearest(second(name), parts) != ""
}

// unknown reports that there is no parameter of a name, and which are near or beside it: below a
// choice those of the choice.
func (a *assigner) unknown(name string) string {
	if advice := a.set.advice(name); advice != "" {
		return fmt.Sprintf("unknown parameter %q: %s", name, advice)
	}
	stem := name[:strings.LastIndexByte(name, '.')+1]
	beside := a.set.below(stem)
	if by := strings.TrimSuffix(stem, "."); beside == nil && a.chosenBy(by) != "" {
		return fmt.Sprintf("unknown parameter %q: %s=%s has no parameters", name, by,
			a.chosenBy(by))
	}
	if root, _, _ := strings.Cut(name, "."); beside == nil && stem != root+"." &&
		a.chosenBy(root) != "" {
		if near := Nearest(name, a.set.Names()); strings.HasPrefix(near, root+".") &&
			a.isNear(name, root) {
			return fmt.Sprintf("unknown parameter %q: did you mean %q?", name, near)
		}
		return fmt.Sprintf("unknown parameter %q: %s=%s has none of that name", name, root,
			a.chosenBy(root))
	}
	if beside == nil || stem == "" {
		stem, beside = "", a.declared.Names()
	}
	near := Nearest(name[len(stem):], beside)
	if near == "" && stem == "" {
		near = Nearest(name, a.set.Names())
	}
	switch {
	case near != "":
		return fmt.Sprintf("unknown parameter %q: did you mean %q?", name, stem+near)
	case len(beside) == 0:
		return fmt.Sprintf("unknown parameter %q: there are no parameters", name)
	}
	for i := range beside {
		beside[i] = stem + beside[i]
	}
	return fmt.Sprintf("unknown parameter %q: %s", name, fewOrNearest(name, beside))
}
