package kernel

// Path is a set of instructions that kernels take their fastest forms from. Which one they take is
// decided when the program starts, by what the processor has and by what is fast on it. Tests take
// any other that the processor has.
type Path struct {
	Name    string
	Missing string // the instructions of it that the processor does not have; "" if it has all
	take    func() (restore func())
}

// Taker is the test that takes a path: *testing.T and *testing.F are.
type Taker interface {
	Helper()
	Skipf(format string, args ...any)
	Cleanup(f func())
}

// Take makes all kernels take a path until the test ends, and skips the test where the processor
// does not have it. Nothing else may run kernels meanwhile.
func (p *Path) Take(t Taker) {
	t.Helper()
	if p.Missing != "" {
		t.Skipf("this processor has no %s", p.Missing)
	}
	t.Cleanup(p.take())
}
