package cli

import (
	"strings"
	"testing"
)

// A chart has the curve, its least and greatest value, and as many numbers on its axis as fit.
func TestChart(t *testing.T) {
	for _, c := range []struct {
		chart Chart
		want  string
	}{
		{Chart{X: []int{1, 2, 3, 4}, Y: []float64{3, 2, 1, 0}, Columns: 4, Lines: 2}, `
3.0000 ┤⠙⢦⡀
0.0000 ┤  ⠙⢦
       └┬──┬
        1  4`},
		{Chart{X: []int{1, 10, 100}, Y: []float64{4, 1, 0.5}, Columns: 20, Lines: 4}, `
4.0000 ┤⠙⠲⣄⡀
       │   ⠉⠳⢤⡀
       │      ⠉⠳⢤⡀
0.5000 ┤         ⠉⠓⠒⠒⠦⠤⠤⠤⢤⣀⣀
       └┬──┬───┬──┬────────┬
        1  2   5 10       100`},
		{Chart{X: []int{1}, Y: []float64{0.25}, Columns: 5, Lines: 2}, `
0.2500 ┤⠁
0.2500 ┤
       └┬────
        1`},
		{Chart{X: []int{3, 4}, Y: []float64{12345, 12345}, Columns: 5, Lines: 2}, `
12345.0 ┤   ⠉⠉
12345.0 ┤
        └┬───┬
         1   4`},
	} {
		if got := strings.Join(c.chart.Draw(), "\n"); got != strings.TrimPrefix(c.want, "\n") {
			t.Errorf("got\n%s\nwant\n%s", got, c.want)
		}
	}
}
