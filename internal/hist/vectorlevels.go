package hist

import "context"

// growLevels is Grower.growLevels for several outputs.
func (v *VectorGrower) growLevels(ctx context.Context, t *VectorGrown, root *open) error {
	return v.r.byLevels(ctx, v, t.grown, root)
}

// splitLevel is Grower.splitLevel for several outputs.
func (v *VectorGrower) splitLevel(leaves []*open) {
	for _, l := range leaves {
		if v.children(l) {
			v.settle(l.first)
			v.settle(l.last)
		}
	}
}

// settle frees the histograms of a leaf that is not split, or that there is no room for while
// others are looked at.
func (v *VectorGrower) settle(l *open) {
	if !v.r.mayBeSplit(l) || v.crowded() {
		v.release(l)
	}
}

// bestOfLevel is Grower.bestOfLevel for several outputs. Leaves come one after the other, so that
// one whose histograms were not kept has them for as long as it is looked at.
func (v *VectorGrower) bestOfLevel(leaves []*open, columns []int32) split {
	r := v.r
	gains := make([][]float64, len(columns))
	for j, c := range columns {
		gains[j] = make([]float64, 2*r.m.Columns[c].Bins())
	}
	for _, l := range leaves {
		if !r.mayBeSplit(l) {
			continue
		}
		v.restore(l)
		k := min(len(v.scans), len(columns))
		r.each(k, func(i int, _ *worker) {
			for j := i; j < len(columns); j += k {
				v.scans[i].eachSplitPoint(l, int(columns[j]), func(s *split) {
					at := 2 * s.bin
					if s.missing {
						at++
					}
					gains[j][at] += s.gain
				})
			}
		})
		v.settle(l)
	}
	best := none()
	for j, c := range columns {
		for k, gain := range gains[j] {
			s := split{column: int(c), bin: k / 2, missing: k&1 == 1, gain: gain}
			if gain > 0 && gain >= r.least && s.better(&best) {
				best = s
			}
		}
	}
	return best
}

// atEach is Grower.atEach for several outputs.
func (v *VectorGrower) atEach(leaves []*open, best *split) []*open {
	var splitting []*open
	for _, l := range leaves {
		if !v.r.mayBeSplit(l) {
			continue
		}
		v.restore(l)
		v.scans[0].eachSplitPoint(l, best.column, func(found *split) {
			if found.bin == best.bin && found.missing == best.missing {
				l.split = *found
				splitting = append(splitting, l)
			}
		})
		v.settle(l)
	}
	return splitting
}

// restore makes the histograms of a leaf whose own were not kept.
func (v *VectorGrower) restore(l *open) {
	if l.several.hist == nil {
		l.several.hist = v.histograms()
		v.fill(l)
	}
}

// eachCut is scanner.eachCut for several outputs: it calls f for every split of a leaf by a column
// that is allowed.
func (s *vectorScanner) eachSplitPoint(l *open, column int, f func(found *split)) {
	config := &s.v.r.c
	c := &s.v.r.m.Columns[column]
	s.begin(l)
	s.load(c)
	s.rows = nil
	if config.MinLeaf > 1 {
		s.count(c)
	}
	var order []int32
	if config.Order != nil && c.Nominal() {
		order = config.Order[column]
	}
	for _, missing := range []bool{false, true} {
		if missing && (c.Nominal() || !c.Missing) {
			break
		}
		side := split{column: column, missing: missing}
		clear(s.left)
		if missing {
			s.add(c.Values, &side)
		}
		for i := range c.Values {
			b := i
			switch {
			case order != nil:
				b = int(order[i])
			case c.Nominal():
				side = split{column: column}
				clear(s.left)
			}
			s.add(b, &side)
			side.bin = i
			best := none()
			if !s.try(&side, &best) {
				continue
			}
			if w := config.ColumnWeight; w != nil {
				best.gain *= w[column]
			}
			switch {
			case order != nil:
				best.set = order[:i+1]
			case c.Nominal():
				best.set = []int32{int32(i)}
			}
			f(&best)
		}
	}
}
