package forest

import (
	"encoding/binary"
	"errors"
	"hash/crc32"
	"math"
	"slices"

	"github.com/coppice-ml/coppice/learn/internal/ensembles"
	"github.com/coppice-ml/coppice/tree"
)

// stateVersion is the first number of a state. A state is what the model file of a shard stores
// besides its trees: first, after its length, what is the same in all shards,
//
//	version, seed, checksum of the columns, number of rows and of positions, labels, weights,
//	whether rows are out of bags
//
// then for each tree its report: gains, corrected gains, increases by permutation, a bit for each
// position that is out of its bag, and the leaves where these end. Whole numbers are varints,
// others 8 bytes; lists that may be absent start with 1 or 0.
const stateVersion = 1

var errState = errors.New("what the shard stores about its trees is damaged: train it again")

// state writes the state of the trees so far.
func (s *setup) state(b *accumulators) []byte {
	var common []byte
	for _, x := range []uint64{stateVersion, s.job.Seed, uint64(s.checksum()),
		uint64(b.trained.Rows), uint64(len(s.pop.Rows))} {
		common = binary.AppendUvarint(common, x)
	}
	for _, c := range b.truth.Class {
		common = binary.AppendUvarint(common, uint64(c))
	}
	if b.truth.Class == nil {
		common = appendFloats(common, b.truth.Y)
	}
	common = appendOptional(common, b.truth.Weight)
	common = appendBool(common, b.accumulator != nil)
	state := binary.AppendUvarint(nil, uint64(len(common)))
	state = append(state, common...)
	for i := range b.reports {
		state = b.reports[i].append(state, len(s.pop.Rows))
	}
	return state
}

// checksum sums up the values of all columns in the rows to train on.
func (s *setup) checksum() uint32 {
	castagnoli := crc32.MakeTable(crc32.Castagnoli)
	sum := uint32(0)
	var buffer []byte
	for i := range s.frame.Columns {
		c := &s.frame.Columns[i]
		buffer = buffer[:0]
		for _, r := range s.pop.Rows {
			if c.Codes() != nil {
				buffer = binary.LittleEndian.AppendUint32(buffer, c.Code(int(r)))
			} else {
				buffer = binary.LittleEndian.AppendUint64(buffer,
					math.Float64bits(c.Number(int(r))))
			}
		}
		sum = crc32.Update(sum, castagnoli, buffer)
	}
	return sum
}

// append writes a report of so many positions.
func (r *report) append(b []byte, positions int) []byte {
	b = appendFloats(b, r.Gain)
	b = appendOptional(b, r.Corrected)
	b = appendOptional(b, r.Permuted)
	bits := make([]byte, (positions+7)/8)
	for _, i := range r.Out {
		bits[i/8] |= 1 << (i % 8)
	}
	b = append(b, bits...)
	for _, n := range r.Leaf {
		b = binary.AppendUvarint(b, uint64(n))
	}
	return b
}

func appendFloats(b []byte, x []float64) []byte {
	for _, v := range x {
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(v))
	}
	return b
}

func appendBool(b []byte, x bool) []byte {
	if x {
		return append(b, 1)
	}
	return append(b, 0)
}

func appendOptional(b []byte, x []float64) []byte {
	return appendFloats(appendBool(b, x != nil), x)
}

// read reads a state, which may be hostile, of a shard whose parameters are read.
func (p *shard) read(state []byte) error {
	s := &scanner{b: state}
	p.common = s.bytes(s.length())
	if err := p.readCommon(&scanner{b: p.common}); err != nil {
		return err
	}
	for _, t := range p.model.Trees {
		r := report{Gain: s.floats(len(p.schema.Fields))}
		if s.bool() {
			r.Corrected = s.floats(len(p.schema.Fields))
		}
		if s.bool() {
			r.Permuted = s.floats(len(p.schema.Fields) + len(p.groups))
		}
		r.read(s, p.truth.Rows(), t)
		if s.failed {
			return errState
		}
		p.reported = append(p.reported, r)
	}
	if len(s.b) > 0 {
		return errState
	}
	return nil
}

// readCommon reads what is the same in all shards.
func (p *shard) readCommon(s *scanner) error {
	if s.uvarint() != stateVersion {
		return errors.New("the shard was made by another version of the program: train all shards " +
			"by one")
	}
	s.uvarint() // the seed
	s.uvarint() // and the checksum need only be the same
	p.trained.Rows = int(s.uvarint())
	n, spec := s.length(), &p.model.Meta
	p.truth = ensembles.Truth{Task: spec.Task, Classes: len(spec.Classes), Decision: spec.Decision}
	if spec.Task.Classes() {
		p.truth.Class = make([]uint32, n)
		for i := range p.truth.Class {
			c := s.uvarint()
			s.failed = s.failed || c >= uint64(len(spec.Classes))
			p.truth.Class[i] = uint32(c)
		}
	} else {
		p.truth.Y = s.floats(n)
	}
	if s.bool() {
		p.truth.Weight = s.floats(n)
		s.failed = s.failed || slices.ContainsFunc(p.truth.Weight,
			func(w float64) bool { return !(w >= 0) })
	}
	if s.bool() && !s.failed {
		p.accumulator = ensembles.NewAccumulator(p.truth)
	}
	if s.failed || len(s.b) > 0 {
		return errState
	}
	var err error
	p.groups, err = p.schema.ColumnGroups("importance_groups", p.learner.ImportanceGroups)
	return err
}

// read reads which of the positions are out of the bag of a tree and where they end.
func (r *report) read(s *scanner, positions int, t *tree.Tree) {
	for i, bits := range s.bytes((positions + 7) / 8) {
		for k := range 8 {
			if bits>>k&1 == 0 {
				continue
			}
			at, n := 8*i+k, s.uvarint()
			if at >= positions || n >= uint64(t.Len()) || t.Value(int32(n)) == nil {
				s.failed = true
				return
			}
			r.Out, r.Leaf = append(r.Out, int32(at)), append(r.Leaf, int32(n))
		}
	}
}

// scanner reads a state from its front. A value that is missing is zero, and sets failed.
type scanner struct {
	b      []byte
	failed bool
}

func (s *scanner) uvarint() uint64 {
	x, n := binary.Uvarint(s.b)
	if n <= 0 {
		s.failed, s.b = true, nil
		return 0
	}
	s.b = s.b[n:]
	return x
}

// length reads a number of things of which each takes at least one byte of what is left.
func (s *scanner) length() int {
	x := s.uvarint()
	if x > uint64(len(s.b)) {
		s.failed = true
		return 0
	}
	return int(x)
}

func (s *scanner) bytes(n int) []byte {
	if n > len(s.b) {
		s.failed, s.b = true, nil
		return nil
	}
	b := s.b[:n]
	s.b = s.b[n:]
	return b
}

func (s *scanner) bool() bool {
	b := s.bytes(1)
	s.failed = s.failed || b != nil && b[0] > 1
	return b != nil && b[0] == 1
}

// floats reads n finite numbers.
func (s *scanner) floats(n int) []float64 {
	b := s.bytes(8 * n)
	if b == nil {
		return nil
	}
	x := make([]float64, n)
	for i := range x {
		x[i] = math.Float64frombits(binary.LittleEndian.Uint64(b[8*i:]))
		s.failed = s.failed || math.IsNaN(x[i]) || math.IsInf(x[i], 0)
	}
	return x
}
