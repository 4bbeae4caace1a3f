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
		{Name: "train", New: train.New},
		{Name: "retrain", New: train.NewRetrain},
		{Name: "tune", New: cv.NewTune},
		{Name: "predict", New: predict.New},
		{Name: "serve", New: serve.New},
		{Name: "evaluate", New: evaluate.New},
		{Name: "check", New: check.New},
		{Name: "profile", New: check.NewProfile},
		{Name: "monitor", New: monitor.New},
		{Name: "cv", New: cv.New},
		{Name: "compare", New: cv.NewCompare},
		{Name: "merge", New: train.NewMerge},
		{Name: "show", New: show.New},
		{Name: "draw", New: draw.New},
		{Name: "explain", New: explain.New},
		{Name: "why", New: explain.NewWhy},
		{Name: "effects", New: explain.NewEffects},
		{Name: "surrogate", New: explain.NewSurrogate},
		{Name: "report", New: show.NewReport},
		{Name: "proximity", New: explain.NewProximity},
		{Name: "convert", New: convert.New},
		{Name: "verify", New: convert.NewVerify},
		{Name: "diff", New: evaluate.NewDiff},
		{Name: "bench", New: bench.New},
		{Name: "generate", New: convert.NewGenerate},
		{Name: "lab", New: lab.New},
		{Name: "data", New: data.New},
		{Name: "split", New: data.NewSplit},
		{Name: "learners", New: newLearners},
		{Name: "version", New: newVersion},
	}
	for i := range all {
		all[i].New = completed(all[i].New)
	}
	return all
}
