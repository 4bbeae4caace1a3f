//go:build linux

// Package accuracy is the case of errors: sides on sets of data, in repeated folds, with the paired
// differences from the first side.
package accuracy

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/tools/bench/exchange"
	"github.com/coppice-ml/coppice/tools/bench/pairs"
)

// Case trains and tests all sides on the same rows: two folds, shuffled again and again, stratified
// by class. Sets below 2000 rows get twice the rounds. A difference is taken in each round, and its
// interval is Student's over the rounds. Time is that of processors.
//
// A side is settings (see parseSide), so that a comparison is a list of sides; comparisons names
// those of the documentation. Sets are named, or by their group: files, customary, generated,
// rehearsed. Without a name they are files. A set whose file is missing is left out.
//
// Each cell (a set, a round and a side) is a file below -dir, and is not computed again. -for lets
// a long comparison run in pieces. Where a set is worse, -seed assigns its rows to other folds and
// trains with other seeds, to separate cause from luck. -coding gives all sides the same numbers,
// to see what categories and missing values have to do with it.
var Case = pairs.Case{Name: "accuracy", About: "errors of learners, settings and peers on many sets, " +
	"in repeated folds", Example: "-rows 2000 -threads 1 -sides 'gbm;gbm l2=10;xgboost' adult smooth",
	Takes: "rounds rows trees threads quick python r data lightgbm xgboost dir",
	Set: func(r *pairs.Run) func(context.Context) error {
		r.Rounds, r.Rows, r.Trees, r.Threads = 10, 4000, 300, []int{2}
		r.Data = pairs.Sets()
		b := &bench{Run: r}
		r.StringVar(&b.comparison, "compare", "boosting", "`name` of the sides: "+
			strings.Join(slices.Sorted(maps.Keys(comparisons())), ", "))
		r.StringVar(&b.list, "sides", "", "`sides` between semicolons, in place of those of -compare")
		r.IntVar(&b.folds, "folds", 2, "parts of the rows, of which each round tests on one")
		r.IntVar(&b.most, "train", 0, "`rows` that a training has at most, while all others are "+
			"tested on; 0 = those of all folds but one")
		r.Uint64Var(&b.seed, "seed", 0, "seed of the first shuffle and of what is trained in its first "+
			"round; each later one has the next")
		r.StringVar(&b.coding, "coding", "", "codes or one-hot: give all sides this table of numbers, "+
			"without missing values; empty = each has its own way")
		r.StringVar(&b.board, "board", "", "`file` that gets all figures: a line for each table, split "+
			"and side")
		r.StringVar(&b.against, "against", "", "`file` of an earlier board, to compare the first side "+
			"with, table by table")
		r.DurationVar(&b.lasts, "for", 0, "begin no cell after so long; 0 = compute all")
		return b.run
	}}

// bench is a run of the case.
type bench struct {
	*pairs.Run
	comparison, list, coding string
	board, against           string // files of boards, to write and to compare with
	sides                    []side
	missing                  []missing
	folds, most              int
	seed                     uint64
	lasts                    time.Duration
	python, r                string // the peers' programs
}

func (b *bench) run(ctx context.Context) (err error) {
	start := time.Now()
	if b.Quick {
		b.Rows, b.Trees, b.Rounds = 200, 20, 2
	}
	if b.coding != "" && b.coding != asCodes && b.coding != oneHot {
		return fmt.Errorf("-coding %s: want %s or %s", b.coding, asCodes, oneHot)
	}
	texts := comparisons()[b.comparison]
	if b.list != "" {
		texts = strings.Split(b.list, ";")
	}
	if len(texts) == 0 {
		return fmt.Errorf("there is no comparison %q", b.comparison)
	}
	for _, text := range texts {
		s, err := parseSide(strings.ReplaceAll(text, "TREES", fmt.Sprint(b.Trees)))
		if err != nil {
			return err
		}
		b.sides = append(b.sides, s)
	}
	if b.sides, b.missing = b.present(ctx, b.sides); len(b.sides) == 0 {
		return fmt.Errorf("no side can run here: %s", b.missing[0].why)
	}
	if b.python, err = b.Write("peers.py", exchange.Python+peersPython); err != nil {
		return err
	}
	if b.r, err = b.Write("peers.R", exchange.R+peersR); err != nil {
		return err
	}
	problems, err := b.problems()
	if err != nil {
		return err
	}
	for i := range mostRounds(problems) { // a round of all sets before the next round
		for _, p := range problems {
			for k := range b.sides {
				if b.lasts > 0 && time.Since(start) > b.lasts {
					return b.report(problems)
				}
				if i >= len(p.rounds) {
					continue
				}
				if err := b.compute(ctx, p, i, &b.sides[k]); err != nil {
					return fmt.Errorf("%s, %s: %w", p.name, b.sides[k].text, err)
				}
			}
		}
	}
	return b.report(problems)
}

// problems makes the chosen sets with their rounds.
func (b *bench) problems() ([]*problem, error) {
	wanted := func(name, group string) bool {
		return b.NArg() == 0 && group == "files" || slices.Contains(b.Args(), name) ||
			slices.Contains(b.Args(), group)
	}
	var all []*problem
	add := func(name string, ds *data.Dataset, rounds []round) (err error) {
		if b.coding != "" {
			if ds, err = coded(ds, b.coding); err != nil {
				return err
			}
		}
		if rounds == nil {
			if rounds, err = b.split(ds); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
		}
		p, err := b.newProblem(name, ds, rounds)
		all = append(all, p)
		return err
	}
	for _, s := range sets(b.Rows) {
		group := "files"
		if s.split != nil {
			group = "customary"
		}
		if !wanted(s.name, group) {
			continue
		}
		limit := 0
		if b.Quick {
			limit = b.Rows
		}
		ds, err := s.read(b.Data, limit)
		if errors.Is(err, fs.ErrNotExist) {
			fmt.Fprintf(os.Stderr, "%s: %v\n", s.name, err)
			continue
		}
		if err != nil {
			return nil, err
		}
		var rounds []round
		if s.split != nil {
			rounds = s.split(ds.Rows())
		}
		if err := add(s.name, ds, rounds); err != nil {
			return nil, err
		}
	}
	for i, g := range generators() {
		if !wanted(g.name, g.group) {
			continue
		}
		stream := rng.New(1)
		if g.group == "generated" {
			stream = rng.New(b.seed, uint64(i))
		}
		rows := g.rows
		if b.Rows > 0 {
			rows = min(rows, b.Rows)
		}
		ds, err := g.make(stream, rows)
		if err == nil {
			err = add(g.name, ds, nil)
		}
		if err != nil {
			return nil, err
		}
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("none of these sets is there: %v", b.Args())
	}
	return all, nil
}
