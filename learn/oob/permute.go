package oob

import (
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/model"
)

// Permuter measures the importance of features by permutation (Breiman 2001, section 10): for one member after the other,
// how much worse it predicts its out-of-bag rows when the values of a feature are dealt out anew among these rows.
//
// A unit is what is permuted at once: unit f < features is feature f alone, unit features + g is group g of columns,
// whose values stay together.
//
// The class that a member predicts is the one that Truth.Decision chooses of its shares.
//
// A Permuter holds memory for one goroutine; others make their own.
type Permuter struct {
	truth   *Truth
	chosen  model.Decision // of a class, of the shares of all
	columns []data.Column
	rows    []int32       // frame row of each position
	units   [][]int32     // unit -> features
	within  [][]int32     // feature -> units
	order   []int32       // a permutation of out-of-bag positions
	spare   []data.Column // as long as the frame's: the i-th holds the i-th feature of a permuted unit
	walker  walker
}

// NewPermuter makes a Permuter for members that are trained on the given frame rows, each once, in the order of the
// positions. groups are sets of columns that are also permuted jointly.
func NewPermuter(truth *Truth, columns []data.Column, rows []int32, groups [][]int32) *Permuter {
	p := &Permuter{truth: truth, chosen: truth.Decision, columns: columns, rows: rows}
	p.within = make([][]int32, len(columns))
	add := func(features []int32) {
		for _, f := range features {
			p.within[f] = append(p.within[f], int32(len(p.units)))
		}
		p.units = append(p.units, features)
	}
	for f := range columns {
		add([]int32{int32(f)})
	}
	for _, g := range groups {
		g = slices.Clone(g)
		slices.Sort(g)
		add(slices.Compact(g))
	}
	p.walker = walker{row: newRow(columns), deal: newDeal(len(p.units)), stamp: make([]int32, len(p.units))}
	return p
}

// DecideBy takes another decision than Truth.Decision for the members to come: for who knows it from the member.
func (p *Permuter) DecideBy(d model.Decision) { p.chosen = d }

// Units returns the number of units: features and then groups.
func (p *Permuter) Units() int { return len(p.units) }

// shuffle makes order the out-of-bag positions in the order in which their values are dealt out to out.
func (p *Permuter) shuffle(out []int32, stream *rng.Stream) {
	p.order = append(p.order[:0], out...)
	stream.Shuffle(len(out), func(i, j int) { p.order[i], p.order[j] = p.order[j], p.order[i] })
}

// touched tells which units hold features that are used.
func (p *Permuter) touched(used []int32) []bool {
	seen := make([]bool, len(p.units))
	if used == nil {
		for u := range seen {
			seen[u] = len(p.units[u]) > 0
		}
	}
	for _, f := range used {
		for _, u := range p.within[f] {
			seen[u] = true
		}
	}
	return seen
}

func (p *Permuter) weigh(out []int32) float64 {
	total := 0.0
	for _, position := range out {
		total += p.truth.weight(position)
	}
	return total
}

// loss is what a prediction costs: 1 for a wrong class, or the squared error.
func (p *Permuter) loss(prediction []float64, position int32) float64 {
	if p.truth.Class != nil {
		return p.lossOf(float64(p.chosen.Label(prediction)), position)
	}
	return p.lossOf(prediction[0], position)
}

// lossOf is the loss of an answer: the predicted number, or the number of the predicted class.
func (p *Permuter) lossOf(answer float64, position int32) float64 {
	if p.truth.Class != nil {
		if answer == float64(p.truth.Class[position]) {
			return 0
		}
		return 1
	}
	d := p.truth.Y[position] - answer
	return float64(d * d)
}

// change is what one row adds to the increase of the loss.
func (p *Permuter) change(position int32, now, before float64) float64 {
	return float64(p.truth.weight(position) * (now - before))
}
