package bins

import (
	"context"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// digits returns a column of the values 0 to n-1, by turns, each a number of times in a row.
func digits(rows, n, times int) []float64 {
	x := make([]float64, rows)
	for i := range x {
		x[i] = float64(i / times % n)
	}
	return x
}

func TestJointsOfFewCodes(t *testing.T) {
	const rows = 600
	lost := digits(rows, 3, 1)
	lost[5] = math.NaN()
	f := frameOf(t, digits(rows, 12, 1), digits(rows, 200, 1), digits(rows, 31, 2), lost,
		digits(rows, 300, 1), digits(rows, 20, 3), digits(rows, 7, 5), digits(rows, 1, 1))
	m, err := Make(context.Background(), f, nil, nil, Options{Bins: 400, Joint: 256}, 2)
	if err != nil {
		t.Fatal(err)
	}
	check(t, f, m)
	var groups, radix [][]int32
	for i, j := range m.Joints {
		groups, radix = append(groups, j.Groups), append(radix, j.Radix)
		product := 1
		for _, n := range j.Radix {
			product *= int(n)
		}
		if j.Codes != product || j.At != 2+i {
			t.Errorf("joint %d: %d codes at byte %d, want %d at %d", i, j.Codes, j.At, product, 2+i)
		}
	}
	wantGroups, wantRadix := [][]int32{{2, 6, 7}, {5, 0}}, [][]int32{{31, 7, 1}, {20, 12}}
	if !slices.EqualFunc(groups, wantGroups, slices.Equal[[]int32]) ||
		!slices.EqualFunc(radix, wantRadix, slices.Equal[[]int32]) {
		t.Errorf("groups %v of %v codes, want %v of %v", groups, radix, wantGroups, wantRadix)
	}
	if m.Narrow != 4 || m.Stride != 8 || m.Groups[4].At != 4 || m.Groups[1].At != 0 ||
		m.Groups[3].At != 1 || m.Groups[3].Joined {
		t.Errorf("a row is %d bytes, %d of them narrow", m.Stride, m.Narrow)
	}
	other, err := Encode(context.Background(), f, nil, m.Columns, Options{}, 1)
	if err != nil {
		t.Fatal(err)
	}
	if check(t, f, other); len(other.Joints) > 0 {
		t.Errorf("other rows have joints %v", other.Joints)
	}
}

// Joints have no more codes than they may, and a matrix whose groups are separate again is the one
// that never had any.
func TestUnbundledIsWithoutJoints(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rows, width := rapid.IntRange(1, 60).Draw(t, "rows"),
			rapid.IntRange(1, 12).Draw(t, "columns")
		columns := make([][]float64, width)
		for j := range columns {
			columns[j] = digits(rows, rapid.IntRange(1, 20).Draw(t, "values"),
				rapid.IntRange(1, 4).Draw(t, "times"))
			if rapid.Bool().Draw(t, "missing") {
				columns[j][rows-1] = math.NaN()
			}
		}
		f := frameOf(t, columns...)
		o := Options{Joint: rapid.IntRange(0, 300).Draw(t, "joint"),
			Bundle: rapid.Bool().Draw(t, "bundle")}
		m, err := Make(context.Background(), f, nil, nil, o, 2)
		if err != nil {
			t.Fatal(err)
		}
		check(t, f, m)
		in := 0
		for _, j := range m.Joints {
			if in += len(j.Groups); len(j.Groups) < 2 || j.Codes > min(o.Joint, 256) {
				t.Fatalf("a joint of %d groups and %d codes", len(j.Groups), j.Codes)
			}
		}
		for i := range m.Groups {
			if m.Groups[i].Listed {
				in++
			}
		}
		if want := (len(m.Groups) - in + len(m.Joints) + 3) &^ 3; m.Narrow != want {
			t.Fatalf("%d bytes of narrow groups, want %d", m.Narrow, want)
		}
		o.Joint = 0
		plain, err := Make(context.Background(), f, nil, nil, o, 2)
		if err != nil {
			t.Fatal(err)
		}
		unbundled := m.Unbundled()
		if check(t, f, unbundled); len(unbundled.Joints) > 0 || unbundled.Stride != plain.Stride ||
			!slices.Equal(unbundled.Blocks[0].Packed, plain.Blocks[0].Packed) {
			t.Fatalf("separate %v, want %v", unbundled.Blocks[0].Packed, plain.Blocks[0].Packed)
		}
		for i := range unbundled.Groups {
			if unbundled.Groups[i].At != plain.Groups[i].At || unbundled.Groups[i].Joined {
				t.Fatalf("group %d is %+v, want %+v", i, unbundled.Groups[i], plain.Groups[i])
			}
		}
		check(t, f, m)
	})
}
