package ranks_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/internal/testing/tier"
	"github.com/coppice-ml/coppice/ranks"
	"github.com/coppice-ml/coppice/ranks/rankstest"
)

// protocol is a few operations of each kind, whose results each rank checks. All ranks have begun
// the last one before any of them ends.
func protocol(seed uint64) func(g ranks.Group) error {
	from := int(seed % 97)
	return func(g ranks.Group) error { return rankstest.Turns(g, from, from+3) }
}

// Ranks have the right results in whatever order they and their messages take their turns.
func TestSchedules(t *testing.T) {
	for seed := range uint64(tier.Count(300, 2000, 50_000)) {
		s := rankstest.Schedule{Ranks: 1 + int(seed%5), Seed: seed}
		if err := errors.Join(s.Run(protocol(seed)).Errors...); err != nil {
			t.Fatalf("%+v: %v", s, err)
		}
	}
}

// faulty are schedules with faults that a version of this package, or of what it tests, has failed.
var faulty = []rankstest.Schedule{}

// A group that is lost ends every rank with an error, whatever is lost and when, or with the right
// results where these had come already. None waits for ever.
func TestFaults(t *testing.T) {
	for _, s := range faulty {
		checkFault(t, s)
	}
	lost := map[rankstest.Fault]int{}
	for seed := range uint64(tier.Count(240, 1500, 30_000)) {
		s := rankstest.Schedule{Ranks: 2 + int(seed%4), Seed: seed}
		whole := s.Run(protocol(seed))
		s.Fault = rankstest.LostMessage + rankstest.Fault(seed/4%3)
		s.At = int(seed * 7919 % uint64(whole.Operations))
		if s.Fault == rankstest.LostMessage {
			s.At = int(seed * 7919 % uint64(whole.Messages))
		}
		lost[s.Fault] += checkFault(t, s)
	}
	for fault, n := range lost {
		if n == 0 {
			t.Errorf("%s ends no rank", fault)
		}
	}
}

// checkFault runs a schedule with a fault twice, and returns how many ranks have failed.
func checkFault(t *testing.T, s rankstest.Schedule) (failed int) {
	t.Helper()
	out, again := s.Run(protocol(s.Seed)), s.Run(protocol(s.Seed))
	for rank, err := range out.Errors {
		if fmt.Sprint(err) != fmt.Sprint(again.Errors[rank]) {
			t.Fatalf("%+v, rank %d: %v, then %v", s, rank, err, again.Errors[rank])
		}
		if err == nil {
			continue
		}
		if failed++; !errors.Is(err, rankstest.ErrLost) {
			t.Fatalf("%+v, rank %d: %v", s, rank, err)
		}
	}
	if failed == 0 {
		t.Fatalf("%+v: all ranks have ended well", s)
	}
	return failed
}

// What breaks the rules of a Group is found, in any order of turns.
func TestSchedulesFindFaults(t *testing.T) {
	ctx := context.Background()
	for _, c := range []struct {
		name string
		run  func(g ranks.Group) error
		want string
	}{
		{"another operation", func(g ranks.Group) error {
			if g.Rank() == 1 {
				return g.Barrier(ctx)
			}
			return g.Sum(ctx, []int64{1})
		}, "where rank"},
		{"another length", func(g ranks.Group) error {
			return g.Sum(ctx, make([]int64, 1+g.Rank()/2))
		}, "where rank"},
		{"a rank that stays away", func(g ranks.Group) error {
			if g.Rank() == 2 {
				return nil
			}
			return g.Barrier(ctx)
		}, "rank 2 has ended"},
		{"a rank that waits for itself", func(g ranks.Group) error {
			if g.Rank() == 0 {
				if err := g.Barrier(ctx); err != nil {
					return err
				}
			}
			_, err := g.Broadcast(ctx, 0, nil)
			return err
		}, "the group is lost"},
		{"no wait for sums", func(g ranks.Group) error {
			g.SumParts(ctx, []int64{1, 2, 3}, []int{1, 1, 1})
			return nil
		}, "has not waited"},
		{"an operation before the wait", func(g ranks.Group) error {
			wait := g.SumParts(ctx, []int64{1, 2, 3}, []int{1, 1, 1})
			return errors.Join(g.Barrier(ctx), wait())
		}, "before it has waited"},
		{"numbers that change before the wait", func(g ranks.Group) error {
			x := []int64{1, 2, 3}
			wait := g.SumParts(ctx, x, []int{1, 1, 1})
			x[2] = 100
			err := wait()
			if err == nil && g.Rank() == 2 && x[2] != 9 {
				err = fmt.Errorf("the sum is %d", x[2])
			}
			return err
		}, "the sum is 300"},
		{"numbers of another's part", func(g ranks.Group) error {
			x := []int64{1, 2, 3}
			err := g.SumParts(ctx, x, []int{1, 1, 1})()
			if other := (g.Rank() + 1) % 3; err == nil && x[other] != 3*int64(1+other) {
				err = errors.New("it is no sum")
			}
			return err
		}, "no sum"},
	} {
		for seed := range uint64(100) {
			out := rankstest.Schedule{Ranks: 3, Seed: seed}.Run(c.run)
			if err := errors.Join(out.Errors...); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Fatalf("%s, seed %d: %v, want %q", c.name, seed, err, c.want)
			}
		}
	}
}

// A rank whose context is done loses the group, and the others get its cause.
func TestDoneContextLosesTheGroup(t *testing.T) {
	cause := errors.New("the disk is full")
	for seed := range uint64(200) {
		out := rankstest.Schedule{Ranks: 3, Seed: seed}.Run(func(g ranks.Group) error {
			ctx, cancel := context.WithCancelCause(t.Context())
			defer cancel(nil)
			if g.Rank() == 1 {
				cancel(cause)
			}
			if seed%2 == 0 {
				return g.SumParts(ctx, make([]int64, 6), []int{1, 2, 3})()
			}
			if err := g.Barrier(ctx); err == nil {
				return errors.New("the barrier has returned")
			}
			return g.Sum(t.Context(), []int64{1})
		})
		for rank, err := range out.Errors {
			if !errors.Is(err, cause) {
				t.Fatalf("seed %d, rank %d: %v, want the cause of rank 1", seed, rank, err)
			}
		}
	}
}
