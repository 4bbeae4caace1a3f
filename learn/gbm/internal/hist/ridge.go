package hist

import (
	"math"
	"slices"

	"github.com/coppice-ml/coppice/data"
)

// ridge is the weighted least-squares problem of a leaf's equation: the constant and the
// coefficients, one for each of some numeric columns, that minimise
//
//	sum of g f + 1/2 h f^2 + 1/2 l2 |coef|^2,  f = constant + sum of coef x
//
// over some rows: a Newton step to a linear function instead of a number (Shi, Li & Li 2019,
// "Gradient boosting with piece-wise linear regression trees", equation 5; the constant has no
// penalty, as in LightGBM). Rows with a missing or an infinite value are left out, as leaves do not
// use their equation for them.
type ridge struct {
	x    [][]float64 // columns of the rows without gaps
	g, h []float64

	// of each column; size is the root of the weighted sum of squares about the mean, 0 where it is
	// left out
	mean, size []float64
	// k x k, row-major, lower triangle: products of columns, then their Cholesky factor
	a []float64
	b []float64
}

// gather collects the rows whose values are all finite. of gives the gradient and the hessian by
// position.
func (r *ridge) gather(f *data.Frame, features, rows []int32, of func(i int) (g, h float64)) {
	k := len(features)
	for len(r.x) < k {
		r.x = append(r.x, nil)
	}
	r.x, r.g, r.h = r.x[:k], r.g[:0], r.h[:0]
	for j := range r.x {
		r.x[j] = r.x[j][:0]
	}
rows:
	for i, row := range rows {
		for _, c := range features {
			if x := f.Columns[c].Number(int(row)); !(math.Abs(x) <= math.MaxFloat64) {
				continue rows
			}
		}
		for j, c := range features {
			r.x[j] = append(r.x[j], f.Columns[c].Number(int(row)))
		}
		g, h := of(i)
		r.g, r.h = append(r.g, g), append(r.h, h)
	}
}

// solve minimises. Columns that have but one value, or that the columns before them determine, have
// coefficient 0. ok is false where there is no equation: too few rows for the columns, no hessians,
// no column that varies, numbers that are too large.
//
// About the columns' weighted means the constant does not depend on the coefficients,
// and with columns of one size no unit of measurement makes the equations ill-conditioned; the
// penalty is divided accordingly.
func (r *ridge) solve(l2 float64) (constant float64, coef []float64, ok bool) {
	k := len(r.x)
	if len(r.g) <= k {
		return 0, nil, false
	}
	sumG, sumH := 0.0, 0.0
	for i := range r.g {
		sumG += r.g[i]
		sumH += r.h[i]
	}
	if !(sumH > 0) {
		return 0, nil, false
	}
	r.center(sumH)
	r.multiply(l2)
	r.factor()
	coef = r.substitute()
	constant = -sumG / sumH
	some := false
	for j := range coef {
		constant -= float64(coef[j] * r.mean[j])
		some = some || coef[j] != 0
		if !(math.Abs(coef[j]) <= math.MaxFloat64) {
			return 0, nil, false
		}
	}
	if !some || !(math.Abs(constant) <= math.MaxFloat64) {
		return 0, nil, false
	}
	return constant, coef, true
}

// center subtracts the weighted mean from every column.
func (r *ridge) center(sumH float64) {
	k := len(r.x)
	r.mean, r.size = resize(r.mean, k), resize(r.size, k)
	for j, x := range r.x {
		sum := 0.0
		for i, v := range x {
			sum += float64(r.h[i] * v)
		}
		r.mean[j], r.size[j] = sum/sumH, 0
		if slices.Min(x) == slices.Max(x) {
			continue
		}
		squares := 0.0
		for i := range x {
			x[i] -= r.mean[j]
			squares += float64(float64(r.h[i]*x[i]) * x[i])
		}
		r.size[j] = math.Sqrt(squares)
	}
}

// multiply makes the normal equations a c = b of columns of size 1.
func (r *ridge) multiply(l2 float64) {
	k := len(r.x)
	r.a, r.b = resize(r.a, k*k), resize(r.b, k)
	for j, x := range r.x {
		if r.size[j] == 0 {
			continue
		}
		sum := 0.0
		for i, v := range x {
			sum += float64(r.g[i] * v)
		}
		r.b[j] = -sum / r.size[j]
		for m := range j {
			if r.size[m] == 0 {
				continue
			}
			sum := 0.0
			for i, v := range r.x[m] {
				sum += float64(float64(r.h[i]*v) * x[i])
			}
			r.a[j*k+m] = sum / r.size[j] / r.size[m]
		}
		r.a[j*k+j] = 1 + l2/r.size[j]/r.size[j]
	}
}

// dependent is the part of a column, squared, below which it is taken to be determined by those
// before it.
const dependent = 1e-10

// factor makes the Cholesky factor in the place of a. A column that depends on those before it is
// left out.
func (r *ridge) factor() {
	k := len(r.x)
	for j := range k {
		if r.size[j] == 0 {
			continue
		}
		whole := r.a[j*k+j]
		for m := 0; m <= j; m++ {
			if r.size[m] == 0 {
				continue
			}
			sum := r.a[j*k+m]
			for n := range m {
				if r.size[n] != 0 {
					sum -= float64(r.a[j*k+n] * r.a[m*k+n])
				}
			}
			switch {
			case m < j:
				r.a[j*k+m] = sum / r.a[m*k+m]
			case sum > dependent*whole:
				r.a[j*k+j] = math.Sqrt(sum)
			default:
				r.size[j] = 0
			}
		}
	}
}

// substitute returns the solution, in the columns' own units.
func (r *ridge) substitute() []float64 {
	k := len(r.x)
	for j := range k {
		if r.size[j] == 0 {
			r.b[j] = 0
			continue
		}
		for m := range j {
			if r.size[m] != 0 {
				r.b[j] -= float64(r.a[j*k+m] * r.b[m])
			}
		}
		r.b[j] /= r.a[j*k+j]
	}
	coef := make([]float64, k)
	for j := k - 1; j >= 0; j-- {
		if r.size[j] == 0 {
			continue
		}
		for m := j + 1; m < k; m++ {
			if r.size[m] != 0 {
				r.b[j] -= float64(r.a[m*k+j] * r.b[m])
			}
		}
		r.b[j] /= r.a[j*k+j]
		coef[j] = r.b[j] / r.size[j]
	}
	return coef
}
