package native

import (
	"unsafe"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/models/dense"
)

// encoding is the arrays of a dense.Encoding, which stand in the section of the model that has one,
// before its own: an element for each encoded column, then the codes and the places of the
// categorical ones one after the other. With a numeric column and one of three categories, the last
// of which has no place, and missing values,
//
//	enc.field      0       2
//	enc.mean       m       0       (and so on)
//	enc.places     0       3
//	enc.missing   -1       2
//	enc.place              0 1 -1
//	enc.fraction              s s s
type encoding struct {
	field                  []int32
	mean, scale, low, high []float64
	places                 []uint32
	missing, unseen        []int32
	place                  []int32
	fraction               []float64
}

func (e *encoding) arrays() []array {
	return []array{
		whole("enc.field", required, &e.field),
		whole("enc.mean", required, &e.mean),
		whole("enc.scale", required, &e.scale),
		whole("enc.low", required, &e.low),
		whole("enc.high", required, &e.high),
		whole("enc.places", required, &e.places),
		whole("enc.missing", required, &e.missing),
		whole("enc.unseen", required, &e.unseen),
		whole("enc.place", required, &e.place),
		whole("enc.fraction", required, &e.fraction),
	}
}

// newEncoding lays out a valid encoding.
func newEncoding(from *dense.Encoding) *encoding {
	e := &encoding{}
	for i := range from.Columns {
		c := &from.Columns[i]
		e.field = append(e.field, c.Field)
		e.mean, e.scale = append(e.mean, c.Mean), append(e.scale, c.Scale)
		e.low, e.high = append(e.low, c.Low), append(e.high, c.High)
		e.places = append(e.places, uint32(len(c.Fraction)))
		e.missing, e.unseen = append(e.missing, c.Missing), append(e.unseen, c.Unseen)
		e.place, e.fraction = append(e.place, c.Place...), append(e.fraction, c.Fraction...)
	}
	return e
}

// decode makes the encoding of arrays that were loaded, for a schema whose dictionaries are known.
// The validation of the model checks it.
func (e *encoding) decode(s *data.Schema, p *payload, b *budget) (to dense.Encoding) {
	n := len(e.field)
	for _, k := range []int{len(e.mean), len(e.scale), len(e.low), len(e.high), len(e.places),
		len(e.missing), len(e.unseen)} {
		if k != n {
			p.corrupt(0, "arrays of %d encoded columns for %d", k, n)
		}
	}
	b.take(int64(n) * int64(unsafe.Sizeof(dense.Column{})))
	place, fraction := e.place, e.fraction
	to.Columns = make([]dense.Column, n)
	for i := range to.Columns {
		c := &to.Columns[i]
		*c = dense.Column{Field: e.field[i], Mean: e.mean[i], Scale: e.scale[i], Low: e.low[i],
			High: e.high[i], Missing: e.missing[i], Unseen: e.unseen[i]}
		if c.Field < 0 || int(c.Field) >= len(s.Fields) {
			p.corrupt(0, "encoded column %d is field %d of %d", i, c.Field,
				len(s.Fields))
		}
		levels := len(s.Fields[c.Field].Levels)
		if !takeFirst(&c.Place, &place, uint64(levels)) ||
			!takeFirst(&c.Fraction, &fraction, uint64(e.places[i])) {
			p.corrupt(0,
				"encoded column %d has %d categories and %d places, more than are left", i,
				levels, e.places[i])
		}
		if len(c.Place) == 0 && len(c.Fraction) == 0 {
			c.Place, c.Fraction = nil, nil // a numeric column
		}
	}
	if len(place) > 0 || len(fraction) > 0 {
		p.corrupt(0, "%d categories and %d places belong to no encoded column",
			len(place), len(fraction))
	}
	return to
}
