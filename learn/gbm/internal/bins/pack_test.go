package bins

import (
	"context"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/coppice-ml/coppice/data"
)

// A matrix of some columns has their codes in Packed and no others, one after the other in one
// piece of memory, and leaves the whole one as it is.
func TestOnlySomeColumns(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rows, width := rapid.IntRange(1, 60).Draw(t, "rows"),
			rapid.IntRange(1, 40).Draw(t, "columns")
		if rapid.Bool().Draw(t, "many rows") {
			rows += 2 * packedRows
		}
		columns := make([][]float64, width)
		for j := range columns {
			most := 20
			if rapid.IntRange(0, 3).Draw(t, "many values") == 0 {
				most = 900
			}
			columns[j] = digits(rows, rapid.IntRange(1, most).Draw(t, "values"),
				rapid.IntRange(1, 4).Draw(t, "times"))
			if rapid.Bool().Draw(t, "missing") {
				columns[j][rows-1] = math.NaN()
			}
		}
		f := frameOf(t, columns...)
		o := Options{Bins: 500, Joint: rapid.IntRange(0, 300).Draw(t, "joint"),
			Bundle: rapid.Bool().Draw(t, "bundle")}
		m, err := Make(context.Background(), f, nil, nil, o, 2)
		if err != nil {
			t.Fatal(err)
		}
		before, groups := slices.Clone(m.Blocks[0].Packed), slices.Clone(m.Groups)
		o.Unpacked = true
		unpacked, err := Make(context.Background(), f, nil, nil, o, 2)
		if err != nil {
			t.Fatal(err)
		}
		all, err := unpacked.Only(context.Background(), data.AllRows(width), nil, 2)
		if err != nil || unpacked.Blocks[0].Packed != nil ||
			!slices.Equal(all.Blocks[0].Packed, m.Blocks[0].Packed) || all.Stride != m.Stride ||
			all.Narrow != m.Narrow ||
			!slices.Equal(all.Blocks[0].Lists.Places, m.Blocks[0].Lists.Places) {
			t.Fatalf("rows of all columns are %v (%v), want %v", all.Blocks[0].Packed, err, m.Blocks[0].Packed)
		}
		if unbundled := unpacked.Unbundled(); unbundled.Blocks[0].Packed != nil ||
			len(unbundled.Joints) > 0 || unbundled.Stride != m.Unbundled().Stride {
			t.Fatalf("%d joints, rows of %d bytes", len(unbundled.Joints), unbundled.Stride)
		}
		var spare *Matrix
		for range 3 {
			sampled := rapid.SliceOfNDistinct(rapid.Int32Range(0, int32(width-1)), 1, width,
				rapid.ID).Draw(t, "sampled")
			only, err := m.Only(context.Background(), sampled, spare,
				rapid.IntRange(1, 3).Draw(t, "workers"))
			if err != nil {
				t.Fatal(err)
			}
			spare = only
			check(t, f, only)
			bytes, in := 0, 0
			for i := range only.Groups {
				g := &only.Groups[i]
				wanted := !g.Listed && slices.ContainsFunc(sampled,
					func(c int32) bool { return m.Columns[c].Group == int32(i) })
				if g.Out == wanted {
					t.Fatalf("group %d out: %v, of columns %v", i, g.Out, sampled)
				}
				if wanted && !g.Wide() && !g.Joined {
					bytes++
				}
			}
			for _, j := range only.Joints {
				if in += len(j.Groups); len(j.Groups) < 2 || j.Codes > min(o.Joint, 256) {
					t.Fatalf("a joint of %d groups and %d codes", len(j.Groups), j.Codes)
				}
			}
			if want := (bytes + len(only.Joints) + 3) &^ 3; only.Narrow != want {
				t.Fatalf("%d bytes of narrow groups, want %d", only.Narrow, want)
			}
		}
		if check(t, f, m); !slices.Equal(m.Blocks[0].Packed, before) {
			t.Fatal("the whole matrix has changed")
		}
		for i := range groups {
			if g := &m.Groups[i]; g.At != groups[i].At || g.Joined != groups[i].Joined ||
				g.Out != g.Listed {
				t.Fatalf("group %d has changed: %+v", i, g)
			}
		}
	})
}

func TestOnlyWithoutTime(t *testing.T) {
	m, err := Make(t.Context(), frameOf(t, digits(9, 3, 1), digits(9, 2, 1)), nil, nil,
		Options{}, 1)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := m.Only(ctx, []int32{1}, nil, 1); err == nil {
		t.Error("no error of a cancelled context")
	}
}
