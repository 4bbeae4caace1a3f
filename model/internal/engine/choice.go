package engine

import (
	"fmt"
	"slices"
	"sync"

	"github.com/coppice-ml/coppice/internal/kernel"
)

// Layout is a way to keep trees and to take rows down them. All layouts have the same results, bit
// for bit. The zero value leaves the choice to the engine, which goes by the trees, the columns and
// the number of rows.
type Layout uint8

// The layouts. Those after InPlace compile the trees that are fit for codes of one byte, and walk
// the others in place.
const (
	Chosen   Layout = iota // the choice of the engine
	InPlace                // nodes where they were read
	Scan                   // nodes in preorder, each visited by many rows
	Cuts                   // a bit for each row, and one operation a node for a tile of them
	WideCuts               // the same by codes of two bytes
	Levels                 // oblivious trees: a comparison for each level, of many rows
	Lanes                  // lanes of trees, one row after the other
	LaneRows               // lanes of trees, kernel.LaneRows rows at once
	Steps                  // steps down small nodes, four trees or four rows at once
)

// strategy is what the engine does for a layout.
type strategy struct {
	name    string
	inPlace bool // nothing is compiled
	levels  bool // trees must be oblivious, and are compiled to levels
	cuts    bool // segments need the form for kernel.ScanCuts
	wide    bool // segments have codes of two bytes
	rows    grouping
	// form makes the form of a segment's trees without sets, or returns why there is none; nil:
	// kernel.Scan or kernel.ScanLevels visit the nodes
	form func(p *Program, s *segment, levels bool) (rowForm, error)
}

// grouping is how many rows go down at once.
type grouping uint8

const (
	together  grouping = iota // several, also where there is one
	oneByOne                  // one
	asTheyAre                 // one where there is one, else several
)

// strategies is the table of layouts, by Layout.
var strategies = [...]strategy{
	Chosen:   {name: "chosen"},
	InPlace:  {name: "in-place", inPlace: true},
	Scan:     {name: "scan"},
	Cuts:     {name: "cuts", cuts: true},
	WideCuts: {name: "wide-cuts", wide: true},
	Levels:   {name: "levels", levels: true},
	Lanes:    {name: "lanes", rows: oneByOne, form: formOfLanes},
	LaneRows: {name: "lane-rows", form: formOfLanes},
	Steps:    {name: "steps", rows: asTheyAre, form: formOfSteps},
}

// Layouts returns all layouts but Chosen.
func Layouts() []Layout {
	var all []Layout
	for i := range strategies[1:] {
		all = append(all, Layout(i+1))
	}
	return all
}

// String returns the layout's name.
func (l Layout) String() string {
	if int(l) < len(strategies) {
		return strategies[l].name
	}
	return fmt.Sprintf("unknown(%d)", uint8(l))
}

// Unfit is the reason why trees do not fit the layout that Source requests.
type Unfit struct {
	Layout Layout
	Reason string
}

func (e *Unfit) Error() string { return fmt.Sprintf("layout %s: %s", e.Layout, e.Reason) }

// Fit compiles the trees for the layout that Source requested, and returns an *Unfit if they do not
// fit. Program must not be used then. A layout that the engine chooses always fits.
func (p *Program) Fit() error {
	if p.requested == Chosen {
		return nil
	}
	p.layout()
	return p.unfit
}

// requestedLayout compiles the trees for the layout that Source requested; nil: none is needed.
func requestedLayout(p *Program) (*layout, error) {
	if int(p.requested) >= len(strategies) {
		return nil, &Unfit{p.requested, "there is no such layout"}
	}
	how := &strategies[p.requested]
	if how.inPlace {
		return nil, nil
	}
	l, c := newLayout(p)
	l.how = how
	if c.compiled == 0 {
		return nil, &Unfit{p.requested, fmt.Sprintf("no tree is fit for codes of one byte: all "+
			"have more than %d leaves or nodes that need more than the code of a column", c.leaves)}
	}
	if how.levels && !l.levels {
		return nil, &Unfit{p.requested, "the trees are not oblivious: nodes of a level differ"}
	}
	if len(p.columns) > maxPlaces {
		return nil, &Unfit{p.requested, fmt.Sprintf("the trees test %d columns, more than %d",
			len(p.columns), maxPlaces)}
	}
	l.levels = l.levels && (how.levels || how.form != nil)
	if _, err := l.compile(p, &c); err != nil {
		return nil, &Unfit{p.requested, err.Error()}
	}
	l.alone = how.rows != together
	if !l.alone {
		l.single = sync.Pool{New: func() any { return p.NewBlock(1) }}
	}
	return l, nil
}

// rowForm returns the form of a segment that the strategy needs, nil if it needs none.
func (how *strategy) rowForm(p *Program, s *segment, levels bool) (rowForm, error) {
	if how.form == nil {
		return nil, nil
	}
	if s.slots > rowCodes {
		return nil, fmt.Errorf("a row has %d codes, more than %d", s.slots, rowCodes)
	}
	sets := setStepsOf(p, s)
	if sets == nil && len(s.sets) > 0 {
		return nil, fmt.Errorf("the trees have too many different sets of categories")
	}
	form, err := how.form(p, s, levels)
	if sets == nil || err != nil {
		return form, err
	}
	return &withSets{form, sets}, nil
}

func formOfLanes(p *Program, s *segment, levels bool) (rowForm, error) {
	switch {
	case !p.machine.Vectors:
		return nil, fmt.Errorf("this processor, or this build, has no vectors for it")
	case s.slots > kernel.MaxLaneCodes:
		return nil, fmt.Errorf("a row has %d codes, more than %d", s.slots, kernel.MaxLaneCodes)
	case len(s.sets) > 0 && !slices.ContainsFunc(s.inLanes(), func(in bool) bool { return in }):
		return nil, fmt.Errorf("all trees have sets of categories, which go down in steps")
	}
	return lanesOf(s, levels, p.machine), nil
}

// inLanes returns by tree of a segment whether lanes may hold it.
func (s *segment) inLanes() []bool {
	in := make([]bool, len(s.trees))
	for t := range in {
		in[t] = s.numbers[t] != nil && !s.hasSets(t)
	}
	return in
}

func formOfSteps(p *Program, s *segment, _ bool) (rowForm, error) {
	w := stepsOf(p, s)
	w.fill(p, s)
	return w, nil
}

// inBlock calls f with a block of one row, for layouts that have no form for one.
func (l *layout) inBlock(values []float64, f func(b *Block)) {
	b := l.single.Get().(*Block)
	b.Resize(1)
	for k, x := range values {
		b.Column(k, 0)[0] = x
	}
	f(b)
	l.single.Put(b)
}

// Uses returns which layouts the compiled trees have in a block of some rows, without repetition;
// of 0 rows those of Raw. Where trees are compiled, others that are walked in place do not count.
func (p *Program) Uses(rows int) []Layout {
	l := p.layout()
	if l == nil || rows == 0 && !l.alone && l.how == nil {
		return []Layout{InPlace}
	}
	rows = min(max(rows, 1), kernel.ScanRows)
	alone := l.alone && l.rest(rows) == rows
	var used []Layout
	segments := l.segments
	if !alone {
		segments = l.ofTile(p, rows)
	}
	for i := range segments {
		s := &segments[i]
		switch {
		case s.wide != nil:
			used = append(used, WideCuts)
		case alone || l.few(s, rows, false):
			used = append(used, layoutsOf(s.row, alone)...)
		case l.levels:
			used = append(used, Levels)
		case l.cut(s, rows):
			used = append(used, Cuts)
		default:
			used = append(used, Scan)
		}
	}
	slices.Sort(used)
	return slices.Compact(used)
}

// layoutsOf returns the layouts that a form uses for one row, or for several.
func layoutsOf(form rowForm, alone bool) []Layout {
	switch form := form.(type) {
	case *lanes:
		if alone {
			return []Layout{Lanes}
		}
		return []Layout{LaneRows}
	case *withSets:
		return append(layoutsOf(form.rowForm, alone), Steps)
	}
	return []Layout{Steps}
}
