package kernel

import "testing"

// A path is taken while its test runs, and afterwards kernels take again what is fast here.
func TestPaths(t *testing.T) {
	ranks, floats, squares := UsesRanks(), UsesFloats(), VectorSquares
	names := map[string]bool{}
	for _, p := range Paths() {
		if names[p.Name] {
			t.Errorf("two paths are called %q", p.Name)
		}
		names[p.Name] = true
		t.Run(p.Name, func(t *testing.T) {
			p.Take(t)
			gathers, packs, vectors := p.Name == "AVX-512 that gathers", p.Name == "AVX-512 that packs words" || p.Name == "AVX-512 that packs words as on AMD",
				p.Name != "plain" && p.Name != "plain as on AMD"
			if p.Name == "AVX-512 that does both" {
				gathers, packs = true, true
			}
			if UsesFloats() != gathers || UsesRanks() != packs || VectorSquares != vectors {
				t.Errorf("gathers %v, packs words %v, vectors %v", UsesFloats(), UsesRanks(), VectorSquares)
			}
		})
	}
	if first := Paths()[0]; first.Name != "plain" || first.Missing != "" {
		t.Errorf("the first path is %q, without %q", first.Name, first.Missing)
	}
	if UsesRanks() != ranks || UsesFloats() != floats || VectorSquares != squares {
		t.Error("a path is still taken after its test")
	}
}
