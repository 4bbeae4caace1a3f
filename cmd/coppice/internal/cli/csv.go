package cli

import (
	"bufio"
	"encoding/csv"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/spf13/pflag"

	"github.com/coppice-ml/coppice/internal/humanize"
)

// CSVFlag controls how results are written as CSV. Without it texts are written unchanged, so that
// readers of the file find the names of the model and of the table.
type CSVFlag struct{ Safe bool }

// Define defines --safe-csv.
func (o *CSVFlag) Define(f *pflag.FlagSet) {
	f.BoolVar(&o.Safe, "safe-csv", false, "write an apostrophe before texts that a spreadsheet "+
		"would run as formulas: those that begin with =, +, -, @, a tab or the end of a line, "+
		"and are no numbers")
}

// CSVWriter writes results as CSV and stores the first text that a spreadsheet would run as a
// formula.
type CSVWriter struct {
	csv     *csv.Writer
	safe    bool
	formula string
}

// Write writes CSV to w by a function. Unless w is a terminal, texts are written without escapes,
// so that a reader gets back what was written. It prints a note if a spreadsheet would run one of
// the texts as a formula.
func (o *CSVFlag) Write(c *Console, w io.Writer, write func(lines *CSVWriter) error) error {
	if text, is := w.(*humanize.Writer); is {
		var err error
		if w, err = text.Exact(); err != nil {
			return err
		}
	}
	buffer := bufio.NewWriterSize(w, 1<<16)
	lines := &CSVWriter{csv: csv.NewWriter(buffer), safe: o.Safe}
	if err := write(lines); err != nil {
		return err
	}
	if lines.csv.Flush(); lines.csv.Error() != nil {
		return lines.csv.Error()
	}
	if err := buffer.Flush(); err != nil {
		return err
	}
	if lines.formula != "" && !o.Safe {
		c.Note("%s begins as a formula does: before the CSV is opened in a spreadsheet, write it "+
			"with --safe-csv", humanize.Shorten(humanize.Name(lines.formula), formulaWidth))
	}
	return nil
}

// WriteLine writes one line. It may change the fields in place.
func (w *CSVWriter) WriteLine(fields []string) error {
	for i, field := range fields {
		if !runs(field) {
			continue
		}
		if w.formula == "" {
			w.formula = field
		}
		if w.safe {
			fields[i] = "'" + field
		}
	}
	return w.csv.Write(fields)
}

// formulaWidth is the number of characters of a formula that a note quotes.
const formulaWidth = 50

// formulaStarts are the first characters of texts that spreadsheets run, those of full width and
// of imports included (OWASP, CSV Injection).
const formulaStarts = "=+-@\t\r\n＝＋－＠"

// runs reports whether a spreadsheet would run a text as a formula. A negative number begins with -
// but is harmless.
func runs(text string) bool {
	first, _ := utf8.DecodeRuneInString(text)
	if text == "" || !strings.ContainsRune(formulaStarts, first) {
		return false
	}
	_, err := strconv.ParseFloat(text, 64)
	return err != nil
}
