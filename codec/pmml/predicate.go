package pmml

import (
	"math"
	"strings"
)

// operator is what a predicate tests.
type operator uint8

// The operators.
const (
	always operator = iota
	never
	less
	lessOrEqual
	greater
	greaterOrEqual
	equal
	notEqual
	isIn
	isNotIn
	isMissing
	isNotMissing
	and
	or
	xor
	surrogate
)

// simple has the operators of SimplePredicate.
var simple = map[string]operator{"lessThan": less, "lessOrEqual": lessOrEqual,
	"greaterThan": greater, "greaterOrEqual": greaterOrEqual, "equal": equal,
	"notEqual": notEqual, "isMissing": isMissing, "isNotMissing": isNotMissing}

// compound has those of CompoundPredicate.
var compound = map[string]operator{"and": and, "or": or, "xor": xor, "surrogate": surrogate}

// predicate is a condition on a row.
type predicate struct {
	operator operator
	single   bool // rounds the column to single precision
	column   int32
	via      *derivation // what is compared is computed of the column so; nil: it is the column
	value    float64     // of comparisons of numbers
	set      []uint64    // codes, of isIn and isNotIn; equality of categories is one of these
	parts    []predicate // of compound ones
}

// bytesPerPredicate bounds the memory of a predicate.
const bytesPerPredicate = 88

// isPredicate reports whether an element is a predicate.
func isPredicate(name string) bool {
	switch name {
	case "True", "False", "SimplePredicate", "SimpleSetPredicate", "CompoundPredicate":
		return true
	}
	return false
}

// predicate reads the predicate that element e starts.
func (p *reader) predicate(e *element) predicate {
	switch e.name {
	case "True":
		return predicate{operator: always}
	case "False":
		return predicate{operator: never}
	case "SimplePredicate":
		p.skip()
		return p.simple(e)
	case "SimpleSetPredicate":
		return p.setPredicate(e)
	}
	return p.compound(e)
}

func (p *reader) simple(e *element) predicate {
	op, ok := simple[e.get("operator")]
	if !ok {
		fail("unknown operator %.50q", e.get("operator"))
	}
	c, via, rounds := p.fields.columnOf(e.get("field"))
	q := predicate{operator: op, column: c.place, single: c.single && via == nil, via: via}
	switch {
	case op == isMissing || op == isNotMissing:
		return q
	case !c.texts:
		q.value = comparable(e.get("value"), rounds)
		return q
	case op != equal && op != notEqual:
		refuse("%s on the categories of the column %.50q", e.get("operator"), c.name)
	}
	if q.operator = isIn; op == notEqual {
		q.operator = isNotIn
	}
	p.include(&q, c.level(e.get("value"), p.Budget))
	return q
}

// comparable reads the number that a column is compared with, rounded to single precision or not.
func comparable(text string, rounds bool) float64 {
	x := number(text)
	if rounds {
		if x = float64(float32(x)); math.IsInf(x, 0) {
			fail("%.50q is beyond single precision", text)
		}
	}
	return x
}

// include adds a code to the set of a predicate; -1 is none.
func (p *reader) include(q *predicate, code int32) {
	if code < 0 {
		return
	}
	words := int(code)/64 + 1
	if words > len(q.set) {
		if words > cap(q.set) {
			p.Need(16 * int64(words))
			q.set = append(make([]uint64, 0, 2*words), q.set...)
		}
		q.set = q.set[:words]
	}
	q.set[code/64] |= 1 << (code % 64)
}

func (p *reader) setPredicate(e *element) predicate {
	c, via, rounds := p.fields.columnOf(e.get("field"))
	q := predicate{operator: isIn, column: c.place, single: c.single && via == nil, via: via}
	switch op := e.get("booleanOperator"); op {
	case "isIn":
	case "isNotIn":
		q.operator = isNotIn
	default:
		fail("unknown operator %.50q", op)
	}
	found := false
	p.children(func(e *element) {
		if e.name != "Array" {
			return
		}
		found = true
		eachValue(p.content(), func(value string) {
			if c.texts {
				p.include(&q, c.level(value, p.Budget))
			} else {
				p.number(&q, value, rounds)
			}
		})
	})
	if !found {
		fail("a set without an Array")
	}
	if !c.texts {
		// x is in a set of numbers if it is equal to one of them
		if q.operator == isIn {
			q.operator = or
		} else {
			q.operator = and
		}
	}
	return q
}

// number adds a number to a predicate on a set of numbers.
func (p *reader) number(q *predicate, text string, rounds bool) {
	x := comparable(text, rounds)
	q.parts = grow(q.parts, bytesPerPredicate, p.Budget)
	one := predicate{operator: equal, column: q.column, single: q.single, via: q.via, value: x}
	if q.operator == isNotIn {
		one.operator = notEqual
	}
	q.parts = append(q.parts, one)
}

// eachValue visits the values of an Array: words, or texts in quotes with \" for a quote.
func eachValue(text string, visit func(value string)) {
	for {
		text = strings.TrimLeft(text, " \t\r\n")
		if text == "" {
			return
		}
		var value string
		if text[0] != '"' {
			end := strings.IndexAny(text, " \t\r\n")
			if end < 0 {
				end = len(text)
			}
			value, text = text[:end], text[end:]
		} else {
			end := 1
			for end < len(text) && text[end] != '"' {
				if text[end] == '\\' {
					end++
				}
				end++
			}
			if end >= len(text) {
				fail("a text of an Array has no end")
			}
			value, text = text[1:end], text[end+1:]
			if strings.Contains(value, `\`) {
				value = strings.ReplaceAll(strings.ReplaceAll(value, `\"`, `"`), `\\`, `\`)
			}
		}
		visit(value)
	}
}

func (p *reader) compound(e *element) predicate {
	op, ok := compound[e.get("booleanOperator")]
	if !ok {
		fail("unknown operator %.50q", e.get("booleanOperator"))
	}
	q := predicate{operator: op}
	p.children(func(e *element) {
		if isPredicate(e.name) {
			part := p.predicate(e)
			q.parts = append(grow(q.parts, bytesPerPredicate, p.Budget), part)
		}
	})
	if len(q.parts) == 0 {
		fail("a compound predicate without parts")
	}
	return q
}
