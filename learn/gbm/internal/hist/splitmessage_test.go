package hist

import (
	"reflect"
	"testing"
)

// What a rank has found of leaves arrives as it was, and every cut or change is an error or a split
// by a column that there is.
func TestFoundArrives(t *testing.T) {
	const columns = 300
	leaves := []*open{
		{split: split{column: 299, bin: 70000, missing: true, gain: 1.5, splitPoint: -3,
			first: pair{-7, 8}}, inherited: inherited{able: []int32{0, 299}}},
		{split: none(), rowCounts: rowCounts{wanted: []int32{5}}},
		{split: split{column: 0, set: []int32{3, 200}, gain: 0x1p-1022, first: pair{1, 2}}},
	}
	var b []byte
	for _, l := range leaves {
		b = l.appendFound(b)
	}
	at := b
	for i, l := range leaves {
		found, able, wanted, rest, err := readFound(at, columns)
		if err != nil || !reflect.DeepEqual(found, l.split) || !reflect.DeepEqual(able, l.able) ||
			!reflect.DeepEqual(wanted, l.wanted) {
			t.Fatalf("leaf %d: %v %v %v %v, want %v", i, found, able, wanted, err, l.split)
		}
		at = rest
	}
	if len(at) > 0 {
		t.Errorf("%d bytes are left", len(at))
	}
	for cut := range b {
		for _, change := range []byte{0, 1, 0x80, 0xff} {
			damaged := append([]byte{}, b...)
			damaged[cut] ^= change
			if change == 0 {
				damaged = damaged[:cut]
			}
			for range leaves {
				found, _, _, rest, err := readFound(damaged, columns)
				if damaged = rest; err == nil && found.column >= columns {
					t.Fatalf("byte %d changed by %x: column %d", cut, change, found.column)
				}
			}
		}
	}
}
