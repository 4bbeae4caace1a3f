package command

import (
	"context"
	"fmt"
	"math"
	"strconv"

	"github.com/spf13/pflag"

	"github.com/coppice-ml/coppice/data"
)

// splitFlags name the validation set and the test set.
type splitFlags struct {
	valid, test string // a file or a fraction
}

func (o *splitFlags) define(f *pflag.FlagSet) {
	f.StringVar(&o.valid, "valid", "", "use the rows of `FILE|FRACTION` as the validation set, for pruning (cart, c45) or early stopping (gbm)")
	f.StringVar(&o.test, "test", "", "use the rows of `FILE|FRACTION` as the test set")
}

// fraction names a set of rows: a fraction of the table, or a file of its own.
type fraction struct {
	fraction float64
	path     string
}

// rowSets are the rows of a frame by their purpose.
type rowSets struct {
	train, valid, test []int32
	how                string   // the rows were split, in words; "" if they were not
	files              []string // beside the table
}

func parseFraction(flag, text string) (fraction, error) {
	if text == "" {
		return fraction{}, nil
	}
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return fraction{path: text}, nil
	}
	if !(v > 0 && v < 1) || math.IsNaN(v) {
		return fraction{}, misusef("--%s %s: want a fraction above 0 and below 1, or a file (./%s)", flag, text, text)
	}
	return fraction{fraction: v}, nil
}

// fractions parses both flags.
func (o *splitFlags) fractions() (valid, test fraction, err error) {
	if valid, err = parseFraction("valid", o.valid); err != nil {
		return valid, test, err
	}
	if test, err = parseFraction("test", o.test); err != nil {
		return valid, test, err
	}
	if valid.fraction+test.fraction >= 1 {
		err = misusef("--valid %s and --test %s leave no rows for training: together they must be below 1", o.valid, o.test)
	}
	return valid, test, err
}

// further returns the files beside the table.
func further(valid, test fraction) []tableFile {
	var files []tableFile
	for _, f := range []tableFile{{"--valid", valid.path}, {"--test", test.path}} {
		if f.path != "" {
			files = append(files, f)
		}
	}
	return files
}

// readRowSets reads the table and the files beside it and splits off the fractions.
func (o *splitFlags) readRowSets(ctx context.Context, c *console, t *tableFlags, paths []string, seed uint64) (*problem, *rowSets, error) {
	valid, test, err := o.fractions()
	if err != nil {
		return nil, nil, err
	}
	p, err := t.read(ctx, c, paths, valid.path != "" || test.path != "")
	if err != nil {
		return nil, nil, err
	}
	return split(ctx, c, t, p, valid, test, seed)
}

// split splits off the fractions of a table that was read, and joins the files beside it.
func split(ctx context.Context, c *console, t *tableFlags, p *problem, valid, test fraction, seed uint64) (*problem, *rowSets, error) {
	var err error
	s := &rowSets{train: data.AllRows(p.Rows())}
	if valid.fraction > 0 || test.fraction > 0 {
		kind := data.DefaultKind(&p.Target)
		split := data.Split{Kind: kind, Seed: seed, Valid: valid.fraction, Test: test.fraction}
		if s.train, s.valid, s.test, err = split.Sets(&p.Target, s.train); err != nil {
			return nil, nil, err
		}
		s.how = splitWords(kind, seed)
	}
	for _, further := range []struct {
		path string
		rows *[]int32
	}{{valid.path, &s.valid}, {test.path, &s.test}} {
		if further.path == "" {
			continue
		}
		before := p.Rows()
		if p, err = t.join(ctx, c, p, further.path); err != nil {
			return nil, nil, err
		}
		*further.rows = data.AllRows(p.Rows())[before:]
		s.files = append(s.files, further.path)
	}
	return p, s, nil
}

func splitWords(kind data.PlanKind, seed uint64) string {
	switch kind {
	case data.TimePlan:
		return "split by time"
	case data.GroupedPlan:
		return fmt.Sprintf("split by group, seed %d", seed)
	case data.StratifiedPlan:
		return fmt.Sprintf("stratified split, seed %d", seed)
	}
	return fmt.Sprintf("random split, seed %d", seed)
}
