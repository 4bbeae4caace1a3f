package kernel

import (
	"strings"
	"testing"
)

// A path is taken while its test runs, and afterwards kernels take again what is fast here.
func TestPaths(t *testing.T) {
	ranks, floats, squares, tables := UsesRanks(), UsesFloats(), VectorSquares, ThisMachine().Permutes
	names := map[string]bool{}
	for _, p := range Paths() {
		if names[p.Name] {
			t.Errorf("two paths are called %q", p.Name)
		}
		names[p.Name] = true
		t.Run(p.Name, func(t *testing.T) {
			p.Take(t)
			all := p.Name == "AVX-512 that does all"
			both := all || p.Name == "AVX-512 that does both"
			gathers := both || p.Name == "AVX-512 that gathers"
			packs := both || strings.HasPrefix(p.Name, "AVX-512 that packs words")
			tables := all || p.Name == "AVX-512 that permutes"
			vectors := !strings.HasPrefix(p.Name, "plain")
			if UsesFloats() != gathers || UsesRanks() != packs || VectorSquares != vectors ||
				ThisMachine().Permutes != tables {
				t.Errorf("gathers %v, packs words %v, vectors %v, permutes %v", UsesFloats(),
					UsesRanks(), VectorSquares, ThisMachine().Permutes)
			}
		})
	}
	if first := Paths()[0]; first.Name != "plain" || first.Missing != "" {
		t.Errorf("the first path is %q, without %q", first.Name, first.Missing)
	}
	if UsesRanks() != ranks || UsesFloats() != floats || VectorSquares != squares ||
		ThisMachine().Permutes != tables {
		t.Error("a path is still taken after its test")
	}
}
