package models

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/pflag"

	"github.com/coppice-ml/coppice/cmd/coppice/internal/cli"
	"github.com/coppice-ml/coppice/codec"
	"github.com/coppice-ml/coppice/codec/xgboost"
	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/memory"
)

// LimitFlag is the limit of memory for decoding model files, which every command has that opens
// some.
type LimitFlag struct{ size string }

// limitName is the name of the flag, which errors name.
const limitName = "model-memory"

// Define defines --model-memory.
func (o *LimitFlag) Define(f *pflag.FlagSet) {
	f.StringVar(&o.size, limitName, "", "limit the memory for decoding a model to `SIZE`, such as "+
		"512MiB, 4GB or 50% of the system's memory (default: 16 times its file and 64MiB)")
}

// Limits returns the limits of decoding; the zero value has the defaults.
func (o *LimitFlag) Limits() (codec.Limits, error) {
	if o.size == "" {
		return codec.Limits{}, nil
	}
	limit, err := memory.Parse(o.size)
	if err != nil {
		return codec.Limits{}, cli.Misusef("--%s %w", limitName, err)
	}
	return codec.Limits{Memory: int64(limit)}, nil
}

// Raisable returns an error of opening a model. If it is one of the limit it names the flag, and
// what converts the file if it is a dump, which lacks its objective.
func Raisable(path string, err error) error {
	if errors.Is(err, xgboost.ErrNoObjective) {
		name := strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
		return fmt.Errorf("%w, once for all commands: coppice convert %s %s --objective "+
			"binary:logistic --base-score 0.5", err, humanize.ShellWord(path),
			humanize.ShellWord(name+".coppice"))
	}
	if limit := (*codec.LimitError)(nil); errors.As(err, &limit) {
		return fmt.Errorf("%w: --%s SIZE raises it, for files from sources that you trust", err,
			limitName)
	}
	return err
}
