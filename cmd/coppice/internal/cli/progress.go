package cli

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/schollz/progressbar/v3"

	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/internal/outside"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/metric"
)

// Progress displays the stage of the work, how much of it is done and the expected time, on the
// last line of a terminal. It displays nothing without a terminal, or if the work takes only a
// moment.
type Progress struct {
	Terminal io.Writer // nil = there is none
	Lines    io.Writer // in place of the terminal: a log that gets a line now and then; nil = none

	mu    sync.Mutex
	round learn.Round // the work under way
	bar   *progressbar.ProgressBar
	stop  chan struct{}
	began time.Time // the stage, of Lines
	wrote time.Time // the last line
}

const (
	// interval is the time between two updates, and before the first.
	interval = 200 * time.Millisecond
	// quietTime is the time between two lines of a log about one stage.
	quietTime = 10 * time.Second
)

// Begin starts a stage of unknown length.
func (p *Progress) Begin(stage string) { _ = p.Observe(learn.Round{Stage: stage}) }

// Observe receives a round of a learner.
func (p *Progress) Observe(r learn.Round) error {
	if p.Terminal == nil && p.Lines == nil {
		return nil
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.Lines != nil {
		p.line(&r, outside.Now())
		return nil
	}
	if r.Stage != p.round.Stage || r.Of != p.round.Of {
		p.clear()
		p.round.Metrics = nil
	}
	metrics := p.round.Metrics
	p.round = r
	if len(r.Metrics) == 0 {
		p.round.Metrics = metrics // rounds without an evaluation show the last one
	}
	if p.stop == nil {
		p.stop = make(chan struct{})
		go p.draw(p.stop)
	}
	return nil
}

// line writes a line about a new stage, and about one that lasts: how much of it is done, for how
// long it has run, and how long the rest takes at the same speed.
func (p *Progress) line(r *learn.Round, now time.Time) {
	if r.Stage != p.round.Stage {
		p.round, p.began, p.wrote = *r, now, now
		fmt.Fprintf(p.Lines, "progress: %s\n", humanize.Line(r.Stage))
		return
	}
	if now.Sub(p.wrote) < quietTime {
		return
	}
	p.wrote = now
	text, passed := humanize.Line(roundWords(r)), now.Sub(p.began)
	if r.Of > 0 {
		text += fmt.Sprintf("  %d of %d", r.N, r.Of)
	}
	text += "  " + passed.Round(time.Second).String()
	if r.N > 0 && r.Of > r.N {
		left := time.Duration(float64(passed) / float64(r.N) * float64(r.Of-r.N))
		text += ", about " + left.Round(time.Second).String() + " left"
	}
	fmt.Fprintf(p.Lines, "progress: %s\n", text)
}

// draw redraws the line until stop is closed.
func (p *Progress) draw(stop chan struct{}) {
	tick := time.NewTicker(interval)
	defer tick.Stop()
	for {
		select {
		case <-stop:
			return
		case <-tick.C:
		}
		p.mu.Lock()
		if p.stop == stop {
			p.show()
		}
		p.mu.Unlock()
	}
}

func (p *Progress) show() {
	if p.bar == nil {
		p.bar = p.newBar()
	}
	p.bar.Describe(humanize.Line(roundWords(&p.round)))
	if p.round.Of > 0 {
		_ = p.bar.Set(p.round.N) // a failure to draw does not stop the work
	}
	_ = p.bar.RenderBlank()
}

func (p *Progress) newBar() *progressbar.ProgressBar {
	options := []progressbar.Option{
		progressbar.OptionSetWriter(p.Terminal),
		progressbar.OptionSetDescription(humanize.Line(roundWords(&p.round))),
		progressbar.OptionSetWidth(30),
		progressbar.OptionSetElapsedTime(true),
		progressbar.OptionSetPredictTime(true),
		progressbar.OptionSetRenderBlankState(false),
	}
	if p.round.Of == 0 {
		return progressbar.NewOptions(-1, append(options, progressbar.OptionSpinnerType(14),
			// the spinner turns at each update and requires no timer
			progressbar.OptionSetSpinnerChangeInterval(0))...)
	}
	return progressbar.NewOptions(p.round.Of, append(options, progressbar.OptionShowCount())...)
}

// clear erases the line; the caller holds the lock.
func (p *Progress) clear() {
	if p.bar != nil {
		_ = p.bar.Clear()
		p.bar = nil
	}
}

// hide erases the line before f writes.
func (p *Progress) hide(f func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.clear()
	f()
}

// End erases the line and stops the display.
func (p *Progress) End() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.stop != nil {
		close(p.stop)
		p.stop = nil
	}
	p.clear()
	p.round = learn.Round{}
}

// roundWords returns the text of the line: the stage and the last metrics.
func roundWords(r *learn.Round) string {
	words := []string{r.Stage}
	for _, m := range r.Metrics {
		words = append(words, fmt.Sprintf("%s %s %s", m.Set, metric.Words(m.Name), humanize.Metric(m.Value)))
	}
	return strings.Join(words, "  ")
}
