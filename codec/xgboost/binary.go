package xgboost

import (
	"bytes"
	"encoding/binary"
	"math"
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
func readBinary(in *input) (*file, error) {
	bytes, err := newStream(in)
	if err != nil {
		return nil, err
	}
	d := &structs{stream: bytes}
	if err := d.path.Enter(d.Take); err != nil {
		return nil, err
	}
	f := &file{forest: forest{parallel: 1}}
	for _, part := range []struct {
		name string
		read func(*file) error
	}{
		{"learner", d.learner}, {"booster", d.model}, {"attributes", d.attributes},
	} {
		d.path.Name(part.name)
		if err := part.read(f); err != nil {
			return nil, err
		}
	}
	return f, nil
}

// structs reads structs of a binary file.
type structs struct {
	*stream
	buffer        [forestSize]byte
	hasAttributes bool
}

// words reads a struct of so many bytes; the result is valid until the next call.
func (d *structs) words(size int) ([]byte, error) {
	b := d.buffer[:size]
	return b, d.full(b)
}

// word returns number i of a struct.
func word(b []byte, i int) int32 { return int32(binary.LittleEndian.Uint32(b[4*i:])) }

func number(b []byte, i int) float32 { return math.Float32frombits(uint32(word(b, i))) }

// count reads a number of elements of so many bytes each.
func (d *structs) count(each int64) (int64, error) {
	b, err := d.words(8)
	if err != nil {
		return 0, err
	}
	return d.fits(binary.LittleEndian.Uint64(b), each)
}

// fits checks that n elements of so many bytes each are left.
func (d *structs) fits(n uint64, each int64) (int64, error) {
	if left := (d.size - d.at) / each; n > uint64(max(left, 0)) {
		return 0, d.corrupt("%d elements of %d bytes where %d bytes are left", n, each, d.size-d.at)
	}
	return int64(n), nil
}

func (d *structs) text() (string, error) {
	n, err := d.count(1)
	if err != nil {
		return "", err
	}
	if n > longestText {
		return "", d.corrupt("a text is longer than %d bytes", longestText)
	}
	if err := d.Take(n); err != nil {
		return "", err
	}
	b := make([]byte, n)
	if err := d.full(b); err != nil {
		return "", err
	}
	return d.texted(b)
}

// floats reads a number of numbers, and these.
func (d *structs) floats() ([]float32, error) {
	n, err := d.count(4)
	if err != nil {
		return nil, err
	}
	if err := d.Take(4 * n); err != nil {
		return nil, err
	}
	list := make([]float32, n)
	for i := range list {
		b, err := d.words(4)
		if err != nil {
			return nil, err
		}
		list[i] = number(b, 0)
	}
	return list, nil
}

func (d *structs) learner(f *file) error {
	head, err := d.r.Peek(len(binaryMagic))
	if err != nil {
		return d.failed(err)
	}
	switch {
	case bytes.Equal(head, binaryMagic):
		if err := d.pass(int64(len(binaryMagic))); err != nil {
			return err
		}
	case bytes.Equal(head, []byte("bs64")):
		return d.unsupported("a file in base64")
	case bytes.Equal(head, []byte("CONF")):
		return d.unsupported("a memory snapshot: save the model by save_model")
	}
	b, err := d.words(learnerSize)
	if err != nil {
		return err
	}
	f.base = []float32{number(b, 0)}
	f.features, f.classes = int64(uint32(word(b, 1))), int64(word(b, 2))
	d.hasAttributes = word(b, 3) != 0
	f.version = [3]int32{word(b, 5), word(b, 6), -1}
	f.targets = max(1, int64(word(b, 7)))
	f.margin = f.version[0] < 1
	if f.classes < 0 || f.classes > math.MaxInt32 || f.version[0] < 0 || f.version[0] > 3 {
		return d.corrupt("%d classes, version %d", f.classes, f.version[0])
	}
	if f.objective, err = d.text(); err != nil {
		return err
	}
	f.booster, err = d.text()
	return err
}

func (d *structs) model(f *file) (err error) {
	switch f.booster {
	case "gblinear":
		if _, err = d.words(linearSize); err == nil {
			f.weights, err = d.floats()
		}
		return err
	case "gbtree", "dart":
	default:
		return d.unsupported("the booster %.60q", f.booster)
	}
	o := &f.forest
	b, err := d.words(forestSize)
	if err != nil {
		return err
	}
	if parallel := word(b, 1); parallel > 0 {
		o.parallel = int64(parallel)
	}
	n, err := d.fits(uint64(uint32(word(b, 0))), treeHead+nodeSize+statSize)
	if err != nil {
		return err
	}
	if err := d.path.Enter(d.Take); err != nil {
		return err
	}
	for i := range int(n) {
		d.path.Place(i)
		t := &fileTree{}
		if err := d.tree(t); err != nil {
			return err
		}
		if o.trees, err = push(d.input, o.trees, t); err != nil {
			return err
		}
	}
	d.path.Leave()
	for range n {
		b, err := d.words(4)
		if err != nil {
			return err
		}
		if o.group, err = push(d.input, o.group, word(b, 0)); err != nil {
			return err
		}
	}
	if f.booster == "dart" && n > 0 {
		o.drop, err = d.floats()
	}
	return err
}

// tree reads a tree. A node is parent, left child, right child, column with the default direction
// in its highest bit, and threshold or value; its statistics are gain, hessian, weight and a count.
func (d *structs) tree(t *fileTree) error {
	b, err := d.words(treeHead)
	if err != nil {
		return err
	}
	switch {
	case word(b, 0) > 1:
		return d.unsupported("a tree of %d roots", word(b, 0))
	case word(b, 5) > 1:
		return d.unsupported("leaf vectors in a binary file")
	}
	n, err := d.fits(uint64(uint32(word(b, 1))), nodeSize+statSize)
	if err != nil {
		return err
	}
	if err := d.Take(treeSize + n*(5*4+1+2*4)); err != nil {
		return err
	}
	t.left, t.right, t.feature = make([]int32, n), make([]int32, n), make([]int32, n)
	t.cond, t.defaultLeft = make([]float32, n), make([]uint8, n)
	t.gain, t.hessian = make([]float32, n), make([]float32, n)
	for i := range n {
		if b, err = d.words(nodeSize); err != nil {
			return err
		}
		t.left[i], t.right[i], t.cond[i] = word(b, 1), word(b, 2), number(b, 4)
		t.feature[i] = word(b, 3) & math.MaxInt32
		t.defaultLeft[i] = uint8(uint32(word(b, 3)) >> 31)
	}
	for i := range n {
		if b, err = d.words(statSize); err != nil {
			return err
		}
		t.gain[i], t.hessian[i] = number(b, 0), number(b, 1)
	}
	return nil
}

func (d *structs) attributes(f *file) error {
	if !d.hasAttributes {
		return nil
	}
	n, err := d.count(16)
	if err != nil {
		return err
	}
	for range n {
		name, err := d.text()
		if err != nil {
			return err
		}
		value, err := d.text()
		if err != nil {
			return err
		}
		if isKnownAttribute(name) {
			f.setAttribute(name, value)
		}
	}
	return nil
}
