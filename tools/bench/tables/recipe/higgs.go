package recipe

import "math"

// higgs resembles the HIGGS set (Baldi, Sadowski, Whiteson 2014): momenta, angles and tags of a
// lepton, the missing energy and four jets, then seven masses computed from them, which carry most
// of the signal.
func higgs(r row, x []float64) float64 {
	pl, el, fl := math.Exp(.5*r.N(0)), r.N(1), 3.4*(r.U(2)-.5)
	met, fm := math.Exp(.5*r.N(3)), 3.4*(r.U(4)-.5)
	copy(x, []float64{pl, el, fl, met, fm})
	var p, e, f, t [4]float64 // of the jets
	for k := range 4 {
		p[k], e[k], f[k] = math.Exp(.5*r.N(5+4*k)), r.N(6+4*k), 3.4*(r.U(7+4*k)-.5)
		u := r.U(8 + 4*k)
		t[k] = flag(u > .5)*1.0865 + flag(u > .75)*1.0865
		copy(x[5+4*k:], []float64{p[k], e[k], f[k], t[k]})
	}
	mjj := math.Sqrt(mass2(p[0], p[1], e[0]-e[1], f[0]-f[1]))
	mjjj := math.Sqrt(mjj*mjj + p[2]*p[2] + p[0]*p[2])
	mlv := math.Sqrt(2 * pl * met * (1 - math.Cos(fl-fm)))
	mjlv := math.Sqrt(mlv*mlv + mass2(p[3], pl, e[3]-el, f[3]-fl))
	mbb := math.Sqrt(mass2(p[2], p[3], e[2]-e[3], f[2]-f[3]))
	mwbb := mbb + mlv
	mwwbb := mwbb + mjj
	for j, v := range []float64{mjj, mjjj, mlv, mjlv, mbb, mwbb, mwwbb} {
		x[21+j] = v * math.Exp(.15*r.N(40+j))
	}
	peak := (mbb - 1.4) / .6
	score := 1.5*flag(math.Abs(mjj-1.2) < .5) + 1.4*math.Exp(-(peak*peak))*(.4+.5*(t[2]+t[3])) -
		.8*math.Tanh(e[0]*e[1]) + 1.0*flag(pl > 1.2)*flag(met < 1.0) - .6*math.Abs(el) +
		.7*math.Log(p[0])*el +
		.8*math.Sin(2*fl)*math.Tanh(math.Log(met)) - .7*flag(mwwbb > 6) +
		.5*flag(t[0] > 0)*math.Log(p[0]) -
		.5*flag(mlv > 1.5)*flag(t[1] > 1.5) + .4*e[2]*e[3]*flag(p[2] > 1)
	return flag(r.U(60) < sigmoid(1.3*(score-0.55)))
}

// mass2 is the squared mass of two light particles by their momenta and their differences in both
// angles.
func mass2(a, b, de, df float64) float64 {
	return 2 * a * b * (math.Cosh(clip(de, -3, 3)) - math.Cos(df))
}
