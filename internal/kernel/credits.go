package kernel

// CreditRows is the number of rows that Credits explains at once.
const CreditRows = 4

// creditPoints is the number of points of a vector of Credits.
const creditPoints = 8

// CreditVector is the numbers of a row of Credits that lie side by side, one for each point.
type CreditVector [creditPoints]float64

// CreditStep is a step of a walk over the edges of a tree: down an edge, down to a leaf and back,
// or up from a node. Level counts the edges above and this one. Above is the level of the edge of
// the same player next above, 0 if there is none. Edge is the place of its sides.
type CreditStep struct {
	Taken   float64 // the fraction of the training weight that the player's edges send here, above 0
	Inverse float64 // 1 / Taken; not for leaves
	Kind    uint32
	Level   uint32
	Above   uint32
	Player  uint32
	Edge    uint32
	Value   uint32 // of a leaf: where its values begin
}

// The kinds of steps.
const (
	CreditDown uint32 = iota
	CreditLeaf
	CreditUp
)

// Credits adds up the integrands of the Shapley values of trees' columns, at points of a quadrature
// from 0 to 1. A row satisfies a player where it goes through all its edges so far: s = 1, or 0.
// With z = Taken, a player's factor at a point t is f = t s + (1-t) z. At an edge of factor f,
//
//	product  = product above x f / f of Above
//	credit   = (s - z) / f  less that of Above
//	phi     += credit x sum over the leaves below of value x product
type Credits struct {
	Width  int            // values of a leaf
	Stride int            // from those of a row to those of the next one; 0: all rows have the same
	Phi    []CreditVector // of score k, player j and row r: (k*players + j)*CreditRows + r
	frames []CreditVector // by level: products, 1/f, credits by row, sums by score and row
	met    []uint8        // by level: a bit for each row that satisfies the edge's player
	point  struct{ t, rest, inverse CreditVector }
}

// Reset makes Credits ready for a walk with levels up to one of depth, at 1 to 8 points t. All are
// below 1. It clears Phi.
func (c *Credits) Reset(width, players, depth int, t []float64) {
	c.Width = width
	c.Phi = cleared(c.Phi, width*players*CreditRows)
	stride := c.stride()
	if n := (depth + 1) * stride; len(c.frames) < n {
		c.frames = make([]CreditVector, 2*n) // other trees are deeper
	}
	if len(c.met) <= depth {
		c.met = make([]uint8, depth+1)
	}
	c.met[0] = 1<<CreditRows - 1
	for i := range creditPoints {
		c.point.t[i] = t[min(i, len(t)-1)]
		c.point.rest[i] = 1 - c.point.t[i]
		c.point.inverse[i] = 1 / c.point.rest[i]
	}
	clear(c.frames[:stride])
	for i := range 2 * CreditRows {
		for j := range creditPoints {
			c.frames[i][j] = 1
		}
	}
}

func cleared(v []CreditVector, n int) []CreditVector {
	if cap(v) < n {
		return make([]CreditVector, n)
	}
	clear(v[:n])
	return v[:n]
}

// stride is the number of vectors of a level.
func (c *Credits) stride() int { return (3 + c.Width) * CreditRows }

// Walk takes the steps for some rows, CreditRows at most. sides has by edge a bit for each row that
// goes through it. values are those of leaves.
func (c *Credits) Walk(steps []CreditStep, sides []uint8, values []float64, rows int) {
	if len(steps) > 0 && len(values) > 0 {
		c.walk(steps, sides, values, rows)
	}
}

// walkPlain is Walk.
func (c *Credits) walkPlain(steps []CreditStep, sides []uint8, values []float64, rows int) {
	stride := c.stride()
	players := len(c.Phi) / c.Width
	for i := range steps {
		s := &steps[i]
		at := c.frames[int(s.Level)*stride:][:stride]
		parent := c.frames[int(s.Level-1)*stride:][:stride]
		above := c.frames[int(s.Above)*stride:][:stride]
		if s.Kind != CreditUp {
			c.down(s, at, parent, above, sides[s.Edge], rows)
		}
		for k := range c.Width {
			sum := (3 + k) * CreditRows
			phi := c.Phi[k*players+int(s.Player)*CreditRows:]
			for r := range rows {
				if s.Kind == CreditDown {
					at[sum+r] = CreditVector{}
					continue
				}
				for j, x := range at[sum+r] {
					credit, f := at[2*CreditRows+r][j], 1.0
					if s.Kind == CreditLeaf {
						f, x = at[r][j], values[int(s.Value)+r*c.Stride+k]*at[CreditRows+r][j]
					} else {
						credit -= above[2*CreditRows+r][j]
					}
					phi[r][j] += float64(credit * x)
					parent[sum+r][j] += float64(f * x)
				}
			}
		}
	}
}

// down fills the products, inverses and credits of a level. A leaf needs its factor, the product
// without it, and its credit less that of Above, times the factor: no inverse.
func (c *Credits) down(
	s *CreditStep, at, parent, above []CreditVector, sides uint8, rows int,
) {
	met := c.met[s.Above] & sides
	c.met[s.Level] = met
	z := s.Taken
	for j, t := range c.point.t {
		f0 := float64(c.point.rest[j] * z)
		f1 := t + f0
		inverse1, inverse0 := 1/f1, float64(c.point.inverse[j]*s.Inverse)
		credit1, credit0 := float64((1-z)*inverse1), -c.point.inverse[j]
		for r := range rows {
			f, inverse, credit, effect := f0, inverse0, credit0, -z
			if met>>r&1 != 0 {
				f, inverse, credit, effect = f1, inverse1, credit1, 1-z
			}
			if s.Kind == CreditLeaf {
				at[r][j], at[CreditRows+r][j] = f, above[CreditRows+r][j]*parent[r][j]
				at[2*CreditRows+r][j] = effect - float64(f*above[2*CreditRows+r][j])
				continue
			}
			at[r][j] = float64(f*above[CreditRows+r][j]) * parent[r][j]
			at[CreditRows+r][j], at[2*CreditRows+r][j] = inverse, credit
		}
	}
}
