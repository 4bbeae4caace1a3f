// Package report writes a model as one HTML page that can be mailed: what the model is, how it was
// trained, how well it predicts, and why. The page loads nothing from anywhere. Compare puts two
// models side by side on a table: predictions, metrics with a paired test, and where they differ.
//
// Each section is a file of this package with a row in sections. It computes plain data and then
// the HTML that shows it, with charts by package plot. Scripts of assets only add to it.
//
//	model, table --> subject --> section: content --> parts --> page
//	                 predictions, sampled rows, Shapley values, once for all sections
package report

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/memory"
	"github.com/coppice-ml/coppice/model"
)

// Options are the choices of HTML. The zero value makes the whole page, on all processors.
type Options struct {
	Model string // name of the model, such as that of its file; "" = its learner
	Table string // name of the table; "" = none is shown

	// Against is another model that a section compares with this one on the table; nil: none.
	Against *Against

	// TrainingLog is the text that training printed, which is shown as it is; "" = none.
	TrainingLog string

	Seed    uint64 // of sampled rows, permutations and resamples
	Workers int    // goroutines; 0 = one per processor. The page is the same for any number

	// Memory limits what predictions of the whole table and preparation of Shapley values take; 0 =
	// memory.Default.
	Memory memory.Limit
	// Progress is called with the name of each section before it is made; nil: nothing is called.
	Progress func(section string)
}

// HTML writes the page of a model. With a dataset it holds the sections that need rows; its labels
// may be missing (data.Auto). Without one, ds = nil, these sections name what they need.
//
//	err := report.HTML(ctx, w, m, test, report.Options{Model: "adult", Table: "test.csv"})
//
// Metrics are of all rows. Charts show at most 500 points of sampled rows. Columns and classes of
// the dataset are matched by name, as in eval.Evaluate. Errors: those of eval.Evaluate, with
// Options.Against those of Compare, ctx.Err(), and those of w. A section that does not fit the
// model is no error: it holds the reason.
func HTML(
	ctx context.Context, w io.Writer, m model.Model, ds *data.Dataset, o Options,
) error {
	s, err := newSubject(ctx, m, ds, o)
	if err != nil {
		return err
	}
	var entries []entry
	var blocks []block
	for _, section := range sections() {
		if o.Progress != nil {
			o.Progress(section.title)
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		found, err := section.make(ctx, s)
		entry := entry{ID: section.id, Title: section.title, About: section.about}
		if errors.Is(err, errLeftOut) {
			continue
		}
		if missing := (*missingError)(nil); errors.As(err, &missing) {
			entry.Missing = missing.reason
		} else if err != nil {
			return fmt.Errorf("section %q of the report: %w", section.title, err)
		} else {
			if g, ok := found.(glossary); ok {
				found = g.of(entries)
			}
			entry.Parts = found.parts()
			if w, ok := found.(scripted); ok && w.forScripts() != nil {
				blocks = append(blocks, block{Name: "threshold", Content: w.forScripts()})
			}
		}
		entries = append(entries, entry)
	}
	return writePage(w, s.title(), entries, blocks)
}

// section is an entry of the table of sections.
type section struct {
	id    string // of the block with its content, and of the function that shows it
	title string
	about string // a sentence below the title: how to read the section
	// make returns the content; a *missingError states why there is none.
	make func(ctx context.Context, s *subject) (content, error)
}

// sections lists the sections in their order on the page.
func sections() []section {
	return []section{
		{"overview", "Overview", "What the model is and how well it predicts.", overviewOf},
		{"errors", "Errors", "How the predictions compare with the labels of the table.", errorsOf},
		{"slices", "Where the model is worst", "Rows with some values of one column in common that " +
			"are predicted worse than others.", slicesOf},
		{"against", "Comparison of two models", "How this model, A, and another one, B, differ on " +
			"the rows of the table.", againstOf},
		{"importances", "Importances", "How much each feature matters, by several kinds that answer " +
			"different questions.", importancesOf},
		{"shap", "Shapley values", "How much each feature raises or lowers the predictions of " +
			"single rows.", shapOf},
		{"dependence", "Partial dependence", "How predictions change as one feature changes and all " +
			"others stay.", dependenceOf},
		{"rows", "Rows and their reasons", "Single rows with what contributed most to their " +
			"predictions.", rowsOf},
		{"learned", "What the model learned", "The numbers that predictions are made of.", learnedOf},
		{"trees", "Trees", "The first trees of the model, with the labels of the table's rows in " +
			"each node.", treesOf},
		{"check", "Beside the training rows", "Whether the rows of the table are like those that the " +
			"model was trained on: PSI is the population stability index, p is corrected for all tests.",
			checkOf},
		{"columns", "Data", "The columns of the table, and what is suspicious about them.",
			columnsOf},
		{"training", "Training", "How the model developed as it was trained.", trainingOf},
		{"glossary", "Glossary", "What the terms of this page mean.", glossaryOf},
	}
}

// missingError is the reason why a section has no content.
type missingError struct{ reason string }

func (e *missingError) Error() string { return e.reason }

// missing returns a *missingError.
func missing(format string, args ...any) error {
	return &missingError{fmt.Sprintf(format, args...)}
}

// errLeftOut is for sections that the page is without, as nobody asked for them.
var errLeftOut = errors.New("this section is left out")

// The reasons that several sections have.
var (
	errNoTable = &missingError{"A table is missing: coppice report MODEL DATA computes this " +
		"section."}
	errNoLabel  = &missingError{"Labels are missing: this section compares them with predictions."}
	errNotExact = &missingError{"Exact Shapley values are of trees, linear models and weighted " +
		"sums of these: coppice explain with a background table estimates those of this model."}
	errNoTrees = &missingError{"This model is no ensemble of trees, which this section shows."}
)

// entry is a section in the list of contents.
type entry struct {
	ID      string
	Title   string
	About   string
	Missing string
	Parts   []piece
}
