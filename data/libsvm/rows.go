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
	options  *data.ReadOptions
	tokens   []string
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
	r.builder = b
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

// Finish adds the columns of the features, also those that occur in no file though the options name
// them.
func (r *rows) Finish(*table.Builder) error {
	o := r.options
	named := [][]string{o.Numeric, o.Categorical, o.Ignore, o.Also, o.Optional, o.Verbatim}
	if o.Schema != nil {
		named = append(named, o.Schema.Names())
	}
	for _, list := range named {
		for _, n := range list {
			if index, ok := r.counting.number(n); ok {
				r.features.find(r.builder, index)
			}
		}
	}
	if err := r.counting.end(); err != nil {
		return err
	}
	if r.features.named(0) && r.counting.files == "" && o.Log != nil {
		o.Log("the features count from 0: the first one is called %s", r.counting.name(0))
	}
	if r.weight != nil {
		r.builder.State(Weight, data.WeightRole)
	}
	if r.query != nil {
		r.builder.State(Query, data.GroupRole)
	}
	return r.features.columns(r.builder)
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
	if r.label == nil {
		if err := r.addLabelColumn(); err != nil {
			return err
		}
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

// addQuery appends the query of the row that follows its label.
func (r *rows) addQuery(lines *source.Lines, text []byte) error {
	v, ok := table.ParseNumber(text)
	if !ok || v != math.Trunc(v) {
		return lines.Fault(data.ErrNumber, "qid:%s: the query must be an integer", text)
	}
	if r.query == nil {
		if r.builder.Rows() > 0 {
			return lines.Fault(data.ErrFormat, "the row has a qid, the rows before it have none")
		}
		var err error
		if r.query, err = r.builder.Column(Query, table.TypedNumbers); err != nil {
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
	if !r.features.add(r.builder, index+r.counting.shift, r.builder.Rows(), v) {
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
