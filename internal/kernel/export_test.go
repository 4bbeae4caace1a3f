package kernel

import "testing"

// The tables, for the test that computes them anew.
var (
	ExpTable  = expTable
	LogTable  = logTable
	Log2Table = log2Table
)

// EachPath runs a test on each path that kernels may take.
func EachPath(t *testing.T, test func(t *testing.T)) {
	for _, p := range Paths() {
		t.Run(p.Name, func(t *testing.T) {
			p.Take(t)
			test(t)
		})
	}
}

// EveryPath runs a check on each path that the processor has.
func EveryPath(check func()) {
	for _, p := range Paths() {
		if p.Missing == "" {
			func() {
				defer p.take()()
				check()
			}()
		}
	}
}
