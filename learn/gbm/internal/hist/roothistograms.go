package hist

import (
	"github.com/coppice-ml/coppice/internal/kernel"
	"github.com/coppice-ml/coppice/internal/parallel"
	"github.com/coppice-ml/coppice/learn/gbm/internal/bins"
)

// roots is the histograms of the roots of several outputs, which have the same rows. A row's words
// of four outputs are added to a cell at once, so that the rows and their codes are read for four
// trees together:
//
//	four    outputs 0 to 3 | outputs 4 to 7 | outputs 8, 9, none, none
//	cells   group 0: code 0, code 1, ...   group 1: ...                  of each four
type roots struct {
	m       *bins.Matrix
	fours   int
	workers []rootScratch // the first one has the sums of all once they are added up
}

// rootScratch is the memory of a worker.
type rootScratch struct {
	cells []kernel.OutputCells // by four and group
	words []int64              // of rootRows rows
	used  bool
}

const (
	// rootRows is the number of rows whose words are turned at once: the second cache keeps them
	// until they are added in all columns.
	rootRows = 1 << 11
	// rootTask is the number of rows that a worker adds before it takes others.
	rootTask = 1 << 15
	// rootLeast is the number of rows below which clearing the cells costs more than is saved.
	rootLeast = 1 << 13
	// rootBytes is how many bytes the cells of a worker may take.
	rootBytes = 8 << 20
)

// newRoots returns nil where roots are not added faster together: few rows, fewer than three
// outputs, trees that sample few of the columns, columns that have wide codes or lists, or a matrix
// that is not in memory.
func newRoots(m *bins.Matrix, c *Config, outputs, workers int) *roots {
	fours := (outputs + kernel.OutputsAtOnce - 1) / kernel.OutputsAtOnce
	each := float64(outputs)
	if c.ColumnsByTree > 0 {
		each *= c.ColumnsByTree
	}
	cells := fours * len(m.Groups)
	const cellBytes = 8 * len(kernel.OutputCells{})
	if m.Len() < rootLeast || outputs < 3 || each < float64(fours) || c.Double ||
		m.Store != nil || m.Partial || cells*cellBytes > rootBytes {
		return nil
	}
	for i := range m.Groups {
		if g := &m.Groups[i]; g.Wide() || g.Listed {
			return nil
		}
	}
	r := &roots{m: m, fours: fours, workers: make([]rootScratch, workers)}
	for i := range r.workers {
		r.workers[i].cells = make([]kernel.OutputCells, cells)
		r.workers[i].words = make([]int64, kernel.OutputsAtOnce*rootRows)
	}
	return r
}

// add adds up the words of all rows: those of rows that the trees do not have are 0.
func (r *roots) add(of []sums) {
	for i := range r.workers {
		r.workers[i].used = i == 0
	}
	clear(r.workers[0].cells)
	n := r.m.Len()
	pieces := (n + rootTask - 1) / rootTask
	parallel.Each(len(r.workers), pieces*r.fours, func(w, i int) {
		own := &r.workers[w]
		if !own.used {
			own.used = true
			clear(own.cells)
		}
		piece := i / r.fours
		r.addPiece(own, of, i%r.fours, piece*rootTask, min(n, (piece+1)*rootTask))
	})
	for i := range r.workers[1:] {
		other := &r.workers[1+i]
		for k := 0; other.used && k < len(other.cells); k++ {
			kernel.AddWords(r.workers[0].cells[k][:], other.cells[k][:])
		}
	}
}

// addPiece adds the words of four outputs of the rows from ... to-1.
func (r *roots) addPiece(own *rootScratch, of []sums, four, from, to int) {
	cells := own.cells[four*len(r.m.Groups):][:len(r.m.Groups)]
	for i := range r.m.Blocks {
		b := &r.m.Blocks[i]
		first := int(b.First)
		for lo := max(from, first); lo < min(to, first+b.Rows); {
			hi := min(lo+rootRows, to, first+b.Rows)
			own.turn(of, four, lo, hi)
			for g := 0; g < len(cells); g += 2 {
				codes := b.Codes[g].Narrow[lo-first : hi-first]
				if g+1 == len(cells) {
					kernel.AddOutputs(&cells[g], nil, codes, nil, own.words)
				} else {
					kernel.AddOutputs(&cells[g], &cells[g+1], codes,
						b.Codes[g+1].Narrow[lo-first:hi-first], own.words)
				}
			}
			lo = hi
		}
	}
}

// turn puts the words of four outputs together for the rows from ... to-1. Outputs that there are
// not are those of the last one again.
func (m *rootScratch) turn(of []sums, four, from, to int) {
	var words [kernel.OutputsAtOnce][]int64
	for k := range words {
		words[k] = of[min(four*kernel.OutputsAtOnce+k, len(of)-1)].allWords[from:to]
	}
	kernel.TurnOutputs(m.words, &words)
}

// put makes h the histogram of the root of an output.
func (r *roots) put(h *histogram, l *layout, m *bins.Matrix, output int) {
	words := h.words(0)
	clear(words)
	lane := output % kernel.OutputsAtOnce
	cells := r.workers[0].cells[output/kernel.OutputsAtOnce*len(m.Groups):]
	for i := range m.Groups {
		if m.Groups[i].Out {
			continue
		}
		to, from := words[l.at[i]:][:m.Groups[i].Codes], &cells[i]
		for code := range to {
			to[code] = from[kernel.OutputsAtOnce*code+lane]
		}
	}
}
