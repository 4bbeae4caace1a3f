package link

// Hazard maps each score x by itself to e^x, as Exp does, and describes what it is: a rate in
// proportion to which events happen, so that the greater it is the earlier they are.
func Hazard() Link { return hazard{} }

type hazard struct{}

// Name returns "hazard".
func (hazard) Name() string { return "hazard" }

// Apply maps each element of v.
func (hazard) Apply(v []float64) { exponential{}.Apply(v) }

// Describe returns what Exp does: the functions are one.
func (hazard) Describe() Description { return exponential{}.Describe() }
