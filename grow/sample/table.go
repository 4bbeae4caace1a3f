package sample

// Entry is a method of sampling as it stands in the table.
type Entry struct {
	Name     string
	Help     string
	Fraction float64 // number of samples as a fraction of the units, where the settings name none
	Repeats  bool    // a unit may be sampled several times
	all      bool    // nothing is sampled
	start    func(stratum) stratumSampler
}

// Table returns all methods, the default first. A new method is a file beside this one and an entry
// here.
func Table() []Entry {
	return []Entry{
		{Name: "bootstrap", Fraction: 1, Repeats: true, start: newBootstrap,
			Help: "as many rows as there are, sampled with replacement, which leaves 36.8 % of " +
				"them out (Breiman 1996)"},
		{Name: "subsample", Fraction: 0.632, start: newSubsample,
			Help: "fraction of the rows, sampled without replacement (Politis & Romano 1994)"},
		{Name: "none", Fraction: 1, all: true, start: newAll,
			Help: "all rows, each once"},
	}
}

// ByName returns the entry called name, and whether there is one.
func ByName(name string) (Entry, bool) {
	for _, r := range Table() {
		if r.Name == name {
			return r, true
		}
	}
	return Entry{}, false
}

// Names returns the names of the table, in order.
func Names() []string {
	var names []string
	for _, r := range Table() {
		names = append(names, r.Name)
	}
	return names
}
