package link

// Hazard maps each score x by itself to e^x, as Exp does, and describes what it is: a rate in
// proportion to which events happen, so that the greater it is the earlier they are.
type Hazard struct{}

// Name returns "hazard".
func (Hazard) Name() string { return "hazard" }

// Apply maps each element of v.
func (Hazard) Apply(v []float64) { Exp{}.Apply(v) }

// Describe returns what Exp does: the functions are one.
func (Hazard) Describe() Description { return Exp{}.Describe() }
