package explain

import (
	"context"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"

	"github.com/coppice-ml/coppice/cmd/coppice/internal/cli"
	"github.com/coppice-ml/coppice/cmd/coppice/internal/describe"
	"github.com/coppice-ml/coppice/cmd/coppice/internal/tables"
	"github.com/coppice-ml/coppice/data"
	explanation "github.com/coppice-ml/coppice/explain"
	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/model"
)

// explained is a model and a table whose rows are explained.
type explained struct {
	model   model.Model
	parts   iter.Seq2[*data.RowBlock, error]
	table   *data.RowBlock // the part whose rows are explained now
	before  int            // rows of the parts before it
	keep    []string       // columns that were asked for, of those read unchanged
	drawn   int            // rows of the background, if they are a sample
	options explanation.ShapleyOptions
	output  model.Output
	sampled *explanation.SampledOptions // nil: values are exact
	console *cli.Console                // for a note about samples
	scores  []score
	columns *columns
}

// eachPart calls a function for each part of the table.
func (e *explained) eachPart(do func() error) error {
	for t, err := range e.parts {
		if err != nil {
			return err
		}
		e.table = t
		if err := do(); err != nil {
			return cli.Located(err, t.Frame)
		}
		e.before += t.Frame.Rows()
	}
	return nil
}

// contributions writes a line for each row and score.
func (e *explained) contributions(ctx context.Context, write func([]string) error) error {
	header := tables.Kept(e.table.Verbatim, -1, 0)
	if len(e.scores) > 1 {
		header = append(header, "score")
	}
	header = append(append(header, e.columns.names...), describe.Bias)
	if err := unique(header); err != nil {
		return err
	}
	return e.each(ctx, func(row int, of rowValues) error {
		if e.before+row == 0 { // not before the first values: what they meet prints no table
			if err := write(header); err != nil {
				return err
			}
		}
		for _, s := range e.scores {
			fields := tables.Kept(e.table.Verbatim, row, 0)
			if len(e.scores) > 1 {
				fields = append(fields, s.name)
			}
			for _, x := range s.of(e.columns.sum(of.Row(of.at, s.at))) {
				fields = append(fields, describe.Digits(x))
			}
			if err := write(append(fields, describe.Digits(s.bias(of.Bias)))); err != nil {
				return err
			}
		}
		return nil
	})
}

// unique returns an error if two columns of the output would have the same name.
func unique(header []string) error {
	sorted := slices.Sorted(slices.Values(header))
	for i := 1; i < len(sorted); i++ {
		if sorted[i] == sorted[i-1] {
			return cli.Misusef("two columns of the output would be called %q: choose other columns "+
				"for --keep, or use --json", sorted[i])
		}
	}
	return nil
}

// matrices calls do for each row and score with the interaction values of columns, row after row,
// computing some rows at a time.
func (e *explained) matrices(
	ctx context.Context, do func(row int, s score, matrix []float64, bias float64) error,
) error {
	if !explanation.Interacts(e.model) {
		return cli.Misusef("--interactions is for trees: this model consists of %s, and adds up",
			e.model.Describe().Title)
	}
	scores, err := e.width()
	if err != nil {
		return err
	}
	return e.eachPart(func() error { return e.matricesOf(ctx, scores, do) })
}

// matricesOf does so for the rows of a part.
func (e *explained) matricesOf(
	ctx context.Context, scores int,
	do func(row int, s score, matrix []float64, bias float64) error,
) error {
	n := len(e.columns.of)
	rows := data.AllRows(e.table.Frame.Rows())
	together := max(1, int(e.options.Memory/int64(8*max(1, n*n*scores))))
	width := len(e.columns.names)
	for len(rows) > 0 {
		now := rows[:min(together, len(rows))]
		rows = rows[len(now):]
		v, err := explanation.Interactions(ctx, e.model, e.table.Frame, now, e.options)
		if err != nil {
			return err
		}
		for i, row := range now {
			for _, s := range e.scores {
				sums := make([]float64, width*width)
				for at, x := range v.Row(i, s.at) {
					sums[e.columns.of[at/n]*width+e.columns.of[at%n]] += x
				}
				if err := do(int(row), s, s.of(sums), s.bias(v.Bias)); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// interactions writes a line for each row, score, and pair of columns; the two values of a pair are
// added up. The bias has a line of its own.
func (e *explained) interactions(ctx context.Context, write func([]string) error) error {
	header := append([]string{"row"}, tables.Kept(e.table.Verbatim, -1, 0)...)
	if len(e.scores) > 1 {
		header = append(header, "score")
	}
	header = append(header, "feature", "with", "value")
	if err := unique(header); err != nil {
		return err
	}
	if err := write(header); err != nil {
		return err
	}
	names := e.columns.names
	return e.matrices(ctx, func(row int, s score, matrix []float64, mean float64) error {
		before := append([]string{fmt.Sprint(e.before + row + 1)}, tables.Kept(e.table.Verbatim, row, 0)...)
		if len(e.scores) > 1 {
			before = append(before, s.name)
		}
		line := func(one, other string, x float64) error {
			return write(append(slices.Clone(before), one, other, describe.Digits(x)))
		}
		for i, one := range names {
			for j, other := range names[:i+1] {
				x := matrix[i*len(names)+j]
				if j < i {
					x += matrix[j*len(names)+i]
				}
				if err := line(other, one, x); err != nil {
					return err
				}
			}
		}
		return line(describe.Bias, describe.Bias, mean)
	})
}

// report is the object that --json prints.
type report struct {
	Features []string    `json:"features"`
	Drawn    int         `json:"background_sample,omitempty"` // rows; 0: it is no sample
	Samples  int         `json:"samples,omitempty"`           // pairs of orders for a row; 0: exact
	Scores   []string    `json:"scores,omitempty"`            // names, of several
	Rows     []reportRow `json:"rows"`
}

// reportRow has the contributions to a score of a row, or the matrix of its interaction values.
type reportRow struct {
	Row           int       `json:"row"`             // from 1
	Score         string    `json:"score,omitempty"` // the class that it is towards
	Bias          float64   `json:"bias"`
	Contributions []float64 `json:"contributions,omitempty"` // by feature
	StdErrors     []float64 `json:"std_errors,omitempty"`    // of the contributions; nil: exact
	Interactions  []float64 `json:"interactions,omitempty"`  // by pair of features, row after row
}

func (e *explained) json(ctx context.Context, out *cli.Console, interactions bool) error {
	r := &report{Features: e.columns.names, Drawn: e.drawn, Rows: []reportRow{}}
	if len(e.scores) > 1 {
		for _, s := range e.scores {
			r.Scores = append(r.Scores, s.name)
		}
	}
	if interactions {
		err := e.matrices(ctx, func(row int, s score, matrix []float64, mean float64) error {
			r.Rows = append(r.Rows,
				reportRow{Row: e.before + row + 1, Score: s.name, Bias: mean,
					Interactions: matrix})
			return nil
		})
		if err != nil {
			return err
		}
		return out.JSON(r)
	}
	if e.sampled != nil {
		r.Samples = e.sampled.Samples
	}
	err := e.each(ctx, func(row int, of rowValues) error {
		for _, s := range e.scores {
			r.Rows = append(r.Rows, reportRow{Row: e.before + row + 1, Score: s.name,
				Bias: s.bias(of.Bias), Contributions: s.of(e.columns.sum(of.Row(of.at, s.at))),
				StdErrors: e.errors(of, s)})
		}
		return nil
	})
	if err != nil {
		return err
	}
	return out.JSON(r)
}

// top prints the strongest contributions of each row. Of several classes it is the score of the
// predicted one, unless one was chosen, and of several numbers each.
func (e *explained) top(ctx context.Context, w io.Writer, most int) error {
	p, err := e.model.Bind(&e.table.Frame.Schema,
		model.Options{Rounds: e.options.Rounds, Workers: e.options.Workers})
	if err != nil {
		return err
	}
	var responses []float64 // of the part
	return e.each(ctx, func(row int, of rowValues) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		f := e.table.Frame
		if row == 0 {
			responses = make([]float64, f.Rows()*p.Width())
			if err := p.Predict(responses, f, nil); err != nil {
				return err
			}
		}
		response := responses[row*p.Width():][:p.Width()]
		shown := e.scores
		if label := e.label(response); label >= 0 && label < len(shown) && len(shown) > 1 {
			shown = shown[label : label+1]
		}
		for i, s := range shown {
			values := s.of(e.columns.sum(of.Row(of.at, s.at)))
			sum := describe.Total(s.bias(of.Bias), values)
			if e.before+row+i > 0 {
				fmt.Fprintln(w)
			}
			fmt.Fprintln(w, headed(response, f.Locate(row)+e.kept(row)+": "+e.heading(response, s, sum)))
			describe.Contributions(e.columns.names, values, e.errors(of, s), s.bias(of.Bias), most,
				func(i int) string { return e.value(row, i) }).Print(w)
		}
		return nil
	})
}

// kept names the columns of --keep with their values in a row.
func (e *explained) kept(row int) string {
	text := ""
	names := tables.Kept(e.table.Verbatim, -1, 0)
	for i, value := range tables.Kept(e.table.Verbatim, row, 0) {
		if slices.Contains(e.keep, names[i]) { // others are for the values of contributions
			text += ", " + humanize.Name(names[i]) + " " + humanize.Name(value)
		}
	}
	return text
}

// label returns the class that a response leads to, -1 for numbers.
func (e *explained) label(response []float64) int {
	if !e.model.Spec().Task.Classes() {
		return -1
	}
	return e.model.Spec().Decision.Label(response)
}

// heading describes the prediction of a row, and the score that is explained if it is another
// number.
func (e *explained) heading(response []float64, s score, sum float64) string {
	spec := e.model.Spec()
	text := "predicts " + describe.Prediction(spec, response)
	scale := describe.ScoreWords(spec, s.name)
	if e.output == model.Response {
		if s.name == "" || e.label(response) == s.at {
			return text
		}
		scale = humanize.Name(s.name)
		if spec.Task.Classes() {
			scale = "probability of " + scale
		}
	}
	return fmt.Sprintf("%s; %s %s", text, scale, humanize.Number(sum, 4))
}

// headed breaks a heading in lines if it lists many numbers, which are no probabilities of classes.
func headed(response []float64, text string) string {
	if strings.Count(text, ", ") < len(response)-1 || len(response) < 3 {
		return text
	}
	return cli.Paragraph(text)
}

// value returns the value of a column as text. That of a group is empty, but for the parts of one
// date, which are the date.
func (e *explained) value(row, column int) string {
	fields := e.model.Spec().Schema.Fields
	shown := -1
	for feature, of := range e.columns.of {
		switch {
		case of != column:
		case shown < 0:
			shown = feature
		case fields[feature].Source() != fields[shown].Source():
			return ""
		}
	}
	return describe.Cell(e.table, row, e.table.Frame.Schema.Index(fields[shown].Name))
}
