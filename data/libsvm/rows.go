package libsvm

import (
	"bytes"
	"context"
	"math"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/source"
	"github.com/coppice-ml/coppice/internal/table"
)

// rows collects the rows of all files.
type rows struct {
	tokens   []string
	absent   data.Absent
	builder  *table.Builder
	features *features
	counting *counting

	label, weight, query *table.Column // weight and query: nil where no file has them
	queries              int64         // numbered so far, from query files
	fromSide             bool          // queries come from side files, not from qid
}

// side are the side files of the current file, nil where there is none.
type side struct{ weights, queries *numbers }

// Add appends the rows of one file.
func (r *rows) Add(ctx context.Context, b *table.Builder, s *source.Source) error {
	if r.builder == nil {
		if err := r.begin(b); err != nil {
			return err
		}
	}
	text, err := s.OpenText(ctx, format)
	if err != nil {
		return err
	}
	defer text.Close()
	beside, err := r.openSide(ctx, s)
	if err != nil {
		return err
	}
	defer beside.close()
	lines := text.Lines(format)
	for {
		line, err := lines.Next()
		if err != nil {
			return err
		}
		if line == nil {
			return beside.end(r.builder.File())
		}
		if k := bytes.IndexByte(line, '#'); k >= 0 {
			line = line[:k]
		}
		p := blanks(line, 0)
		if p == len(line) {
			continue
		}
		if err := r.row(lines, line, p, beside); err != nil {
			return err
		}
		if err := r.builder.EndRow(lines.Number()); err != nil {
			return err
		}
	}
}

// begin makes the builder get the values of every block, and makes columns of the features that the
// options or the schema name, whether or not they occur in a file.
func (r *rows) begin(b *table.Builder) error {
	r.builder = b
	r.features.columns = table.NewFilledColumns(b, r.absent.Number(), func() error {
		b.StateSparse(r.absent, r.counting.first())
		return r.features.fill(b)
	})
	// The label is the first column.
	if err := r.addLabelColumn(); err != nil {
		return err
	}
	for name := range r.features.columns.Requested() {
		if index, ok := r.counting.number(name); ok && r.features.place(index) == 0 {
			if _, err := r.features.make(b, index); err != nil {
				return err
			}
		}
	}
	return nil
}

// Finish puts the columns of the features into the order of their numbers.
func (r *rows) Finish(b *table.Builder) error {
	if err := r.counting.end(); err != nil {
		return err
	}
	if r.counting.zero && r.counting.files == "" {
		b.Note("the features count from 0: the first one is called %s", r.counting.name(0))
	}
	r.features.columns.MoveLast(r.features.names())
	return nil
}

// row appends the row whose label begins at p.
func (r *rows) row(lines *source.Lines, line []byte, p int, beside *side) error {
	end := wordEnd(line, p)
	if err := r.addLabel(lines, line[p:end]); err != nil {
		return err
	}
	p = blanks(line, end)
	hasQuery := bytes.HasPrefix(line[p:], []byte("qid:"))
	if hasQuery {
		end = wordEnd(line, p)
		if err := r.addQuery(lines, line[p+len("qid:"):end]); err != nil {
			return err
		}
		p = blanks(line, end)
	}
	if err := r.addSide(lines, beside, hasQuery); err != nil {
		return err
	}
	for p < len(line) {
		var err error
		if p, err = r.pair(lines, line, p); err != nil {
			return err
		}
		p = blanks(line, p)
	}
	return nil
}

func (r *rows) addLabel(lines *source.Lines, text []byte) error {
	if bytes.IndexByte(text, ':') >= 0 {
		return lines.Fault(data.ErrFormat, "the line begins with %s, not with a label",
			table.Quote(text))
	}
	if v, ok := table.ParseNumber(text); ok {
		r.label.AppendNumeral(v, text)
	} else {
		r.label.AppendText(text)
	}
	return nil
}

// addLabelColumn makes the column of labels. Several labels of a row stand between commas, which
// are no decimal commas.
func (r *rows) addLabelColumn() (err error) {
	if r.label, err = r.builder.Column(Label, table.Untyped); err == nil {
		r.label.Literal = true
	}
	return err
}

// addQueryColumn makes the column of queries, which are the groups of the rows.
func (r *rows) addQueryColumn() (err error) {
	if r.query, err = r.builder.Column(Query, table.TypedNumbers); err == nil {
		r.builder.State(Query, data.GroupRole)
	}
	return err
}

// addQuery appends the query of the row that follows its label.
func (r *rows) addQuery(lines *source.Lines, text []byte) error {
	v, ok := table.ParseNumber(text)
	if !ok || v != math.Trunc(v) {
		return lines.Fault(data.ErrNumber, "qid:%s: the query must be an integer", text)
	}
	if r.query == nil {
		if r.builder.Begun() {
			return lines.Fault(data.ErrFormat, "the row has a qid, the rows before it have none")
		}
		if err := r.addQueryColumn(); err != nil {
			return err
		}
	}
	if r.fromSide {
		return lines.Fault(ErrSide, "the row has a qid, and a query file gives the queries too: "+
			"remove one of them")
	}
	r.query.AppendNumeral(v, text)
	return nil
}

// pair appends the pair index:value that begins at p and returns where it ends.
func (r *rows) pair(lines *source.Lines, line []byte, p int) (int, error) {
	from := p
	index, colon := int64(0), p
	for ; colon < len(line) && line[colon]-'0' <= 9; colon++ {
		if index = index*10 + int64(line[colon]-'0'); index > maxIndex {
			return 0, lines.Fault(data.ErrLimit, "%s: an index of a feature is at most %d",
				table.Quote(line[from:wordEnd(line, p)]), int64(maxIndex))
		}
	}
	if colon == from || colon == len(line) || line[colon] != ':' {
		return 0, lines.Fault(data.ErrFormat, "%s is not a pair index:value",
			table.Quote(line[from:wordEnd(line, p)]))
	}
	p = colon + 1
	v, end := table.ScanNumber(line[:len(line)+source.Padding], p)
	if end == p || end < len(line) && !isBlank(line[end]) {
		end = wordEnd(line, p)
		var ok bool
		if v, ok = r.number(line[p:end]); !ok {
			return 0, lines.Fault(data.ErrNumber, "the value in %s is not a number",
				table.Quote(line[from:end]))
		}
	}
	if index == 0 || index > r.counting.last {
		if err := r.counting.check(lines, r.builder, index); err != nil {
			return 0, err
		}
	}
	number := index + r.counting.shift
	place := r.features.place(number)
	if place == 0 {
		var err error
		if place, err = r.features.make(r.builder, number); err != nil {
			return 0, err
		}
	}
	if !r.features.add(r.builder, int(place-1), v) {
		return 0, lines.Fault(data.ErrFormat, "feature %d occurs twice in the row", index)
	}
	return end, nil
}

// number reads a value that is not written plainly.
func (r *rows) number(text []byte) (float64, bool) {
	if len(text) == 0 {
		return 0, false
	}
	for _, token := range r.tokens {
		if string(text) == token {
			return math.NaN(), true
		}
	}
	return table.ParseNumber(text)
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\r' }

// blanks returns the position of the first byte from p on that is no blank.
func blanks(line []byte, p int) int {
	for p < len(line) && isBlank(line[p]) {
		p++
	}
	return p
}

// wordEnd returns the position of the first blank from p on.
func wordEnd(line []byte, p int) int {
	for p < len(line) && !isBlank(line[p]) {
		p++
	}
	return p
}
