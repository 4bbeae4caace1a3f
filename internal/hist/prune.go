package hist

// leastGain returns the gain below which no split is made while a tree grows.
func (c *Config) leastGain() (least float64) {
	if c.Conventions == XGBoostExact {
		least = leastExact
	}
	if c.GammaBottom && c.Policy != Symmetric {
		return least
	}
	return max(least, c.Gamma)
}

// prune removes branches by Config.GammaBottom: from the last split to the first, one whose
// children are leaves and that gains less than Gamma becomes a leaf. So a split of little gain
// stays above a branch that stays. The others are numbered again, in the order in which they were
// made.
func (t *Grown) prune() {
	r := t.r
	if !r.c.GammaBottom || r.c.Policy == Symmetric || r.c.Gamma == 0 {
		return
	}
	for i := len(t.split) - 1; i >= 0; i-- {
		l := t.split[i]
		if t.inner(l.first) || t.inner(l.last) || l.split.gain >= r.c.Gamma {
			continue
		}
		r.join(l.first)
		r.join(l.last)
		r.join(l)
		l.first, l.last = nil, nil
	}
	made := t.split
	t.nodes, t.split = t.nodes[:1], nil
	for _, l := range made {
		if l.first != nil {
			t.commit(l)
		}
	}
}
