package convert

import (
	"context"
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/coppice-ml/coppice/cmd/coppice/internal/cli"
	"github.com/coppice-ml/coppice/codec/parity"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/outside"
	"github.com/coppice-ml/coppice/internal/replace"
	"github.com/coppice-ml/coppice/model"
)

// texts returns an error if the model has hashes for categories: a file of them means nothing to
// the tool.
func texts(path string, e *model.Ensemble) error {
	for i := range e.Meta.Schema.Fields {
		if f := &e.Meta.Schema.Fields[i]; f.Hashed() {
			return cli.Misusef("%s: the categories of column %q are hashes without their texts, so "+
				"CatBoost cannot predict rows of them: save the model as JSON with its pool", path,
				f.Name)
		}
	}
	return nil
}

// writeProbes writes the rows of a comparison as CSV. A missing value is an empty field, and a
// category its text. One that the model does not have is what UnseenText returns.
func (o *command) writeProbes(ctx context.Context, e *model.Ensemble, p *parity.Probes) error {
	fields := e.Meta.Schema.Fields
	err := replace.File(o.probes, func(out io.Writer) error {
		w := csv.NewWriter(out)
		line, unseen := make([]string, len(fields)), make([]string, len(fields))
		for i := range fields {
			if line[i] = fields[i].Name; fields[i].Kind == data.Categorical {
				unseen[i] = UnseenText(&fields[i])
			}
		}
		if err := w.Write(line); err != nil {
			return err
		}
		for r := range p.Rows() {
			if r%1024 == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
			for c, x := range p.Row(r) {
				line[c] = FieldText(&fields[c], x, unseen[c])
			}
			if err := w.Write(line); err != nil {
				return err
			}
		}
		w.Flush()
		return w.Error()
	})
	if err != nil {
		return fmt.Errorf("cannot write %s: %w", o.probes, err)
	}
	return nil
}

// FieldText returns the text of a value of a field; unseen is that of a category that it has not.
func FieldText(f *data.Field, x float64, unseen string) string {
	switch {
	case math.IsNaN(x):
		return ""
	case f.Kind != data.Categorical:
		return strconv.FormatFloat(x, 'g', -1, 64)
	case x < 0 || int(x) >= len(f.Levels):
		return unseen
	}
	return f.Levels[int(x)]
}

// UnseenText returns a text that no level of a field is or means. Where the levels are numbers it
// is one too, the least whole number above them, so that a tool reads the column as numbers.
func UnseenText(f *data.Field) string {
	text, most := "unseen", 0.0
	if f.IntegerLevels() || f.Numbers() {
		for _, level := range f.Levels {
			if x, err := strconv.ParseFloat(level, 64); err == nil {
				most = max(most, math.Floor(x))
			}
		}
		text = data.NumberText(most+1, 64)
	}
	for levels := data.IndexLevels(f); levels.Find(text) != data.UnseenCode; {
		text += "_"
	}
	return text
}

// readExpected reads the predictions of a tool: a header, and a line of numbers for each row.
func readExpected(path string, rows int) ([]float64, error) {
	f, err := outside.OpenFile(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	r := csv.NewReader(f)
	r.ReuseRecord = true
	if _, err := r.Read(); err != nil {
		return nil, fmt.Errorf("%s: cannot read its header: %w", path, err)
	}
	var values []float64
	for n := 0; ; n++ {
		record, err := r.Read()
		if err == io.EOF {
			if n != rows {
				return nil, fmt.Errorf("%s has %d lines of predictions for %d rows: predict the rows "+
					"that --probes writes", path, n, rows)
			}
			return values, nil
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		for i, text := range record {
			x, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
			if err != nil || math.IsNaN(x) {
				line, column := r.FieldPos(i)
				return nil, fmt.Errorf("%s:%d:%d: %q is not a number", path, line, column, text)
			}
			values = append(values, x)
		}
	}
}
