package describe

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/coppice-ml/coppice/cmd/coppice/internal/cli"
	"github.com/coppice-ml/coppice/eval"
)

// MetricSet holds the metrics of a model on one set of rows.
type MetricSet struct {
	Name string
	// what training used these rows for; "" = nothing, so the metrics are an estimate, or those of
	// the training set
	Use    string
	Report *eval.Report
}

// Title returns the name of the set and the given words. It adds what training used the set for.
func (p *MetricSet) Title(words ...string) string {
	text := strings.Join(append([]string{p.Name}, words...), " ")
	if p.Use == "" {
		return text
	}
	return fmt.Sprintf("%s (used for %s)", text, p.Use)
}

// MetricSets holds training, validation and test set in this order. In JSON it is an object in that
// order.
type MetricSets []MetricSet

// MarshalJSON writes {"training":{...},"test":{...}}. A set that training used, such as for early
// stopping, has the key used_for.
func (p MetricSets) MarshalJSON() ([]byte, error) {
	var out bytes.Buffer
	if len(p) == 0 {
		return []byte("{}"), nil
	}
	for i, set := range p {
		text, err := json.Marshal(struct {
			UsedFor string `json:"used_for,omitempty"`
			*eval.Report
		}{set.Use, set.Report})
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(&out, `%s%q:%s`, []string{"{", ","}[min(i, 1)], set.Name, text)
	}
	out.WriteByte('}')
	return out.Bytes(), nil
}

// Print prints the metrics side by side. Sets that training used, whose metrics are too optimistic,
// follow separately.
func (p MetricSets) Print(c *cli.Console) {
	var estimates MetricSets
	for _, set := range p {
		if set.Use == "" {
			estimates = append(estimates, set)
		}
	}
	if len(estimates) > 0 {
		PrintMetrics(c, estimates)
	}
	for _, set := range p {
		if set.Use == "" {
			continue
		}
		c.Printf("\nThe %s set was used for %s: these metrics are too optimistic to be an "+
			"estimate.\n", set.Name, set.Use)
		set.Name = set.Title()
		PrintMetrics(c, MetricSets{set})
	}
}
