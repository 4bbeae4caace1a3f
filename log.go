package coppice

import (
	"context"
	"log/slog"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/outside"
	"github.com/coppice-ml/coppice/learn"
)

// Log writes what a training does to a logger: at its begin and its end, at the level Info, and
// after each unit of work, such as a boosting round, at the level Debug. The default writes
// nothing. The model is the same.
func Log(l *slog.Logger) Option { return func(t *training) { t.log = l } }

// logged makes a training write to its logger, if it has one. The function that it returns is
// called with the error at the end.
func (t *training) logged(ctx context.Context, ds *data.BlockDataset) func(err error) {
	if t.log == nil {
		return func(error) {}
	}
	rows := ds.Rows()
	if t.job.Rows != nil {
		rows = len(t.job.Rows)
	}
	start := outside.Now()
	t.log.LogAttrs(ctx, slog.LevelInfo, "training begins", slog.String("label", ds.Target.Name),
		slog.String("task", ds.Target.Task.String()), slog.Int("rows", rows),
		slog.Int("columns", len(ds.Schema.Fields)), slog.Uint64("seed", t.job.Seed))
	observe := t.job.Observe
	t.job.Observe = func(r learn.Round) error {
		attributes := []slog.Attr{slog.String("stage", r.Stage), slog.Int("n", r.N), slog.Int("of", r.Of)}
		for _, m := range r.Metrics {
			attributes = append(attributes, slog.Float64(m.Set+"."+m.Name, m.Value))
		}
		t.log.LogAttrs(ctx, slog.LevelDebug, "progress", attributes...)
		if observe == nil {
			return nil
		}
		return observe(r)
	}
	return func(err error) {
		level, attributes := slog.LevelInfo, []slog.Attr{slog.Duration("took", outside.Since(start))}
		if err != nil {
			level = slog.LevelError
			attributes = append(attributes, slog.String("error", err.Error()))
		}
		t.log.LogAttrs(ctx, level, "training ends", attributes...)
	}
}
