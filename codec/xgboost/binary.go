package xgboost

import (
	"bytes"
	"encoding/binary"
	"math"

	"github.com/coppice-ml/coppice/codec/internal/foreign"
)

// The binary files hold structs as they lie in memory, little endian:
//
//	"binf"           in some files
//	136 bytes        base_score, num_feature, num_class, ..., version, num_target, ...
//	text, text       objective and booster; a text is its length in 8 bytes and its bytes
//	                 gbtree, dart                          gblinear
//	160 bytes        num_trees, ...             136 bytes  ...
//	trees            148 bytes, nodes of 20,    floats     weights, with their number in 8 bytes
//	                 statistics of 16
//	int32 per tree   the score that it feeds
//	floats           dart: weights of the trees
//	texts            attributes, if there are any: a number in 8 bytes, then names and values
//
// What may follow, names of metrics and parameters, means nothing for predictions.
const (
	learnerSize = 136
	forestSize  = 160
	linearSize  = 136
	treeHead    = 148
	nodeSize    = 20
	statSize    = 16
)

var binaryMagic = []byte("binf")

// sniffBinary looks for the name of an objective where these files have it.
func sniffBinary(head []byte) bool {
	head = bytes.TrimPrefix(head, binaryMagic)
	if len(head) < learnerSize+8 {
		return false
	}
	n := binary.LittleEndian.Uint64(head[learnerSize:])
	name := head[learnerSize+8:]
	if n < 4 || n > 64 || uint64(len(name)) < n {
		return false
	}
	return bytes.IndexByte(name[:n], ':') > 0
}

// readBinary reads a binary file.
func readBinary(in *input) *file {
	d := &structs{stream: newStream(in)}
	foreign.Check(d.path.Enter(d.Take))
	f := &file{forest: forest{parallel: 1}}
	for _, part := range []struct {
		name string
		read func(*file)
	}{
		{"learner", d.learner}, {"booster", d.model}, {"attributes", d.attributes},
	} {
		d.path.Name(part.name)
		part.read(f)
	}
	return f
}

// structs reads structs of a binary file.
type structs struct {
	*stream
	buffer        [forestSize]byte
	hasAttributes bool
}

// words reads a struct of so many bytes; the result is valid until the next call.
func (d *structs) words(size int) []byte {
	b := d.buffer[:size]
	d.full(b)
	return b
}

// word returns number i of a struct.
func word(b []byte, i int) int32 { return int32(binary.LittleEndian.Uint32(b[4*i:])) }

func number(b []byte, i int) float32 { return math.Float32frombits(uint32(word(b, i))) }

// count reads a number of elements of so many bytes each.
func (d *structs) count(each int64) int64 {
	return d.fits(binary.LittleEndian.Uint64(d.words(8)), each)
}

// fits checks that n elements of so many bytes each are left.
func (d *structs) fits(n uint64, each int64) int64 {
	if left := (d.size - d.at) / each; n > uint64(max(left, 0)) {
		d.corrupt("%d elements of %d bytes where %d bytes are left", n, each, d.size-d.at)
	}
	return int64(n)
}

func (d *structs) text() string {
	n := d.count(1)
	if n > longestText {
		d.corrupt("a text is longer than %d bytes", longestText)
	}
	d.Need(n)
	b := make([]byte, n)
	d.full(b)
	return d.texted(b)
}

// floats reads a number of numbers, and these.
func (d *structs) floats() []float32 {
	n := d.count(4)
	d.Need(4 * n)
	list := make([]float32, n)
	for i := range list {
		list[i] = number(d.words(4), 0)
	}
	return list
}

func (d *structs) learner(f *file) {
	head, err := d.r.Peek(len(binaryMagic))
	d.check(err)
	switch {
	case bytes.Equal(head, binaryMagic):
		d.pass(int64(len(binaryMagic)))
	case bytes.Equal(head, []byte("bs64")):
		d.unsupported("a file in base64")
	case bytes.Equal(head, []byte("CONF")):
		d.unsupported("a memory snapshot: save the model by save_model")
	}
	b := d.words(learnerSize)
	f.base = []float32{number(b, 0)}
	f.features, f.classes = int64(uint32(word(b, 1))), int64(word(b, 2))
	d.hasAttributes = word(b, 3) != 0
	f.version = [3]int32{word(b, 5), word(b, 6), -1}
	f.targets = max(1, int64(word(b, 7)))
	f.margin = f.version[0] < 1
	if f.classes < 0 || f.classes > math.MaxInt32 || f.version[0] < 0 || f.version[0] > 3 {
		d.corrupt("%d classes, version %d", f.classes, f.version[0])
	}
	f.objective = d.text()
	f.booster = d.text()
}

func (d *structs) model(f *file) {
	switch f.booster {
	case "gblinear":
		d.words(linearSize)
		f.weights = d.floats()
		return
	case "gbtree", "dart":
	default:
		d.unsupported("the booster %.60q", f.booster)
	}
	o := &f.forest
	b := d.words(forestSize)
	if parallel := word(b, 1); parallel > 0 {
		o.parallel = int64(parallel)
	}
	n := d.fits(uint64(uint32(word(b, 0))), treeHead+nodeSize+statSize)
	foreign.Check(d.path.Enter(d.Take))
	for i := range int(n) {
		d.path.Place(i)
		t := &fileTree{}
		d.tree(t)
		o.trees = push(d.input, o.trees, t)
	}
	d.path.Leave()
	for range n {
		o.group = push(d.input, o.group, word(d.words(4), 0))
	}
	if f.booster == "dart" && n > 0 {
		o.drop = d.floats()
	}
}

// tree reads a tree. A node is parent, left child, right child, column with the default direction
// in its highest bit, and threshold or value; its statistics are gain, hessian, weight and a count.
func (d *structs) tree(t *fileTree) {
	b := d.words(treeHead)
	switch {
	case word(b, 0) > 1:
		d.unsupported("a tree of %d roots", word(b, 0))
	case word(b, 5) > 1:
		d.unsupported("leaf vectors in a binary file")
	}
	n := d.fits(uint64(uint32(word(b, 1))), nodeSize+statSize)
	d.Need(treeSize + n*(5*4+1+2*4))
	t.left, t.right, t.feature = make([]int32, n), make([]int32, n), make([]int32, n)
	t.cond, t.defaultLeft = make([]float32, n), make([]uint8, n)
	t.gain, t.hessian = make([]float32, n), make([]float32, n)
	for i := range n {
		b = d.words(nodeSize)
		t.left[i], t.right[i], t.cond[i] = word(b, 1), word(b, 2), number(b, 4)
		t.feature[i] = word(b, 3) & math.MaxInt32
		t.defaultLeft[i] = uint8(uint32(word(b, 3)) >> 31)
	}
	for i := range n {
		b = d.words(statSize)
		t.gain[i], t.hessian[i] = number(b, 0), number(b, 1)
	}
}

func (d *structs) attributes(f *file) {
	if !d.hasAttributes {
		return
	}
	for range d.count(16) {
		name := d.text()
		value := d.text()
		if isKnownAttribute(name) {
			f.setAttribute(name, value)
		}
	}
}
