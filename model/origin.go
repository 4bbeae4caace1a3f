package model

import (
	"errors"
	"fmt"
	"math"

	"github.com/coppice-ml/coppice/tree"
)

// Origin is where a model of another tool comes from.
type Origin struct {
	Tool    string // e.g. "XGBoost"
	Version string // of the tool; "" = unknown
	// Leaf has for each tree the numbers that the tool reports for its leaves, by node; -1 at inner
	// nodes. nil: the tool has none, and the output Leaf is the number of the node.
	Leaf [][]int32
	// Gain is the sum of the gains of all splits on each feature of the trees, in the tool's unit,
	// for importances; nil: unknown
	Gain []float64
	// Objective is the tool's name for what it minimised, as its file has it; "" = unknown
	Objective string
	// Categories has for each field of the schema how the tool stores its categories: as "text", as
	// numbers of a type such as "int64", or "" by codes alone, or in a way that is not known. nil:
	// nothing is known of any. Writers of the tool's format need it, predictions do not.
	Categories []string
	// Settings are what else the tool's file states that predictions do not depend on, such as
	// parameters of the objective, by names that the tool's reader and writer agree on. nil:
	// nothing is known.
	Settings map[string]string
	// Certificate is what the model was compared with when it was converted; nil: with nothing
	Certificate *Certificate
}

// Certificate records how an imported model was compared with its file, or with outputs of the
// tool. codec/parity makes it.
type Certificate struct {
	// the expected values were computed by the tool itself, else by a plain evaluation of the nodes
	// in the file, in the tool's precision
	FromTool bool   `json:"from_tool"`
	Output   string `json:"output,omitempty"` // of the tool's values: "raw" or "proba" (Response)
	Rows     int    `json:"rows"`             // that were compared
	Splits   int    `json:"splits"`           // inner nodes of the model
	Probed   int    `json:"probed"`           // those whose split points rows were made for
	// Unprobed names what nodes test that no rows could be made for, with the number of nodes
	Unprobed []string `json:"unprobed,omitempty"`
	Leaves   bool     `json:"leaves"`  // leaf numbers were compared too
	Largest  float64  `json:"largest"` // difference that was found
	Allowed  float64  `json:"allowed"` // difference that rounding may make

	// Probes are some of the rows, each with a value for every field of the schema, and Expected
	// the raw scores, or the tool's outputs, that belong to them.
	Probes   []float64 `json:"-"`
	Expected []float64 `json:"-"`
}

// AllRounds as Options.Rounds requests all trees of a model that predicts with fewer by default.
const AllRounds = -1

// chosen returns the places of the trees of the first n rounds: n 0 is the model's default, and
// AllRounds all; nil means all trees.
func (e *Ensemble) chosen(n int) []int {
	if n == 0 {
		n = e.Best
	}
	if n <= 0 || e.Rounds != nil && n >= len(e.Rounds) {
		return nil
	}
	var places []int
	if e.Rounds != nil {
		for i := range int(e.Rounds[n]) {
			places = append(places, i)
		}
		return places
	}
	seen := map[int32]int{}
	for i := range e.Trees {
		o := e.OutputOf(i)
		if seen[o]++; seen[o] <= n {
			places = append(places, i)
		}
	}
	return places
}

// NumRounds returns the number of rounds of training: a round is one tree of each output, unless
// Rounds divides the trees.
func (e *Ensemble) NumRounds() int {
	if e.Rounds != nil {
		return len(e.Rounds)
	}
	most, seen := 0, map[int32]int{}
	for i := range e.Trees {
		o := e.OutputOf(i)
		seen[o]++
		most = max(most, seen[o])
	}
	return most
}

// First returns an ensemble of the trees of the first n rounds, as Options.Rounds counts them. It
// shares its memory with e, and has no rounds or tool of its own.
func (e *Ensemble) First(n int) *Ensemble {
	own := *e
	own.Rounds, own.Best, own.Origin = nil, 0, nil
	places := e.chosen(n)
	if places == nil {
		return &own
	}
	own.Trees = pick(e.Trees, places)
	own.Output, own.Weights = pick(e.Output, places), pick(e.Weights, places)
	own.Refused = refusedAt(e.Refused, places)
	return &own
}

// pick returns the elements at some places; nil of nil.
func pick[T any](s []T, places []int) []T {
	if s == nil {
		return nil
	}
	own := make([]T, len(places))
	for i, at := range places {
		own[i] = s[at]
	}
	return own
}

// renumber returns the function that replaces nodes of the trees at some places, nil = of all, by
// the leaf numbers of the tool that made the model; nil if there are none.
func (o *Origin) renumber(places []int) func(leaves []float64) {
	if o == nil || o.Leaf == nil {
		return nil
	}
	numbers := o.Leaf
	if places != nil {
		numbers = pick(numbers, places)
	}
	return func(leaves []float64) {
		for i, node := range leaves {
			leaves[i] = float64(numbers[i][int32(node)])
		}
	}
}

// validateOrigin checks rounds, gains and leaf numbers.
func validateOrigin(e *Ensemble) error {
	before := int32(-1)
	for i, first := range e.Rounds {
		if first <= before || i == 0 && first != 0 || int(first) >= len(e.Trees) {
			return fmt.Errorf("round %d begins with tree %d of %d", i, first, len(e.Trees))
		}
		before = first
	}
	if e.Best < 0 {
		return fmt.Errorf("%d rounds are used", e.Best)
	}
	if e.Origin == nil {
		return nil
	}
	if g := e.Origin.Gain; g != nil && len(g) != e.features() || !finite(e.Origin.Gain) {
		return fmt.Errorf("%d gains of %d columns, or one that is not finite", len(g), e.features())
	}
	if c := e.Origin.Categories; c != nil && len(c) != len(e.Meta.Schema.Fields) {
		return fmt.Errorf("how a tool stores the categories of %d columns, of %d", len(c),
			len(e.Meta.Schema.Fields))
	}
	if err := e.Origin.Certificate.validate(len(e.Meta.Schema.Fields)); err != nil {
		return err
	}
	if e.Origin.Leaf == nil {
		return nil
	}
	if len(e.Origin.Leaf) != len(e.Trees) {
		return errors.New("leaf numbers of more or fewer trees than there are")
	}
	for i, t := range e.Trees {
		if err := validateNumbers(t, e.Origin.Leaf[i]); err != nil {
			return fmt.Errorf("tree %d: %w", i, err)
		}
	}
	return nil
}

// validate checks that the rows of a certificate have whole numbers of values.
func (c *Certificate) validate(fields int) error {
	if c == nil {
		return nil
	}
	rows := len(c.Probes) / max(1, fields)
	switch {
	case c.Rows < 0 || c.Splits < 0 || c.Probed < 0:
		return errors.New("a certificate of fewer than no rows")
	case !(c.Largest >= 0 && c.Largest <= math.MaxFloat64) ||
		!(c.Allowed >= 0 && c.Allowed <= math.MaxFloat64):
		return errors.New("a certificate whose differences are no numbers")
	case rows*fields != len(c.Probes) || rows > 0 && len(c.Expected)%rows != 0 ||
		rows == 0 && len(c.Expected) > 0:
		return fmt.Errorf("a certificate of %d values and %d expected ones for %d columns",
			len(c.Probes), len(c.Expected), fields)
	}
	return nil
}

// validateNumbers checks the leaf numbers of a tree.
func validateNumbers(t *tree.Tree, numbers []int32) error {
	if len(numbers) != t.Len() {
		return fmt.Errorf("%d leaf numbers of %d nodes", len(numbers), t.Len())
	}
	for n, number := range numbers {
		if (number < 0) == (t.Kind(int32(n)) == tree.Leaf) {
			return fmt.Errorf("node %d has the leaf number %d", n, number)
		}
	}
	return nil
}
