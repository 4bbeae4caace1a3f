//go:build !amd64 || purego

package kernel

func (l *Lambdas) add(r *LambdaSums, gain, odds, place []float64) {
	l.addPlain(r, gain, odds, place)
}
