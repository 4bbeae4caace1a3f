package gbm

import "github.com/coppice-ml/coppice/param"

// Boosting is which earlier rounds a round corrects. The zero value is plain: all of them.
type Boosting struct {
	Dart    *Dart    // dropout, as NewDart makes it; nil: none
	Ordered *Ordered // ordered boosting, as NewOrdered makes it; nil: none, and not with Dart
}

// The values of the parameter boosting.
const (
	plain = "plain"
	dart  = "dart"
	// ordered boosting
	ordered = "ordered"
)

var boostings = []string{plain, dart, ordered}

// Dart are the parameters of dropout (Vinayak & Gilad-Bachrach 2015). A round is trained on the
// scores without some of the rounds before it. Both are then scaled down, so that together they add
// what the dropped rounds had added.
type Dart struct {
	Drop float64 // probability of each round to be dropped
	Most int     // rounds dropped at once; 0 = no limit
	Skip float64 // probability that a round drops none
}

// NewDart returns dropout with LightGBM's defaults.
func NewDart() *Dart {
	d := &Dart{}
	d.Params().Reset()
	return d
}

// Params declares drop, most and skip.
func (d *Dart) Params() param.Set {
	return param.Set{
		param.Float(&d.Drop, "drop", 0.1, 0, 1, "probability of each round before to be dropped"),
		param.Int(&d.Most, "most", 50, 1, 1<<30, "rounds that are dropped at once",
			param.Zero("no limit")),
		param.Float(&d.Skip, "skip", 0.5, 0, 1,
			"probability that a round drops none of those before it"),
	}
}

// Chosen implements param.Chooser.
func (c *Boosting) Chosen() (string, param.Set) {
	switch {
	case c.Ordered != nil:
		return ordered, c.Ordered.Params()
	case c.Dart != nil:
		return dart, c.Dart.Params()
	}
	return plain, nil
}

// Choose implements param.Chooser.
func (c *Boosting) Choose(name string) (param.Set, func(), error) {
	switch name {
	case plain:
		return nil, func() { *c = Boosting{} }, nil
	case dart:
		made := NewDart()
		return made.Params(), func() { *c = Boosting{Dart: made} }, nil
	case ordered:
		made := NewOrdered()
		return made.Params(), func() { *c = Boosting{Ordered: made} }, nil
	}
	return nil, nil, param.Unknown("boosting", name, boostings)
}

// Ordered are the parameters of ordered boosting (Prokhorenkova et al. 2018, algorithms 1 and 2).
type Ordered struct {
	Permutations int // random orders of the rows, which rounds use in turn
}

// NewOrdered returns ordered boosting with its defaults.
func NewOrdered() *Ordered {
	o := &Ordered{}
	o.Params().Reset()
	return o
}

// Params declares permutations.
func (o *Ordered) Params() param.Set {
	return param.Set{
		param.Int(&o.Permutations, "permutations", 4, 1, 100,
			"random orders of the rows, which rounds use in turn; also of target statistics"),
	}
}

// sharePermutations gives target statistics the orders of ordered boosting: else a row's label
// would reach its own gradient through the statistics of rows before it.
func (l *Learner) sharePermutations() {
	if o := l.Boosting.Ordered; o != nil {
		l.Encode.Permutations = o.Permutations
	}
}
