package command

import (
	"strings"
	"testing"
)

// A chart is the curve between its ends, with the numbers on its axes that fit.
func TestChart(t *testing.T) {
	for _, c := range []struct {
		chart chart
		want  string
	}{
		{chart{[]int{1, 2, 3, 4}, []float64{3, 2, 1, 0}, 4, 2}, `
3.0000 ┤⠙⢦⡀
0.0000 ┤  ⠙⢦
       └┬──┬
        1  4`},
		{chart{[]int{1, 10, 100}, []float64{4, 1, 0.5}, 20, 4}, `
4.0000 ┤⠙⠲⣄⡀
       │   ⠉⠳⢤⡀
       │      ⠉⠳⢤⡀
0.5000 ┤         ⠉⠓⠒⠒⠦⠤⠤⠤⢤⣀⣀
       └┬──┬───┬──┬────────┬
        1  2   5 10       100`},
		{chart{[]int{1}, []float64{0.25}, 5, 2}, `
0.2500 ┤⠁
0.2500 ┤
       └┬────
        1`},
		{chart{[]int{3, 4}, []float64{12345, 12345}, 5, 2}, `
12345.0 ┤   ⠉⠉
12345.0 ┤
        └┬───┬
         1   4`},
	} {
		if got := strings.Join(c.chart.draw(), "\n"); got != strings.TrimPrefix(c.want, "\n") {
			t.Errorf("got\n%s\nwant\n%s", got, c.want)
		}
	}
}
