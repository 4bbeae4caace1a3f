package ensembles

// KeepValues sets how many permuted values are kept at a time.
func (p *Permuter) KeepValues(values int) { p.walker.permuted.most = values }
