package reproductions

import (
	"context"
	"errors"
	"testing"
)

// The error of a step ends a run, and is returned; another panic goes on.
func TestStepsThatFailEndRuns(t *testing.T) {
	broken := errors.New("broken")
	row := &Reproduction{run: func(context.Context, *Env) *Result {
		must(1, broken)
		t.Error("the run goes on")
		return nil
	}}
	if r, err := row.Run(t.Context(), nil); r != nil || err != broken {
		t.Errorf("%v, %v", r, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := pda.Run(ctx, &Env{}); !errors.Is(err, context.Canceled) {
		t.Errorf("an interrupted run: %v", err)
	}
	defer func() {
		if p := recover(); p != "else" {
			t.Errorf("another panic: %v", p)
		}
	}()
	row.run = func(context.Context, *Env) *Result { panic("else") }
	row.Run(t.Context(), nil)
}
