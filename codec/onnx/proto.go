package onnx

import (
	"errors"
	"fmt"

	"github.com/coppice-ml/coppice/codec"
	"github.com/coppice-ml/coppice/codec/internal/foreign"
	"github.com/coppice-ml/coppice/codec/internal/protobuf"
)

// The numbers of fields of the messages of onnx.proto that are read or written.
const (
	modelIR, modelProducer, modelProducerVersion = 1, 2, 3
	modelGraph, modelOpset, modelMetadata        = 7, 8, 14
	modelFunctions                               = 25

	graphNode, graphName, graphInitializer, graphInput, graphOutput = 1, 2, 5, 11, 12

	nodeInput, nodeOutput, nodeName, nodeOp, nodeAttribute, nodeDomain = 1, 2, 3, 4, 5, 7

	attributeName, attributeF, attributeI, attributeS, attributeT = 1, 2, 3, 4, 5
	attributeFloats, attributeInts, attributeStrings              = 7, 8, 9
	attributeType                                                 = 20

	tensorDims, tensorType, tensorFloats, tensorInt32s = 1, 2, 4, 5
	tensorStrings, tensorInt64s                        = 6, 7
	tensorName, tensorRaw, tensorDoubles, tensorPlace  = 8, 9, 10, 14

	valueName, valueType                          = 1, 2
	typeTensor, tensorTypeElement, tensorTypeDims = 1, 1, 2
	shapeDim, dimValue                            = 1, 1

	keyField, valueField        = 1, 2 // of metadata
	opsetDomain, opsetNumber    = 1, 2
	treeDomain, classicalDomain = "ai.onnx.ml", "" // of operators
)

// element is the type of a tensor's elements.
type element int32

// The types that inputs and constants may have.
const (
	float32s element = 1
	uint8s   element = 2
	int32s   element = 6
	int64s   element = 7
	texts    element = 8
	float64s element = 11
)

// onnxModel is what is read of a ModelProto.
type onnxModel struct {
	producer, version string
	metadata          map[string]string
	nodes             []operator
	constants         map[string]*tensor // initializers and results of Constant nodes
	inputs            []value
	outputs           []string
	message           *protobuf.Message // of the file; its error is that of all attributes too
}

// operator is a node of the graph; the nodes of trees are something else.
type operator struct {
	op, domain, name string
	input, output    []string
	attributes       []attribute
	offset           int64
}

// attribute is a named attribute, which is decoded when it is needed.
type attribute struct {
	name    string
	message protobuf.Message
}

// value is an input of the graph.
type value struct {
	name    string
	element element
	dims    []int64 // -1: any
}

// tensor is a constant.
type tensor struct {
	element element
	dims    []int64
	numbers []float64
	texts   []string
}

// Bounds of what the parts of a graph take, in bytes.
const (
	bytesPerOperator  = 400
	bytesPerAttribute = 160
	bytesPerName      = 64
)

// parser reads a file.
type parser struct {
	*foreign.Budget
	model onnxModel
}

// parse reads the messages of a file.
func parse(data []byte, b *foreign.Budget) *onnxModel {
	p := &parser{Budget: b}
	p.model.metadata, p.model.constants = map[string]string{}, map[string]*tensor{}
	m := protobuf.NewMessage(data, 0, b.Take)
	p.model.message = m
	graphs := 0
	for m.Next() {
		switch m.Field() {
		case modelProducer:
			p.model.producer = m.String()
		case modelProducerVersion:
			p.model.version = m.String()
		case modelGraph:
			if graphs++; graphs > 1 {
				m.Fail(errors.New("a second graph"))
			}
			p.graph(m.Message())
		case modelMetadata:
			p.entry(m.Message())
		case modelFunctions:
			refuse("functions of the model's own")
		}
	}
	foreign.Check(wrap(m.Err(), "file"))
	if graphs == 0 {
		foreign.Check(corrupt("file", int64(len(data)), errors.New("no graph")))
	}
	return &p.model
}

func (p *parser) entry(m *protobuf.Message) {
	var key, value string
	for m.Next() {
		switch m.Field() {
		case keyField:
			key = m.String()
		case valueField:
			value = m.String()
		}
	}
	if m.Take(bytesPerName * 2) {
		p.model.metadata[key] = value
	}
}

func (p *parser) graph(m *protobuf.Message) {
	for m.Next() {
		switch m.Field() {
		case graphNode:
			p.operator(m.Message(), m.Offset())
		case graphInitializer:
			if name, t := readTensor(m.Message()); m.Take(bytesPerName * 3) {
				p.model.constants[name] = t
			}
		case graphInput:
			if v := p.value(m.Message()); m.Take(bytesPerName * 2) {
				p.model.inputs = append(p.model.inputs, v)
			}
		case graphOutput:
			if v := p.value(m.Message()); m.Take(bytesPerName * 2) {
				p.model.outputs = append(p.model.outputs, v.name)
			}
		}
	}
}

func (p *parser) operator(m *protobuf.Message, offset int64) {
	p.Need(bytesPerOperator)
	o := operator{offset: offset}
	for m.Next() {
		switch m.Field() {
		case nodeInput:
			o.input = m.Strings(o.input)
		case nodeOutput:
			o.output = m.Strings(o.output)
		case nodeName:
			o.name = m.String()
		case nodeOp:
			o.op = m.String()
		case nodeDomain:
			o.domain = m.String()
		case nodeAttribute:
			p.Need(bytesPerAttribute)
			o.attributes = append(o.attributes, readAttribute(m.Message()))
		}
	}
	if m.Err() != nil {
		return
	}
	if o.domain == "ai.onnx" {
		o.domain = classicalDomain
	}
	if o.op == "Constant" && o.domain == classicalDomain && len(o.output) == 1 {
		p.constant(m, &o)
		return
	}
	p.model.nodes = append(p.model.nodes, o)
}

// constant keeps what a Constant node makes.
func (p *parser) constant(m *protobuf.Message, o *operator) {
	for i := range o.attributes {
		a := &o.attributes[i]
		t := &tensor{dims: []int64{}}
		switch a.name {
		case "value":
			t = a.tensor()
		case "value_float":
			t.element, t.numbers = float32s, []float64{float64(a.float())}
		case "value_int":
			t.element, t.numbers = int64s, []float64{float64(a.int())}
		default:
			refuse("Constant with the attribute %.50q", a.name)
		}
		if m.Err() == nil && t != nil {
			p.model.constants[o.output[0]] = t
		}
	}
}

// value reads the name and type of an input or output.
func (p *parser) value(m *protobuf.Message) (v value) {
	for m.Next() {
		switch m.Field() {
		case valueName:
			v.name = m.String()
		case valueType:
			for t := m.Message(); t.Next(); {
				if t.Field() == typeTensor {
					v.element, v.dims = readTensorType(t.Message())
				}
			}
		}
	}
	return v
}

func readTensorType(m *protobuf.Message) (e element, dims []int64) {
	for m.Next() {
		switch m.Field() {
		case tensorTypeElement:
			e = element(m.Int32())
		case tensorTypeDims:
			for s := m.Message(); s.Next(); {
				if s.Field() != shapeDim {
					continue
				}
				size := int64(-1)
				for d := s.Message(); d.Next(); {
					if d.Field() == dimValue {
						size = d.Int64()
					}
				}
				if len(dims) > 8 {
					s.Fail(errors.New("a tensor of more than 8 dimensions"))
					return e, dims
				}
				dims = append(dims, size)
			}
		}
	}
	return e, dims
}

// intact ends reading if a message of the file is damaged.
func (m *onnxModel) intact() { foreign.Check(wrap(m.message.Err(), "graph")) }

// corrupt reports damage.
func corrupt(section string, offset int64, err error) error {
	return &codec.CorruptError{Format: formatName, Section: section, Offset: offset, Err: err}
}

// unsupported reports what cannot be read or written.
func unsupported(format string, args ...any) error {
	return &codec.UnsupportedError{Format: formatName, What: fmt.Sprintf(format, args...)}
}

// refuse ends reading by what cannot be read.
func refuse(format string, args ...any) { foreign.Check(unsupported(format, args...)) }

// wrap gives an error of reading a type of package codec, if it has none.
func wrap(err error, section string) error { return foreign.Wrapped(formatName, section, err) }
