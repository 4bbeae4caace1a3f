package sample

import "github.com/coppice-ml/coppice/internal/enum"

// entry is a method of sampling as it stands in the table.
type entry struct {
	Name     string
	Help     string
	Fraction float64 // number of samples as a fraction of the units, where the settings name none
	Repeats  bool    // a unit may be sampled several times
	all      bool    // nothing is sampled
	start    func(stratum) stratumSampler
}

// table returns all methods, the default first. A new method is a file beside this one and an entry
// here.
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

// byName returns the entry called name, and whether there is one.
func byName(name string) (entry, bool) {
	return enum.Find(table(), name, func(r entry) string { return r.Name })
}

// methodNames returns the names of the table, in order.
func methodNames() []string {
	return enum.NamesOf(table(), func(r entry) string { return r.Name })
}
