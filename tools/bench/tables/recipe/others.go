package recipe

import "math"

// mslr resembles a ranking set of web pages (MSLR-WEB10K): eight latent qualities seen through 136
// features of seven shapes, most of them with many zeros, and a relevance of 0 to 4.
func mslr(r row, x []float64) float64 {
	var latent [8]float64
	for k := range latent {
		latent[k] = r.N(k)
	}
	length := math.Exp(3 + .8*r.N(9)) // of the document
	for j := range x {
		z, threshold := latent[j%8]+.9*r.N(20+j), .25*float64(j%5)
		switch (j / 5) % 7 {
		case 0: // small counts, more than half of them zero
			x[j] = math.Floor(math.Max(0, 1.5*(z-threshold)))
		case 1: // ratios of few values
			x[j] = math.Floor(math.Max(0, 2*(z-threshold))) / float64(1+j%5)
		case 2: // like term frequencies: continuous, with zeros
			x[j] = math.Max(0, z-threshold) * math.Log1p(length)
		case 3: // flags
			x[j] = flag(z > threshold+.5)
		case 4: // like BM25: dense
			x[j] = math.Max(0, 6+4*z) * length / (length + 20)
		case 5: // like language models: dense, negative
			x[j] = -math.Exp(2-.4*z) - .01*length
		case 6: // integers with a heavy tail
			x[j] = math.Floor(math.Exp(clip(1.2*(z-1), -5, 9)))
		}
	}
	z := latent
	score := 1.0*math.Max(0, z[0]) + .7*z[1]*flag(z[2] > 0) + .6*math.Tanh(z[3]*z[4]) +
		.5*flag(z[5] > .5)*flag(z[6] > 0) -
		.3*math.Abs(z[7]) + .2*math.Log(length/20) + .6*r.N(10)
	return clip(math.Floor(score+.7), 0, 4)
}

// airline resembles the flight delays: day, month and similar codes without order (six columns of 7
// to 300 categories, three of them skewed), a departure time and a distance.
func airline(r row, x []float64) float64 {
	var code [6]uint64
	for j, levels := range []uint64{7, 12, 31, 20, 300, 300} {
		u := r.U(j)
		if j >= 3 {
			u = math.Pow(u, 2.5)
		}
		code[j] = min(uint64(math.Floor(float64(levels)*u)), levels-1)
		if j >= 3 {
			code[j] = (code[j]*7919 + 13) % levels // 7919 is coprime to 20 and 300
		}
		x[j] = float64(code[j])
	}
	departure := math.Floor(300 + 1100*clip(.5+.28*r.N(6), 0, 1))
	distance := math.Floor(math.Exp(6.4 + .6*r.N(7)))
	x[6], x[7] = departure, distance
	h := (departure - 300) / 1100
	score := -1.7 + .35*effect(1, code[0]) + .45*effect(2, code[1]) + .15*effect(3,
		code[2]) + .6*effect(4, code[3]) +
		1.0*effect(5, code[4]) + .7*effect(6, code[5]) +
		1.1*effect(7, code[3]*1000+code[4]) + .5*effect(8,
		code[1]*1000+code[4]/10) + 1.6*h*h - .3*math.Log(distance/600) +
		.5*effect(9, code[3])*flag(h > .6)
	return flag(r.U(60) < sigmoid(1.1*score))
}

// effect is a category's fixed effect on a score, uniform in (-1, 1).
func effect(key, code uint64) float64 { return 2*unit(mix(code*golden+key)) - 1 }

// small is a quick table: uniform and normal features by turns, with products and a sine in the
// score.
func small(r row, x []float64) float64 {
	for j := range x {
		if j%2 == 1 {
			x[j] = r.N(j)
		} else {
			x[j] = r.U(j)
		}
	}
	d := x[4] - .5
	score := 3*math.Sin(math.Pi*x[0]*x[2]) + 6*(d*d) + 2*x[6]*x[1] + x[3]*x[5] - 1.6
	return flag(r.U(60) < sigmoid(1.5*score))
}

// classes has ten classes: each has a score of three of the normal columns, to which noise of
// Gumbel's distribution is added, so that probabilities are the softmax of the scores.
func classes(r row, x []float64) float64 {
	for j := range x {
		x[j] = r.N(j)
	}
	label, most := 0, math.Inf(-1)
	for k := range 10 {
		a, b, c := x[2*k], x[(2*k+3)%20], x[(3*k+7)%20]
		score := 2*a*flag(b > -.5) + 1.5*math.Tanh(b*c) - math.Abs(c) -
			math.Log(-math.Log1p(-r.U(60+k)))
		if score > most {
			label, most = k, score
		}
	}
	return float64(label)
}

// sparse is zero at random in 92.5 % of its cells, and normal in the others. All columns have an
// effect.
func sparse(r row, x []float64) float64 {
	score := 0.0
	for j := range x {
		if x[j] = 0; r.U(j) < .075 {
			x[j] = r.N(2000 + j)
			score += effect(10, uint64(j)) * x[j]
		}
	}
	return flag(r.U(1500) < sigmoid(.6*score))
}
