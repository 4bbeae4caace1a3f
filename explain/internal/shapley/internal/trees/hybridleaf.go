package trees

import "math"

// end adds the value of the node where hybrids end.
func (c *crossing) end(n int32, weight float64) {
	if _, features, _ := c.Equation(n); len(features) > 0 {
		c.equation(n, weight)
		return
	}
	c.credit(c.values[c.value[n]:][:c.width], weight)
}

// equation adds the value of a node with an equation. A term is the value of the other row, and
// where its player is the row's, the difference of both times the coefficient. Where this is not
// finite the player is decided first, since some hybrids then have the plain value.
func (c *crossing) equation(n int32, weight float64) {
	sum, features, coefs := c.Equation(n)
	bound, plain := math.Abs(sum), false
	open, needed := int32(-1), int32(-1)
	for i, f := range features {
		column := c.place[f]
		x, player := c.at(column)
		size := math.Abs(coefs[i] * x)
		if player >= 0 {
			x = c.other[column]
			size = math.Abs(coefs[i]) * max(math.Abs(x), math.Abs(c.row[column]))
			open = player
			if !isFinite(size) || c.derived[column] != nil {
				needed = player
			}
		} else {
			plain = plain || !isFinite(size)
		}
		sum += float64(coefs[i] * x)
		bound += size
	}
	if needed < 0 && !isFinite(bound) {
		needed = open
	}
	switch {
	case plain || open < 0 && !isFinite(sum):
		c.credit(c.values[c.value[n]:][:1], weight)
		return
	case needed >= 0:
		c.decide(needed, n, weight, (*crossing).equation)
		return
	}
	weight *= c.scale
	c.credit([]float64{sum}, weight)
	for i, f := range features {
		column := c.place[f]
		if _, player := c.at(column); player >= 0 {
			effect := float64(coefs[i] * (c.row[column] - c.other[column]))
			c.chosen, c.a, c.origin[player] = append(c.chosen, player), c.a+1, ofRow
			c.credit([]float64{effect}, weight)
			c.chosen, c.a, c.origin[player] = c.chosen[:len(c.chosen)-1], c.a-1, undecided
		}
	}
}

func isFinite(x float64) bool { return math.Abs(x) <= math.MaxFloat64 }

// credit adds the cells of the decided players for a value.
func (c *crossing) credit(values []float64, weight float64) {
	if len(c.chosen) == 0 {
		return
	}
	w := c.index.weightsOf(c.a, c.b)
	cells := len(c.phi) / c.width
	for k, v := range values {
		phi := c.phi[k*cells:][:cells]
		v = float64(v * weight)
		for j, player := range c.chosen {
			mine := c.origin[player] == ofRow
			if c.index == Singles {
				phi[player] += float64(v * pick(mine, w.a, w.b))
				continue
			}
			for _, other := range c.chosen[:j] {
				theirs := c.origin[other] == ofRow
				phi[Pair(player, other)] += float64(v * pick(mine,
					pick(theirs, w.aa, w.ab), pick(theirs, w.ab, w.bb)))
			}
		}
	}
}

// pick returns one of two numbers.
func pick(first bool, a, b float64) float64 {
	if first {
		return a
	}
	return b
}
