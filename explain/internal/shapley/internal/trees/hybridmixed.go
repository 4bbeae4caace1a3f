package trees

// mostMixed is the largest number of sources of a derived column whose mixed values are kept for a
// pair of rows.
const mostMixed = 4

// mixture is the values of a derived column for hybrids of a pair of rows. Bit i of the index is
// whether source i has the row's value.
type mixture struct {
	pair    int // of which they are
	differs int // the sources whose values differ in the two rows
	value   [1 << mostMixed]float64
}

// mixtureOf returns the values of a derived column for the pair of rows. Most pairs have the same
// value of some source, so that few are computed.
func (c *crossing) mixtureOf(column int32, d *Derived) *mixture {
	m := &c.mixtures[column]
	if m.pair == c.pair {
		return m
	}
	m.pair, m.differs = c.pair, 0
	for i, source := range d.Sources {
		if x, y := c.row[source], c.other[source]; x != y && (x == x || y == y) {
			m.differs |= 1 << i
		}
	}
	for mask := range 1 << len(d.Sources) {
		switch differs := mask & m.differs; {
		case differs == m.differs:
			m.value[mask] = c.row[column]
		case differs == 0:
			m.value[mask] = c.other[column]
		case differs != mask:
			m.value[mask] = m.value[differs]
		default:
			c.from = c.from[:0]
			for i, source := range d.Sources {
				from := c.other
				if mask>>i&1 != 0 {
					from = c.row
				}
				c.from = append(c.from, from[source])
			}
			m.value[mask] = d.Value(c.from)
		}
	}
	return m
}

// mixed is known for a node that tests a derived column of few sources.
func (c *crossing) mixed(n, column int32, d *Derived) (child, needed int32) {
	m := c.mixtureOf(column, d)
	decided, own := 0, 0
	needed = -1
	for i, source := range d.Sources {
		switch player := c.player[source]; {
		case c.origin[player] == ofRow:
			decided, own = decided|1<<i, own|1<<i
		case c.origin[player] == ofOther || m.differs>>i&1 == 0:
			decided |= 1 << i
		case needed < 0:
			needed = player
		}
	}
	child = by(c.Tree, n, m.value[own])
	if needed < 0 {
		return child, -1
	}
	for mask := range 1 << len(d.Sources) {
		if mask&decided == own && by(c.Tree, n, m.value[mask]) != child {
			return -1, needed
		}
	}
	return child, -1
}
