package sqldata

import (
	"database/sql"
	"strings"

	"github.com/coppice-ml/coppice/internal/table"
)

// meaning is what values of a type are.
type meaning uint8

const (
	anything meaning = iota // the values decide
	number
	float32s
	truth
	text
	category // one of the values of an enumeration
	date
	clock // a time of the day
	none  // no place in a table
)

// typed returns what a file with such values declares.
func (m meaning) typed() table.Type {
	switch m {
	case anything:
		return table.Untyped
	case number, float32s, clock:
		return table.TypedNumbers
	case date:
		return table.TypedDates
	}
	return table.TypedTexts
}

// meanings are those of the names of types in PostgreSQL, MySQL, SQLite and other databases. A type
// whose name is not here holds texts.
var meanings = map[string]meaning{
	"": anything, "NULL": anything,
	"INT2": number, "INT4": number, "INT8": number, "OID": number, "INT": number, "INTEGER": number,
	"TINYINT": number, "SMALLINT": number, "MEDIUMINT": number, "BIGINT": number, "YEAR": number,
	"FLOAT8": number, "DOUBLE": number, "DOUBLE PRECISION": number, "REAL": number,
	"NUMERIC": number, "DECIMAL": number, "NUMBER": number,
	"FLOAT4": float32s, "FLOAT": number,
	"BOOL": truth, "BOOLEAN": truth,
	"DATE": date, "TIMESTAMP": date, "TIMESTAMPTZ": date, "DATETIME": date, "DATETIME2": date,
	"TIME": clock, "ENUM": category,
	"INTERVAL": none, "RECORD": none, "POINT": none, "LINE": none, "LSEG": none, "BOX": none,
	"PATH": none, "POLYGON": none, "CIRCLE": none, "GEOMETRY": none, "TSVECTOR": none,
	"INT4RANGE": none, "INT8RANGE": none, "NUMRANGE": none, "TSRANGE": none, "TSTZRANGE": none,
	"DATERANGE": none,
}

// meaningOf returns what the values of a column are, and the name of their type.
func (q *Query) meaningOf(t *sql.ColumnType) (meaning, string) {
	name := strings.ToUpper(strings.TrimSpace(t.DatabaseTypeName()))
	if of := t.DatabaseTypeName(); q.Enumerations[of] != nil {
		return category, of
	}
	bare, _, _ := strings.Cut(name, "(") // as SQLite has it in a declaration: DECIMAL(10, 2)
	bare = strings.TrimSpace(strings.TrimPrefix(bare, "UNSIGNED "))
	bare = strings.TrimSpace(strings.TrimSuffix(bare, " UNSIGNED"))
	if strings.HasPrefix(bare, "_") || strings.HasSuffix(name, "[]") {
		return none, "an array"
	}
	m, known := meanings[bare]
	if !known {
		return text, name
	}
	return m, "of the type " + strings.ToLower(bare)
}
