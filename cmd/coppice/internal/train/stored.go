package train

import (
	"github.com/spf13/pflag"

	"github.com/coppice-ml/coppice"
	"github.com/coppice-ml/coppice/cmd/coppice/internal/cli"
)

// storedFlags choose what the model stores beside what it predicts with.
type storedFlags struct {
	noProfile, noExtremes bool
}

func (o *storedFlags) define(f *pflag.FlagSet) {
	f.BoolVar(&o.noProfile, "no-profile", false,
		"store no profile of the training rows: ranges, quantiles and levels of each column")
	f.BoolVar(&o.noExtremes, "no-extremes", false,
		"store no least and largest values in the profile, which are values of single rows")
}

func (o *storedFlags) check() error {
	if o.noProfile && o.noExtremes {
		return cli.Misusef("--no-extremes does not go with --no-profile: use one of them")
	}
	return nil
}

// options returns the options of the training.
func (o *storedFlags) options() []coppice.Option {
	var options []coppice.Option
	if o.noProfile {
		options = append(options, coppice.NoProfile())
	}
	if o.noExtremes {
		options = append(options, coppice.NoExtremes())
	}
	return options
}
