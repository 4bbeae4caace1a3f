package learn

import (
	"github.com/coppice-ml/coppice/internal/kernel"
	"github.com/coppice-ml/coppice/param"
)

// SearchRange maps the values of a parameter that tuning tries to places from 0 to 1, and back:
// numbers on their scale, texts of a list one after the other.
type SearchRange struct{ *param.Search }

// At returns the value at a place.
func (r SearchRange) At(place float64) string {
	if n := len(r.Texts); n > 0 {
		return r.Texts[min(n-1, int(place*float64(n)))]
	}
	low, high := r.ends()
	x := low + float64(place*(high-low))
	if r.Log {
		x = kernel.Exp(x)
	}
	return r.Text(min(r.High, max(r.Low, x)))
}

// Place returns the place of a number.
func (r SearchRange) Place(x float64) float64 {
	low, high := r.ends()
	if r.Log {
		x = kernel.Log(x)
	}
	return min(1, max(0, (x-low)/(high-low)))
}

// ends returns the ends of the range on its scale. Each integer has as much of it.
func (r SearchRange) ends() (low, high float64) {
	low, high = r.Low, r.High
	if r.Whole {
		low, high = low-0.5, high+0.5
	}
	if r.Log {
		low, high = kernel.Log(low), kernel.Log(high)
	}
	return low, high
}
