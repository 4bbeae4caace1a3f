package ensembles

import (
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/input"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/model"
)

// Permuter computes the importance of features by permutation (Breiman 2001, section 10): for one
// member after the other, how much worse it predicts its out-of-bag rows when the values of a
// feature are reshuffled among these rows.
//
// A unit is what is permuted at once: unit f < features is feature f alone, unit features + g is
// group g of columns, whose values stay together.
//
// The class that a member predicts is the one that Truth.Decision chooses of its probabilities.
//
// A Permuter holds memory for one goroutine; others make their own.
type Permuter struct {
	truth   *Truth
	chosen  model.Decision // of a class, of the probabilities of all
	columns []data.Column
	rows    []int32 // frame row of each position
	units   *input.ColumnSets
	table   *input.PermutedColumns
	order   []int32 // a permutation of out-of-bag positions
	walker  walker
}

// NewPermuter makes a Permuter for members that are trained on the given frame rows. Each row is
// there once, in the order of the positions. groups are sets of columns that are also permuted
// jointly.
func NewPermuter(truth *Truth, columns []data.Column, rows []int32, groups [][]int32) *Permuter {
	p := &Permuter{truth: truth, chosen: truth.Decision, columns: columns, rows: rows,
		table: input.NewPermutedColumns(columns)}
	p.units = input.NewColumnSets(len(columns), append(input.SingleColumns(len(columns)), groups...))
	p.walker = walker{row: newRow(columns), permuted: newPermuted(p.Units()),
		stamp: make([]int32, p.Units())}
	return p
}

// DecideBy takes another decision than Truth.Decision for the members to come, where it follows
// from the member.
func (p *Permuter) DecideBy(d model.Decision) { p.chosen = d }

// Units returns the number of units: features and then groups.
func (p *Permuter) Units() int { return p.units.Len() }

// shuffle makes order the out-of-bag positions in the order in which their values go to out.
func (p *Permuter) shuffle(out []int32, stream *rng.Stream) {
	p.order = stream.Shuffled(p.order, out)
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

// lossOf is the loss of a prediction: a number, or the number of a class.
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
