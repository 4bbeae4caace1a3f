package tables

import (
	"context"
	"fmt"
	"math"
	"strconv"

	"github.com/spf13/pflag"

	"github.com/coppice-ml/coppice/cmd/coppice/internal/cli"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/split"
	"github.com/coppice-ml/coppice/internal/humanize"
)

// SplitFlags name the validation set and the test set.
type SplitFlags struct {
	Valid, Test string // a file or a fraction
}

// Define defines --valid and --test.
func (o *SplitFlags) Define(f *pflag.FlagSet) {
	f.StringVar(&o.Valid, "valid", "", "use the rows of `FILE|FRACTION` as the validation set, "+
		"for pruning (cart, c45) or early stopping (gbm)")
	o.DefineTest(f, "use the rows of `FILE|FRACTION` as the test set")
}

// DefineTest defines --test alone.
func (o *SplitFlags) DefineTest(f *pflag.FlagSet, about string) {
	f.StringVar(&o.Test, "test", "", about)
}

// Fraction names a set of rows: a fraction of the table, or a separate file.
type Fraction struct {
	fraction float64
	Path     string
}

// RowSets are the rows of a frame by their purpose.
type RowSets struct {
	Train, Valid, Test []int32
	How                string   // how the rows were split, for reports; "" = they were not
	LeftOut            int      // earlier rows in no set, because their groups are in a later one
	Weightless         int      // rows in no set because their weight is 0
	Files              []string // further files, of the validation and the test set
}

// ParseFraction parses the value of a flag: a number is a fraction, any other text a file.
func ParseFraction(flag, text string) (Fraction, error) {
	if text == "" {
		return Fraction{}, nil
	}
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return Fraction{Path: text}, nil
	}
	if !(v > 0 && v < 1) || math.IsNaN(v) {
		return Fraction{}, cli.Misusef(
			"--%s %s: want a fraction above 0 and below 1, or a file (./%s)", flag, text, text)
	}
	return Fraction{fraction: v}, nil
}

// Fractions parses both flags.
func (o *SplitFlags) Fractions() (valid, test Fraction, err error) {
	if valid, err = ParseFraction("valid", o.Valid); err != nil {
		return valid, test, err
	}
	if test, err = ParseFraction("test", o.Test); err != nil {
		return valid, test, err
	}
	if valid.fraction+test.fraction >= 1 {
		err = cli.Misusef("--valid %s and --test %s leave no rows for training: together they "+
			"must be below 1", o.Valid, o.Test)
	}
	return valid, test, err
}

// FurtherFiles returns the separate files of the validation and the test set, with their flags.
func FurtherFiles(valid, test Fraction) []File {
	var files []File
	for _, f := range []File{{"--valid", valid.Path}, {"--test", test.Path}} {
		if f.path != "" {
			files = append(files, f)
		}
	}
	return files
}

// ReadSets reads the table and the separate files of its sets, and splits off the fractions.
func (o *SplitFlags) ReadSets(
	ctx context.Context, c *cli.Console, t *TrainingFlags, paths []string, seed uint64,
) (*Problem, *RowSets, error) {
	valid, test, err := o.Fractions()
	if err != nil {
		return nil, nil, err
	}
	p, err := t.Read(ctx, c, paths, valid.Path != "" || test.Path != "")
	if err != nil {
		return nil, nil, err
	}
	return Split(ctx, c, t, p, valid, test, seed)
}

// Split splits the fractions off a table that was read, and appends the separate files. The rows
// for training choose the columns of texts and their names, unless a model's training continues.
func Split(
	ctx context.Context, c *cli.Console, t *TrainingFlags, p *Problem, valid, test Fraction,
	seed uint64,
) (*Problem, *RowSets, error) {
	var err error
	s := &RowSets{Train: data.AllRows(p.Rows())}
	if valid.fraction > 0 || test.fraction > 0 {
		if s, err = SplitRows(&p.Target, p.Rows(), valid, test, seed); err != nil {
			return nil, nil, err
		}
	}
	for _, further := range []struct {
		path string
		rows *[]int32
	}{{valid.Path, &s.Valid}, {test.Path, &s.Test}} {
		if further.path == "" {
			continue
		}
		before := p.Rows()
		if p, err = t.join(ctx, c, p, further.path); err != nil {
			return nil, nil, err
		}
		*further.rows = data.AllRows(p.Rows())[before:]
		s.Files = append(s.Files, further.path)
	}
	weighty := p.Target.WithWeight(s.Train)
	if (s.How != "" || len(weighty) < len(s.Train)) && t.From == nil {
		p = p.fitTexts(c, weighty)
	}
	return p, s, nil
}

// SplitRows splits the fractions off a table.
func SplitRows(t *data.Target, rows int, valid, test Fraction, seed uint64) (*RowSets, error) {
	s := &RowSets{Train: data.AllRows(rows)}
	if valid.fraction == 0 && test.fraction == 0 {
		return s, nil
	}
	kind := split.DefaultKind(t)
	once := split.HoldOut{Kind: kind, Seed: seed, Valid: valid.fraction, Test: test.fraction}
	weighty := len(t.WithWeight(s.Train))
	var err error
	s.Train, s.Valid, s.Test, err = once.Sets(t, s.Train)
	s.Weightless = rows - weighty
	s.LeftOut = weighty - len(s.Train) - len(s.Valid) - len(s.Test)
	s.How = splitWords(kind, seed) + LeftOutWords(s.LeftOut)
	if s.Weightless > 0 {
		s.How += fmt.Sprintf(", %s of weight 0 in no set", humanize.Count(s.Weightless, "row", "rows"))
	}
	return s, err
}

// LeftOutWords reports how many earlier rows were left out because their groups are tested, as an
// addition to how rows were split; "" = none.
func LeftOutWords(rows int) string {
	if rows == 0 {
		return ""
	}
	return fmt.Sprintf(", %s of groups that are tested later left out", humanize.Count(rows,
		"earlier row", "earlier rows"))
}

func splitWords(kind split.Kind, seed uint64) string {
	switch kind {
	case split.ByTime:
		return "split by time"
	case split.Grouped:
		return fmt.Sprintf("split by group, seed %d", seed)
	case split.Stratified:
		return fmt.Sprintf("stratified split, seed %d", seed)
	}
	return fmt.Sprintf("random split, seed %d", seed)
}
