package hist

// placeScore is the sums of a split, in one place, over the leaves of a level.
type placeScore struct{ gain, norm float64 }

// pointScores is what the split points of a column score at the leaves of a level together, by
// bin: of missing values in the last child, then of those in the first. Norms are those of
// Config.Cosine, none without it.
type pointScores struct{ gain, norm [2][]float64 }

// clear makes the scores of a column's split points 0: on both sides of its missing values where it
// has any.
func (p *pointScores) clear(values int, missing, norms bool) {
	for side := range p.gain {
		n := values
		if side == 1 && !missing {
			n = 0
		}
		p.gain[side] = zeros(p.gain[side], n)
		if norms {
			p.norm[side] = zeros(p.norm[side], n)
		}
	}
}

// zeros is resize of numbers that are 0.
func zeros(s []float64, n int) []float64 {
	s = resize(s, n)
	clear(s)
	return s
}

// add adds what a split scores at a leaf.
func (p *pointScores) add(found *split) {
	side := sideOf(found.missing)
	p.gain[side][found.bin] += found.gain
	if norm := p.norm[side]; norm != nil {
		norm[found.bin] += found.norm
	}
}

// of returns the sums of a split.
func (p *pointScores) of(bin, side int) placeScore {
	s := placeScore{gain: p.gain[side][bin]}
	if norm := p.norm[side]; norm != nil {
		s.norm = norm[bin]
	}
	return s
}

// sideOf returns where pointScores has splits by the side of missing values.
func sideOf(missing bool) int {
	if missing {
		return 1
	}
	return 0
}
