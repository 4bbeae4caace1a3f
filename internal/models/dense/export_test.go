package dense

// Encode is encode of learners that do not compute distances.
func (e *Encoding) Encode(dst, row []float64) { e.encode(dst, row, false) }

// Words is what a report has in words.
func (r *Report) Words(name func(string) string) []string { return r.words(name) }
