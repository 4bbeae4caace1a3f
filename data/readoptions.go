package data

import (
	"io"

	"github.com/coppice-ml/coppice/memory"
)

// ReadOptions are those that every reader has. The zero value infers the kind of every column.
//
// A name in Numeric, Categorical, Dates, Texts, Ignore, Also or Verbatim that the file does not
// have is an error, which suggests the nearest name that it has.
type ReadOptions struct {
	// Missing holds the texts that mean a missing value, without blanks around them. The empty text
	// is always missing. Nil is Schema.Tokens or, if that is nil too, DefaultMissing in formats
	// that have no missing value of their own, and none in the others.
	Missing []string
	// MissingOf holds further texts that mean a missing value in one column, by its name. Nil is
	// Schema.TokensOf.
	MissingOf map[string][]string

	Numeric        []string // columns in which a text that is no number is an error
	Categorical    []string // columns of which numbers are categories too
	AllCategorical bool     // all columns but those of Numeric
	Ignore         []string // columns that are not read at all

	// Dates are columns whose texts are dates, or whose numbers are, and how: a text or number that
	// is none is an error. In a file that types a column as dates it is one by itself. A format
	// here overrules that of Schema.
	Dates map[string]DateFormat

	// Texts are columns that are read as texts, and how these become numbers. A column of numbers
	// alone is an error. The empty text is one, unlike a missing value, in formats that tell them
	// apart; in CSV it is missing.
	Texts map[string]TextFormat

	// Schema reads a table for a model: the columns that the schema names, with its kinds,
	// dictionaries and policies and in its order. In a numeric column a text is an error; in a
	// categorical one a text that the dictionary does not hold is UnseenCode. Columns that are
	// missing in the file are left out of the frame; other columns are skipped.
	Schema *Schema
	// NewLevels gives the categorical columns of Schema dictionaries of their own, of what the file
	// holds: to train again on the columns of a model.
	NewLevels bool
	Also      []string // with Schema: further columns, of inferred or forced kind, behind the schema's

	// Spare are numeric and categorical columns of Schema that the file may lack, as no tree of its
	// model uses them. The frame has them in any case: where the file does not, every row misses
	// its value, or has 0 or the first category where the model refuses missing values.
	Spare []string

	// Optional are further columns as those of Also that the file may lack: with Schema, the
	// columns that had a role in the training of a model (model.Spec.Beside). Other options may
	// name them too.
	Optional []string

	// Thousands and Decimal are the marks of the numbers that stand in texts: between groups of
	// three digits (',', '.', ' ' or '\''), and before the decimals ('.' or ','). They hold for all
	// texts that are read as numbers, of inferred columns, of Numeric ones and of a model's, also
	// those of the fields' formats; not for the numbers of files that type them. 0 leaves it to the
	// texts of a column, where Schema is nil, and to its format where it is not. One that equals
	// the other is an error; Thousands '.' alone means Decimal ','.
	Thousands, Decimal rune

	// Formats are how columns of Numeric are written (see Field.Format), by name. The texts of
	// the other ones decide, as they do in columns of inferred kind.
	Formats map[string]string

	// Encoding is that of text without a byte order mark, by the name that browsers use:
	// "windows-1252", "latin1", "utf-16le", "shift_jis". "" is UTF-8. A mark, also one of UTF-16,
	// has precedence over the encoding. Bytes that mean nothing in an encoding are an error.
	Encoding string

	// Verbatim columns are read into RowBlock.Verbatim as their texts, with nothing missing,
	// whether or not they are columns of the frame too.
	Verbatim []string

	// Label is the column to predict. Log is not told that it is categorical where its first row
	// has a text already.
	Label string

	// MaxValues limits the values that are stored, in formats where many values take few bytes: a
	// small file can hold a large table. These are rows x columns, and of sparse columns the stored
	// values alone. 0 is 2^31 - 1. CSV has no such limit.
	MaxValues int

	// Absent is what values mean that rows do not name, in formats of sparse rows (LibSVM). "" is
	// Schema.AbsentValues, or AbsentZero if there is none. Other formats ignore it.
	Absent Absent

	// FirstIndex is what features count from, in formats that name them by numbers (LibSVM). "" is
	// what the files show, or Schema.FirstIndex. Other formats ignore it.
	FirstIndex FirstIndex

	// Sheet is the name of the sheet to read, in formats of workbooks (Excel). "" is the first one.
	// Other formats ignore it.
	Sheet string

	// Memory limits what the table may take while it is read: its values, dictionaries and the
	// decompressed blocks of its files. A table that would take more is refused by an error that
	// wraps memory.ErrLimit. 0 is memory.Default.
	Memory memory.Limit

	// BlockBytes is about how much memory a block of rows takes in a table that is read in blocks.
	// 0 is 16 MiB, or a 16th of Memory if that is less. A Parquet file is read by whole row
	// groups, and an Arrow file by whole batches.
	BlockBytes int64

	// Threads is the largest number of goroutines that read a table, where its format lets several
	// do so: CSV by blocks of text, Parquet by column chunks. 0 is one per processor. The table is
	// the same for any number.
	Threads int

	// Decoders decompress texts beyond gzip and zip, which need none. A text of another compression
	// is an error that names the package of its decoder.
	Decoders []Decoder

	// Stores hold the files of paths that are URLs, by scheme: s3, https. A path of another scheme
	// is an error. Package data/stores has some.
	Stores map[string]Store

	// Bytes are tables in memory by their names, which are read where a path is such a name. The
	// readers keep no reference to them.
	Bytes map[string][]byte

	// Scratch is the folder for what has to be stored of a query that is read several times. "" is
	// the system's for temporary files.
	Scratch string

	// CutLine is told of a last line without its end that is no JSON, as a crash leaves it, in
	// formats of JSON lines: the line is passed over. Nil: it is an error.
	CutLine func(file string, line int)

	Stdin io.Reader // what the path "-" reads; nil: os.Stdin
	// receives notes, each once per column: what made an inferred column categorical, which
	// integers were rounded
	Log func(format string, args ...any)
}

// DefaultMissing holds the texts that mean a missing value in formats that have none of their own
// (CSV, LibSVM) unless ReadOptions.Missing names others.
var DefaultMissing = []string{"", "?", "NA", "N/A", "NaN", "nan", "null", "NULL"}

// MissingNumbers holds the texts that mean a missing value in columns that hold numbers or dates
// otherwise, where DefaultMissing is in force. In other columns they are categories or texts.
var MissingNumbers = []string{"<NA>", "n/a", "#N/A", "#N/A N/A", "#NA", "None", "NaT", "-NaN",
	"-nan"}
