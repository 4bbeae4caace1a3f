package command

import (
	"github.com/coppice-ml/coppice/cmd/coppice/internal/bench"
	"github.com/coppice-ml/coppice/cmd/coppice/internal/check"
	"github.com/coppice-ml/coppice/cmd/coppice/internal/cli"
	"github.com/coppice-ml/coppice/cmd/coppice/internal/convert"
	"github.com/coppice-ml/coppice/cmd/coppice/internal/cv"
	"github.com/coppice-ml/coppice/cmd/coppice/internal/data"
	"github.com/coppice-ml/coppice/cmd/coppice/internal/draw"
	"github.com/coppice-ml/coppice/cmd/coppice/internal/evaluate"
	"github.com/coppice-ml/coppice/cmd/coppice/internal/explain"
	"github.com/coppice-ml/coppice/cmd/coppice/internal/lab"
	"github.com/coppice-ml/coppice/cmd/coppice/internal/monitor"
	"github.com/coppice-ml/coppice/cmd/coppice/internal/predict"
	"github.com/coppice-ml/coppice/cmd/coppice/internal/serve"
	"github.com/coppice-ml/coppice/cmd/coppice/internal/show"
	"github.com/coppice-ml/coppice/cmd/coppice/internal/train"
)

// Table lists the sub-commands in the order of the help text.
func Table() []cli.Command {
	all := []cli.Command{
		train.New,
		train.NewRetrain,
		cv.NewTune,
		predict.New,
		serve.New,
		evaluate.New,
		check.New,
		check.NewProfile,
		monitor.New,
		cv.New,
		cv.NewCompare,
		train.NewMerge,
		show.New,
		draw.New,
		explain.New,
		explain.NewWhy,
		explain.NewEffects,
		explain.NewSurrogate,
		show.NewReport,
		explain.NewProximity,
		convert.New,
		convert.NewVerify,
		evaluate.NewDiff,
		bench.New,
		convert.NewGenerate,
		lab.New,
		data.New,
		data.NewSplit,
		newLearners,
		newVersion,
	}
	for i, create := range all {
		all[i] = completed(create)
	}
	return all
}
