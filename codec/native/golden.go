package native

import "github.com/coppice-ml/coppice/model"

// goldenRows is the section of golden rows. It is optional, since no prediction depends on it. Two
// rows of three columns, of a model with one output, have
//
//	kind         0 0              1: of the training table
//	values       v v v  v v v
//	predictions  p  p
type goldenRows struct {
	kind                []uint8
	values, predictions []float64
}

func newGolden(g *model.Golden) *goldenRows {
	own := &goldenRows{make([]uint8, g.Rows), g.Values, g.Predictions}
	for i := range own.kind {
		if g.Drawn {
			own.kind[i] = 1
		}
	}
	return own
}

func (g *goldenRows) arrays() []array {
	return []array{whole("kind", 0, &g.kind), whole("values", 0, &g.values),
		whole("predictions", 0, &g.predictions)}
}

// section returns the section.
func (g *goldenRows) section() section {
	s := arraySection("golden", g.arrays())
	s.since, s.flags = version1_1, 0
	return s
}

// parseGolden reads the section. The validation of the model checks the values.
func parseGolden(p *payload) *model.Golden {
	own := &goldenRows{}
	p.loadAll(own.arrays())
	g := &model.Golden{Rows: len(own.kind), Values: own.values, Predictions: own.predictions}
	for _, k := range own.kind {
		if k > 1 || k != own.kind[0] {
			p.corrupt(0, "golden rows of kind %d and %d", own.kind[0], k)
		}
		g.Drawn = k == 1
	}
	return g
}
