package sample

import "github.com/coppice-ml/coppice/internal/enum"

// GradientEntry is a way to choose the rows of a boosted model's trees as it stands in the table.
type GradientEntry struct {
	Name string
	Help string
	New  func() Gradient // with default parameters
}

// GradientTable returns all ways, the default first. A new one is a file beside this one and an
// entry here.
func GradientTable() []GradientEntry {
	return []GradientEntry{
		{"none", "all rows for every tree", fresh[Everything]},
		{"uniform", "fraction of the rows, sampled without replacement (Friedman 2002)",
			fresh[Uniform]},
		{"goss", "the rows of steepest loss, and a few of the others, which count for all of " +
			"them (Ke et al. 2017)", fresh[GOSS]},
		{"mvs", "rows by the size of their derivatives, so that gains vary least (Ibragimov & " +
			"Gusev 2019)", fresh[MVS]},
		{"group", "fraction of the groups, sampled without replacement, with all of their rows",
			fresh[ByGroup]},
		{"bayesian", "all rows, each by a random factor (Rubin 1981)", fresh[Bayesian]},
	}
}

// fresh makes a T with default parameters.
func fresh[T any, P interface {
	*T
	Gradient
}]() Gradient {
	w := P(new(T))
	w.Params().Reset()
	return w
}

// GradientByName returns the entry called name, and whether there is one.
func GradientByName(name string) (GradientEntry, bool) {
	return enum.Find(GradientTable(), name, func(r GradientEntry) string { return r.Name })
}

// GradientNames returns the names of the table, in order.
func GradientNames() []string {
	return enum.NamesOf(GradientTable(), func(r GradientEntry) string { return r.Name })
}
