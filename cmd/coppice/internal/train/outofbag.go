package train

import (
	"io"
	"math"
	"strconv"

	"github.com/spf13/pflag"

	"github.com/coppice-ml/coppice/cmd/coppice/internal/cli"
	"github.com/coppice-ml/coppice/cmd/coppice/internal/models"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/model"
)

// outOfBagFlag requests the out-of-bag predictions of an ensemble: each training row is predicted
// by the members that were not trained on it.
type outOfBagFlag struct {
	file cli.FileFlag
	cli.CSVFlag
	reported *learn.HoldOut
}

func (o *outOfBagFlag) define(f *pflag.FlagSet) {
	f.StringVar(&o.file.Path, "oob", "", "write the out-of-bag prediction of each training row "+
		"to `FILE`, numbered as in the table; rows of weight 0 have none")
	o.CSVFlag.Define(f)
}

// check refuses learners without out-of-bag rows, and files that cannot be written. model is the
// file of the model.
func (o *outOfBagFlag) check(l learn.Learner, name, model string, inputs ...string) error {
	if o.file.Path == "" {
		if o.CSVFlag.Safe {
			return cli.Misusef(
				"--safe-csv goes with --oob FILE, the only CSV that train writes: add it")
		}
		return nil
	}
	c := l.Capabilities()
	if !c.OutOfBag {
		return cli.Misusef("--oob: %s does not sample rows, so no row is out of bag: use %s", name,
			humanize.Or(models.LearnersThat(models.LeavesRowsOut)))
	}
	if c.NoneOut != nil {
		return cli.Misusef("--oob: %w", c.NoneOut)
	}
	if o.file.Path == "-" {
		return cli.Misusef("--oob -: want the name of a file, standard output has the report")
	}
	if o.file.Path == model {
		return cli.Misusef("--oob and -o name the same file %s", model)
	}
	return o.file.Check(inputs...)
}

// request makes a job report the predictions.
func (o *outOfBagFlag) request(job *learn.Job) {
	if o.file.Path != "" {
		job.OutOfBag = func(reported *learn.HoldOut) error {
			o.reported = reported
			return nil
		}
	}
}

// write writes the predictions of the rows of a table.
func (o *outOfBagFlag) write(c *cli.Console, spec *model.Spec, ds *data.Dataset) error {
	if o.file.Path == "" {
		return nil
	}
	return o.file.Write(c, func(w io.Writer) error {
		return o.CSVFlag.Write(c, w, func(lines *cli.CSVWriter) error {
			return writeOutOfBag(lines, o.reported, spec, ds)
		})
	})
}

// writeOutOfBag writes CSV with a header and a line for each training row. A line holds the number
// of the row in the table, from 1, and the fields of predict --output proba. Rows that no member
// left out have empty fields, and rows of weight 0 have no line.
func writeOutOfBag(
	lines *cli.CSVWriter, reported *learn.HoldOut, spec *model.Spec, ds *data.Dataset,
) error {
	header := []string{"row", "prediction"}
	if spec.Task.Classes() {
		header = append(header, models.ProbabilityColumns(spec.Classes)...)
	}
	if err := lines.WriteLine(header); err != nil {
		return err
	}
	for i, row := range reported.Rows {
		line := []string{strconv.Itoa(int(ds.Number(row)) + 1)}
		response := reported.Values[i*reported.Width : (i+1)*reported.Width]
		if math.IsNaN(response[0]) {
			line = append(line, make([]string, len(header)-1)...)
			response = nil
		} else if spec.Task.Classes() {
			line = append(line, spec.Classes[spec.Decision.Label(response)])
		}
		for _, v := range response {
			line = append(line, humanize.Exact(v))
		}
		if err := lines.WriteLine(line); err != nil {
			return err
		}
	}
	return nil
}
