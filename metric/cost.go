package metric

// Cost returns the weighted mean cost of the predicted labels. Without costs it is undefined: it
// would be the error.
func Cost(s *Sample) (float64, error) {
	if s.Costs == nil {
		return 0, &Undefined{"cost", "the model has no costs"}
	}
	var m mean
	for i, c := range s.Class {
		m.add(s.Costs.Of(int(c), s.Label(i)), s.weight(i))
	}
	return m.value("cost")
}
