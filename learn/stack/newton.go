package stack

import "math"

// Newton's method takes few steps, at most newtonSteps; halvings is how often a step is halved that
// leads uphill.
const (
	newtonSteps = 100
	halvings    = 50
	noise       = 1e-13 // a rise of the loss by so small a fraction of it is rounding
	// a step as short as this fraction of the greatest weight is the last: the next would square it
	short = 1e-9
)

// downhill sets try to v + fraction x step, with the first fraction of 1, 1/2, 1/4, ... from where
// the loss is not above that at v but for rounding. It reports whether there is one. at returns the
// loss at try, which it may first move to where parameters may be.
func downhill(try, v, step []float64, loss float64, at func() float64) bool {
	part := 1.0
	for range halvings {
		for a := range v {
			try[a] = v[a] + float64(part*step[a])
		}
		if at() <= loss+float64(noise*math.Abs(loss)) {
			return true
		}
		part /= 2
	}
	return false
}
