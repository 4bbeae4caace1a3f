package gbm

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"math"
	"slices"

	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/param"
)

// stateVersion is the version of a state. A state is what training needs beside the trees to go on
// to the same bytes:
//
//	length of the head (varint) | head (JSON) | raw scores of the prepared rows | raw scores of the validation part
//
// Scores are stored, not worked out from the trees again, since sums in another order have other
// bits.
const stateVersion = 1

// head is what a state begins with.
type head struct {
	Version int    `json:"version"`
	Seed    uint64 `json:"seed"`
	// checksum of the columns, derived ones too, labels, weights and start scores of all rows
	Data    uint32    `json:"data"`
	Before  int       `json:"before"`          // rounds of the model that training started from
	First   int       `json:"first"`           // trees of that model
	Stub    int       `json:"stub"`            // rounds at the end that split nothing
	Weights []float64 `json:"weights"`         // of the trees, where they have some
	AtBest  []float64 `json:"weights_at_best"` // as they were at the best round
	Chosen  *Choice   `json:"chosen"`          // how the number of rounds was chosen, where it was
	Course

	// While it is chosen: of each fold Data, Stub and Course, and the mean after each round.
	Folds []head    `json:"folds,omitempty"`
	Means []float64 `json:"means,omitempty"`
}

var errState = errors.New("what the snapshot holds besides the model is damaged: resume from another one")

// checkpoint returns the model so far with its state.
func (b *boost) checkpoint() (*learn.Checkpoint, error) {
	h := head{Version: stateVersion, Seed: b.Seed, Data: b.checksum(), Before: b.before, First: b.first, Stub: b.stub,
		Weights: b.model.Weights, AtBest: b.bestWeights, Chosen: b.choice, Course: b.history.Course}
	state, err := h.append(nil)
	if err != nil {
		return nil, err
	}
	state = appendFloats(state, b.raw)
	if b.valid != nil {
		state = appendFloats(state, b.valid.Raw)
	}
	m := *b.model
	// whoever goes on from it has memory of his own
	m.Trees, m.Output = slices.Clip(m.Trees), slices.Clip(m.Output)
	m.Weights = slices.Clone(m.Weights)
	if err := b.describe(&m); err != nil {
		return nil, err
	}
	return &learn.Checkpoint{Model: &m, State: state}, nil
}

// append appends the head to a state.
func (h *head) append(state []byte) ([]byte, error) {
	text, err := json.Marshal(h)
	return append(binary.AppendUvarint(state, uint64(len(text))), text...), err
}

func appendFloats(b []byte, x []float64) []byte {
	for _, v := range x {
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(v))
	}
	return b
}

// resume goes on from a checkpoint with its state. All is ready for the first round.
func (b *boost) resume(m *model.Ensemble, state []byte) error {
	h, rest, err := readHead(state)
	if err != nil {
		return err
	}
	if err := b.sameTraining(h); err != nil {
		return err
	}
	if h.Before < 0 || h.Best < 0 || h.Best > h.Rounds || h.Stub < 0 || h.Stub > h.Rounds ||
		h.Weights != nil && len(h.Weights) != len(m.Trees) || h.Weights != nil && h.Best > 0 && len(h.AtBest) != h.First+h.Best*b.width() ||
		(h.Weights == nil) != (b.model.Weights == nil) || h.First < 0 || h.First+h.Rounds*b.width() != len(m.Trees) || !sameCurves(b.history.Curves, h.Curves) {
		return errState
	}
	if rest, err = b.readScores(rest); err != nil {
		return err
	}
	if len(rest) > 0 {
		return errState
	}
	b.collect()
	b.history.Course, b.before, b.first, b.stub, b.bestWeights = h.Course, h.Before, h.First, h.Stub, h.AtBest
	b.model.Trees, b.model.Output, b.model.Bias, b.model.Weights = slices.Clip(m.Trees), slices.Clip(m.Output), m.Bias, h.Weights
	return nil
}

// readScores reads the scores that a state begins with, and returns what follows them.
func (b *boost) readScores(state []byte) ([]byte, error) {
	for _, raw := range b.rawScores() {
		if len(state) < 8*len(raw) {
			return nil, errState
		}
		for i := range raw {
			raw[i] = math.Float64frombits(binary.LittleEndian.Uint64(state[8*i:]))
		}
		state = state[8*len(raw):]
	}
	b.putHoldOut()
	return state, nil
}

// readHead returns the head of a state, and what follows it.
func readHead(state []byte) (*head, []byte, error) {
	size, n := binary.Uvarint(state)
	if n <= 0 || size > uint64(len(state)-n) {
		return nil, nil, errState
	}
	h := &head{}
	if json.Unmarshal(state[n:n+int(size)], h) != nil {
		return nil, nil, errState
	}
	if h.Version != stateVersion {
		return nil, nil, errors.New("the snapshot was made by another version of the program: train anew")
	}
	return h, state[n+int(size):], nil
}

// choiceOf returns how the number of rounds was chosen in the training of a state, nil if it was
// not.
func choiceOf(state []byte) (*Choice, error) {
	h, _, err := readHead(state)
	if err != nil {
		return nil, err
	}
	if c := h.Chosen; c != nil && (c.Rounds < 1 || !(c.Rate > 0 && c.Rate <= 1)) {
		return nil, errState
	}
	return h.Chosen, nil
}

// rawScores are the scores that a state holds.
func (b *boost) rawScores() [][]float64 {
	if b.valid == nil {
		return [][]float64{b.raw}
	}
	return [][]float64{b.raw, b.valid.Raw}
}

// sameCurves checks that curves were measured as these are.
func sameCurves(these, read []Curve) bool {
	if len(these) != len(read) {
		return false
	}
	for i, c := range read {
		if c.Part != these[i].Part || c.Metric != these[i].Metric || len(c.Rounds) != len(c.Values) || len(c.Rounds) == 0 && c.Part == "validation" {
			return false
		}
	}
	return true
}

var errOtherData = errors.New("the snapshot was trained on other rows, columns, labels or weights: use the same tables and flags, or --continue to add to its model")

func otherSeed(was, is uint64) error {
	return fmt.Errorf("the snapshot was trained with seed %d, not %d: use the same, or --continue to add to its model", was, is)
}

// sameTraining finds out whether a checkpoint with the same parameters is of this training.
func (b *boost) sameTraining(h *head) error {
	if h.Seed != b.Seed {
		return otherSeed(h.Seed, b.Seed)
	}
	if h.Rounds > b.learner.Trees {
		return fmt.Errorf("the snapshot has %d rounds, more than trees=%d", h.Rounds, b.learner.Trees)
	}
	if h.Data != b.checksum() {
		return errOtherData
	}
	return nil
}

// sameParameters finds out whether the model of a checkpoint is trained with a learner's
// parameters.
func sameParameters(l *Learner, m *model.Ensemble) error {
	if m.Meta.Learner != Name {
		return fmt.Errorf("the snapshot is of the learner %s, not of %s", m.Meta.Learner, Name)
	}
	then := New()
	if err := then.Params().UnmarshalJSON(m.Meta.Params); err != nil {
		return fmt.Errorf("parameters of the snapshot: %w", err)
	}
	if name, was, is := differing(then.Params(), l.Params()); name != "" {
		return fmt.Errorf("the snapshot was trained with %s=%s, not %s: use the same, or --continue to add to its model", name, was, is)
	}
	return nil
}

// differing returns the first parameter that differs, but for the number of trees: more of them may
// be asked for, though not whether it is given, on which the learning rate depends too.
func differing(a, b param.Set) (name, was, is string) {
	other := b.All()
	for i, p := range a.All() {
		if i >= len(other) || p.Name != other[i].Name {
			return p.Name, p.Value(), "there"
		}
		was, is := p.Value(), other[i].Value()
		if was != is && (p.Name != "trees" || was == "0" || is == "0") {
			return p.Name, was, is
		}
	}
	return "", "", ""
}

// checksum sums up all that training sees of the table, of derived columns their bins. It is worked
// out once.
func (b *boost) checksum() uint32 {
	if b.sum != 0 {
		return b.sum
	}
	d := digest{table: crc32.MakeTable(crc32.Castagnoli)}
	parts := [][]int32{b.matrix.Rows, b.train.Rows}
	if b.valid != nil {
		parts = append(parts, b.valid.Rows)
	}
	t := b.target
	for i, rows := range parts {
		codes(&d, rows, nil)
		if i == 0 {
			for c := range b.frame.Columns {
				numbers(&d, b.frame.Columns[c].Num, rows)
				codes(&d, b.frame.Columns[c].Code, rows)
			}
			continue
		}
		for _, y := range t.Y {
			numbers(&d, y, rows)
		}
		codes(&d, t.Class, rows)
		codes(&d, t.Event, rows)
		codes(&d, t.Group, rows)
		numbers(&d, t.Upper, rows)
		numbers(&d, t.Weight, rows)
		k := len(b.model.Bias)
		for _, r := range rows {
			if t.Offset != nil {
				numbers(&d, t.Offset[int(r)*k:(int(r)+1)*k], nil)
			}
		}
	}
	for _, m := range b.matrices {
		for _, g := range m.Groups {
			if int(m.Columns[g.Columns[0]].Feature) >= len(b.frame.Columns) {
				codes(&d, g.Narrow, nil)
				codes(&d, g.Wide, nil)
			}
		}
	}
	d.flush()
	b.sum = max(1, d.sum)
	return b.sum
}

// digest is a checksum on its way.
type digest struct {
	table  *crc32.Table
	sum    uint32
	buffer []byte
}

func (d *digest) add(bits uint64) {
	if len(d.buffer) >= 1<<15 {
		d.flush()
	}
	d.buffer = binary.LittleEndian.AppendUint64(d.buffer, bits)
}

func (d *digest) flush() {
	d.sum = crc32.Update(d.sum, d.table, d.buffer)
	d.buffer = d.buffer[:0]
}

// numbers adds values at rows, nil = all; no values leave no trace.
func numbers(d *digest, values []float64, rows []int32) {
	if values == nil {
		return
	}
	if rows == nil {
		for _, v := range values {
			d.add(math.Float64bits(v))
		}
		return
	}
	for _, r := range rows {
		d.add(math.Float64bits(values[r]))
	}
}

// codes does the same for whole numbers.
func codes[T uint8 | uint16 | uint32 | int32 | int64](d *digest, values []T, rows []int32) {
	if values == nil {
		return
	}
	if rows == nil {
		for _, v := range values {
			d.add(uint64(v))
		}
		return
	}
	for _, r := range rows {
		d.add(uint64(values[r]))
	}
}
