package ydf_test

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"fmt"
	"testing/fstest"

	"pgregory.net/rapid"

	"github.com/coppice-ml/coppice/codec/internal/protobuf"
)

// writer writes the folder of a model, for what no sample has. The label is column 0, of three
// categories or of numbers, and the others are those of columns.
type writer struct {
	name   string // the kind of model
	task   int64
	loss   int64
	start  []float32
	votes  bool
	classy bool // the label is categorical
	values int  // its number of categories, "<OOD>" included
	shards int
	gzip   bool
	prefix string

	inputs []int64 // nil: all columns but the label, last first
	trees  [][]tested
}

// tested is a node: a leaf without test.
type tested struct {
	column  int64
	test    func(w *protobuf.Writer) // writes the condition
	na      bool
	value   float32 // of a leaf
	class   int64
	counts  []float64
	sum     float64
	rows    int64 // of inner nodes: training rows, and those of the positive child
	passed  int64
	weights bool // rows have weights of a half
}

// The columns of the features that writer writes.
const (
	numbers     = 1 // numerical
	texts       = 2 // categorical: <OOD>, x, y, z
	truths      = 3 // boolean
	bins        = 4 // discretised by 1, 2.5 and 100
	codes       = 5 // categorical integers 0 to 69
	moreNumbers = 6 // numerical
)

var textLevels = []string{"<OOD>", "x", "y", "z"}

func (w *writer) columns() []byte {
	var m protobuf.Writer
	dictionary := func(c *protobuf.Writer, items []string) {
		c.Int64(1, 4)
		c.Message(6, func(d *protobuf.Writer) {
			d.Int64(2, int64(len(items)))
			for i, text := range items {
				d.Message(7, func(e *protobuf.Writer) {
					e.String(1, text)
					e.Message(2, func(v *protobuf.Writer) { v.Int64(1, int64(i)) })
				})
			}
		})
	}
	column := func(name string, fill func(c *protobuf.Writer)) {
		m.Message(1, func(c *protobuf.Writer) {
			c.String(2, name)
			fill(c)
		})
	}
	kind := func(k int64) func(c *protobuf.Writer) {
		return func(c *protobuf.Writer) { c.Int64(1, k) }
	}
	column("label", func(c *protobuf.Writer) {
		if !w.classy {
			c.Int64(1, 1)
			return
		}
		items := []string{"<OOD>"}
		for i := 1; i < w.values; i++ {
			items = append(items, fmt.Sprint("class ", i))
		}
		dictionary(c, items)
	})
	column("numbers", kind(1))
	column("texts", func(c *protobuf.Writer) { dictionary(c, textLevels) })
	column("truths", kind(7))
	column("bins", func(c *protobuf.Writer) {
		c.Int64(1, 9)
		c.Message(8, func(d *protobuf.Writer) { d.Floats(1, []float32{1, 2.5, 100}) })
	})
	column("codes", func(c *protobuf.Writer) {
		c.Int64(1, 4)
		c.Message(6, func(d *protobuf.Writer) {
			d.Int64(2, 70)
			d.Int64(5, 1)
		})
	})
	column("more numbers", kind(1))
	return m.Data()
}

// folder returns the files.
func (w *writer) folder() fstest.MapFS {
	files := fstest.MapFS{}
	add := func(name string, b []byte) { files[w.prefix+name] = &fstest.MapFile{Data: b} }
	inputs := w.inputs
	if inputs == nil {
		inputs = []int64{6, 5, 4, 3, 2, 1}
	}
	var header, forest protobuf.Writer
	header.String(1, w.name)
	header.Int64(2, w.task)
	header.Int64(3, 0)
	header.Int64s(5, inputs)
	add("header.pb", header.Data())
	add("data_spec.pb", w.columns())
	shards := max(1, w.shards)
	forest.Int64(1, int64(shards))
	forest.Int64(2, int64(len(w.trees)))
	format := "BLOB_SEQUENCE"
	if w.gzip {
		format = "BLOB_SEQUENCE_GZIP"
	}
	forest.String(7, format)
	if w.name == "RANDOM_FOREST" {
		if !w.votes {
			forest.Int64(3, 0)
		}
		add("random_forest_header.pb", forest.Data())
	} else {
		forest.Int64(3, w.loss)
		forest.Floats(4, w.start)
		forest.Int64(5, int64(len(w.start)))
		add("gradient_boosted_trees_header.pb", forest.Data())
	}
	var blobs [][]byte
	for _, t := range w.trees {
		for i := range t {
			blobs = append(blobs, w.node(&t[i]))
		}
	}
	for s := range shards {
		part := blobs[s*len(blobs)/shards : (s+1)*len(blobs)/shards]
		add(fmt.Sprintf("nodes-%05d-of-%05d", s, shards), sequence(part, w.gzip))
	}
	return files
}

// sequence makes a blob sequence.
func sequence(blobs [][]byte, compressed bool) []byte {
	var b bytes.Buffer
	for _, blob := range blobs {
		b.Write(binary.LittleEndian.AppendUint32(nil, uint32(len(blob))))
		b.Write(blob)
	}
	if !compressed {
		return append([]byte("BS\x00\x00\x00\x00\x00\x00"), b.Bytes()...)
	}
	var z bytes.Buffer
	z.WriteString("BS\x01\x00\x01\x00\x00\x00")
	g := gzip.NewWriter(&z)
	g.Write(b.Bytes())
	g.Close()
	return z.Bytes()
}

func (w *writer) node(n *tested) []byte {
	var m protobuf.Writer
	if n.test == nil {
		if w.name == "RANDOM_FOREST" && w.classy {
			m.Message(1, func(c *protobuf.Writer) {
				c.Int64(1, n.class)
				c.Message(2, func(d *protobuf.Writer) {
					d.Doubles(1, n.counts)
					d.Double(2, n.sum)
				})
			})
		} else {
			m.Message(2, func(c *protobuf.Writer) { c.Float(1, n.value) })
		}
		return m.Data()
	}
	m.Message(3, func(c *protobuf.Writer) {
		if n.na {
			c.Int64(1, 1)
		}
		c.Int64(2, n.column)
		c.Message(3, n.test)
		if n.rows > 0 {
			c.Int64(4, n.rows)
		}
		if n.weights {
			c.Double(5, float64(n.rows)/2)
		}
		c.Float(6, 0.25)
		if n.passed >= 0 {
			c.Int64(7, n.passed)
		}
		if n.weights {
			c.Double(8, float64(n.passed)/2)
		}
	})
	return m.Data()
}

// The conditions.

func isMissing(w *protobuf.Writer) { w.Message(1, func(*protobuf.Writer) {}) }
func isTrue(w *protobuf.Writer)    { w.Message(3, func(*protobuf.Writer) {}) }

func higher(t float32) func(*protobuf.Writer) {
	return func(w *protobuf.Writer) { w.Message(2, func(h *protobuf.Writer) { h.Float(1, t) }) }
}

func inList(list ...int64) func(*protobuf.Writer) {
	return func(w *protobuf.Writer) { w.Message(4, func(h *protobuf.Writer) { h.Int64s(1, list) }) }
}

func inBitmap(b ...byte) func(*protobuf.Writer) {
	return func(w *protobuf.Writer) {
		w.Message(5, func(h *protobuf.Writer) { h.String(1, string(b)) })
	}
}

func fromBin(bin int64) func(*protobuf.Writer) {
	return func(w *protobuf.Writer) { w.Message(6, func(h *protobuf.Writer) { h.Int64(1, bin) }) }
}

func oblique(threshold, weight float32, replace ...float32) func(*protobuf.Writer) {
	return func(w *protobuf.Writer) {
		w.Message(7, func(h *protobuf.Writer) {
			h.Int64s(1, []int64{moreNumbers})
			h.Floats(2, []float32{weight})
			h.Float(3, threshold)
			h.Floats(4, replace)
		})
	}
}

// randomFolder makes folders of all kinds of models.
func randomFolder() *rapid.Generator[*writer] {
	return rapid.Custom(func(t *rapid.T) *writer {
		w := &writer{shards: rapid.IntRange(1, 3).Draw(t, "shards"), gzip: rapid.Bool().Draw(t, "gzip"),
			prefix: rapid.SampledFrom([]string{"", "my_"}).Draw(t, "prefix"),
			votes:  rapid.Bool().Draw(t, "votes"), values: 3}
		if rapid.Bool().Draw(t, "forest") {
			w.name, w.task = "RANDOM_FOREST", rapid.Int64Range(1, 2).Draw(t, "task")
		} else {
			w.name = "GRADIENT_BOOSTED_TREES"
			w.loss = rapid.SampledFrom([]int64{1, 2, 3, 4, 6, 7, 8, 10}).Draw(t, "loss")
			w.task = map[int64]int64{1: 1, 2: 2, 3: 1, 4: 3, 6: 1, 7: 2, 8: 2, 10: 7}[w.loss]
			if w.start = []float32{rapid.Float32Range(-1, 1).Draw(t, "start")}; w.loss == 3 {
				w.start = []float32{0, 0.5, -0.25}
			}
		}
		if w.classy = w.task == 1; w.classy && (w.loss == 3 || w.loss == 0) {
			w.values = 4
		}
		weights := rapid.Bool().Draw(t, "weights")
		for range max(1, len(w.start)) * rapid.IntRange(1, 3).Draw(t, "trees") {
			var nodes []tested
			w.trees = append(w.trees, w.random(t, nodes, 1000, 4, weights))
		}
		return w
	})
}

// random appends a random tree of some depth.
func (w *writer) random(t *rapid.T, nodes []tested, rows int64, depth int, weights bool) []tested {
	number := rapid.Float32Range(-3, 3)
	if depth == 0 || rapid.IntRange(0, 4).Draw(t, "leaf") == 0 {
		n := tested{value: number.Draw(t, "value"), sum: 8, counts: make([]float64, w.values)}
		n.class = rapid.Int64Range(1, int64(w.values)-1).Draw(t, "class")
		for range 8 {
			n.counts[rapid.IntRange(1, w.values-1).Draw(t, "count")]++
		}
		return append(nodes, n)
	}
	n := tested{na: rapid.Bool().Draw(t, "na"), rows: rows, weights: weights}
	n.passed = rapid.Int64Range(0, rows).Draw(t, "passed")
	n.column = rapid.Int64Range(1, 6).Draw(t, "column")
	switch n.column {
	case numbers, moreNumbers:
		n.test = higher(number.Draw(t, "threshold"))
	case texts:
		n.test = inBitmap(rapid.Byte().Draw(t, "set"))
	case truths:
		n.test = isTrue
	case bins:
		n.test = fromBin(rapid.Int64Range(0, 4).Draw(t, "bin"))
	case codes:
		from := rapid.Int64Range(0, 60).Draw(t, "code")
		n.test = inList(from, from+1, from+7)
	}
	switch rapid.IntRange(0, 5).Draw(t, "other test") {
	case 0:
		n.test = isMissing
	case 1:
		weight := rapid.SampledFrom([]float32{-0.1, 0.3, 7}).Draw(t, "weight")
		n.test = oblique(number.Draw(t, "threshold"), weight)
		if rapid.Bool().Draw(t, "replaced") {
			n.test = oblique(number.Draw(t, "threshold"), weight, number.Draw(t, "replacement"))
		}
	}
	nodes = append(nodes, n)
	nodes = w.random(t, nodes, rows-n.passed, depth-1, weights)
	return w.random(t, nodes, n.passed, depth-1, weights)
}
