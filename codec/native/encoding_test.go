package native

import (
	"bytes"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/coppice-ml/coppice/codec"
	"github.com/coppice-ml/coppice/codec/internal/foreign"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/models/dense"
)

// encodingSchema and sampleEncoding have columns of both kinds, one left out between them.
var encodingSchema = data.Schema{Fields: []data.Field{{Name: "x"}, {Name: "out"}, {Name: "c", Kind: data.Categorical, Levels: []string{"p", "q", "r"}}, {Name: "y"}}}

func sampleEncoding() *dense.Encoding {
	return &dense.Encoding{Columns: []dense.Column{
		{Field: 0, Mean: 0.5, Scale: 2, Low: -3, High: math.MaxFloat64, Missing: -1, Unseen: -1},
		{Field: 2, Place: []int32{1, -1, 0}, Fraction: []float64{0.5, 0.25, 0.125, 0.125}, Missing: 3, Unseen: 2},
		{Field: 3, Mean: -1, Scale: 5e-324, Low: -1, High: 1, Missing: -1, Unseen: -1},
	}}
}

// decodeEncoding writes the arrays of an encoding, reads them back and validates what they make.
func decodeEncoding(t *testing.T, e *encoding) (got dense.Encoding, err error) {
	t.Helper()
	defer foreign.Ended(&err)
	var b bytes.Buffer
	if err := arraySection("test", e.arrays()).emit(&b); err != nil {
		t.Fatal(err)
	}
	p := &payload{name: "test", data: aligned(b.Len())}
	copy(p.data, b.Bytes())
	table := parseTable(p)
	read := &encoding{}
	table.load(read.arrays())
	got = read.decode(&encodingSchema, p, &budget{left: 1 << 20, limit: 1 << 20})
	p.check(got.Validate(&encodingSchema))
	return got, nil
}

func TestEncodingIsStored(t *testing.T) {
	for _, want := range []*dense.Encoding{sampleEncoding(), {Columns: []dense.Column{}}} {
		got, err := decodeEncoding(t, newEncoding(want))
		if d := cmp.Diff(*want, got); err != nil || d != "" {
			t.Errorf("%v\n%s", err, d)
		}
	}
}

func TestHostileEncodings(t *testing.T) {
	for _, c := range []struct {
		edit func(*encoding)
		want string
	}{
		{func(e *encoding) { e.mean = e.mean[1:] }, "arrays of 2 encoded columns for 3"},
		{func(e *encoding) { e.unseen = nil }, "arrays of 0 encoded columns for 3"},
		{func(e *encoding) { e.field[1] = 4 }, "column 1 is field 4 of 4"},
		{func(e *encoding) { e.field[0] = -1 }, "column 0 is field -1 of 4"},
		{func(e *encoding) { e.places[1] = math.MaxUint32 }, "3 categories and 4294967295 places, more than are left"},
		{func(e *encoding) { e.place = e.place[1:] }, "3 categories and 4 places, more than are left"},
		{func(e *encoding) { e.fraction = append(e.fraction, 0.5) }, "0 categories and 1 places belong to no encoded column"},
		{func(e *encoding) { e.field[1], e.places[0] = 0, 1 }, "0 categories and 4 places, more than are left"},
		{func(e *encoding) { e.field[2] = 1 }, "after field 2"},
		{func(e *encoding) { e.scale[0] = -1 }, "deviation -1"},
		{func(e *encoding) { e.fraction[2] = math.Inf(1) }, "a fraction of +Inf"},
		{func(e *encoding) { e.place[0] = math.MaxInt32 }, "category 0 has place 2147483647 of 4"},
	} {
		e := newEncoding(sampleEncoding())
		c.edit(e)
		_, err := decodeEncoding(t, e)
		var corrupt *codec.CorruptError
		if !errors.As(err, &corrupt) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want a corrupt file and %q", err, c.want)
		}
	}
	var err error
	func() {
		defer foreign.Ended(&err)
		newEncoding(sampleEncoding()).decode(&encodingSchema, &payload{}, &budget{left: 100, limit: 100})
	}()
	var limit *codec.LimitError
	if !errors.As(err, &limit) {
		t.Errorf("%v, want a limit of memory", err)
	}
}
