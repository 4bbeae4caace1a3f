package table

// Late is which columns may begin in any row, so that one without values so far may still come.
type Late struct {
	any  bool               // all columns
	rest map[string]float64 // by the name of one of numbers: what rows have that give it no value
	// columns of a schema that did not begin yet: passed on where other rows of the table were
	promised map[string]bool
}

// Expect reports that any column may begin in any row.
func (l *Late) Expect() { l.any = true }

// ExpectNumbers reports that no file declares a column of a name, which is one of numbers and may
// begin in any row. Rows that give it no value have the value rest.
func (l *Late) ExpectNumbers(name string, rest float64) {
	if l.rest == nil {
		l.rest = map[string]float64{}
	}
	l.rest[name] = rest
}

// isDeclared reports whether there is a column of a name that is no late one.
func isDeclared(b *Builder, name string) bool {
	_, late := b.Late.rest[name]
	return b.Has(name) && !late
}

// start is where a column begins.
type start struct {
	before int // rows of the table before the first, where they are not kept
	// what rows have that give the column no value, if hasRest; else a missing value
	rest    float64
	hasRest bool
}

// begin gives a column without values what its rows have that are not kept: where those name texts,
// its dictionary has the text of the rest.
func (s *start) begin(c *Column, before int) {
	if s.before = before; s.hasRest && before > 0 {
		s.appendRest(c)
		c.Empty()
	}
}

// appendRest appends what rows have that give the column no value.
func (s *start) appendRest(c *Column) {
	if s.hasRest {
		c.AppendNumber(s.rest)
	} else {
		c.AppendMissing()
	}
}

// promise makes columns without values where columns that are needed may still begin.
func promise(b *Builder) {
	if !b.Late.any && b.Late.rest == nil || b.Late.promised != nil {
		return
	}
	b.Late.promised = map[string]bool{}
	names := append([]string{}, b.options.Verbatim...)
	spare := set(b.options.Spare)
	for i := range b.options.Schema.Fields {
		if name := b.options.Schema.Fields[i].Source(); !spare[name] {
			names = append(names, name)
		}
	}
	for _, name := range names {
		typed := Untyped
		if _, one := b.Late.rest[name]; one {
			typed = TypedNumbers
		} else if !b.Late.any {
			continue
		}
		if !b.Has(name) && !b.files.partitioned(name) {
			if _, err := b.add(name, typed); err == nil { // the limit is checked again
				b.Late.promised[name] = true
			}
		}
	}
}
