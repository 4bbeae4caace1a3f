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

// BenchmarkLayouts predicts blocks of some sizes by all layouts that fit, with the engine's choice
// among them. A layout stays if it is 1.3 times as fast as all others somewhere. The layouts take
// turns, and the figures are their best turns: so they can be compared on a machine that does other
// work too.
func BenchmarkLayouts(b *testing.B) {
	for _, shape := range []struct {
		name   string
		source Source
	}{
		{"100x31", boosted(b, 100, 31, benchColumns)},
		{"500x31", boosted(b, 500, 31, benchColumns)},
		{"500x31, 100 columns", boosted(b, 500, 31, 100)},
		{"500x255", boosted(b, 500, 255, benchColumns)},
		{"500x31 continuous, 4 columns", continuous(boosted(b, 500, 31, 4))},
		{"500x255 continuous", continuous(boosted(b, 500, 255, benchColumns))},
		{"2000x31 continuous", continuous(boosted(b, 2000, 31, benchColumns))},
		{"500x6 oblivious", oblivious(b, 500, 6, benchColumns)},
	} {
		for _, path := range kernel.Paths() {
			if path.Name == "AVX2" || path.Name == "plain" || path.Name == "AVX-512 that permutes" {
				b.Run(shape.name+"/"+path.Name, func(b *testing.B) {
					path.Take(b)
					benchTurns(b, shape.source, append(Layouts(), Chosen),
						[]int{1, 4, 16, 32, 64, 128, 256})
				})
			}
		}
	}
}

// benchTurns predicts blocks of some sizes in those of some layouts that fit, in turns.
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
		if p.Fit() != nil {
			continue
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
