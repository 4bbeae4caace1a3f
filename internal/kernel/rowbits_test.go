package kernel

import (
	"testing"

	"pgregory.net/rapid"
)

func TestCodeBits(t *testing.T) {
	EachPath(t, func(t *testing.T) { rapid.Check(t, checkCodeBits) })
}

func FuzzCodeBits(f *testing.F) {
	f.Fuzz(rapid.MakeFuzz(func(t *rapid.T) { EveryPath(func() { checkCodeBits(t) }) }))
}

// rowBit returns the bit of a row.
func rowBit(b *RowBits, row int) bool {
	k, w, i := row/32, row%32/8, row%8
	return b[w]>>(8*i+k)&1 != 0
}

// checkCodeBits holds the bits of random codes against comparisons of each.
func checkCodeBits(t *rapid.T) {
	first := rapid.SampledFrom([]int8{0, -128}).Draw(t, "first")
	n := CodeBitsStep * rapid.IntRange(1, 16).Draw(t, "steps")
	if first == 0 {
		n = min(n, 128)
	}
	seed := rapid.Uint64().Draw(t, "seed")
	codes := make([]int8, ScanRows)
	for i := range codes {
		seed = seed*6364136223846793005 + 1442695040888963407
		codes[i] = first + int8(seed>>33%uint64(n))
	}
	got, plain := make([]RowBits, n), make([]RowBits, n)
	CodeBits(got, codes, first)
	codeBitsPlain(plain, codes, first)
	for i := range got {
		for r, code := range codes {
			want := int(code) > int(first)+i
			if rowBit(&got[i], r) != want || rowBit(&plain[i], r) != want {
				t.Fatalf("code %d of row %d is above %d: %v, %v in plain Go", code, r,
					int(first)+i, rowBit(&got[i], r), rowBit(&plain[i], r))
			}
		}
	}
}
