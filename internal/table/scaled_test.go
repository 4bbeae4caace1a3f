package table

import (
	"math/big"
	"slices"
	"testing"

	"github.com/coppice-ml/coppice/data"
)

// Verbatim columns hold decimals with all their digits, whatever the number that they are read as.
func TestDecimalsAreKept(t *testing.T) {
	for scale, want := range map[int][]string{
		0: {"-12345678901234567", "5", "0"}, 2: {"-123456789012345.67", "0.05", "0.00"},
		-2: {"-1234567890123456700", "500", "0"}, 20: {"-0.00012345678901234567", "0.00000000000000000005", "0.00000000000000000000"},
	} {
		b := builder(t, data.ReadOptions{Verbatim: []string{"d", "b"}})
		d, big256 := column(t, b, "d", TypedNumbers), column(t, b, "b", TypedNumbers)
		for _, v := range []int64{-12345678901234567, 5, 0} {
			d.AppendDecimal(v, scale)
			big256.AppendBigDecimal(twos(v), scale)
			if err := b.EndRow(1); err != nil {
				t.Fatal(err)
			}
		}
		made, err := b.Table()
		if err != nil {
			t.Fatal(err)
		}
		for column := range 2 {
			if got := texts(made.Verbatim, column); !slices.Equal(got, want) {
				t.Errorf("scale %d, column %d: %q, want %q", scale, column, got, want)
			}
			if got := made.Frame.Columns[column].Number(0); got != Decimal(-12345678901234567, scale) {
				t.Errorf("scale %d, column %d: %v", scale, column, got)
			}
		}
	}
}

// A scale that no number has is no reason to write as many zeros.
func TestDecimalsOfAnyScale(t *testing.T) {
	b := builder(t, data.ReadOptions{Verbatim: []string{"d"}})
	d := column(t, b, "d", TypedNumbers)
	d.AppendDecimal(5, 1<<30)
	d.rows = 1
	if err := b.EndRow(1); err != nil {
		t.Fatal(err)
	}
	made, err := b.Table()
	if err != nil || !slices.Equal(texts(made.Verbatim, 0), []string{data.NumberText(0, 64)}) {
		t.Errorf("%v, %v", made, err)
	}
}

// twos returns the bytes of an integer in two's complement.
func twos(v int64) []byte {
	b := make([]byte, 16)
	whole := big.NewInt(v)
	if v < 0 {
		whole.Add(whole, new(big.Int).Lsh(big.NewInt(1), 128))
	}
	return whole.FillBytes(b)
}
