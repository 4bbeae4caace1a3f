package pmml_test

import (
	"testing"

	"github.com/coppice-ml/coppice/codec/codectest"
	"github.com/coppice-ml/coppice/codec/pmml"
)

func TestConformance(t *testing.T) {
	codectest.Run(t, pmml.Format(), nil, load(t, shipped+"/iris_rf_1tree.pmml"))
}

// smallFiles are files of all kinds.
func smallFiles(t testing.TB) map[string][]byte {
	all := map[string][]byte{}
	for _, name := range []string{"iris_rf_1tree", "cars-cater-rf-1tree"} {
		all[name] = load(t, shipped+"/"+name+".pmml")
	}
	for name, text := range handmade {
		all[name] = []byte(text)
	}
	return all
}

// Files of all kinds behave when they are damaged.
func TestDamagedFiles(t *testing.T) {
	for name, b := range smallFiles(t) {
		t.Run(name, func(t *testing.T) { codectest.Damage(t, pmml.Format(), b) })
	}
}

func FuzzDecode(f *testing.F) {
	for _, b := range smallFiles(f) {
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) { codectest.Behaves(t, pmml.Format(), b) })
}
