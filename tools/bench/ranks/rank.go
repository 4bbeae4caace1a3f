//go:build linux

package main

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"math"
	"os"
	"runtime/pprof"
	"slices"
	"strconv"
	"syscall"
	"time"

	"github.com/coppice-ml/coppice/codec/native"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/gbm"
	"github.com/coppice-ml/coppice/ranks"
	"github.com/coppice-ml/coppice/ranks/mpi"
	"github.com/coppice-ml/coppice/tools/bench/tables/recipe"
)

// asRank trains as one rank. Rank 0 prints the result.
func asRank(text string) error {
	var t training
	if err := json.Unmarshal([]byte(text), &t); err != nil {
		return err
	}
	g, end, err := mpi.Start()
	if err != nil {
		return err
	}
	r, err := t.train(&counted{Group: g})
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

func (t *training) train(g *counted) (r result, err error) {
	ds, err := higgs(t.Rows)
	if err != nil {
		return r, err
	}
	l := gbm.New()
	if err := l.Params().Set([]string{"trees=" + strconv.Itoa(t.Trees), "learning_rate=0.1",
		"training_metric=" + strconv.Itoa(t.Every), "leaves=" + strconv.Itoa(t.Leaves)}); err != nil {
		return r, err
	}
	ctx, start := context.Background(), time.Now()
	work := g.work()
	fitter, err := l.PrepareRanks(ctx, ds.Frame, nil, nil, learn.Env{Workers: 1}, g)
	if err != nil {
		return r, err
	}
	r.Binning, work = time.Since(start).Seconds(), g.work()-work
	if r.BinningWork, err = mostOf(ctx, g, work); err != nil {
		return r, err
	}
	if err := g.Barrier(ctx); err != nil {
		return r, err
	}
	if r.Sum, r.Gather, err = messages(ctx, g); err != nil {
		return r, err
	}
	if t.Profile != "" && g.Rank() == 0 {
		f, err := os.Create(t.Profile)
		if err != nil {
			return r, err
		}
		defer f.Close()
		if err := pprof.StartCPUProfile(f); err != nil {
			return r, err
		}
		defer pprof.StopCPUProfile()
	}
	*g, start = counted{Group: g.Group}, time.Now()
	work = g.work()
	m, err := fitter.Fit(ctx, &ds.Target, learn.Job{Workers: 1, Ranks: g})
	if err != nil {
		return r, err
	}
	trees := float64(t.Trees)
	r.Tree = time.Since(start).Seconds() / trees
	if r.TreeWork, err = mostOf(ctx, g, (g.work()-work)/time.Duration(t.Trees)); err != nil {
		return r, err
	}
	r.Sent, r.Messages = float64(g.sent)/trees, float64(g.operations)/trees
	if r.Least, r.Most, err = waits(ctx, g, trees); err != nil {
		return r, err
	}
	r.Memory = peak()
	var file bytes.Buffer
	if err := native.Encode(&file, m); err != nil {
		return r, err
	}
	h := fnv.New64a()
	h.Write(file.Bytes())
	r.Model = fmt.Sprintf("%016x", h.Sum64())
	return r, nil
}

// mostOf returns the most seconds of a rank.
func mostOf(ctx context.Context, g *counted, own time.Duration) (most float64, err error) {
	all, err := g.Group.Gather(ctx, binary.LittleEndian.AppendUint64(nil, uint64(own)))
	for _, b := range all {
		most = max(most, time.Duration(binary.LittleEndian.Uint64(b)).Seconds())
	}
	return most, err
}

// waits returns the least and the most seconds of a rank in messages for each tree.
func waits(ctx context.Context, g *counted, trees float64) (least, most float64, err error) {
	own := binary.LittleEndian.AppendUint64(nil, uint64(g.waited))
	all, err := g.Group.Gather(ctx, own)
	if err != nil {
		return 0, 0, err
	}
	least = math.Inf(1)
	for _, b := range all {
		s := time.Duration(binary.LittleEndian.Uint64(b)).Seconds() / trees
		least, most = min(least, s), max(most, s)
	}
	return least, most, nil
}

// messages returns the seconds that it takes to add up the histogram of a leaf by parts, of 14
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
	sum, start = time.Since(start).Seconds()/times, time.Now()
	for range times {
		if _, err := g.Gather(ctx, make([]byte, 100)); err != nil {
			return 0, 0, err
		}
	}
	return sum, time.Since(start).Seconds() / times, nil
}

// processorTime returns what this process has used of it.
func processorTime() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// peak returns the peak of this process's memory in MB.
func peak() float64 {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return float64(u.Maxrss) / 1e3
}

// higgsRecipe is what the table is made by.
func higgsRecipe() *recipe.Table {
	all := recipe.Tables()
	return &all[slices.IndexFunc(all, func(t recipe.Table) bool { return t.Name == "higgs" })]
}

// higgs makes the table.
func higgs(rows int) (*data.Dataset, error) {
	t := higgsRecipe()
	var schema data.Schema
	var columns []data.Column
	for j := range t.Features {
		schema.Fields = append(schema.Fields, data.Field{Name: "x" + strconv.Itoa(j)})
		columns = append(columns, data.Numbers(make([]float64, rows)))
	}
	ds := &data.Dataset{Target: data.Target{Name: "y", Task: data.Binary,
		Classes: []string{"0", "1"}, Class: make([]uint32, rows)}}
	x, wide := make([]float32, t.Features), make([]float64, t.Features)
	for i := range rows {
		ds.Target.Class[i] = uint32(t.Row(i, x, wide))
		for j, v := range x {
			columns[j].Numbers()[i] = float64(v)
		}
	}
	var err error
	ds.Frame, err = data.NewFrame(schema, columns)
	return ds, err
}

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
