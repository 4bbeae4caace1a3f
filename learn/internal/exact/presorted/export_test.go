package presorted

// Plain makes the engine judge candidates in batches, the twin that every criterion's own scan must
// equal.
func (c Config) Plain() Config {
	c.plain = true
	return c
}
