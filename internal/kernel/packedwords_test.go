package kernel

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestSumsOfWords(t *testing.T) { EachPath(t, testSumsOfWords) }

func testSumsOfWords(t *testing.T) {
	rapid.Check(t, checkSumsOfWords)
}

func FuzzSumsOfWords(f *testing.F) {
	f.Fuzz(rapid.MakeFuzz(func(t *rapid.T) { EveryPath(func() { checkSumsOfWords(t) }) }))
}

// checkSumsOfWords holds AddWords and SubtractWords against loops.
func checkSumsOfWords(t *rapid.T) {
	n := rapid.IntRange(0, 100).Draw(t, "n")
	a := rapid.SliceOfN(rapid.Int64(), n, n).Draw(t, "a")
	b := rapid.SliceOfN(rapid.Int64(), n+2, n+2).Draw(t, "b")
	sum, difference := slices.Clone(a), slices.Clone(a)
	AddWords(sum, b)
	SubtractWords(difference, b)
	for i := range a {
		if sum[i] != a[i]+b[i] || difference[i] != a[i]-b[i] {
			t.Fatalf("word %d of %d: %d and %d, want %d and %d", i, n, sum[i], difference[i], a[i]+b[i], a[i]-b[i])
		}
	}
}
