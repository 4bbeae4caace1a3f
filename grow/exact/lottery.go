package exact

// Draws are made from streams of the node's own, so that a node's split depends on its rows and its place in the tree
// alone, not on what was grown before. These are what the streams are for.
const (
	columnDraws = iota
	directionDraws
	splitDraws
	childDraws
	levelDraws
)

// drawColumns draws mtry columns for a node and returns them as they were drawn: of splits of equal gain the first is taken,
// so that no column wins ties by its place in the table, nor a column those against its shadow. drawColumn draws further
// ones, redress ends it.
func (g *grower) drawColumns(nd *node) []int32 {
	g.draws.Reset(nd.key, columnDraws)
	for range g.mtry {
		g.drawColumn()
	}
	g.chosen = append(g.chosen[:0], g.lottery[:g.mtry]...)
	return g.chosen
}

// drawColumn draws one of the columns that the node has not drawn yet.
func (g *grower) drawColumn() int32 {
	i := len(g.swaps)
	j := i + g.draws.Intn(len(g.lottery)-i)
	g.lottery[i], g.lottery[j] = g.lottery[j], g.lottery[i]
	g.swaps = append(g.swaps, int32(j))
	return g.lottery[i]
}

// redress takes the swaps of the lottery back.
func (g *grower) redress() {
	for i := len(g.swaps) - 1; i >= 0; i-- {
		j := g.swaps[i]
		g.lottery[i], g.lottery[j] = g.lottery[j], g.lottery[i]
	}
	g.swaps = g.swaps[:0]
}
