package sample

import (
	"github.com/coppice-ml/coppice/internal/enum"
	"github.com/coppice-ml/coppice/param"
)

// Method is how the rows of a member are sampled.
type Method = param.Enum[methods]

// The methods, by their places in table.
const (
	// as many rows as there are, with replacement
	Bootstrap Method = iota
	// a fraction of the rows, without replacement
	Subsample
	// all rows, each once; its name is none
	All
)

type methods struct{}

func (methods) Enum() (string, []string) {
	return "sample", enum.NamesOf(table(), func(r entry) string { return r.Name })
}

// entry is a method of sampling as it stands in the table.
type entry struct {
	Name     string
	Help     string
	Fraction float64 // number of samples as a fraction of the units, where the settings name none
	Repeats  bool    // a unit may be sampled several times
	all      bool    // nothing is sampled
	start    func(stratum) stratumSampler
}

// table returns all methods, by their numbers. A new method is a file beside this one, an entry
// here and its constant.
func table() []entry {
	return []entry{
		{Name: "bootstrap", Fraction: 1, Repeats: true, start: newBootstrap,
			Help: "as many rows as there are, sampled with replacement, which leaves 36.8 % of " +
				"them out (Breiman 1996)"},
		{Name: "subsample", Fraction: 0.632, start: newSubsample,
			Help: "fraction of the rows, sampled without replacement (Politis & Romano 1994)"},
		{Name: "none", Fraction: 1, all: true, start: newAll,
			Help: "all rows, each once"},
	}
}

// byMethod returns the entry of a method, and whether there is one.
func byMethod(m Method) (r entry, found bool) {
	if found = int(m) < len(table()); found {
		r = table()[m]
	}
	return r, found
}
