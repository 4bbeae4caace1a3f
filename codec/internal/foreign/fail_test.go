package foreign_test

import (
	"errors"
	"testing"

	"github.com/coppice-ml/coppice/codec"
	"github.com/coppice-ml/coppice/codec/internal/foreign"
)

// The first error of a step ends the reading and is returned; another panic goes on.
func TestReadingEndsAtAnError(t *testing.T) {
	read := func(step func()) (n int, err error) {
		defer foreign.Ended(&err)
		step()
		return 1, nil
	}
	broken := errors.New("broken")
	for _, c := range []struct {
		step func()
		want error
	}{
		{func() { foreign.Check(nil) }, nil},
		{func() { foreign.Check(broken) }, broken},
		{func() { foreign.Must(1, broken) }, broken},
	} {
		if n, err := read(c.step); err != c.want || (n == 1) != (err == nil) {
			t.Errorf("%d, %v, want %v", n, err, c.want)
		}
	}
	var limit *codec.LimitError
	b := foreign.NewBudget("test", 0, codec.Limits{Memory: 100})
	if _, err := read(func() { b.Need(60); b.Need(60) }); !errors.As(err, &limit) {
		t.Errorf("120 bytes of 100: %v", err)
	}
	defer func() {
		if p := recover(); p != "else" {
			t.Errorf("another panic: %v", p)
		}
	}()
	read(func() { panic("else") })
}
