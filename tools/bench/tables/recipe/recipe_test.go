package recipe

import (
	"io"
	"math"
	"runtime"
	"testing"
)

// The digests were printed by the NumPy recipe (NumPy 1.24.2, Python 3.11, x86-64 with AVX-512) for
// tables of 10,000 rows; for mslr, airline and small those of all rows agree too. Of the whole of
// higgs the labels agree (digest ca55b8fc72f8bf34 of the training set) and all but 23 of 33,600,000
// features: masses near 0, where the last bit of a cosine is magnified.
func TestDigests(t *testing.T) {
	if runtime.GOARCH != "amd64" {
		t.Skip("package math has other last bits on other architectures")
	}
	want := map[string]Digest{
		"higgs":   {"4995a53369a4d358", "55e4f23e451ac542"},
		"mslr":    {"ffc4983191b21289", "ee39e90abca9ea5c"},
		"airline": {"8010d16ebd4d38e6", "c28ddf64ae11b904"},
		"classes": {"d53d78a0de3bd599", "7b536b771f14fedb"}, // of this recipe alone
		"sparse":  {"a5c766437a6be387", "9d7a89c2fa1a3288"}, // of this recipe alone
		"small":   {"502dfa4f91bf19c9", "d08f03e3906efd1c"},
	}
	for _, table := range Tables() {
		got, err := table.WriteCSV(io.Discard, 0, 10_000)
		if err != nil {
			t.Fatal(err)
		}
		if got != want[table.Name] {
			t.Errorf("%s: %v, want %v", table.Name, got, want[table.Name])
		}
	}
}

func TestAppendFloat(t *testing.T) {
	for v, want := range map[float32]string{
		0: "0.0", 1: "1.0", -2.173: "-2.173", 0.0001: "1e-04", 0.00010001: "0.00010001",
		8.5e-05: "8.5e-05", 1e16: "1e+16", 1e15: "1000000000000000.0",
		float32(math.Copysign(1, -1)) / 3: "-0.33333334",
	} {
		if got := string(AppendFloat(nil, v)); got != want {
			t.Errorf("%v: %s, want %s", v, got, want)
		}
	}
}
