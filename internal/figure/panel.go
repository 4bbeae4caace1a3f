package figure

import "github.com/coppice-ml/coppice/internal/svg"

// Panel is a chart of a page that has its heading beside it. It has the fonts, colours and axes of
// the other pictures and no ground, so that a style sheet may put it on a dark one.
//
// Marks that a script may point at are paths of class m, with the name of their layer. The
// attributes data-x and data-y place them: two ends in pixels, the values of these, and what kind
// of axis it is, or names.
type Panel struct {
	Label  string // what the picture shows, for readers who do not see it
	X, Y   Side
	Layers []Layer // painted one over the other
	Height int     // pixels; 0 = 280
	Width  int     // pixels; 0 = 440
}

// Side is an axis of a Panel.
type Side struct {
	Label     string
	Low, High float64  // its ends; equal: those of the values
	Zero      bool     // it begins or ends at 0 where all values lie on one side
	Log       bool     // placed by the logarithm, if no value is below 1
	Dates     bool     // the values are days since 1970
	Names     []string // the values are places in this list, the first on top; of Y alone
}

// Layer is a series of marks of one colour.
type Layer struct {
	Name   string // in the legend; "" = it is not there
	Kind   LayerKind
	Colour svg.Colour
	X, Y   []float64 // what is not finite is left out; a line is broken there
	Ends   []float64 // of Spans: the other end, by point; of Bins: one right edge more than X
	Width  int       // of lines and dots, in tenths of a pixel; 0 = a usual one
	Dashed bool
	Faint  bool // half transparent
	Still  bool // nothing that is pointed at
}

// LayerKind is how a Layer is drawn.
type LayerKind uint8

// The kinds of layers.
const (
	Joined LayerKind = iota // a line through the points
	Dots                    // a dot at each
	Spans                   // a vertical line from Y to Ends
	Bins                    // bars from X to the next X, or to Ends, as high as Y
)
