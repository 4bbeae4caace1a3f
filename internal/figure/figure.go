// Package figure owns what pictures of curves and panels of pages consist of, before anybody draws
// them, and which counts of rounds or members they and tables have. Trainings describe themselves
// by it, and package plot draws it.
package figure

// Figure is a picture of curves whose numbers the caller has: one chart, or several side by side.
type Figure struct {
	Title    string
	Subtitle string // a line below the title: what is to be seen
	// from left to right; up to three fit. Each has its legend, unless all have the same
	Charts []Chart
	Notes  []string // lines below the charts
}

// Chart is curves over one pair of axes.
type Chart struct {
	X, Y   Scale
	Curves []Curve // each is drawn over those before it
}

// Scale is what an axis of a Chart shows: the values of the curves, with some space at both ends.
type Scale struct {
	Label string
	Zero  bool // the axis reaches to 0
	// values are counts from 1 up and stand where their logarithms are; Zero does not fit it
	Log bool
}

// Curve is a sequence of points.
type Curve struct {
	// in the legend, which shows curves of equal name, style and colour once; "" = not there
	Name string
	X, Y []float64 // the points, from left to right; a point that is not finite is left out
	// half the length of a bar through each point, such as a standard error; nil = no bars
	Bar    []float64
	Style  Style
	Colour int // number of a colour, from 0, for which a mark of some shape stands too
}

// Style is how a Curve is drawn.
type Style uint8

// The styles.
const (
	Line   Style = iota // points joined by straight lines
	Dashes              // likewise, dashed
	Marks               // a mark at each point
	// a pale dot at each point, such as the rows that other curves are fitted to
	Points
	LineMarks // points joined by lines, with a mark at each
	Bars      // a bar from 0 to each point, as wide as the least distance of points leaves
)
