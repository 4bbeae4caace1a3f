package pmml

import (
	"io"
	"maps"
	"strconv"
	"strings"

	"github.com/coppice-ml/coppice/codec/internal/foreign"
	"github.com/coppice-ml/coppice/data"
)

// column is a field of the data dictionary.
type column struct {
	name      string
	dataType  string
	texts     bool // its values are categories
	single    bool // its numbers are compared in single precision
	open      bool // the dictionary lists no categories: those of the predicates are all
	asMissing bool // a category that is not listed is missing
	levels    []string
	tokens    []string // the texts of missing values
	// rows with a missing value, or with a category that is not listed, have no prediction
	refuseMissing, refuseUnseen bool
	refuseInvalid               bool       // invalidValueTreatment refuses rows with invalid values
	intervals                   []interval // of valid numbers, ascending; nil: all are valid
	code                        map[string]int32
	place                       int32 // among the columns of the model; -1: none
	fault                       string
}

// level returns the code of a category, -1 if the column does not have it. Numbers as categories
// are equal if their values are.
func (c *column) level(text string, b *foreign.Budget) int32 {
	if c.numbers() {
		if x, err := strconv.ParseFloat(strings.TrimSpace(text), 64); err == nil {
			text = data.NumberText(x, 64)
		}
	}
	if code, ok := c.code[text]; ok || !c.open {
		if !ok {
			code = -1
		}
		return code
	}
	return c.add(text, b)
}

// numbers reports whether the categories are numbers.
func (c *column) numbers() bool { return c.dataType != "string" && c.dataType != "" }

// add makes a category.
func (c *column) add(text string, b *foreign.Budget) int32 {
	if len(c.levels) >= data.MaxLevels {
		refuse("column %.50q has more than %d categories", c.name, data.MaxLevels)
	}
	b.Need(256 + 2*int64(len(text)))
	if c.code == nil {
		c.code = map[string]int32{}
	}
	code := int32(len(c.levels))
	c.code[text] = code
	c.levels = append(c.levels, text)
	return code
}

// file is what a PMML file predicts with.
type file struct {
	version     string
	application string
	columns     []*column // of the model, in the order of its MiningSchema
	target      *column   // nil: the file names none
	scoring
}

// reader reads a file.
type reader struct {
	*scanner
	f         *file
	fields    *fields
	outermost bool // the next MiningSchema is that of the model itself
}

// read reads a file.
func read(r io.ReaderAt, size int64, b *foreign.Budget) *file {
	s := load(r, size, b)
	of := &fields{s, map[string]*column{}, map[string]*derivation{}}
	p := &reader{scanner: s, f: &file{}, fields: of, outermost: true}
	foreign.Check(s.place(p.document()))
	return p.f
}

// document reads the element PMML.
func (p *reader) document() (err error) {
	defer foreign.Ended(&err)
	root := p.next()
	if root == nil || root.name != "PMML" {
		fail("the first element is not PMML")
	}
	p.f.version = root.get("version")
	if v := p.f.version; !strings.HasPrefix(v, "3.") && !strings.HasPrefix(v, "4.") {
		refuse("version %.20q of PMML: want 3 or 4", v)
	}
	var found *part
	p.children(func(e *element) {
		switch e.name {
		case "Header":
			p.header()
		case "DataDictionary":
			p.fields.dictionary()
		case "TransformationDictionary":
			p.fields.transformations()
		case "MiningBuildTask", "Extension":
		default:
			if found == nil { // the first model is the one that predicts
				found = p.model(e, nil)
			}
		}
	})
	if found == nil {
		refuse("a file without a model")
	}
	p.f.score(found)
	return nil
}

func (p *reader) header() {
	p.children(func(e *element) {
		if e.name == "Application" {
			p.f.application = strings.TrimSpace(e.get("name") + " " + e.get("version"))
		}
	})
}

// fields reads what a file says of its columns, and of the fields that it computes of them.
type fields struct {
	*scanner
	columns map[string]*column
	derived map[string]*derivation
}

func (f *fields) dictionary() {
	f.children(func(e *element) {
		if e.name != "DataField" {
			return
		}
		name := e.get("name")
		if f.columns[name] != nil {
			fail("two fields are called %.50q", name)
		}
		f.Need(512)
		c := &column{name: name, dataType: e.get("dataType"), place: -1}
		f.columns[name] = c
		switch c.dataType {
		case "float":
			c.single = true
		case "string", "double", "integer", "boolean", "":
		default:
			c.fault = "dates and times"
		}
		c.texts = e.get("optype") == "categorical" || c.dataType == "string" || c.dataType == "boolean"
		if c.dataType == "boolean" {
			c.dataType = "string"
		}
		f.values(c)
	})
}

// values reads the values of a field.
func (f *fields) values(c *column) {
	c.open = true
	f.children(func(e *element) {
		if e.name == "Interval" && !c.texts {
			f.interval(c, e)
		}
		if e.name == "Value" {
			switch e.get("property") {
			case "missing":
				f.Need(64)
				c.tokens = append(c.tokens, e.get("value"))
			case "invalid":
			default:
				if c.texts {
					c.level(e.get("value"), f.Budget)
				}
			}
		}
	})
	c.open = c.texts && len(c.levels) == 0
	c.sortIntervals()
}

// columnOf returns the column of the model that a predicate tests, how the field is computed of it,
// nil if it is the column, and whether the number that it is compared with is rounded to single
// precision.
func (f *fields) columnOf(name string) (c *column, via *derivation, rounds bool) {
	d, derived := f.derived[name]
	if c = f.columns[name]; derived {
		c = f.columns[d.source]
	}
	switch {
	case derived && (d.source == "" || c == nil || c.texts):
		refuse("the derived field %.50q in a predicate", name)
	case c == nil:
		fail("no field is called %.50q", name)
	case c.place < 0:
		fail("the field %.50q is not in the MiningSchema of the model", name)
	case c.fault != "":
		refuse("%s in the column %.50q", c.fault, name)
	case !derived:
		return c, nil, c.single
	case len(d.steps) == 0 && (c.single || !d.single): // the column, as another type
		return c, nil, d.number == singleNumber
	}
	return c, d, d.number == singleNumber
}

// miningSchema reads which fields a model has, and adds their replacements of missing values to
// those of the model around it.
func (p *reader) miningSchema(replace map[int32]float64) map[int32]float64 {
	outer := p.outermost
	p.outermost = false
	p.children(func(e *element) {
		if e.name != "MiningField" {
			return
		}
		c := p.fields.columns[e.get("name")]
		switch usage := e.get("usageType"); {
		case c == nil:
			return // an output of another segment
		case usage == "target" || usage == "predicted":
			if outer && p.f.target == nil {
				p.f.target = c
			}
			return
		case usage != "active" && usage != "":
			return
		}
		if outer {
			p.activate(c, e)
		}
		if text := e.get("missingValueReplacement"); text != "" && c.place >= 0 {
			if _, set := replace[c.place]; !set {
				replace = with(replace, c.place, p.replacement(c, text))
			}
		}
	})
	return replace
}

// with returns a copy of a map with one entry more.
func with(m map[int32]float64, key int32, x float64) map[int32]float64 {
	own := map[int32]float64{key: x}
	maps.Copy(own, m)
	return own
}

// activate makes a field a column of the model.
func (p *reader) activate(c *column, e *element) {
	if c.place >= 0 {
		fail("the field %.50q is twice in the MiningSchema", c.name)
	}
	if o := e.get("outliers"); o != "" && o != "asIs" {
		refuse("outliers %.50q", o)
	}
	switch treatment := e.get("invalidValueTreatment"); treatment {
	case "", "returnInvalid":
		c.refuseInvalid = true
		c.refuseUnseen = c.texts && !c.open
	case "asIs":
	case "asMissing":
		c.asMissing = c.texts || len(c.intervals) > 0
	default:
		refuse("invalidValueTreatment %.50q", treatment)
	}
	p.Need(256)
	c.refuseMissing = e.get("missingValueTreatment") == "returnInvalid"
	c.place = int32(len(p.f.columns))
	p.f.columns = append(p.f.columns, c)
}

// replacement returns the number, or the code, that stands for a missing value.
func (p *reader) replacement(c *column, text string) float64 {
	p.Need(256 + 64*int64(len(p.f.columns)))
	if !c.texts {
		return number(text)
	}
	return float64(c.level(text, p.Budget))
}
