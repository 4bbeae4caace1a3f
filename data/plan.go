package data

// Plan is a plan of folds, a value with a seed.
type Plan struct {
	K    int
	Seed uint64
}
