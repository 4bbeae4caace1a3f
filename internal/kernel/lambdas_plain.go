//go:build !amd64 || purego

package kernel

func (l *Lambdas) add(r *LambdaSums, gain, odds, place []float64) {
	l.addPlain(r, gain, odds, place)
}

func (l *Lambdas) addBoth(r *LambdaSums, gain, odds, place, g, h []float64) {
	l.addBothPlain(r, gain, odds, place, g, h)
}
