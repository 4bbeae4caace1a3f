// Package sample owns the samples of rows that each member of an ensemble is grown on: which
// training rows are in its bag, how often each, and which are out of it.
//
// A Sampler is made once per fit. It holds sizes, strata, groups and the tables of weighted
// samples. Sample then fills, for each member, how often every row is in its bag:
//
//	position       0  1  2  3  4  5
//	count          2  0  1  1  0  2      rows 1 and 4 are out of the bag
//
// What is sampled are units: the rows, or with Grouped whole groups of rows. Units are divided into
// strata: all of them in one, or with Strata and Fractions one stratum per class. Each stratum has
// a fixed number of samples, which the entries of table take in their own ways.
//
// The trees of boosting are grown on other samples, which depend on the derivatives of the loss:
// see Gradient.
package sample

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/param"
)

// Strata is how samples are divided among classes.
type Strata = param.Enum[strataNames]

// The ways to divide.
const (
	Free Strata = iota // classes are ignored
	// each class gets the fraction of the samples that it has of the units, by largest remainder
	Stratified
	// every class that has units gets equally many samples (Chen, Liaw & Breiman 2004)
	Balanced
)

type strataNames struct{}

func (strataNames) Enum() (string, []string) {
	return "strata", []string{"none", "stratified", "balanced"}
}

// Settings describe how rows are sampled. The zero value is a bootstrap of all rows.
type Settings struct {
	Method Method
	// Fraction is the number of samples as a fraction of the units, rounded, at least one; 0 = the
	// default of the method. Balanced samples without replacement are a fraction of the smallest
	// class each, all others divide the fraction of all units. So a balanced subsample of fraction
	// 1 holds the smallest class whole, and no row of it is ever out of the bag. The samples of
	// Chen, Liaw & Breiman have replacement, and of each class as many rows as the smallest has.
	// They are a balanced bootstrap whose fraction is classes x fraction of the smallest.
	Fraction float64
	Strata   Strata
	// Fractions gives each class a number of samples of its own, as a fraction of all units,
	// rounded (the vector sample.fraction of R's ranger); nil = none. Fraction and Strata must then
	// be left alone.
	Fractions []float64
	// units are sampled with probabilities in proportion to their weights, which Rows must have;
	// else weights are ignored
	Weighted bool
	// groups are sampled instead of rows: all rows of a group are equally often in the bag. A group
	// weighs what its rows weigh
	Grouped bool
}

// Params declares the settings that are the same for every learner. method is the default of
// sample. Fractions is not among them: it needs the names of the classes.
func (s *Settings) Params(method Method) param.Set {
	methods := []Method{method}
	for m := range All + 1 {
		if m != method {
			methods = append(methods, m)
		}
	}
	return param.Set{
		param.OneOf(&s.Method, "sample", methods,
			"rows of each member: bootstrap = "+
				"sampled with replacement, subsample = without, none = all"),
		param.Float(&s.Fraction, "fraction", 0, 0, 1, "sample size, as a fraction of the rows",
			param.ExcludeMin,
			param.Zero("1 with replacement, 0.632 without")).Also("sample_fraction"),
		param.AnyOf(&s.Strata, "strata",
			"sample sizes of the classes: stratified = in proportion to their rows, balanced "+
				"= all equal"),
		param.Bool(&s.Weighted, "weighted_sampling", false,
			"rows are sampled in proportion to their weights, and then count equally"),
		param.Bool(&s.Grouped, "grouped_sampling", false,
			"groups are sampled instead of rows: all rows of a group or none"),
	}
}

// Rows describes the training rows. Slices are indexed by position and may be nil where Settings do
// not need them.
type Rows struct {
	N       int       // number of rows
	Class   []uint32  // class of each row, below len(Classes)
	Classes []string  // names of the classes
	Weight  []float64 // finite, not negative
	Group   []int64   // rows of one number stay together
}

// Sampler samples the rows of one member after the other. It is read-only: all methods may be
// called concurrently.
type Sampler struct {
	rows   int
	units  units
	strata []stratumSampler
	whole  bool // no sample ever leaves a row out
}

// stratumSampler adds to count, by unit, the samples of one stratum. It keeps nothing between
// calls.
type stratumSampler interface {
	sample(count []uint32, s *rng.Stream)
}

// stratum is the units of one stratum before its sampler is made.
type stratum struct {
	name   string    // of the class, "" = all units
	unit   []int32   // ascending; nil = the units 0 ... size-1
	size   int       // number of units
	weight []float64 // of each unit of the stratum, positive; nil = equal probabilities
	take   int       // number of samples
}

// at returns the unit that stands at index i of the stratum.
func (p *stratum) at(i int) int32 {
	if p.unit == nil {
		return int32(i)
	}
	return p.unit[i]
}

// New makes the sampler of the given rows. Settings that make no sense together or for these rows
// are errors.
func New(set Settings, rows Rows) (*Sampler, error) {
	method, err := set.method(&rows)
	if err != nil {
		return nil, err
	}
	u, err := unitsOf(&set, &rows)
	if err != nil {
		return nil, err
	}
	strata, err := set.strata(method, u)
	if err != nil {
		return nil, err
	}
	s := &Sampler{rows: rows.N, units: u, whole: !method.Repeats}
	for i := range strata {
		p := &strata[i]
		s.whole = s.whole && p.take == p.size
		if p.take == 0 {
			continue
		}
		if set.Weighted {
			if err := p.weigh(&u); err != nil {
				return nil, err
			}
		}
		if !method.Repeats && p.take > p.size {
			return nil, fmt.Errorf("sample=%s takes %d%s, but there are only %d%s: lower "+
				"fraction, or use sample=bootstrap",
				method.Name, p.take, p.of(), p.size, positive(set.Weighted))
		}
		s.strata = append(s.strata, method.start(*p))
	}
	if len(s.strata) == 0 {
		return nil, errors.New("the fractions of the classes round to no row at all: raise them")
	}
	return s, nil
}

func (p *stratum) of() string {
	if p.name == "" {
		return ""
	}
	return fmt.Sprintf(" of class %q", p.name)
}

func positive(weighted bool) string {
	if weighted {
		return " of positive weight"
	}
	return ""
}

// sampling names the settings that leave rows out or repeat them.
func sampling() string {
	var names []string
	for _, r := range table() {
		if !r.all {
			names = append(names, "sample="+r.Name)
		}
	}
	return strings.Join(names, " or ")
}

// LeavesNoneOut reports whether all samples take all rows once, whatever the rows are.
func (set *Settings) LeavesNoneOut() bool {
	method, ok := byMethod(set.Method)
	return method.all || ok && !method.Repeats && set.Fraction == 1 &&
		set.Strata != Balanced
}

// ErrUnweighted reports that rows without weights were to be sampled by their weights.
var ErrUnweighted = errors.New("weighted_sampling needs a weight column: name one, or leave " +
	"weighted_sampling out")

// method returns the method, puts its defaults into the settings, and checks all that can be
// checked without counting.
func (set *Settings) method(rows *Rows) (entry, error) {
	method, ok := byMethod(set.Method)
	strata := set.Strata == Stratified || set.Strata == Balanced
	switch {
	case !ok:
		return method, fmt.Errorf("sample: %v", set.Method)
	case !strata && set.Strata != Free:
		return method, fmt.Errorf("strata: %v", set.Strata)
	case rows.N < 1 || rows.N > math.MaxInt32:
		return method, fmt.Errorf("cannot sample from %d rows", rows.N)
	case !(set.Fraction >= 0 && set.Fraction <= 1):
		return method, fmt.Errorf("fraction=%g is not above 0 and at most 1", set.Fraction)
	case method.all && (set.Fraction != 0 && set.Fraction != 1 || strata || set.Fractions != nil ||
		set.Weighted || set.Grouped):
		return method, fmt.Errorf("sample=%s takes every row once, and fraction, strata, "+
			"weighted_sampling and grouped_sampling control how rows are sampled: choose %s, or "+
			"leave them out",
			method.Name, sampling())
	case set.Fractions != nil && (set.Fraction != 0 || strata):
		return method, errors.New("fractions of the classes already set the sample size: leave " +
			"fraction and strata out")
	case (strata || set.Fractions != nil) && rows.Class == nil:
		return method, errors.New("sampling by class needs a label of classes: leave strata and " +
			"the fractions of the classes out")
	case set.Fractions != nil && len(set.Fractions) != len(rows.Classes):
		return method, fmt.Errorf("%d fractions for %d classes", len(set.Fractions),
			len(rows.Classes))
	case set.Weighted && rows.Weight == nil:
		return method, ErrUnweighted
	case set.Grouped && rows.Group == nil:
		return method, errors.New("grouped_sampling needs a group column: name one, or leave " +
			"grouped_sampling out")
	}
	for c, f := range set.Fractions {
		if !(f >= 0 && f <= 1) {
			return method, fmt.Errorf("fraction %g of class %q is not between 0 and 1", f,
				rows.Classes[c])
		}
	}
	if set.Fraction == 0 {
		set.Fraction = method.Fraction
	}
	return method, nil
}

// Sample fills count, one entry for each training row, with how often each row is in the bag of one
// member: 0 is out of the bag. The seed decides every random choice; give each member its own.
func (s *Sampler) Sample(count []uint32, seed uint64) {
	r := rng.FromSeed(seed)
	count = count[:s.rows]
	sampling := count
	if s.units.of != nil {
		sampling = make([]uint32, s.units.n)
	}
	clear(sampling)
	for _, p := range s.strata {
		p.sample(sampling, &r)
	}
	for i, u := range s.units.of {
		count[i] = sampling[u]
	}
}

// LeavesOut reports whether samples leave rows out of the bag: without that there is no out-of-bag
// error.
func (s *Sampler) LeavesOut() bool { return !s.whole }
