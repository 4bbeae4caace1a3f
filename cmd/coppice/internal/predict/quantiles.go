package predict

import (
	"strconv"

	"github.com/spf13/pflag"

	"github.com/coppice-ml/coppice/cmd/coppice/internal/cli"
	"github.com/coppice-ml/coppice/cmd/coppice/internal/models"
)

// quantileFlag names the quantiles to predict.
type quantileFlag struct {
	texts []string
	at    []float64 // set by check
	flags *pflag.FlagSet
}

func (o *quantileFlag) define(f *pflag.FlagSet) {
	o.flags = f
	f.StringSliceVar(&o.texts, "quantiles", []string{"0.1", "0.5", "0.9"},
		"with --output quantiles: predict the quantiles `Q,...`, each from 0 to 1")
}

// check parses the quantiles and finds misuse; what is the requested output.
func (o *quantileFlag) check(what string) error {
	if o.flags.Changed("quantiles") && what != "quantiles" {
		return cli.Misusef("--quantiles goes with --output quantiles: add it")
	}
	for _, text := range o.texts {
		q, err := strconv.ParseFloat(text, 64)
		if err != nil || !(q >= 0 && q <= 1) {
			return cli.Misusef("--quantiles %q: want numbers from 0 to 1", text)
		}
		o.at = append(o.at, q)
	}
	return nil
}

// columns names the columns of the output.
func (o *quantileFlag) columns() []string { return models.QuantileColumns(o.at) }
