//go:build amd64 && !purego

package kernel

func (l *Lambdas) add(r *LambdaSums, gain, odds, place, score []float64) {
	if !hasAVX2 {
		l.addPlain(r, gain, odds, place, score)
		return
	}
	addLambdas(l, r, &gain[0], &odds[0], &place[0], &score[0], len(gain))
}

func (l *Lambdas) addBoth(r *LambdaSums, gain, odds, place, score, g, h []float64) {
	if !hasAVX2 {
		l.addBothPlain(r, gain, odds, place, score, g, h)
		return
	}
	addBothLambdas(l, r, &gain[0], &odds[0], &place[0], &score[0], &g[0], &h[0],
		len(gain))
}

// addLambdas does n other rows, at least one.
//
//go:noescape
func addLambdas(l *Lambdas, r *LambdaSums, gain, odds, place, score *float64, n int)

//go:noescape
func addBothLambdas(
	l *Lambdas, r *LambdaSums, gain, odds, place, score, first, second *float64, n int)
