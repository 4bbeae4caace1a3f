package metrics

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/coppice-ml/coppice/cmd/coppice/internal/cli"
	"github.com/coppice-ml/coppice/eval"
	"github.com/coppice-ml/coppice/learn"
)

// Set holds the metrics of a model on one set of rows.
type Set struct {
	Name string
	// what training chose by these rows; 0 = nothing: the metrics are an estimate, or those of
	// training
	Use    learn.ValidUse
	Report *eval.Report
}

// Title names the set by some words and, where something was chosen by it, the purpose.
func (p *Set) Title(words ...string) string {
	text := strings.Join(append([]string{p.Name}, words...), " ")
	if p.Use == 0 {
		return text
	}
	return fmt.Sprintf("%s (used for %s)", text, p.Use)
}

// Sets are in the order of the sets. In JSON they are an object in that order.
type Sets []Set

// MarshalJSON writes {"training":{...},"test":{...}}. A set by which something was chosen has the
// key used_for.
func (p Sets) MarshalJSON() ([]byte, error) {
	var out bytes.Buffer
	if len(p) == 0 {
		return []byte("{}"), nil
	}
	for i, set := range p {
		text, err := json.Marshal(struct {
			UsedFor string `json:"used_for,omitempty"`
			*eval.Report
		}{set.Use.String(), set.Report})
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(&out, `%s%q:%s`, []string{"{", ","}[min(i, 1)], set.Name, text)
	}
	out.WriteByte('}')
	return out.Bytes(), nil
}

// Print prints the metrics side by side, and separately those of sets that something was
// chosen by.
func (p Sets) Print(c *cli.Console) {
	var estimates Sets
	for _, set := range p {
		if set.Use == 0 {
			estimates = append(estimates, set)
		}
	}
	if len(estimates) > 0 {
		Print(c, estimates)
	}
	for _, set := range p {
		if set.Use == 0 {
			continue
		}
		c.Printf("\nThe %s set was used for %s: these metrics are too optimistic to be an "+
			"estimate.\n", set.Name, set.Use)
		set.Name = set.Title()
		Print(c, Sets{set})
	}
}
