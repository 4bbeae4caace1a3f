package command

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strconv"

	"github.com/spf13/pflag"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/internal/oob"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/model"
)

// outOfBagFlag requests the out-of-bag predictions of an ensemble: of each training row by the
// members that were not trained on it.
type outOfBagFlag struct {
	file fileFlag
	csvFlag
	reported *learn.OutOfBag
}

func (o *outOfBagFlag) define(f *pflag.FlagSet) {
	f.StringVar(&o.file.path, "oob", "", "write the out-of-bag prediction of each training row to `FILE`, numbered as in the table; rows of weight 0 have none")
	o.csvFlag.define(f)
}

// check refuses learners that leave no rows out, and files that cannot be written. model is the
// file of the model.
func (o *outOfBagFlag) check(l learn.Learner, name, model string, inputs ...string) error {
	if o.file.path == "" {
		if o.csvFlag.safe {
			return misusef("--safe-csv goes with --oob FILE, the only CSV that train writes: add it")
		}
		return nil
	}
	c := l.Capabilities()
	if !c.OutOfBag {
		return misusef("--oob: %s does not sample rows, so no row is out of bag: use %s", name, humanize.Or(learnersThat(leavesRowsOut)))
	}
	if c.NoneOut != nil {
		return misusef("--oob: %w", c.NoneOut)
	}
	if o.file.path == "-" {
		return misusef("--oob -: want the name of a file, standard output has the report")
	}
	if o.file.path == model {
		return misusef("--oob and -o name the same file %s", model)
	}
	return o.file.check(inputs...)
}

// outOfBagFacts reports the out-of-bag metrics of a model; for other models nothing.
func outOfBagFacts(s *model.Spec) []fact {
	r := outOfBagOf(s)
	if r == nil {
		return nil
	}
	text := ""
	add := func(name string, value *float64) {
		if value != nil {
			text += fmt.Sprintf("%s %s, ", name, humanize.Metric(*value))
		}
	}
	add("error", r.Error)
	add("cost", r.Cost)
	add("logloss", r.LogLoss)
	if r.MSE != nil {
		rmse := math.Sqrt(*r.MSE)
		add("rmse", &rmse)
	}
	add("r2", r.R2)
	text += fmt.Sprintf("on %s", humanize.Count(r.Rows, "row", "rows"))
	if r.Never > 0 {
		text += fmt.Sprintf(" (%d more rows are in all bags)", r.Never)
	}
	if r.Settled {
		text += fmt.Sprintf(", converged after %s", humanize.Count(r.Members, "member", "members"))
	}
	if r.Optimistic {
		text += "; too optimistic, as the trees were pruned by the same rows"
	}
	return []fact{{"oob", text}}
}

// outOfBagOf returns the out-of-bag report of a model's summary, nil if it has none.
func outOfBagOf(s *model.Spec) *oob.Report {
	var found struct {
		OutOfBag *oob.Report `json:"oob"`
	}
	if json.Unmarshal(s.Summary, &found) != nil {
		return nil
	}
	return found.OutOfBag
}

// request makes a job report the predictions.
func (o *outOfBagFlag) request(job *learn.Job) {
	if o.file.path != "" {
		job.OutOfBag = func(reported *learn.OutOfBag) error {
			o.reported = reported
			return nil
		}
	}
}

// write writes the predictions of the rows of a table.
func (o *outOfBagFlag) write(c *console, spec *model.Spec, ds *data.Dataset) error {
	if o.file.path == "" {
		return nil
	}
	return o.file.write(c, func(w io.Writer) error {
		lines, err := o.csvFlag.writer(w)
		if err != nil {
			return err
		}
		if err := writeOutOfBag(lines, o.reported, spec, ds); err != nil {
			return err
		}
		return lines.end(c)
	})
}

// writeOutOfBag writes CSV with a header and a line for each training row: its number in the table
// that was read, from 1, and what predict writes of it, with the probability of each class. Rows
// that are in all bags have empty fields, rows of weight 0 no line.
func writeOutOfBag(lines *csvWriter, reported *learn.OutOfBag, spec *model.Spec, ds *data.Dataset) error {
	header := []string{"row", "prediction"}
	if spec.Task.Classes() {
		header = append(header, probabilityColumns(spec.Classes)...)
	}
	if err := lines.write(header); err != nil {
		return err
	}
	for i, row := range reported.Rows {
		line := []string{strconv.Itoa(int(ds.Number(row)) + 1)}
		response := reported.Response[i*reported.Width : (i+1)*reported.Width]
		if math.IsNaN(response[0]) {
			line = append(line, make([]string, len(header)-1)...)
			response = nil
		} else if spec.Task.Classes() {
			line = append(line, spec.Classes[spec.Decision.Label(response)])
		}
		for _, v := range response {
			line = append(line, humanize.Exact(v))
		}
		if err := lines.write(line); err != nil {
			return err
		}
	}
	return nil
}
