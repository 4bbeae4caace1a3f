package xgboost

import (
	"math"

	"github.com/coppice-ml/coppice/codec/internal/jsonscan"
)

// readJSON reads a file in JSON.
func readJSON(in *input) (*file, error) {
	s := jsonSource{in.JSON(in.reader, in.size)}
	f, err := readFile(&decoding{in, s})
	if err == nil {
		s.End()
		err = s.Err()
	}
	if err != nil {
		return nil, in.Damage(err)
	}
	in.at = s.Offset()
	return f, nil
}

// jsonSource reads JSON value by value. As XGBoost does it takes NaN and Infinity for numbers.
type jsonSource struct{ *jsonscan.Scanner }

func (s jsonSource) where() (offset int64, path string) { return s.Offset(), s.Path() }

func (s jsonSource) object(member func(name string) error) error {
	s.Object(func(name string) { s.Stop(member(name)) })
	return s.Err()
}

func (s jsonSource) array(element func(i int) error) error {
	s.Array(func(i int) { s.Stop(element(i)) })
	return s.Err()
}

func (s jsonSource) text() (string, error) { return s.Text(), s.Err() }

func (s jsonSource) integer() (int64, error) {
	if b := s.Next(); b != 't' && b != 'f' {
		return s.Int(math.MinInt64, math.MaxInt64), s.Err()
	}
	if s.Bool() {
		return 1, s.Err()
	}
	return 0, s.Err()
}

func (s jsonSource) float() (float32, error) { return float32(s.Float(32)), s.Err() }

func (s jsonSource) nextKind() (byte, error) {
	kind := s.Next()
	if kind == '"' {
		kind = textKind
	}
	return kind, s.Err()
}

func (s jsonSource) skip() error {
	s.Skip()
	return s.Err()
}
