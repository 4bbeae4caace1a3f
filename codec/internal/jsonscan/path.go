package jsonscan

import "strconv"

// Deepest bounds how many objects and arrays may lie within each other. A reader that calls itself
// for each of them stays far below the largest stack of Go.
const Deepest = 10_000

// levelSize is the memory of a level of a path, with room to grow.
const levelSize = 64

// Path is the way to a value in objects and arrays within each other.
type Path struct{ steps []step }

// step is a member of an object, or an element of an array.
type step struct {
	name  string // of a member
	place int    // of an element; -1: a member
}

// Depth returns the number of objects and arrays around the value.
func (p *Path) Depth() int { return len(p.steps) }

// Enter goes into an object or array. It calls take before it allocates n bytes, and returns its
// error.
func (p *Path) Enter(take func(n int64) error) error {
	if len(p.steps) == cap(p.steps) {
		if err := take(levelSize * int64(1+len(p.steps))); err != nil {
			return err
		}
	}
	p.steps = append(p.steps, step{place: -1})
	return nil
}

// Leave goes back to what is around it.
func (p *Path) Leave() { p.steps = p.steps[:len(p.steps)-1] }

// Name goes to the member of the innermost object that has a name.
func (p *Path) Name(name string) { p.steps[len(p.steps)-1].name = name }

// Place goes to an element of the innermost array, numbered from 0.
func (p *Path) Place(i int) { p.steps[len(p.steps)-1].place = i }

// String returns the way from the outermost value on, such as "trees[3].leaf_values", and "file"
// for the outermost value itself. Of long ones it has the end, and of long names the start.
func (p *Path) String() string {
	const mostSteps, mostBytes = 8, 40
	var b []byte
	for i, s := range p.steps[max(0, len(p.steps)-mostSteps):] {
		if s.place >= 0 {
			b = append(strconv.AppendInt(append(b, '['), int64(s.place), 10), ']')
			continue
		}
		if i > 0 {
			b = append(b, '.')
		}
		quoted := strconv.QuoteToASCII(s.name[:min(len(s.name), mostBytes)])
		b = append(b, quoted[1:len(quoted)-1]...)
	}
	switch {
	case len(p.steps) > mostSteps:
		return "..." + string(b)
	case len(b) == 0:
		return "file"
	}
	return string(b)
}
