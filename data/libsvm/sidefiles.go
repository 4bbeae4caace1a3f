package libsvm

import (
	"bytes"
	"context"
	"fmt"
	"math"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/source"
	"github.com/coppice-ml/coppice/internal/table"
)

// numbers are the numbers of a side file, one in each line.
type numbers struct {
	text  *source.Text
	lines *source.Lines
	name  string
	left  int64 // rows that the query read last still has
}

// openSide opens the side files of a file and adds the columns that they fill, if it is the first.
func (r *rows) openSide(ctx context.Context, s *source.Source) (*side, error) {
	beside := &side{}
	var err error
	if beside.weights, err = openNumbers(ctx, s, ".weight"); err != nil {
		return nil, err
	}
	if beside.queries, err = openNumbers(ctx, s, ".query"); err != nil {
		beside.close()
		return nil, err
	}
	if beside.weights != nil && !r.builder.Begun() && r.weight == nil {
		if r.weight, err = r.builder.Column(Weight, table.TypedNumbers); err == nil {
			r.builder.State(Weight, data.WeightRole)
		}
	}
	if err == nil && beside.queries != nil && !r.builder.Begun() && r.query == nil {
		err = r.addQueryColumn()
		r.fromSide = true
	}
	if err == nil && (beside.weights != nil) != (r.weight != nil) {
		err = &data.ReadError{File: s.Name, Msg: "some of the files have weights beside them (" +
			s.Name + ".weight), others have none", Err: ErrSide}
	}
	if err == nil && (beside.queries != nil) != r.fromSide {
		err = &data.ReadError{File: s.Name, Msg: "some of the files have queries beside them (" +
			s.Name + ".query), others have none", Err: ErrSide}
	}
	if err != nil {
		beside.close()
		return nil, err
	}
	return beside, nil
}

// openNumbers opens the side file of a suffix; nil if there is none.
func openNumbers(ctx context.Context, of *source.Source, suffix string) (*numbers, error) {
	s, err := of.Beside(suffix)
	if s == nil {
		return nil, err
	}
	text, err := s.OpenText(ctx, "numbers")
	if err != nil {
		return nil, err
	}
	return &numbers{text: text, lines: text.Lines("numbers"), name: s.Name}, nil
}

// next returns the next number; ok is false behind the last one.
func (n *numbers) next() (v float64, ok bool, err error) {
	for {
		line, err := n.lines.Next()
		if line == nil || err != nil {
			return 0, false, err
		}
		word := bytes.TrimSpace(line)
		if len(word) == 0 {
			continue
		}
		v, ok := table.ParseNumber(word)
		if !ok {
			return 0, false, n.lines.Fault(data.ErrNumber, "%s is not a number", table.Quote(word))
		}
		return v, true, nil
	}
}

// addSide appends what the side files hold of the current row.
func (r *rows) addSide(lines *source.Lines, beside *side, hasQuery bool) error {
	if beside.weights != nil {
		v, ok, err := beside.weights.next()
		if err != nil {
			return err
		}
		if !ok {
			return lines.Fault(ErrSide, "%s has no weight for this row: it is too short",
				beside.weights.name)
		}
		r.weight.AppendNumber(v)
	}
	if beside.queries == nil {
		if r.query != nil && !hasQuery {
			return lines.Fault(data.ErrFormat, "the row has no qid, the rows before it have one")
		}
		return nil
	}
	q := beside.queries
	for q.left == 0 {
		v, ok, err := q.next()
		if err != nil {
			return err
		}
		if !ok {
			return lines.Fault(ErrSide, "%s has no query for this row: its sizes add up to less "+
				"than the rows", q.name)
		}
		if v != math.Trunc(v) || v < 0 || v > table.MaxRows {
			return q.lines.Fault(data.ErrNumber, "the size of a query must be a number of rows")
		}
		q.left = int64(v)
		r.queries++
	}
	q.left--
	r.query.AppendInteger(r.queries - 1)
	return nil
}

// end checks that the side files hold nothing of further rows.
func (s *side) end(file string) error {
	for _, n := range []*numbers{s.weights, s.queries} {
		if n == nil {
			continue
		}
		_, more, err := n.next()
		if err != nil {
			return err
		}
		if more || n.left > 0 {
			return &data.ReadError{File: n.name, Line: n.lines.Number(),
				Msg: fmt.Sprintf("this is for more rows than %s has", file), Err: ErrSide}
		}
	}
	return nil
}

func (s *side) close() {
	for _, n := range []*numbers{s.weights, s.queries} {
		if n != nil {
			n.text.Close()
		}
	}
}
