// Package rankstest is the conformance suite of ranks.Group, and schedules: groups in one process
// whose turns, messages and losses a seed decides.
package rankstest

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"strings"

	"github.com/coppice-ml/coppice/ranks"
)

// Check calls each operation many times, with other numbers each time, as one rank of a group. All
// ranks call it.
func Check(g ranks.Group) error {
	if err := Turns(g, 0, 100); err != nil {
		return err
	}
	return large(context.Background(), g)
}

// Turns is Check of the turns from ... to-1, of 100, without its large operations.
func Turns(g ranks.Group, from, to int) error {
	ctx, n := context.Background(), g.Size()
	for turn := from; turn < to; turn++ {
		x := []int64{int64(g.Rank()), int64(turn), -1 << 62}
		if err := g.Sum(ctx, x); err != nil {
			return err
		}
		big := int64(-1 << 62)
		if want := []int64{int64(n * (n - 1) / 2), int64(n * turn), big * int64(n)}; !slices.Equal(x,
			want) {
			return fmt.Errorf("sums are %d, want %d", x, want)
		}
		if err := gather(ctx, g, turn); err != nil {
			return err
		}
		if err := parts(ctx, g, turn); err != nil {
			return err
		}
		if err := exchange(ctx, g, turn); err != nil {
			return err
		}
		sender := turn % n
		got, err := g.Broadcast(ctx, sender, fmt.Append(nil, "from ", g.Rank(), " of ", turn))
		if want := fmt.Sprint("from ", sender, " of ", turn); err != nil {
			return err
		} else if string(got) != want {
			return fmt.Errorf("broadcast %q, want %q", got, want)
		}
		if err := g.Barrier(ctx); err != nil {
			return err
		}
	}
	return nil
}

// gather gathers texts of several lengths, some of them empty and some of kilobytes.
func gather(ctx context.Context, g ranks.Group, turn int) error {
	text := func(rank int) string {
		short := fmt.Sprint(rank%10, "*")[:(rank+turn)%3]
		if turn%5 == 4 && rank%2 == 0 {
			return strings.Repeat(short, 1000)
		}
		return short
	}
	all, err := g.Gather(ctx, []byte(text(g.Rank())))
	if err != nil {
		return err
	}
	if len(all) != g.Size() {
		return fmt.Errorf("%d ranks gathered, want %d", len(all), g.Size())
	}
	for rank, b := range all {
		if string(b) != text(rank) {
			return fmt.Errorf("gathered %q of rank %d, want %q", b, rank, text(rank))
		}
	}
	return nil
}

// exchange sends texts of several lengths to each rank, some of them empty and some of kilobytes.
func exchange(ctx context.Context, g ranks.Group, turn int) error {
	text := func(from, to int) string {
		return strings.Repeat(fmt.Sprint(from, " to ", to, ";"), (from+2*to+turn)%3*(1+turn%2*999))
	}
	to := make([][]byte, g.Size())
	for rank := range to {
		to[rank] = []byte(text(g.Rank(), rank))
	}
	all, err := g.Exchange(ctx, to)
	if err != nil {
		return err
	}
	if len(all) != g.Size() {
		return fmt.Errorf("%d ranks sent something, want %d", len(all), g.Size())
	}
	for rank, b := range all {
		if want := text(rank, g.Rank()); string(b) != want {
			return fmt.Errorf("rank %d sent %.99q, want %.99q", rank, b, want)
		}
	}
	return nil
}

// parts adds up parts of several sizes, some of them empty. Ranks wait for the sums at different
// times.
func parts(ctx context.Context, g ranks.Group, turn int) error {
	var x []int64
	sizes := make([]int, g.Size())
	for rank := range sizes {
		sizes[rank] = (rank + turn) % 4
		for i := range sizes[rank] {
			x = append(x, int64(turn+10*rank+i)<<32-int64(g.Rank()))
		}
	}
	wait := g.SumParts(ctx, x, sizes)
	for range 50 * ((turn + g.Rank()) % 3) {
		runtime.Gosched()
	}
	if err := wait(); err != nil {
		return err
	}
	from, to := ranks.Part(sizes, g.Rank())
	n := int64(g.Size())
	for i, v := range x[from:to] {
		if want := n*(int64(turn+10*g.Rank()+i)<<32) - n*(n-1)/2; v != want {
			return fmt.Errorf("sum %d of the part of rank %d is %d, want %d", i, g.Rank(), v, want)
		}
	}
	return nil
}

// large adds up a million numbers, and no numbers.
func large(ctx context.Context, g ranks.Group) error {
	x := make([]int64, 1<<20)
	for i := range x {
		x[i] = int64(i + g.Rank())
	}
	if err := g.Sum(ctx, x); err != nil {
		return err
	}
	n := int64(g.Size())
	for i, v := range x {
		if want := n*int64(i) + n*(n-1)/2; v != want {
			return fmt.Errorf("sum %d is %d, want %d", i, v, want)
		}
	}
	return g.Sum(ctx, nil)
}
