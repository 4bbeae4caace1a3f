package xgboost

import (
	"math"

	"github.com/coppice-ml/coppice/codec/internal/jsonscan"
)

// readJSON reads a file in JSON.
func readJSON(in *input) *file {
	s := newJSONSource(in)
	f := readFile(&decoding{in, s})
	s.end()
	return f
}

// jsonSource reads JSON value by value. As XGBoost does it takes NaN and Infinity for numbers.
type jsonSource struct {
	*jsonscan.Scanner
	in *input
}

func newJSONSource(in *input) jsonSource { return jsonSource{in.JSON(in.reader, in.size), in} }

// end makes sure that nothing follows.
func (s jsonSource) end() {
	s.End()
	s.in.at = s.Offset()
}

func (s jsonSource) where() (offset int64, path string) { return s.Offset(), s.Path() }

func (s jsonSource) object(member func(name string)) { s.Object(member) }

func (s jsonSource) array(element func(i int)) { s.Array(element) }

func (s jsonSource) text() string { return s.Text() }

func (s jsonSource) integer() int64 {
	switch b := s.Next(); {
	case b != 't' && b != 'f':
		return s.Int(math.MinInt64, math.MaxInt64)
	case s.Bool():
		return 1
	}
	return 0
}

func (s jsonSource) float() float32 { return float32(s.Float(32)) }

func (s jsonSource) nextKind() byte {
	if kind := s.Next(); kind != '"' {
		return kind
	}
	return textKind
}

func (s jsonSource) skip() { s.Skip() }
