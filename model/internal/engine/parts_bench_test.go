package engine

import (
	"fmt"
	"testing"

	"github.com/coppice-ml/coppice/internal/kernel"
	"github.com/coppice-ml/coppice/internal/rng"
)

// BenchmarkParts predicts tiles of kernel.ScanRows rows part by part: the codes of the values, the
// scan of all trees, with the bits of codes that it needs, and the sums of the leaves. Each part is
// repeated on one tile. The names are those of kernel.Paths, or "fastest" for the processor's own.
func BenchmarkParts(b *testing.B) {
	for _, size := range [][2]int{{500, 31}, {500, 255}} {
		parts := func(b *testing.B) {
			benchParts(b, Compile(boosted(b, size[0], size[1], benchColumns)))
		}
		shape := fmt.Sprintf("%dx%d/", size[0], size[1])
		b.Run(shape+"fastest", parts)
		for _, path := range kernel.Paths() {
			if path.Name == "AVX2" || path.Name == "plain" {
				b.Run(shape+path.Name, func(b *testing.B) {
					path.Take(b)
					parts(b)
				})
			}
		}
	}
}

func benchParts(b *testing.B, p *Program) {
	const rows = kernel.ScanRows
	l, r := p.layout(), rng.New(2)
	block, dst := p.NewBlock(rows), make([]float64, rows)
	block.Resize(rows)
	for k := range p.columns {
		for i := range rows {
			block.Column(k, i/TileRows)[i%TileRows] = r.Float64()
		}
	}
	c := newScanner(p, l)
	to := &sumSink{c, block, dst}
	codes := func(s *segment) { c.code(block, s, 0, rows) }
	scan := func(s *segment) {
		cut := l.cut(s, rows)
		if cut {
			s.cuts.begin(c, s, false)
		}
		for lo := 0; lo < len(s.trees); lo += scanTrees {
			if cut {
				s.cuts.scan(c, s, lo, false)
			} else {
				c.scan(l, s, lo, min(lo+scanTrees, len(s.trees)), rows)
			}
		}
	}
	sums := func(s *segment) {
		to.begin(0, rows)
		for lo := 0; lo < len(s.trees); lo += scanTrees {
			to.scanned(s, lo, min(lo+scanTrees, len(s.trees)), c.leaf, 0, rows)
		}
		to.end(0, rows)
	}
	whole := func(*segment) { c.each(block, l, rows, to) }
	for _, part := range []struct {
		name string
		run  func(s *segment)
		all  bool // the part covers all segments
	}{{"codes", codes, false}, {"scan", scan, false}, {"sums", sums, false}, {"all", whole, true}} {
		b.Run(part.name, func(b *testing.B) {
			for b.Loop() {
				for i := range l.segments {
					if !part.all || i == 0 {
						part.run(&l.segments[i])
					}
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*rows), "ns/row")
			b.ReportMetric(float64(len(l.segments)), "segments")
		})
	}
}
