package metric

import "github.com/coppice-ml/coppice/internal/scratch"

// tieLog is the weights of both classes by score, ascending: those of merged runs, which can be
// read in both directions.
type tieLog struct {
	*store
	now    []float64       // two for each score
	stored []scratch.Piece // before them
	most   int             // of now
}

func newTieLog(t *store) *tieLog {
	return &tieLog{store: t, most: 2 * t.limit(2*runParts, 16, 1<<16)}
}

func (l *tieLog) add(tied [2]float64) {
	if len(l.now) == l.most {
		l.stored, l.now = append(l.stored, l.write(l.now)), l.now[:0]
	}
	l.now = append(l.now, tied[0], tied[1])
}

// each calls a function for all of them.
func (l *tieLog) each(descending bool, f func(tied [2]float64)) {
	pass := func(ties []float64) {
		for i := 0; i < len(ties); i += 2 {
			at := i
			if descending {
				at = len(ties) - 2 - i
			}
			f([2]float64{ties[at], ties[at+1]})
		}
	}
	if descending {
		pass(l.now)
	}
	var block []float64
	for i := range l.stored {
		at := i
		if descending {
			at = len(l.stored) - 1 - i
		}
		block = l.readNumbers(l.stored[at], block[:0])
		pass(block)
	}
	if !descending {
		pass(l.now)
	}
}

// tiesOf adds up the weights of the scores of runs.
func tiesOf(r *runs[scored]) *tieLog {
	log := newTieLog(r.store)
	var tied [2]float64
	last, some := 0.0, false
	r.mergeAll(func(s *scored) {
		if some && s.score != last {
			log.add(tied)
			tied = [2]float64{}
		}
		last, some = s.score, true
		tied[s.class] += s.weight
	})
	if some {
		log.add(tied)
	}
	return log
}
