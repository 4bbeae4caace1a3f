//go:build linux

package ranks

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"math"
	"os"
	"strconv"
	"time"

	"github.com/coppice-ml/coppice/codec/native"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/gbm"
	"github.com/coppice-ml/coppice/ranks"
	"github.com/coppice-ml/coppice/ranks/mpi"
	"github.com/coppice-ml/coppice/tools/bench/pairs"
	"github.com/coppice-ml/coppice/tools/bench/tables/recipe"
)

// asRank trains as one rank. Rank 0 prints the result.
func asRank(text, profile string) error {
	var t training
	if err := json.Unmarshal([]byte(text), &t); err != nil {
		return err
	}
	g, end, err := mpi.Start()
	if err != nil {
		return err
	}
	r, err := t.train(&counted{Group: g}, profile)
	if err != nil {
		fmt.Fprintln(os.Stderr, "ranks:", err)
		end(1)
	}
	if g.Rank() == 0 {
		if err := json.NewEncoder(os.Stdout).Encode(r); err != nil {
			return err
		}
	}
	end(0)
	return nil
}

// train returns the seconds of a tree, and as facts those of binning (see print). Work is the
// seconds of the rank with the most processor time, without messages and waiting in them. Of the
// seconds in messages for each tree, least and most are those of the ranks with the least and the
// most.
func (t *training) train(g *counted, profile string) (*pairs.Result, error) {
	ds, err := recipe.ByName("higgs").Dataset(0, t.Rows, 0)
	if err != nil {
		return nil, err
	}
	l := gbm.New()
	if err := l.Params().Set([]string{"trees=" + strconv.Itoa(t.Trees), "learning_rate=0.1",
		"training_metric=" + strconv.Itoa(t.Every), "leaves=" + strconv.Itoa(t.Leaves)}); err != nil {
		return nil, err
	}
	ctx, start := context.Background(), time.Now()
	work, facts, trees := g.work(), map[string]float64{}, float64(t.Trees)
	fitter, err := l.Prepare(ctx, ds.Frame, nil, nil, learn.Env{Workers: 1, Ranks: g})
	if err != nil {
		return nil, err
	}
	facts["binning"], work = time.Since(start).Seconds(), g.work()-work
	if _, facts["binning work"], err = bounds(ctx, g, work); err != nil {
		return nil, err
	}
	if err := g.Barrier(ctx); err != nil {
		return nil, err
	}
	if facts["sum"], facts["gather"], err = messages(ctx, g); err != nil {
		return nil, err
	}
	if g.Rank() > 0 {
		profile = ""
	}
	stop, err := pairs.Profiled(profile)
	if err != nil {
		return nil, err
	}
	*g, start = counted{Group: g.Group}, time.Now()
	work = g.work()
	m, err := fitter.Fit(ctx, &ds.Target, learn.Job{Workers: 1})
	if err := errors.Join(err, stop()); err != nil {
		return nil, err
	}
	r := &pairs.Result{Version: pairs.Version(), Seconds: time.Since(start).Seconds() / trees,
		Facts: facts}
	if _, facts["tree work"], err = bounds(ctx, g, (g.work()-work)/time.Duration(t.Trees)); err != nil {
		return nil, err
	}
	facts["sent"], facts["messages"] = float64(g.sent)/trees, float64(g.operations)/trees
	if facts["least"], facts["most"], err = bounds(ctx, g, g.waited); err != nil {
		return nil, err
	}
	facts["least"], facts["most"] = 1e3*facts["least"]/trees, 1e3*facts["most"]/trees
	facts["memory"] = pairs.Memory("VmHWM")
	var file bytes.Buffer
	if err := native.Encode(&file, m); err != nil {
		return nil, err
	}
	h := fnv.New64a()
	h.Write(file.Bytes())
	r.Output = fmt.Sprintf("%016x", h.Sum64())
	return r, nil
}

// bounds returns the least and the most seconds of a rank.
func bounds(ctx context.Context, g *counted, own time.Duration) (least, most float64, err error) {
	all, err := g.Group.Gather(ctx, binary.LittleEndian.AppendUint64(nil, uint64(own)))
	least = math.Inf(1)
	for _, b := range all {
		s := time.Duration(binary.LittleEndian.Uint64(b)).Seconds()
		least, most = min(least, s), max(most, s)
	}
	return least, most, err
}

// messages returns the microseconds that it takes to add up the histogram of a leaf by parts, of 14
// columns, and to gather 100 bytes, when all ranks are ready.
func messages(ctx context.Context, g *counted) (sum, gather float64, err error) {
	const times = 2000
	x, sizes := make([]int64, 14*256), make([]int, g.Size())
	for i := range sizes {
		sizes[i] = len(x) / len(sizes)
	}
	start := time.Now()
	for range times {
		if err := g.SumParts(ctx, x, sizes)(); err != nil {
			return 0, 0, err
		}
	}
	sum, start = 1e6*time.Since(start).Seconds()/times, time.Now()
	for range times {
		if _, err := g.Gather(ctx, make([]byte, 100)); err != nil {
			return 0, 0, err
		}
	}
	return sum, 1e6 * time.Since(start).Seconds() / times, nil
}

// processorTime returns what this process has used of it.
func processorTime() time.Duration { return time.Duration(1e9 * pairs.Spent()) }

// counted counts what a rank sends: for each operation the bytes that it must send at least, of
// sums those of reducing and gathering again. It also adds up the time until operations return,
// which is that of messages and of waiting for other ranks.
type counted struct {
	ranks.Group
	sent       int64
	operations int
	waited     time.Duration
	spun       time.Duration // processor time until operations return
}

// work returns the processor time of the process outside of operations, so that it does not depend
// on what else the machine does as the seconds do.
func (g *counted) work() time.Duration { return processorTime() - g.spun }

func (g *counted) Sum(ctx context.Context, x []int64) error {
	n := int64(g.Size())
	defer g.add(2 * 8 * int64(len(x)) * (n - 1) / n)()
	return g.Group.Sum(ctx, x)
}

// SumParts counts the time in which the rank waits, not that in which it computes meanwhile.
func (g *counted) SumParts(ctx context.Context, x []int64, sizes []int) (wait func() error) {
	ended := g.add(8 * int64(len(x)-sizes[g.Rank()]))
	sum := g.Group.SumParts(ctx, x, sizes)
	ended()
	return func() error {
		g.operations-- // it is one
		defer g.add(0)()
		return sum()
	}
}

func (g *counted) Gather(ctx context.Context, own []byte) ([][]byte, error) {
	defer g.add(int64(len(own)) * int64(g.Size()-1))()
	return g.Group.Gather(ctx, own)
}

func (g *counted) Exchange(ctx context.Context, to [][]byte) ([][]byte, error) {
	bytes := 0
	for rank, b := range to {
		if rank != g.Rank() {
			bytes += len(b)
		}
	}
	defer g.add(int64(bytes))()
	return g.Group.Exchange(ctx, to)
}

func (g *counted) Broadcast(ctx context.Context, from int, own []byte) ([]byte, error) {
	bytes := 0
	if g.Rank() == from {
		bytes = len(own)
	}
	defer g.add(int64(bytes))()
	return g.Group.Broadcast(ctx, from, own)
}

// add counts an operation that sends so many bytes. The function that it returns ends its time.
func (g *counted) add(bytes int64) (ended func()) {
	g.sent += bytes
	g.operations++
	start, spun := time.Now(), processorTime()
	return func() { g.waited, g.spun = g.waited+time.Since(start), g.spun+processorTime()-spun }
}
