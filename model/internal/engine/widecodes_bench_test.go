package engine

import (
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/coppice-ml/coppice/internal/kernel"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/tree"
)

// continuous moves each split point of an ensemble by a random part of its distance to the next, so
// that trees have hardly any in common.
func continuous(s Source) Source {
	r := rng.New(3)
	for _, t := range s.Trees {
		nodes := packed(t.Nodes)
		for n := range nodes {
			if t.Nodes[n].Kind() == tree.Numeric {
				nodes[n].SplitPoint += (r.Float64() - 0.5) / 256
			}
		}
	}
	return s
}

// BenchmarkManyPoints predicts by trees of continuous columns, with codes of one byte in many
// segments and with codes of two bytes. The ways take turns, and the figures are their best turns:
// so they can be compared on a machine that does other work too.
func BenchmarkManyPoints(b *testing.B) {
	for _, columns := range []int{4, 28} {
		for _, size := range [][2]int{{100, 31}, {500, 31}, {500, 255}, {2000, 31}, {2000, 255}} {
			source := continuous(boosted(b, size[0], size[1], columns))
			for _, path := range kernel.Paths() {
				if path.Name == "AVX2" || path.Name == "plain" {
					b.Run(fmt.Sprintf("%dx%d/columns=%d/%s", size[0], size[1], columns, path.Name),
						func(b *testing.B) {
							path.Take(b)
							benchTurns(b, source, []Layout{Chosen, Cuts, WideCuts}, []int{32, 64, 128, 256})
						})
				}
			}
		}
	}
}

// benchTurns predicts blocks of some sizes in some layouts, in turns.
func benchTurns(b *testing.B, source Source, layouts []Layout, sizes []int) {
	type turn struct {
		name  string
		rows  int
		block *Block
		best  float64
	}
	var turns []turn
	r := rng.New(2)
	for _, how := range layouts {
		source.Layout = how
		p := Compile(source)
		if err := p.Fit(); err != nil {
			b.Fatal(err)
		}
		for _, n := range sizes {
			block := p.NewBlock(n)
			block.Resize(n)
			for k := range p.columns {
				for i := range n {
					block.Column(k, i/TileRows)[i%TileRows] = r.Float64()
				}
			}
			turns = append(turns, turn{fmt.Sprintf("%s-%d", how, n), n, block, math.Inf(1)})
		}
	}
	dst := make([]float64, kernel.ScanRows)
	for b.Loop() {
		for i := range turns {
			t := &turns[i]
			t.block.Raw(dst)
			start := time.Now()
			t.block.Raw(dst)
			t.best = min(t.best, float64(time.Since(start).Nanoseconds())/float64(t.rows))
		}
	}
	for _, t := range turns {
		b.ReportMetric(t.best, t.name+"-ns/row")
	}
}
