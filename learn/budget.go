package learn

import (
	"fmt"
	"strconv"
	"time"
)

// Budget limits a search by a number or by a time: 200 trials, or ten minutes. One of the fields is
// above 0. With a number the result is the same for any number of workers; with a time it depends
// on the clock.
type Budget struct {
	Count int
	Time  time.Duration // after which nothing more is begun
}

// ParseBudget reads a number, as 200, or a time, as 90s, 10m or 2h.
func ParseBudget(text string) (Budget, error) {
	if n, err := strconv.Atoi(text); err == nil && n > 0 {
		return Budget{Count: n}, nil
	}
	if d, err := time.ParseDuration(text); err == nil && d > 0 {
		return Budget{Time: d}, nil
	}
	return Budget{}, fmt.Errorf("%q is neither a number above 0 nor a time", text)
}
