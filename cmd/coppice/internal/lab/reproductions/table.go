package reproductions

// Table lists the reproductions, in the order of docs/lab.md.
func Table() []Reproduction {
	return []Reproduction{
		voters,
		averages,
		impurity,
		pda,
		information,
		tenPoints,
		alpha,
		exponential,
		hedge,
		edge,
		filtering,
		spheres,
		letters,
		iris,
		fish,
		regression,
		functions,
		pursuit,
		fourNumbers,
		fourClasses,
		gamma,
		distinct,
		biasVariance,
		likelihood,
		spambase,
		mtry,
		risk,
		empiricalRisk,
		calibration,
		exercises,
		divergence,
		vectors,
	}
}
