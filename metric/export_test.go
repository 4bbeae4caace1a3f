package metric

// OfBlocks returns a metric of rows that come in blocks.
func OfBlocks(name string, blocks ...*Sample) (float64, error) {
	m, _ := Lookup(name)
	c := common{store: &store{}}
	for _, s := range blocks {
		c.rows += s.Rows()
	}
	of := m.begin(&c)
	for _, s := range blocks {
		c.taken, c.again, c.grouped = [2]bool{}, false, false
		of.add(s)
	}
	return of.value()
}
