package xgboost

import (
	"math"

	"github.com/coppice-ml/coppice/codec/internal/foreign"
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

// check ends reading by the error of the scanner.
func (s jsonSource) check() {
	if err := s.Err(); err != nil {
		foreign.Check(s.in.Damage(err))
	}
}

// end makes sure that nothing follows.
func (s jsonSource) end() {
	s.End()
	s.check()
	s.in.at = s.Offset()
}

func (s jsonSource) where() (offset int64, path string) { return s.Offset(), s.Path() }

func (s jsonSource) object(member func(name string)) {
	s.Object(member)
	s.check()
}

func (s jsonSource) array(element func(i int)) {
	s.Array(element)
	s.check()
}

func (s jsonSource) text() string {
	text := s.Text()
	s.check()
	return text
}

func (s jsonSource) integer() int64 {
	x := int64(0)
	if b := s.Next(); b != 't' && b != 'f' {
		x = s.Int(math.MinInt64, math.MaxInt64)
	} else if s.Bool() {
		x = 1
	}
	s.check()
	return x
}

func (s jsonSource) float() float32 {
	x := s.Float(32)
	s.check()
	return float32(x)
}

func (s jsonSource) nextKind() byte {
	kind := s.Next()
	s.check()
	if kind == '"' {
		return textKind
	}
	return kind
}

func (s jsonSource) skip() {
	s.Skip()
	s.check()
}
