package models

import (
	"fmt"
	"strings"

	"github.com/coppice-ml/coppice/cmd/coppice/internal/cli"
	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/model"
)

// CertificateFacts describes what an imported model was compared with.
func CertificateFacts(c *model.Certificate) []cli.Fact {
	what := "scores"
	if c.Leaves {
		what = "leaves and scores"
	}
	if c.FromTool {
		what = "responses"
		if c.Output == model.Raw.String() {
			what = "scores"
		}
	}
	with := "a plain evaluation of the file; not compared with the source tool"
	if c.FromTool {
		with = "the outputs of the source tool"
	}
	where := fmt.Sprintf("%s of %s", what, humanize.Count(c.Rows, "row", "rows"))
	if c.Splits > 0 {
		where += fmt.Sprintf(", at %d of %s", c.Probed,
			humanize.Count(c.Splits, "split", "splits"))
	}
	facts := []cli.Fact{
		{Name: "compared", Text: where},
		{Name: "with", Text: with},
		{Name: "difference", Text: fmt.Sprintf("%s at most; rounding may make %s",
			humanize.Number(c.Largest, 3), humanize.Number(c.Allowed, 3))},
	}
	if len(c.Unprobed) > 0 {
		facts = append(facts, cli.Fact{Name: "not probed", Text: strings.Join(c.Unprobed, ", ")})
	}
	return facts
}
