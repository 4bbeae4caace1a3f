package outside

import (
	"context"
	"time"
)

// Now is time.Now.
func Now() time.Time {
	if t := ask(Clock, "").Time; !t.IsZero() {
		return t
	}
	return time.Now()
}

// Since is time.Since.
func Since(t time.Time) time.Duration { return Now().Sub(t) }

// waiting returns how long a wait of d is to be.
func waiting(d time.Duration) time.Duration {
	return max(0, d+Ask(Call{Kind: Wait, Wait: d}).Shift)
}

// After is time.After.
func After(d time.Duration) <-chan time.Time { return time.After(waiting(d)) }

// Timer is one of AfterFunc.
type Timer struct{ timer *time.Timer }

// AfterFunc is time.AfterFunc.
func AfterFunc(d time.Duration, f func()) *Timer { return &Timer{time.AfterFunc(waiting(d), f)} }

// Reset lets the timer run again, for d.
func (t *Timer) Reset(d time.Duration) { t.timer.Reset(waiting(d)) }

// Stop ends the timer.
func (t *Timer) Stop() { t.timer.Stop() }

// Deadline is the time of the machine's clock behind a wait, as connections take it.
func Deadline(d time.Duration) time.Time { return time.Now().Add(waiting(d)) }

// WithTimeout is context.WithTimeoutCause.
func WithTimeout(ctx context.Context, d time.Duration, cause error) (
	context.Context, context.CancelFunc) {
	return context.WithTimeoutCause(ctx, waiting(d), cause)
}
